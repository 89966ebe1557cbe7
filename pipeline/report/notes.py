"""Notes: what is worth a warning but stops nothing, as facts. `io_edges/report/warnings.py` words them."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pipeline.report.drop_notes import DropNote, UnmatchedPattern
from pipeline.report.run_notes import RunNote
from pipeline.report.source import Source


class ShadowedConfig(Struct, frozen=True, tag="shadowed-config"):
    """Candidates beside the configuration, which are not read."""

    config_file: str
    shadowed_files: tuple[str, ...]


class UnreadConfig(Struct, frozen=True, tag="unread-config"):
    """A file that is called like a configuration elsewhere, and is not read."""

    file: str


class UnreadPackage(Struct, frozen=True, tag="unread-package"):
    """A `package.json` above the project that is not JSON, or cannot be read."""

    file: str


class MisspeltVariable(Struct, frozen=True, tag="misspelt-variable"):
    """A variable that is nearly one of the tool's, or is called like a flag."""

    variable: str
    right: str
    """The variable that is meant, with `=false` if the name turns it off; or a flag that has no variable."""


class LegacyMoved(Struct, frozen=True, tag="legacy-moved"):
    """A key of the legacy file that stands for a setting."""

    key: str
    leaf: str
    source: Source


class LegacyDropped(Struct, frozen=True, tag="legacy-dropped"):
    """A key of the legacy file that is not taken over, and why."""

    key: str
    reason: str
    source: Source


class LegacyLifted(Struct, frozen=True, tag="legacy-lifted"):
    """The 0.x file was rewritten in the version 1 shape; its bytes are in the backup."""

    file: str
    backup: str


class LegacyKept(Struct, frozen=True, tag="legacy-kept"):
    """The 0.x file could not be rewritten, and why; it is read as before."""

    file: str
    cause: str


class LegacyUnread(Struct, frozen=True, tag="legacy-unread"):
    """A 0.x file that is not read, because a configuration takes precedence."""

    file: str
    config_file: str


class ConfigKept(Struct, frozen=True, tag="config-kept"):
    """A configuration was overwritten because of `--force`; its bytes are in the backup."""

    file: str
    backup: str
    lost: Literal["config", "key"] = "config"
    """Whether the whole file was overwritten, or only its key `tool`."""


LegacyNote: TypeAlias = LegacyMoved | LegacyDropped | LegacyLifted | LegacyKept | LegacyUnread
"""What reading and lifting the 0.x file warns of."""

Note: TypeAlias = (
    ShadowedConfig | UnreadConfig | UnreadPackage | MisspeltVariable | ConfigKept | LegacyNote | DropNote | RunNote
)


def together(notes: Iterable[Note]) -> Iterator[Note]:
    """Tell neighbouring patterns of one list in one file together, unless something near is known of one.

    A preset that several projects share has patterns for each of them, of which most match nothing in any.
    """
    for _, group in groupby(enumerate(notes), _list_of):
        (_, first), *others = group
        if others and isinstance(first, UnmatchedPattern):
            patterns = tuple(each.pattern for _, each in others if isinstance(each, UnmatchedPattern))
            yield replace(first, others=patterns)
        else:
            yield first


def _list_of(numbered: tuple[int, Note]) -> object:
    """The list of a pattern that can be told with others; of anything else, something of its own."""
    number, note = numbered
    if isinstance(note, UnmatchedPattern) and note.source.line and not note.near:
        return note.leaf, note.source.name
    return number
