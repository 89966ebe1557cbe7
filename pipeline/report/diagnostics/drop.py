"""Errors and warnings about the drop and the names that are given (`docs/archives.md`)."""

import shlex
from pathlib import PurePath
from typing import TypeAlias

from pipeline.report.diagnostic import Diagnostic, ListsBelow, WarningDiagnostic, excluding
from pipeline.report.location import Location, in_drop
from pipeline.report.wording import SUGGESTED, agreeing, did_you_mean, either, listed, shortened
from pipeline.schema import is_archive_name


class DropNotFound(Diagnostic, frozen=True):
    """The drop does not exist or is not a folder; or it has no archive, and `--prune` is given.

    Or no drop is named, and the current folder has no archive.
    """

    drop: str
    cause: str = ""
    """Why it cannot be read; empty if it does not exist."""
    suggestions: tuple[str, ...] = ()
    """Folders with a similar name."""
    components: tuple[str, ...] = ()
    """Components with a similar name."""
    others: tuple[str, ...] = ()
    """The other names on the command line, if all are archives of one folder."""
    is_remembered: bool = False
    """Whether it is the drop of an earlier run, and the command line names none."""
    is_empty: bool = False
    """Whether it exists without an archive; `--prune` assumes that a disk is not mounted."""

    is_unnamed: bool = False
    """Whether no drop is named, and the current folder has no archive."""
    command: str = ""
    """If the last run named components, so that its drop is not assumed, the command line that
    names that drop.
    """

    @property
    def message(self) -> str:
        if self.command:
            return (
                f"no drop is named; `{self.drop}` was used for a run with names, so it is not "
                f"assumed"
            )
        if self.is_unnamed:
            return "no drop is named, and the current folder has no archive"
        if self.is_empty:
            return f"no archive in {_where(self.drop)}: `--prune` would remove every component"
        if self.is_remembered:
            return (
                f"cannot use `{self.drop}`, the drop of the last run: "
                f"{self.cause or 'it does not exist'}"
            )
        if self.cause:
            return f"cannot use `{self.drop}` as the drop: {self.cause}"
        return f"folder `{self.drop}` does not exist"

    @property
    def location(self) -> Location | None:
        if not self.is_empty:
            return None
        return Location(self.drop)

    @property
    def advice(self) -> str:
        if self.command:
            return f"`{self.command}`, or name another folder"
        if self.is_unnamed:
            return "name the folder, such as `tool create drop`"
        if self.is_empty:
            return (
                "to remove everything, delete the folders; or put an archive there and pass "
                "`--exclude='*'`"
            )
        if self.components and self.suggestions:
            return (
                f"did you mean {either(self.suggestions)}, or the component "
                f"{either(self.components)}?"
            )
        if self.components:
            return f"did you mean the component {either(self.components)}?"
        if self.suggestions:
            return did_you_mean(self.suggestions)
        if is_archive_name(self.drop):
            return self._of_archives()
        return "name the folder that holds the archives"

    def _of_archives(self) -> str:
        """The advice if archives are named instead of their folder."""
        names = [PurePath(archive).name for archive in (self.drop, *self.others)]
        folder = shlex.quote(str(PurePath(self.drop).parent))
        advice = f"name the folder that {agreeing(names, 'it is', 'they are')} in: `{folder}`"
        if len(names) > SUGGESTED:
            return advice
        flags = shlex.join(f"--only={name}" for name in names)
        modules = agreeing(names, "this module", "these modules")
        return f"{advice}, with `{flags}` for only {modules}, or `--theme` for a theme"


class ComponentNotFound(Diagnostic, frozen=True):
    """A name on the command line is no component of the drop or the project, or its version is
    not available.
    """

    name: str
    drop: str
    suggestions: tuple[str, ...] = ()
    component: str = ""
    """The path of the component, if only the version is unknown."""
    versions: tuple[str, ...] = ()
    """The available versions of the component, and where each is."""

    @property
    def message(self) -> str:
        if not self.component:
            where = "the project"
            if self.drop:
                where = f"{_where(self.drop)} or in the project"
            return f"no component `{self.name}` in {where}"
        has = f"`{self.component}` has no version `{shortened(self.name)}`"
        if not self.versions:
            return f"{has}, and no archive of it is kept"
        return f"{has}; available: {listed(self.versions, mark='')}"

    @property
    def advice(self) -> str:
        if self.component:
            return "name an available version that is not damaged, or put its archive into the drop"
        if not self.drop:
            return (
                did_you_mean(self.suggestions)
                or "name a component that the last run changed, or none"
            )
        inspect = shlex.join(("tool", "inspect", self.drop))
        return (
            did_you_mean(self.suggestions)
            or f"`{inspect}` prints what is in the archives; the drop comes before names"
        )


def nothing_to_build(drop: str, archives: int) -> WarningDiagnostic:
    """The drop has no archive, or none is selected. The exit code is 0."""
    what = f"no `.zip` file in {_where(drop)}"
    advice = "put archives there, or name their folder: `tool create FOLDER`"
    if archives:
        what = f"no archive in {_where(drop)} is selected"
        advice = "the log gives the reason for each archive"
    return WarningDiagnostic(
        "nothing-to-build", f"nothing to build: {what}", advice, Location(drop), about="drop"
    )


def unused_files(drop: str, found: tuple[tuple[str, str], ...]) -> WarningDiagnostic:
    """The drop has files or folders that look like archives or components, but are not read.

    `found` has the path of each relative to the drop, and what it is.
    """
    names = listed([f"`{name}` ({what})" for name, what in found], mark="")
    advice = (
        "put `.zip` files, packed with `zip -r`, directly in that folder; or name the folder "
        "that has them"
    )
    return WarningDiagnostic(
        "unused-files", f"only `.zip` files are read, not {names}", advice, Location(drop)
    )


def duplicate_archive(
    built_archive: str,
    built_version: str,
    others: tuple[tuple[str, str], ...],
    lists_below: ListsBelow = None,
) -> WarningDiagnostic:
    """The drop has several archives of a component: the highest version is built; of equal
    archives, the first by name.

    `others` are the names of the other archives, each with its version, or empty if its content is
    equal. Archives that the files on disk may have been made from are not among them. `lists_below`
    is as in `Selectable`.
    """
    older = [f"`{name}` ({version})" for name, version in others if version]
    equal = [f"`{name}`" for name, version in others if not version]
    parts = ["it is chosen"]
    if built_version:
        parts = [f"version {built_version} is chosen"]
    if older:
        parts.append(f"{listed(older, mark='')} {agreeing(older, 'is', 'are')} older")
    if equal:
        parts.append(f"{listed(equal, mark='')} {agreeing(equal, 'has', 'have')} the same content")
    flags = excluding(built_archive, lists_below)
    what = agreeing(others, "it", "another")
    advice = (
        f"{_without([name for name, _ in others], lists_below)}; or build {what} with `{flags}`"
    )
    return WarningDiagnostic(
        "duplicate-archive", "; ".join(parts), advice, in_drop(built_archive), about="rivals"
    )


def _without(archives: list[str], lists_below: ListsBelow) -> str:
    """How to leave archives out: files can be removed; members of bundles can only be excluded."""
    files = [name for name in archives if "!" not in name]
    members = [name for name in archives if "!" in name]
    ways = list[str]()
    if files:
        what = listed(files)
        if files == archives:
            what = agreeing(files, what, "the others")
        ways.append(f"after the build, remove {what}")
    if members:
        first, *more = members
        flags = [excluding(first, lists_below), *(excluding(name, frozenset()) for name in more)]
        ways.append(f"leave {listed(members)} out with `{' '.join(flags)}`")
    return ", and ".join(ways)


def other_system(
    system: str, host: str, archives: tuple[str, ...], names: tuple[str, ...], why: str = ""
) -> WarningDiagnostic:
    """Archives are for another system than the one in the project. They are not built, unless
    they are named.

    `why` says what has or names them, so that they are built anyway; empty if nothing does.
    """
    are = agreeing(archives, "archive is", "archives are")
    message = f"{len(archives):,} {are} for {system}: {listed(archives)}; the project has {host}"
    if why:
        built = agreeing(archives, f"{why} it, so it is built", f"{why} them, so they are built")
        return WarningDiagnostic("other-system", f"{message}, but {built}", "", None, names)
    keep = f"keep {agreeing(archives, 'it', 'them')} for another project with {system}"
    builds = (
        f"`--force {shlex.quote(names[0])}` builds {agreeing(archives, 'it', 'the first')} anyway"
    )
    message += f", so {agreeing(archives, 'it is', 'they are')} not built"
    return WarningDiagnostic("other-system", message, f"{keep}; {builds}", None, names)


def repacked_archive(archive: str, path: str) -> WarningDiagnostic:
    """With `--frozen`, an archive is not the recorded file, but holds the same files. It
    is accepted.
    """
    message = f"`{archive}` was repacked; it has the files that `{path}` was built from"
    return WarningDiagnostic("repacked-archive", message, location=in_drop(archive))


def _where(drop: str) -> str:
    if drop == ".":
        return "the current folder"
    return f"`{drop}`"


DropError: TypeAlias = DropNotFound | ComponentNotFound
