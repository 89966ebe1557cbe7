"""Errors and warnings about the drop and the names that are given (`docs/archives.md`)."""

import shlex
from pathlib import PurePath
from typing import Final, Literal, TypeAlias

from pipeline.report.diagnostic import Diagnostic, ListsBelow, WarningDiagnostic, excluding
from pipeline.report.location import Location, in_drop
from pipeline.report.wording import SUGGESTED, did_you_mean, either, listed
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
    """Components with a similar name, for what may have been meant as one."""
    others: tuple[str, ...] = ()
    """What else is named, if all are archives of one folder."""
    is_remembered: bool = False
    """Whether it is not named, but that of an earlier run."""
    is_empty: bool = False
    """Whether it exists and has no archive, which `--prune` takes for a disk that is not mounted."""

    is_unnamed: bool = False
    """Whether none is named, no earlier run had one, and the current folder has no archive."""

    @property
    def message(self) -> str:
        if self.is_unnamed:
            return "no folder of archives is named, and there is no archive in the current folder"
        if self.is_empty:
            return f"no archive in {_where(self.drop)}: `--prune` would remove every component"
        return f"no folder `{self.drop}`{', the drop of the last run' * self.is_remembered}: {self.cause}"

    @property
    def location(self) -> Location | None:
        return Location(self.drop) if self.is_empty else None

    @property
    def advice(self) -> str:
        if self.is_unnamed:
            return "name the folder, such as `tool create drop`"
        if self.is_empty:
            return "to remove everything, delete the folders; or put an archive there, and pass `--exclude='*'`"
        if self.components:
            folders = f"{either(self.suggestions)}, or " if self.suggestions else ""
            return f"did you mean {folders}the component {either(self.components)}?"
        if self.suggestions or not is_archive_name(self.drop):
            return did_you_mean(self.suggestions) or "name the folder that holds the archives"
        names = tuple(PurePath(each).name for each in (self.drop, *self.others))
        folder, flags = shlex.quote(str(PurePath(self.drop).parent)), shlex.join(f"--only={name}" for name in names)
        which, alone = ("they are", "these modules") if self.others else ("it is", "this module")
        but_one = f", with `{flags}` for {alone} alone, or `--theme` for a theme" if len(names) <= SUGGESTED else ""
        return f"name the folder that {which} in: `{folder}`{but_one}"


class ComponentNotFound(Diagnostic, frozen=True):
    """A name on the command line is no component of the drop or the project."""

    name: str
    drop: str
    suggestions: tuple[str, ...] = ()

    @property
    def message(self) -> str:
        return f"no component `{self.name}` in {_where(self.drop)} or in the project"

    @property
    def advice(self) -> str:
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
        what, advice = f"no archive in {_where(drop)} is selected", "the log has the reason for each archive"
    return WarningDiagnostic("nothing-to-build", f"nothing to build: {what}", advice, Location(drop))


UnusedKind: TypeAlias = Literal["other format", "split", "unfinished", "unpacked", "deeper", "folder", "no file"]
"""Why something in the drop is not read: it is an archive of another format, a part of a split one, a download that
has not finished, an unpacked component, a folder of archives, or a folder or something else that is called like an
archive."""
_UNUSED: Final[dict[UnusedKind, tuple[str, str]]] = {
    "other format": ("only `.zip` archives are read, not {}", "unpack it, and pack its contents with `zip -r`"),
    "split": ("parts of a split archive are not read: {}", "join and unpack it with `7z x`, and pack with `zip -r`"),
    "unfinished": ("a download has not finished: {}", "wait for its end, or download again"),
    "unpacked": ("unpacked components are not read: {}", "pack it: `cd {1} && zip -r {2}.zip {2}`"),
    "folder": (
        "folders that are called like archives are not read: {}",
        "pack it: `cd {3} && mv {4} {5} && zip -r {4} {5}`",
    ),
    "no file": ("only files are read, not {}", "put the archives themselves there; the target of a link must exist"),
    "deeper": ("archives in subfolders are not read: {}", "move them up, or name their folder instead: `{}`"),
}
"""Why such things are not read, and what to do."""


def unused_files(drop: str, kind: UnusedKind, names: tuple[str, ...]) -> WarningDiagnostic:
    """The drop has files or folders that look like archives or components, but are not read.

    The names are paths relative to the drop.
    """
    message, advice = _UNUSED[kind]
    path = PurePath(drop, names[0])
    paths = (str(path), drop, names[0], str(path.parent), path.name, path.stem)
    return WarningDiagnostic(
        "unused-files", message.format(listed(names)), advice.format(*map(shlex.quote, paths)), Location(drop)
    )


def duplicate_archive(
    built_archive: str,
    built_version: str,
    others: tuple[tuple[str, str], ...],
    lists_below: ListsBelow = None,
) -> WarningDiagnostic:
    """The drop has several archives of a component: the highest version is built; of one content, the first by name.

    Each of the others has its version; empty for one with the content that is built. What is on disk may have been made
    from one of them, so none should go before the build. `lists_below` is as in `Selectable`.
    """
    older = [f"`{name}` ({version})" for name, version in others if version]
    equal = [f"`{name}`" for name, version in others if not version]
    parts = [f"version {built_version} is chosen" if built_version else "it is chosen"]
    parts += [f"{listed(older, mark='')} {'are' if older[1:] else 'is'} older"] if older else []
    parts += [f"{listed(equal, mark='')} {'have' if equal[1:] else 'has'} the same content"] if equal else []
    flags = excluding(built_archive, lists_below)
    advice = f"after the build, remove `{others[0][0]}`; or build it with `{flags}`"
    if others[1:]:
        advice = f"after the build, remove the others; or build another with `{flags}`"
    return WarningDiagnostic("duplicate-archive", "; ".join(parts), advice, in_drop(built_archive))


def repacked_archive(archive: str, path: str) -> WarningDiagnostic:
    """With `--frozen`, an archive is not the recorded file, but holds the same files. It is accepted."""
    message = f"`{archive}` was repacked; it has the files that `{path}` was built from"
    return WarningDiagnostic("repacked-archive", message, location=in_drop(archive))


def _where(drop: str) -> str:
    return "the current folder" if drop == "." else f"`{drop}`"


DropError: TypeAlias = DropNotFound | ComponentNotFound
