"""Subjects: what problems and notes have in common: what is the matter, what to do about it, and where it is.

A problem or a note is a frozen struct of facts. Its docstring says what it stands for, to whoever asks `tool explain`;
`message` and `help`, beside it, say what is the matter in one case and the way out, and are the only place that does.
"""

import re
from abc import abstractmethod
from pathlib import PurePath
from typing import ClassVar, Literal, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from pipeline.report.source import Source
from pipeline.report.wording import adding, listed

_Subject = TypeVar("_Subject", bound="Subject")


class Said:
    """A sentence with a hole for each fact that it tells; names are listed, and what is `None` is left out."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __get__(self, subject: "Subject", kind: object = None) -> str:
        return self.text.format_map({name: _told(getattr(subject, name)) for name in subject.__struct_fields__})


def _told(fact: object) -> object:
    return listed(fact) if isinstance(fact, tuple) else "" if fact is None else fact


class Subject(Struct, frozen=True, tag=True):
    """What is told, as facts."""

    setting: ClassVar[str] = ""
    """The path of the setting that it is about, as the user spells it."""
    at: ClassVar[str] = ""
    """The fact that is its place, if that is a path or a name without a line."""
    inside: ClassVar[Literal["", "drop", "project"]] = ""
    """What that path is relative to; empty for the current folder."""

    @property
    @abstractmethod
    def message(self) -> str:
        """What is the matter, without a full stop."""

    @property
    def help(self) -> str:
        """What to do about it; of a problem always something."""
        return ""

    @property
    def source(self) -> Source | None:
        """Where it is."""
        return Source(getattr(self, self.at)) if self.at else None


def code(name: str) -> str:
    """The code of a warning, by the name of its struct: `NeededModule` is `needed-module`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()


class Note(Subject, frozen=True, tag=code):
    """What is worth a warning, but stops nothing. Its tag is the code of the warning."""


class OfFile(Note, frozen=True):
    """What there is to say about a file."""

    file: str
    at = "file"


class OfProject(Subject, frozen=True):
    """What there is to say about a path in the project."""

    path: str
    at = "path"
    inside = "project"


class OfKey(Subject, frozen=True):
    """What is wrong with a key or a value."""

    path: str
    source: Source
    setting = Said("{path}")


class Selectable(Subject, frozen=True, kw_only=True):
    """What a flag can leave out or bring in."""

    lists_below: frozenset[str] | None = None
    """The flags that have to begin with `...` to keep a list, as in the settings; `None` if they are not known."""

    def excluding(self, archive: str) -> str:
        """The flags that also leave an archive out, by its file name."""
        whole, bang, member = archive.partition("!")
        return adding("--exclude", f"{PurePath(whole).name}{bang}{member}", self.lists_below)


class Bases(Struct):
    """What a run starts from: the drop and the project as they were written, the current folder, and its lists."""

    drop: str = "."
    project: str = "."
    start: PurePath | None = None
    lists_below: frozenset[str] | None = None
    """As in `Selectable`."""

    def seen(self, subject: _Subject) -> _Subject:
        """A problem or a note with the flags that fit to those of the run."""
        return replace(subject, lists_below=self.lists_below) if isinstance(subject, Selectable) else subject

    def source(self, subject: Subject) -> Source | None:
        """Where a problem or a note is, as a path from the current folder; of what is no path, as it is."""
        source = subject.source
        return source and replace(source, name=self._path(source.name, subject.inside))

    def _path(self, path: str, inside: str) -> str:
        if inside == "drop" and not path.startswith(("./", "../", "/")):  # else a theme's, relative to where it starts
            path = PurePath(self.drop, path).as_posix()
        elif inside == "project":
            path = PurePath(self.project, path).as_posix()
        if self.start and path.startswith("/") and PurePath(path).is_relative_to(self.start):
            return PurePath(path).relative_to(self.start).as_posix()
        return path
