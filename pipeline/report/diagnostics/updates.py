"""Errors and warnings about what an update would break (`docs/building.md`)."""

from collections.abc import Sequence
from typing import Self, TypeAlias

from msgspec import Struct

from pipeline.report.diagnostic import Selectable, Sentence, WarningDiagnostic
from pipeline.report.diagnostics.bases import leaving_out
from pipeline.report.location import in_drop, in_project
from pipeline.report.wording import agreeing, counted, listed


class Override(Struct, frozen=True):
    """A theme's file that overrides a file of another component; both are paths in the project."""

    path: str
    file: str
    is_removed: bool = False
    """Whether the update removes the overridden file."""

    def __str__(self) -> str:
        """Both paths."""
        return f"`{self.path}` overrides `{self.file}`{', which is removed' * self.is_removed}"


class PartialArchive(Selectable, frozen=True):
    """An archive has so few files that it may be partial, such as a vendor's patch.
    Nothing is changed.
    """

    path: str
    archive: str
    files: int
    """How many files the archive has."""
    left: int
    """How many of the built files it would leave."""
    before: int
    """How many files were built."""
    demanded: str = ""
    """The file that the update would remove although the system requires it; empty if files are
    merely too few.
    """
    at = "path"
    inside = "project"
    shares_advice = True

    @property
    def message(self) -> str:
        if self.demanded:
            removed = (
                f"`{self.archive}` would remove `{self.path}/{self.demanded}`, which the "
                f"system requires"
            )
            return f"{removed}: it may be the source code of a theme"
        has = f"`{self.archive}` has only {counted(self.files, 'file')}"
        return (
            f"{has} and would leave {self.left:,} of the {self.before:,} files in "
            f"`{self.path}`: it may be partial"
        )

    @property
    def advice(self) -> str:
        return self.advice_on((self,))

    def advice_on(self, every: Sequence[Self]) -> str:
        paths = [each.path for each in every]
        builds = self.command.line("create", "--merge", "--force", *paths)
        others = "`--keep-going` builds the other components"
        if len(paths) > 1:
            whole = (
                "put complete archives in the drop, or copy the files of these archives into "
                "the components"
            )
            return f"if they are complete, `{builds}` builds them; if not, {whole}; {others}"
        whole = (
            "put a complete archive in the drop, or copy the files of this archive into the "
            "component"
        )
        return f"if it is complete, `{builds}` builds it; if not, {whole}; {others}"


def stale_override(path: str, overrides: tuple[Override, ...], command: str) -> WarningDiagnostic:
    """An update changes or removes files that a theme overrides. The theme's own versions stay
    as they are.

    `command` shows what the update changes, until the update is built.
    """
    what = listed([str(each) for each in overrides], mark="")
    message = f"the update of `{path}` changes files that a theme overrides: {what}"
    advice = (
        f"adapt the theme's files; until the update is built, `{command}` shows what the "
        f"update changes"
    )
    return WarningDiagnostic("stale-override", message, advice, in_project(path))


class UnmetRequirement(Selectable, frozen=True):
    """A component does not run on the version of its system in the project. It is not built;
    the others are.
    """

    path: str
    system: str
    requires: str
    version: str
    is_beyond: bool = False
    """Whether the system is too new for the component, rather than too old."""
    kind: str = "module"
    at = "path"
    inside = "project"
    stops = False
    shares_advice = True
    message = Sentence(
        "`{path}` requires {system} `{requires}`, but the project has {version}; it is not built"
    )

    @property
    def advice(self) -> str:
        return self.advice_on((self,))

    def advice_on(self, every: Sequence[Self]) -> str:
        it = agreeing(every, "it", "them")
        ways = f"get {agreeing(every, 'a version', 'versions')} for {self.system} {self.version}"
        if not any(each.is_beyond for each in every):
            older = agreeing(every, "an older version", "older versions")
            ways = f"get {older}, or update {self.system} first"
        leaving = leaving_out([(each.path, each.kind) for each in every], self.lists_below)
        builds = self.command.create("--force", [each.path for each in every])
        return f"{ways}; or leave {it} out with `{leaving}`; {builds} builds {it} anyway"


class BuiltElsewhere(Selectable, frozen=True):
    """The project has a component in another folder. It is not built a second time; the other
    components are built.
    """

    path: str
    other: str
    kind: str
    at = "path"
    stops = False
    inside = "project"
    shares_advice = True
    message = Sentence(
        "`{path}` is not built: the project already has it in `{other}`, and two copies would "
        "break the site"
    )

    @property
    def advice(self) -> str:
        return self.advice_on((self,))

    def advice_on(self, every: Sequence[Self]) -> str:
        it = agreeing(every, "it", "them")
        leaving = leaving_out([(each.path, each.kind) for each in every], self.lists_below)
        moves = listed([f"`{each.other}` to `{each.path}`" for each in every], mark="")
        builds = self.command.create("--force", [each.path for each in every])
        return (
            f"leave {it} out with `{leaving}`; or move {moves} by hand; {builds} builds {it} anyway"
        )


def built_under_folder(archive: str, name: str, path: str) -> WarningDiagnostic:
    """The project has a component in a folder of another name, such as `x-master`. It is
    built there.
    """
    message = f"`{name}` is built into `{path}`, where the project has it"
    return WarningDiagnostic("built-under-folder", message, "", in_drop(archive))


def other_copies(
    archive: str, path: str, folders: tuple[str, ...], marker: str
) -> WarningDiagnostic:
    """A folder of the project may be a copy of a component that is new. Two copies break a site."""
    message = (
        f"`{path}` is new, but {listed(folders)} also {agreeing(folders, 'has', 'have')} `{marker}`"
    )
    which = agreeing(folders, "if that is an old copy", "if one of them is an old copy")
    advice = f"{which}, move it out of `{path.rpartition('/')[0]}`, or rename it to `{path}`"
    return WarningDiagnostic("other-copies", message, advice, in_drop(archive))


def beyond_limit(path: str, system: str, requires: str, version: str) -> WarningDiagnostic:
    """The shop in the project is newer than a module says it may be. The shop itself decides
    whether to install it.
    """
    message = f"`{path}` declares {system} `{requires}`, but the project has {version}"
    advice = (
        "it is built, but the shop may refuse to install it: ask its vendor for a newer version"
    )
    return WarningDiagnostic("beyond-limit", message, advice, in_project(path))


def edits_replaced(path: str, version: str, files: tuple[str, ...]) -> WarningDiagnostic:
    """Somebody or the system put another version in the place of a component, over files that
    you had edited.
    """
    message = (
        f"version {version} of `{path}`, which no run built, replaced your edits to {listed(files)}"
    )
    advice = "make them again, or restore these files from a backup"
    return WarningDiagnostic("edits-replaced", message, advice, in_project(path))


def main_file_renamed(path: str, system: str, before: str, after: str) -> WarningDiagnostic:
    """An update renames the main file of a component. The system knows it by the old name, so it
    deactivates it.
    """
    main_file = (
        f"{system} knows `{path}` by its main file `{before}`, which is named `{after}` "
        f"in the update"
    )
    message = f"{main_file}, so the update deactivates it"
    advice = "activate it again after the update, and again after a `tool undo`"
    return WarningDiagnostic("main-file-renamed", message, advice, in_project(path))


UpdateError: TypeAlias = PartialArchive | BuiltElsewhere | UnmetRequirement
