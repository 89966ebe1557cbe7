"""Places: what a script says, and where the values of evaluated data stand in its text.

Nothing is guessed: a literal that is not what the data has was changed by the script, and is not its place. One that
something computed after it may have replaced is a place only if the data has all that is written there.
"""

from collections.abc import Iterator
from typing import Any

from msgspec import UNSET

from pipeline.config.tree import KeyPath, Offsets, Written, spell


def data_of(written: Written) -> object:
    """The data of a literal."""
    if isinstance(written.plain, dict):
        return {step: data_of(member.value) for step, member in written.members.items()}
    is_list = isinstance(written.plain, list)
    return [data_of(member.value) for member in written.members.values()] if is_list else written.plain


def places_in(
    written: Written, data: object, path: KeyPath = (), key: int | None = None
) -> Iterator[tuple[KeyPath, Offsets]]:
    """Each value of the data whose place is certain, with where it and its key stand."""
    if not _agrees(written.plain, data):
        return
    yield path, Offsets(written.start, written.start if key is None else key)
    for step, member in written.members.items():
        inner = _at(data, step)
        if member.is_last or _is_written(member.value, inner):
            yield from places_in(member.value, inner, (*path, step), member.key)


def nearest(written: Written, path: str) -> int:
    """Where the value at a spelled path stands, or the nearest one around it."""
    steps: KeyPath = ()
    while (step := next((each for each in written.members if _encloses((*steps, each), path)), None)) is not None:
        steps, written = (*steps, step), written.members[step].value
    return written.start


def _encloses(outer: KeyPath, path: str) -> bool:
    spelled = spell(outer)
    return path == spelled or path.startswith((f"{spelled}.", f"{spelled}["))


def _at(data: Any, step: str | int) -> object:
    """The value at a step; `UNSET` if there is none."""
    is_there = step in data if isinstance(data, dict) else isinstance(step, int) and step < len(data)
    return data[step] if is_there else UNSET


def _agrees(plain: object, data: object) -> bool:
    """Whether a value of the data can be what is written; if that is computed, any can."""
    if plain is UNSET or data is UNSET:
        return data is not UNSET
    return type(plain) is type(data) and (isinstance(plain, dict | list) or plain == data)


def _is_written(written: Written, data: Any) -> bool:
    """Whether a value of the data is what is written, with all in it."""
    if written.plain is UNSET or not _agrees(written.plain, data):
        return False
    size = len(data) if isinstance(data, dict | list) else 0
    inner = written.members.items()
    return len(inner) == size and all(_is_written(member.value, _at(data, step)) for step, member in inner)
