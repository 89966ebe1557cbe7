"""Errors and warnings about what components on disk were made from (`docs/building.md`)."""

import shlex
from collections.abc import Iterable, Sequence
from pathlib import PurePath
from typing import Literal, Self, TypeAlias

from msgspec import Struct

from pipeline.report.diagnostic import Selectable, WarningDiagnostic
from pipeline.report.location import in_project
from pipeline.report.wording import adding, counted, listed
from pipeline.values import replace


class UnknownComponent(Struct, frozen=True):
    """A component of which nobody knows what it was made from."""

    path: str
    version: str = ""
    """The version on disk; empty if it says none."""
    kind: Literal["theme", "module"] = "module"
    archive: str = ""
    """The archive in the drop; empty if there is none, and the component would be removed."""
    available: str = ""
    likely: str = ""
    """The archive that is perhaps the one that it was made from."""
    replaces: int = 0
    leaves: int = 0
    moves: int = 0
    """How many files `--force` would replace, leave as they are, and move away."""

    def __str__(self) -> str:
        """Both versions, and what `--force` would do."""
        there = f"`{self.path}` was made from: {self.version or 'no version'} is on disk"
        if not self.archive:
            return there
        would = f"would replace {counted(self.replaces, 'file')}, leave {self.leaves:,} and move {self.moves:,} away"
        has = f"`{self.archive}` has {self.available or 'none'}"
        return f"{there}, and {has}; `--force` {would}"


class Command(Struct, frozen=True):
    """What a command line that is advised begins with: the drop and the project of the run."""

    drop: str = "."
    output: str = "."

    def line(self, command: str, *words: str) -> str:
        """A whole command line, given the rest of its words."""
        drop = f"./{self.drop}" if self.drop.startswith("-") else self.drop or "."
        where = () if self.output == "." else (f"--output={self.output}",)
        return shlex.join(("tool", command, drop, *words, *where))

    def create(self, flag: str, paths: Iterable[str]) -> str:
        """The command that builds components with a flag."""
        return f"`{self.line('create', flag, *paths)}`"


class UnknownBase(Selectable, frozen=True):
    """Nobody knows what components on disk were made from, so they stay as they are. The others are built."""

    components: tuple[UnknownComponent, ...]
    command: Command = Command()
    at = "path"
    stops = False
    inside = "project"

    @property
    def path(self) -> str:
        """The path of the first component."""
        return self.components[0].path

    @property
    def apart(self) -> tuple[Self, ...]:
        return tuple(replace(self, components=(each,)) for each in self.components)

    @property
    def message(self) -> str:
        return f"cannot tell what {'; nor what '.join(map(str, self.components))}"

    @property
    def advice(self) -> str:
        is_one = len(self.components) == 1
        built = [each for each in self.components if each.archive]
        paths = [each.path for each in built]
        it = "it" if is_one else "them"
        ways = list[str]()
        if versions := [each.version for each in self.components if each.version]:
            which = versions[0] if is_one else "the versions on disk"
            newer = "one" if is_one else "ones"
            beside = f", beside the newer {newer}" * bool(built)
            ways.append(f"put the archive{'s' * (not is_one)} of {which} into the drop{beside}")
        if likely := [each for each in self.components if each.likely]:
            confirms = self.command.create("--mine", [each.path for each in likely])
            archives = listed([each.likely for each in likely])
            made = "is what it was made from"
            if likely[1:]:
                made = "are what these were made from"
            elif not is_one:
                made = f"is what `{likely[0].path}` was made from"
            ways.append(f"if {archives} {made}, run {confirms}")
        if built:
            archives = "the archive" if len(built) == 1 else "the archives"
            ways.append(f"`{self.command.line('diff', *paths)}` shows the difference")
            ways.append(f"{self.command.create('--force', paths)} builds {archives} whole")
            ways.append(f"`{self._leaving(built)}` leaves {it} to the system")
        if unbuilt := [each.path for each in self.components if not each.archive]:
            ways.append(f"move {it if is_one else listed(unbuilt)} away by hand")
        return "; or ".join(ways)

    def _leaving(self, components: Sequence[UnknownComponent]) -> str:
        """The flags that leave components out together: themes and modules each in their own way."""
        modules = [PurePath(each.path).name for each in components if each.kind == "module"]
        flags = ["--theme=none"] * (len(modules) < len(components))
        if modules:
            first, *more = modules
            flags.append(adding("--exclude", first, self.lists_below))
            flags += [adding("--exclude", name, frozenset()) for name in more]
        return " ".join(flags)


def unknown_base(error: UnknownBase) -> WarningDiagnostic:
    """Neither your changes nor the vendor's can be shown alone: nobody knows what a component was made from."""
    message = f"your changes and the vendor's cannot be told apart: {error.message}"
    return WarningDiagnostic("unknown-base", message, error.advice, in_project(error.path))


class DropBehind(Selectable, frozen=True):
    """The drop has only an older archive of a component than the record, and nothing is on disk. The rest is built."""

    path: str
    archive: str
    available: str
    recorded: str
    command: Command = Command()
    at = "path"
    stops = False
    inside = "project"

    @property
    def message(self) -> str:
        has = f"the drop has only {self.available or 'no version'} (`{self.archive}`)"
        return f"`{self.path}` is missing: the record says {self.recorded}, and {has}"

    @property
    def advice(self) -> str:
        builds = f"{self.command.create('--force', (self.path,))} builds {self.available or 'it'}"
        return f"put the archive of {self.recorded} into the drop; or {builds}"


class Later(Struct, frozen=True):
    """A component that is later than its archive."""

    path: str
    version: str
    archive: str
    available: str

    def __str__(self) -> str:
        """Both versions."""
        return (
            f"`{self.path}` is at {self.version or 'another version'}, `{self.archive}` has {self.available or 'none'}"
        )


def drop_behind(components: tuple[Later, ...], command: Command) -> WarningDiagnostic:
    """The drop has older archives than what is built or on disk. These components stay as they are."""
    message = f"the drop is behind, so these components stay as they are: {', '.join(map(str, components))}"
    builds = command.create("--force", [each.path for each in components])
    advice = f"put newer archives into the drop; {builds} builds the older ones"
    return WarningDiagnostic("drop-behind", message, advice)


def old_version_shown(path: str, file: str, version: str) -> WarningDiagnostic:
    """The file that says the version is kept, so the system shows another version than the one that is built."""
    message = f"`{file}` is kept, so the system will show version {version} of `{path}`"
    return WarningDiagnostic("old-version-shown", message, "change the version in the file by hand", in_project(path))


BaseError: TypeAlias = UnknownBase | DropBehind
