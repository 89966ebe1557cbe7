"""Errors and warnings about what components on disk were made from (`docs/building.md`)."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePath
from typing import Literal, Self, TypeAlias

from msgspec import Struct

from pipeline.report.diagnostic import (
    Command,
    ListsBelow,
    Selectable,
    Sentence,
    WarningDiagnostic,
)
from pipeline.report.location import in_project
from pipeline.report.wording import adding, agreeing, clause, counted, listed


class UnknownComponent(Struct, frozen=True):
    """A component with an unknown base: the archive that it was made from is not known."""

    path: str
    version: str = ""
    """The version on disk; empty if the files name none."""
    kind: Literal["theme", "module"] = "module"
    archive: str = ""
    """The archive in the drop; empty if there is none, and the component would be removed."""
    available: str = ""
    """The version of that archive; empty if it names none."""
    likely: str = ""
    """The archive that the component was perhaps made from."""
    replaces: int = 0
    """How many files `--force` would replace."""
    leaves: int = 0
    """How many files `--force` would leave unchanged."""
    moves: int = 0
    """How many files `--force` would move away."""

    def __str__(self) -> str:
        """The path, both versions, and what `--force` would do."""
        made = f"`{self.path}` was made from"
        if not self.archive:
            return f"{made}: {self._on_disk}"
        replaces = f"replace {counted(self.replaces, 'file')}"
        leaves = f"leave {_number(self.leaves)} unchanged"
        moves = f"move {_number(self.moves)} away"
        return f"{made}: {self._compared}; `--force` would {replaces}, {leaves} and {moves}"

    @property
    def _on_disk(self) -> str:
        """The version on disk, as a clause."""
        if not self.version:
            return "the files on disk name no version"
        return f"{self.version} is on disk"

    @property
    def _compared(self) -> str:
        """The version on disk and the one of the archive, as a clause."""
        if self.version == self.available:
            return self._compared_equal
        if not self.available:
            return f"{self._on_disk}, but `{self.archive}` names no version"
        return f"{self._on_disk}, but `{self.archive}` has {self.available}"

    @property
    def _compared_equal(self) -> str:
        """The version that both have, as a clause."""
        if not self.version:
            return f"the files on disk name no version, and neither does `{self.archive}`"
        return f"{self.version} is on disk and in `{self.archive}`"


def _number(count: int) -> str:
    """A number of files, in words if it is zero."""
    if not count:
        return "none"
    return f"{count:,}"


class UnknownBase(Selectable, frozen=True):
    """The archive that a component on disk was made from is unknown, so the component
    stays as it is.

    The other components are built.
    """

    component: UnknownComponent
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

    def _supplying(
        self, components: Sequence[UnknownComponent], built: Sequence[UnknownComponent]
    ) -> Iterator[str]:
        """Suggest to put the archives that components were made from into the drop."""
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
        """Suggest to confirm the archives that components were perhaps made from."""
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

    def _building(
        self, components: Sequence[UnknownComponent], built: Sequence[UnknownComponent]
    ) -> Iterator[str]:
        """Suggest to compare, build or leave out the components that have an archive."""
        paths = [component.path for component in built]
        yield f"`{self.command.line('diff', *paths)}` shows the difference"
        yield (
            f"{self.command.create('--force', paths)} builds "
            f"{agreeing(paths, 'the archive', 'the archives')} whole"
        )
        leaving = leaving_out(
            [(component.path, component.kind) for component in built], self.lists_below
        )
        yield f"`{leaving}` leaves {agreeing(components, 'it', 'them')} to the system"


def leaving_out(components: Iterable[tuple[str, str]], lists_below: ListsBelow) -> str:
    """The flags that leave several components out, given their paths and kinds."""
    paths = tuple(components)
    modules = [PurePath(path).name for path, kind in paths if kind == "module"]
    flags = ["--theme=none"] * (len(modules) < len(paths))
    if modules:
        first, *more = modules
        flags.append(adding("--exclude", first, lists_below))
        flags += [adding("--exclude", name, frozenset()) for name in more]
    return " ".join(flags)


def unknown_base(error: UnknownBase, advice: str) -> WarningDiagnostic:
    """`tool diff` cannot show your changes or the vendor's alone: the base of a
    component is unknown.
    """
    message = f"your changes and the vendor's cannot be told apart: {error.message}"
    return WarningDiagnostic("unknown-base", message, advice, in_project(error.path))


class DropBehind(Selectable, frozen=True):
    """The drop has only an older archive of a component than the record, and nothing is on disk.
    The rest is built.
    """

    path: str
    archive: str
    available: str
    recorded: str
    at = "path"
    stops = False
    inside = "project"
    shares_advice = True

    @property
    def message(self) -> str:
        has = f"`{self.archive}` in the drop names no version"
        if self.available:
            has = f"the drop has only {self.available} (`{self.archive}`)"
        return f"`{self.path}` is missing: the record has {self.recorded}, but {has}"

    @property
    def advice(self) -> str:
        return self.advice_on((self,))

    def advice_on(self, every: Sequence[Self]) -> str:
        builds = self.command.create("--force", [each.path for each in every])
        if len(every) > 1:
            return (
                f"put the archives of the recorded versions into the drop; or {builds} builds "
                f"the older ones"
            )
        return (
            f"put the archive of {self.recorded} into the drop; or {builds} builds "
            f"{self.available or 'it'}"
        )


class Later(Struct, frozen=True):
    """A component with a later version than its archive in the drop."""

    path: str
    version: str
    archive: str
    available: str

    def __str__(self) -> str:
        """The path, the archive and both versions."""
        has = "names no version"
        if self.available:
            has = f"has {self.available}"
        return (
            f"`{self.path}` is at {self.version or 'another version'}, but `{self.archive}` {has}"
        )


def drop_behind(components: tuple[Later, ...], command: Command) -> WarningDiagnostic:
    """The drop has older archives of some components than the record or the disk. These components
    stay as they are.
    """
    message = (
        f"the drop is behind, so these components stay as they are: "
        f"{', '.join(map(str, components))}"
    )
    builds = command.create("--force", [each.path for each in components])
    advice = f"put newer archives into the drop; {builds} builds the older ones"
    return WarningDiagnostic("drop-behind", message, advice)


def old_version_shown(path: str, file: str, version: str) -> WarningDiagnostic:
    """The file that names the version is kept, so the system shows another version than the one
    that is built.
    """
    message = f"`{file}` is kept, so the system will show version {version} of `{path}`"
    return WarningDiagnostic(
        "old-version-shown", message, "change the version in the file by hand", in_project(path)
    )


BaseError: TypeAlias = UnknownBase | DropBehind
