"""Errors and warnings about the drop and the names that are given (`docs/archives.md`)."""

import shlex
from pathlib import PurePath
from typing import TypeAlias

from pipeline.report.diagnostic import Diagnostic, ListsBelow, WarningDiagnostic, excluding
from pipeline.report.location import Location, in_drop
from pipeline.report.wording import SUGGESTED, agreeing, did_you_mean, either, listed, shortened
from pipeline.schema import is_archive_name


class DropNotFound(Diagnostic, frozen=True):
    """The folder of the archives does not exist or is not a folder; or with `--prune` it has no archive.

    Or none is named, and there is no archive in the current folder.
    """

    drop: str
    cause: str = ""
    suggestions: tuple[str, ...] = ()
    """Folders with a similar name."""
    components: tuple[str, ...] = ()
    """Components with a similar name, to suggest them."""
    others: tuple[str, ...] = ()
    """What else is named, if all are archives of one folder."""
    is_remembered: bool = False
    """Whether it is not named, but that of an earlier run."""
    is_empty: bool = False
    """Whether it exists and has no archive, which `--prune` takes for a disk that is not mounted."""

    is_unnamed: bool = False
    """Whether none is named, and the current folder has no archive."""
    command: str = ""
    """If the last run had names, so that its drop is not taken, the command line that names it."""

    @property
    def message(self) -> str:
        if self.command:
            return f"no folder of archives is named; `{self.drop}` is that of a run with names, so it is not assumed"
        if self.is_unnamed:
            return "no folder of archives is named, and there is no archive in the current folder"
        if self.is_empty:
            return f"no archive in {_where(self.drop)}: `--prune` would remove every component"
        if self.is_remembered:
            return f"no folder `{self.drop}`, the drop of the last run: {self.cause}"
        return f"no folder `{self.drop}`: {self.cause}"

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
            return "to remove everything, delete the folders; or put an archive there, and pass `--exclude='*'`"
        if self.components and self.suggestions:
            return f"did you mean {either(self.suggestions)}, or the component {either(self.components)}?"
        if self.components:
            return f"did you mean the component {either(self.components)}?"
        if self.suggestions:
            return did_you_mean(self.suggestions)
        if is_archive_name(self.drop):
            return self._of_archives()
        return "name the folder that holds the archives"

    def _of_archives(self) -> str:
        """What to do if archives are named instead of their folder."""
        names = [PurePath(archive).name for archive in (self.drop, *self.others)]
        folder = shlex.quote(str(PurePath(self.drop).parent))
        advice = f"name the folder that {agreeing(names, 'it is', 'they are')} in: `{folder}`"
        if len(names) > SUGGESTED:
            return advice
        flags = shlex.join(f"--only={name}" for name in names)
        modules = agreeing(names, "this module", "these modules")
        return f"{advice}, with `{flags}` for {modules} alone, or `--theme` for a theme"


class ComponentNotFound(Diagnostic, frozen=True):
    """A name on the command line is no component of the drop or the project, or a version of it is nowhere."""

    name: str
    drop: str
    suggestions: tuple[str, ...] = ()
    component: str = ""
    """The path of the component, if that is known and the version is not."""
    versions: tuple[str, ...] = ()
    """The versions of it that there are, and where each is."""

    @property
    def message(self) -> str:
        if not self.component:
            where = "the project"
            if self.drop:
                where = f"{_where(self.drop)} or in the project"
            return f"no component `{self.name}` in {where}"
        versions = "no archive of it is kept"
        if self.versions:
            versions = f"there is {listed(self.versions, mark='')}"
        return f"no version `{shortened(self.name)}` of `{self.component}`: {versions}"

    @property
    def advice(self) -> str:
        if self.component:
            return "name a version that is there and whole, or put its archive into the drop"
        if not self.drop:
            return did_you_mean(self.suggestions) or "name a component that the last run changed, or none"
        inspect = shlex.join(("tool", "inspect", self.drop))
        return (
            did_you_mean(self.suggestions)
            or f"`{inspect}` prints what is in the archives; their folder comes before names"
        )


def nothing_to_build(drop: str, archives: int) -> WarningDiagnostic:
    """The drop has no archive, or none is selected. The exit code is 0."""
    what = f"no `.zip` file in {_where(drop)}"
    advice = "put archives there, or name their folder: `tool create FOLDER`"
    if archives:
        what = f"no archive in {_where(drop)} is selected"
        advice = "the log has the reason for each archive"
    return WarningDiagnostic("nothing-to-build", f"nothing to build: {what}", advice, Location(drop))


def unused_files(drop: str, found: tuple[tuple[str, str], ...]) -> WarningDiagnostic:
    """The drop has files or folders that look like archives or components, but are not read.

    Each has its path relative to the drop, and what it is.
    """
    names = listed([f"`{name}` ({what})" for name, what in found], mark="")
    advice = "put `.zip` files right there, packed with `zip -r`; or name the folder that has them"
    return WarningDiagnostic("unused-files", f"only `.zip` files are read, not {names}", advice, Location(drop))


def duplicate_archive(
    built_archive: str,
    built_version: str,
    others: tuple[tuple[str, str], ...],
    lists_below: ListsBelow = None,
) -> WarningDiagnostic:
    """The drop has several archives of a component: the highest version is built; of one content, the first by name.

    Each of the others has its version; empty for one with the content that is built. Those that what is on disk may
    have been made from are not among them. `lists_below` is as in `Selectable`.
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
    advice = f"{_without([name for name, _ in others], lists_below)}; or build {what} with `{flags}`"
    return WarningDiagnostic("duplicate-archive", "; ".join(parts), advice, in_drop(built_archive))


def _without(archives: list[str], lists_below: ListsBelow) -> str:
    """How to do without some archives: files can be removed, members of bundles can only be left out."""
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
    """Archives are for another system than the one in the project. They are not built, unless one is called by name.

    `why` is a clause that says why they are built all the same; empty if they are not.
    """
    are = agreeing(archives, "archive is", "archives are")
    message = f"{len(archives):,} {are} for {system}: {listed(archives)}; {host} is in the project"
    if why:
        return WarningDiagnostic("other-system", f"{message}, and {why}, so it is built", "", None, names)
    leave = f"leave {agreeing(archives, 'it', 'them')} to a project with {system}"
    builds = f"`--force {shlex.quote(names[0])}` builds {agreeing(archives, 'it', 'the first')} all the same"
    message += ", and nothing of them is built"
    return WarningDiagnostic("other-system", message, f"{leave}; {builds}", None, names)


def repacked_archive(archive: str, path: str) -> WarningDiagnostic:
    """With `--frozen`, an archive is not the recorded file, but holds the same files. It is accepted."""
    message = f"`{archive}` was repacked; it has the files that `{path}` was built from"
    return WarningDiagnostic("repacked-archive", message, location=in_drop(archive))


def _where(drop: str) -> str:
    if drop == ".":
        return "the current folder"
    return f"`{drop}`"


DropError: TypeAlias = DropNotFound | ComponentNotFound
