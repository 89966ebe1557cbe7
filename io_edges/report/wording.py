"""Wording: what the words for problems and for notes are made of."""

import shlex
from collections.abc import Sequence
from pathlib import PurePath

from msgspec import Struct

from pipeline.report.escape import escape
from pipeline.report.source import Source

LISTED = 10
"""How many things of a long list are named."""


class Prose(Struct, frozen=True, kw_only=True):
    """A problem or a note in words: what is the matter, what to do, where."""

    message: str
    help: str = ""
    path: str | None = None
    source: Source | None = None


def listed(names: Sequence[str], limit: int = LISTED) -> str:
    """List names: `a, b and 3 more`."""
    rest = f" and {len(names) - limit:,} more" if len(names) > limit else ""
    return ", ".join(f"`{name}`" for name in names[:limit]) + rest


def either(names: Sequence[str]) -> str:
    """Name alternatives: `a`, `b` or `c`."""
    return one_of([f"`{name}`" for name in names])


def one_of(words: Sequence[str]) -> str:
    """Join alternatives: a, b or c."""
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last


def meant(near: Sequence[str]) -> str:
    """Suggest the near names; empty if there are none."""
    return f"did you mean {either(near)}?" if near else ""


def are(names: Sequence[str]) -> str:
    """The verb for names."""
    return "is" if len(names) == 1 else "are"


def excluding(archive: str, lists_below: frozenset[str] | None) -> str:
    """The flags that also leave an archive out, by its file name; see `adding`."""
    whole, bang, member = archive.partition("!")
    return adding("--exclude", f"{PurePath(whole).name}{bang}{member}", lists_below)


def adding(flag: str, name: str, lists_below: frozenset[str] | None) -> str:
    """The flags that add a name to the patterns of a list, as they are typed in a shell behind those of the run.

    `lists_below` are the flags that have to begin with `...` to keep a list; if that is not known, each does. In the
    name, `?` stands for a character that would not be shown as it is.
    """
    pattern = "".join(f"[{each}]" if each in "*?[" else each if escape(each) == each else "?" for each in name)
    keeps = lists_below is None or flag in lists_below
    return shlex.join((*(f"{flag}=...",) * keeps, f"{flag}={pattern}"))
