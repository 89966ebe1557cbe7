"""Wording: phrases for diagnostics and events: lists, numbers, values and suggested names."""

import re
import shlex
from collections.abc import Iterable, Sequence, Sized
from typing import Final, TypeVar

from pipeline.report.escape import escape, to_json
from pipeline.schema import Value

_Thing = TypeVar("_Thing")
LISTED: Final = 10
"""How many items of a long list are named."""
LONGEST: Final = 200
"""The longest name, in characters, that is shown in full: archives and files may have any name."""
SUGGESTED: Final = 3
"""The most names that are suggested."""
_NEAR: Final = 0.751
"""How similar a suggested name must be, from 0 to 1."""
SUGGESTION_LIMIT: Final = 50
"""The most unmatched patterns or missing presets for which names are suggested."""
_OTHER_TYPE: Final = r"true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?"
_AMBIGUOUS: Final = r"""[\s,\[\]{}()"'\\;&|<>]"""


def listed(names: Sequence[str], limit: int = LISTED, mark: str = "`") -> str:
    """List names: `a, b and 3 more`, each between marks; if only one exceeds the limit, it
    is named too.
    """
    shown = first_items(names, limit)
    text = ", ".join(f"{mark}{shortened(name)}{mark}" for name in shown)
    if len(names) > len(shown):
        text += f" and {len(names) - len(shown):,} more"
    return text


def shortened(text: str, most: int = LONGEST) -> str:
    """The beginning and the end of a text that is too long, and between them the number of
    omitted characters.
    """
    if len(text) <= most:
        return text
    before = most // 2
    after = most // 4
    return f"{text[:before]}… ({len(text) - before - after:,} more characters) …{text[-after:]}"


def first_items(things: Sequence[_Thing], limit: int) -> Sequence[_Thing]:
    """The first items of a long list; all of them, if only one would be omitted."""
    if len(things) <= limit + 1:
        return things
    return things[:limit]


def counted(number: int, thing: str) -> str:
    """A number with its noun: 1 file, 2,000 files."""
    return f"{number:,} {thing}{'s' * (number != 1)}"


def agreeing(things: Sized, one: str, several: str) -> str:
    """The word that agrees with the number of things: `is` with one of them, `are` with several."""
    if len(things) == 1:
        return one
    return several


def clause(text: str, fact: object) -> str:
    """A part of a sentence, with a fact in the place of `{}`; empty if the fact is empty,
    zero or false.
    """
    if not fact:
        return ""
    return text.format(fact)


def size_text(size: int) -> str:
    """A number of bytes in the notation of `TOOL_KEEP`: 200M."""
    for unit, letter in ((1024**3, "G"), (1024**2, "M")):
        if size and size % unit == 0:
            return f"{size // unit}{letter}"
    return f"{size // 1024}K"


def either(names: Sequence[str]) -> str:
    """Name alternatives: `a`, `b` or `c`."""
    return one_of([f"`{name}`" for name in names])


def one_of(words: Sequence[str]) -> str:
    """Join alternatives: a, b or c."""
    *first, last = words
    if not first:
        return last
    return f"{', '.join(first)} or {last}"


def suggest(name: str, known: Iterable[str]) -> tuple[str, ...]:
    """The known names that are similar to a name, but not equal, at most `SUGGESTED`, the most
    similar first.

    The names match in more than three quarters: a wrong suggestion is worse than none.
    """
    from difflib import get_close_matches  # costs start-up time, and only a mistake needs it

    by_lower = {candidate.lower(): candidate for candidate in known if candidate != name}
    return tuple(
        by_lower[match]
        for match in get_close_matches(name.lower()[:100], by_lower, SUGGESTED, _NEAR)
    )


def did_you_mean(suggestions: Sequence[str]) -> str:
    """A question that suggests names; empty without suggestions."""
    if not suggestions:
        return ""
    return f"did you mean {either(suggestions)}?"


def adding(flag: str, name: str, lists_below: frozenset[str] | None) -> str:
    """The flags that add a name to a list of patterns, quoted for a shell, to append to a
    command line.

    `lists_below` are the flags that must begin with `...` to keep the list of a lower layer; if
    it is not known, each flag does. In the name, `?` stands for a character that would be
    escaped in output.
    """
    flags = [f"{flag}={''.join(map(_literally, name))}"]
    if lists_below is None or flag in lists_below:
        flags.insert(0, f"{flag}=...")
    return shlex.join(flags)


def _literally(character: str) -> str:
    """The pattern that matches a character."""
    if character in "*?[":
        return f"[{character}]"
    if escape(character) != character:
        return "?"
    return character


def value_text(value: Value) -> str:
    """A value as text: a list in brackets, and a string without quotes unless it could be read as
    something else.
    """
    if isinstance(value, tuple):
        return f"[{', '.join(map(word, value))}]"
    if isinstance(value, bool):
        return str(value).lower()
    return word(value)


def word(text: str) -> str:
    """A string without quotes, or in JSON quotes if it would be ambiguous or several
    words in a shell.
    """
    is_plain = (
        text
        and not re.search(_AMBIGUOUS, text)
        and not re.fullmatch(_OTHER_TYPE, text)
        and escape(text) == text
    )
    if not is_plain:
        return to_json(text)
    return text
