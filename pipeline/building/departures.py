"""Departures: what happens to components that the tool built and that are not built any longer.

Takes the record and the selection; gives what is removed, which only `--prune` asks for, and what is kept and why. The
rules are in `docs/building.md`.
"""

from collections.abc import Iterable

from msgspec import Struct

from pipeline.building.record import Record, archive_name
from pipeline.selection.choices import Choice
from pipeline.selection.select import Selection


class Departures(Struct, frozen=True):
    """The paths of recorded components that are not built, to be removed or kept."""

    removed: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    """Those to be kept that the selection leaves out."""
    gone: tuple[str, ...] = ()
    """Those to be kept whose archive is not in the drop."""


def departures(record: Record, selection: Selection, refused: Iterable[str], *, prune: bool) -> Departures:
    """Decide what happens to recorded components that are not built.

    `refused` are archives whose components are unknown, as the record calls them. They may include any recorded one,
    so nothing is pruned.
    """
    known = tuple(choice for choice in selection.choices if choice.reason.rule != "refused")
    selected = {choice.component.path for choice in known if choice.selected}
    unselected = {choice.component.path for choice in known if not choice.selected}
    closed = frozenset(archive_name(choice.archive.file) for choice in known if not choice.archive.component)
    doubtful = (choice.archive.file for choice in selection.choices if is_doubtful(choice))
    unsure = frozenset(refused) | {archive_name(file).removesuffix(f"!{file.member}") for file in doubtful}
    others = {path: each.archive for path, each in sorted(record.components.items()) if path not in selected}
    left_out = tuple(path for path, archive in others.items() if path in unselected or _is_of(archive, closed))
    gone = tuple(path for path, archive in others.items() if path not in left_out and not _is_of(archive, unsure))
    if prune and not unsure:
        return Departures(removed=tuple(others))
    return Departures((), left_out, gone)


def is_doubtful(choice: Choice) -> bool:
    """Whether an archive is refused that is not left out: what it holds may be any component."""
    return bool(choice.archive.refusals) and (choice.selected or choice.reason.rule == "refused")


def _is_of(archive: str, files: frozenset[str]) -> bool:
    """Whether an archive is one of these files, or a member of a bundle among them."""
    return archive in files or any(archive.startswith(f"{file}!") for file in files)
