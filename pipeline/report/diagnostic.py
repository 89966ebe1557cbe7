"""Diagnostics: errors, as frozen structs of facts with a message, and warnings, as one
struct of texts.

The docstring says what a diagnostic means. `message` says what happened in one case, `advice` what
to do, `location` where it is.
"""

import shlex
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePath
from typing import ClassVar, Literal, Self, TypeAlias, TypeVar

from msgspec import Struct
from toolz import groupby

from pipeline.report.location import Location
from pipeline.report.wording import adding, listed
from pipeline.values import replace

_Kind = TypeVar("_Kind", bound="Diagnostic")
NamedVersions: TypeAlias = tuple[tuple[str, str], ...]
"""The paths of components, each with `NAME@VERSION` as the user wrote it."""
ListsBelow: TypeAlias = frozenset[str] | None
"""The flags that must begin with `...` to keep the list of a lower layer; `None` if they
are not known.
"""


class Sentence:
    """A sentence with a placeholder for each fact; a tuple of names is listed, and
    `None` is omitted.
    """

    def __init__(self, text: str) -> None:
        self.text = text

    def __get__(self, diagnostic: "Diagnostic", kind: object = None) -> str:
        return self.text.format_map(
            {name: _formatted(getattr(diagnostic, name)) for name in diagnostic.__struct_fields__}
        )


def _formatted(fact: object) -> object:
    if fact is None:
        return ""
    if isinstance(fact, tuple):
        return listed(fact)
    return fact


class Diagnostic(Struct, frozen=True, tag=True):
    """An error."""

    setting: ClassVar[str] = ""
    """The path of the setting at fault, in the notation of the user."""
    at: ClassVar[str] = ""
    """The name of the field with the location of the error, if that is a path or a name
    without a line.
    """
    inside: ClassVar[Literal["", "drop", "project"]] = ""
    """What the path of the location is relative to; empty for the current folder."""
    stops: ClassVar[bool] = True
    """Whether the error stops a run; if not, it leaves a component as it is, and the
    others are built.
    """

    @property
    @abstractmethod
    def message(self) -> str:
        """What happened, without a full stop."""

    @property
    @abstractmethod
    def advice(self) -> str:
        """What to do; never empty."""

    @property
    def shares_advice(self) -> bool:
        """Whether the advice on all errors of this kind is printed once, below the last error."""
        return False

    def advice_on(self, every: Sequence[Self]) -> str:
        """What to do about several errors of this kind."""
        return self.advice

    @property
    def location(self) -> Location | None:
        """Where the error is; `None` if it has no place."""
        if not self.at:
            return None
        return Location(getattr(self, self.at), inside=self.inside)


class WarningDiagnostic(Struct, frozen=True):
    """A warning, after which the run goes on. The function with the name of its code makes it."""

    code: str
    message: str
    """What happened, without a full stop."""
    advice: str = ""
    """What to do; empty if nothing has to be done."""
    location: Location | None = None
    components: tuple[str, ...] = ()
    """The components concerned, if the warning concerns no others."""
    about: Literal["", "drop", "rivals"] = ""
    """What the warning is true of besides its location: the whole drop, or all archives of
    one component.
    """


class OfProject(Diagnostic, frozen=True):
    """An error at a path in the project."""

    path: str
    at = "path"
    inside = "project"


class OfKey(Diagnostic, frozen=True):
    """An error in a key or a value."""

    path: str
    location: Location
    setting = Sentence("{path}")


class Command(Struct, frozen=True):
    """What every suggested command line repeats of that of the run."""

    drop: str = ""
    """The folder of the archives, as the user wrote it; empty if it is not known."""
    output: str = "."
    """The folder of the project, as the user wrote it."""
    named: NamedVersions = ()
    """The versions that `create` and `diff` name again: a name alone would stand for
    another version.
    """
    flags: tuple[str, ...] = ()
    """The flags that decide about settings."""

    def line(self, command: str, *words: str) -> str:
        """A command line with the drop, given the command and its other arguments."""
        if command in {"create", "diff"}:
            again = dict(self.named)
            words = tuple(again.get(word, word) for word in words)
        drop = self.drop or "."
        if drop.startswith("-"):
            drop = f"./{drop}"
        return self.without_drop(command, drop, *words)

    def without_drop(self, command: str, *words: str) -> str:
        """A command line without the drop, for a command that takes none."""
        line = ["tool", command, *words, *self.flags]
        if self.output != ".":
            line.append(f"--output={self.output}")
        return shlex.join(line)

    def create(self, flag: str, paths: Iterable[str]) -> str:
        """The command line that builds components with a flag, in backquotes."""
        return f"`{self.line('create', flag, *paths)}`"


class Selectable(Diagnostic, frozen=True, kw_only=True):
    """An error whose advice may name flags that exclude or include components."""

    lists_below: ListsBelow = None
    command: Command = Command()

    def excluding(self, archive: str) -> str:
        """The flags that also leave an archive out, by its file name."""
        return excluding(archive, self.lists_below)


def excluding(archive: str, lists_below: ListsBelow) -> str:
    """The flags that also leave an archive out, by its file name."""
    whole, bang, member = archive.partition("!")
    return adding("--exclude", f"{PurePath(whole).name}{bang}{member}", lists_below)


class PathContext(Struct, frozen=True):
    """The facts of a run for advice and paths: the drop, the project, the current folder
    and the lists.
    """

    drop: str = "."
    project: str = "."
    start: PurePath | None = None
    lists_below: ListsBelow = None
    patches: PurePath | None = None
    """The folder that contains `patches/`, if it is not the project."""
    named: NamedVersions = ()
    flags: tuple[str, ...] = ()
    """The flags that a suggested command line repeats."""

    @property
    def command(self) -> Command:
        """What suggested command lines repeat."""
        return Command(self.drop, self.project, self.named, self.flags)

    def with_lists(self, diagnostic: _Kind) -> _Kind:
        """Adapt the flags in an error to those of the run."""
        if not isinstance(diagnostic, Selectable):
            return diagnostic
        return replace(diagnostic, lists_below=self.lists_below, command=self.command)

    def relativize(self, diagnostic: Diagnostic | WarningDiagnostic) -> Location | None:
        """The location of a diagnostic, relative to the current folder; a flag or a variable
        is unchanged.
        """
        location = diagnostic.location
        return location and replace(
            location, name=self._path(location.name, location.inside), inside=""
        )

    def _path(self, path: str, inside: str) -> str:
        # A theme that is not in the drop has a path that begins like this.
        if inside == "drop" and not path.startswith(("./", "../", "/")):
            path = PurePath(self.drop, path).as_posix()
        elif inside == "patches" and self.patches:
            path = PurePath(self.patches, path).as_posix()
        elif inside in {"project", "patches"}:
            path = PurePath(self.project, path).as_posix()
        if self.start and path.startswith("/") and PurePath(path).is_relative_to(self.start):
            return PurePath(path).relative_to(self.start).as_posix()
        return path


def with_advice(errors: Iterable[_Kind], context: PathContext) -> Iterator[tuple[_Kind, str]]:
    """Adapt errors to a run, and pair each with its advice.

    Errors that share their advice are adjacent, each with the advice on all of them.
    """
    groups: dict[object, list[tuple[int, _Kind]]] = groupby(
        _group, enumerate(map(context.with_lists, errors))
    )
    for numbered in groups.values():
        group = [error for _, error in numbered]
        advice = group[0].advice_on(group)
        for error in group:
            yield error, advice


def _group(numbered: tuple[int, Diagnostic]) -> object:
    number, error = numbered
    return type(error) if error.shares_advice else number
