"""Errors and warnings about what components on disk were made from (`docs/building.md`)."""

import shlex
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePath
from typing import Literal, Self, TypeAlias

from msgspec import Struct

from pipeline.report.diagnostic import ListsBelow, NamedVersions, Selectable, Sentence, WarningDiagnostic
from pipeline.report.location import in_project
from pipeline.report.wording import adding, agreeing, clause, counted, listed


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
    named: NamedVersions = ()
    """What `create` and `diff` are told again, as the name alone stands for another version."""

    def line(self, command: str, *words: str) -> str:
        """A whole command line, given the rest of its words."""
        if command in {"create", "diff"}:
            again = dict(self.named)
            words = tuple(again.get(word, word) for word in words)
        drop = self.drop or "."
        if drop.startswith("-"):
            drop = f"./{drop}"
        return self.without_drop(command, drop, *words)

    def without_drop(self, command: str, *words: str) -> str:
        """The same of a command that takes no drop."""
        line = ["tool", command, *words]
        if self.output != ".":
            line.append(f"--output={self.output}")
        return shlex.join(line)

    def create(self, flag: str, paths: Iterable[str]) -> str:
        """The command that builds components with a flag."""
        return f"`{self.line('create', flag, *paths)}`"


class UnknownBase(Selectable, frozen=True):
    """Nobody knows what a component on disk was made from, so it stays as it is. The others are built."""

    component: UnknownComponent
    command: Command = Command()
    at = "path"
    stops = False
    inside = "project"
    shares_advice = True
    message = Sentence("cannot tell what {component}")

    @property
    def path(self) -> str:
        """The path of the component."""
        return self.component.path

    @property
    def advice(self) -> str:
        return self.advice_on((self,))

    def advice_on(self, every: Sequence[Self]) -> str:
        components = [each.component for each in every]
        built = [component for component in components if component.archive]
        ways = list(self._supplying(components, built))
        ways += self._confirming(components)
        if built:
            ways += self._building(components, built)
        if unbuilt := [component.path for component in components if not component.archive]:
            ways.append(f"move {agreeing(components, 'it', listed(unbuilt))} away by hand")
        return "; or ".join(ways)

    def _supplying(self, components: Sequence[UnknownComponent], built: Sequence[UnknownComponent]) -> Iterator[str]:
        """To put the archives that components were made from into the drop."""
        versions = [component.version for component in components if component.version]
        if not versions:
            return
        archives = f"the archive of {versions[0]}"
        newer = "the newer one"
        if len(components) > 1:
            archives = "the archives of the versions on disk"
            newer = "the newer ones"
        beside = clause(f", beside {newer}", built)
        yield f"put {archives} into the drop{beside}"

    def _confirming(self, components: Sequence[UnknownComponent]) -> Iterator[str]:
        """To confirm the archives that components were perhaps made from."""
        likely = [component for component in components if component.likely]
        if not likely:
            return
        if len(components) == 1:
            made = "is what it was made from"
        elif len(likely) == 1:
            made = f"is what `{likely[0].path}` was made from"
        else:
            made = "are what these were made from"
        archives = listed([component.likely for component in likely])
        command = self.command.create("--mine", [component.path for component in likely])
        yield f"if {archives} {made}, run {command}"

    def _building(self, components: Sequence[UnknownComponent], built: Sequence[UnknownComponent]) -> Iterator[str]:
        """To compare, to build or to leave out the components that have an archive."""
        paths = [component.path for component in built]
        yield f"`{self.command.line('diff', *paths)}` shows the difference"
        yield f"{self.command.create('--force', paths)} builds {agreeing(paths, 'the archive', 'the archives')} whole"
        leaving = leaving_out([(component.path, component.kind) for component in built], self.lists_below)
        yield f"`{leaving}` leaves {agreeing(components, 'it', 'them')} to the system"


def leaving_out(components: Iterable[tuple[str, str]], lists_below: ListsBelow) -> str:
    """The flags that leave components out together, given their paths and kinds."""
    paths = tuple(components)
    modules = [PurePath(path).name for path, kind in paths if kind == "module"]
    flags = ["--theme=none"] * (len(modules) < len(paths))
    if modules:
        first, *more = modules
        flags.append(adding("--exclude", first, lists_below))
        flags += [adding("--exclude", name, frozenset()) for name in more]
    return " ".join(flags)


def unknown_base(error: UnknownBase, advice: str) -> WarningDiagnostic:
    """Neither your changes nor the vendor's can be shown alone: nobody knows what a component was made from."""
    message = f"your changes and the vendor's cannot be told apart: {error.message}"
    return WarningDiagnostic("unknown-base", message, advice, in_project(error.path))


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
    shares_advice = True

    @property
    def message(self) -> str:
        has = f"the drop has only {self.available or 'no version'} (`{self.archive}`)"
        return f"`{self.path}` is missing: the record says {self.recorded}, and {has}"

    @property
    def advice(self) -> str:
        return self.advice_on((self,))

    def advice_on(self, every: Sequence[Self]) -> str:
        builds = self.command.create("--force", [each.path for each in every])
        if len(every) > 1:
            return f"put the archives of the recorded versions into the drop; or {builds} builds the older ones"
        return f"put the archive of {self.recorded} into the drop; or {builds} builds {self.available or 'it'}"


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
