"""Errors and warnings about the drop and the names that are given (`docs/archives.md`)."""

import shlex
from pathlib import PurePath
from typing import Final, Literal, TypeAlias

from pipeline.report.diagnostic import Diagnostic, Selectable, Sentence, WarningDiagnostic, code
from pipeline.report.location import Location
from pipeline.report.wording import SUGGESTED, did_you_mean, either, listed
from pipeline.schema import is_archive_name


class DropNotFound(Diagnostic, frozen=True):
    """The folder of the archives does not exist or is not a folder; or with `--prune` it has no archive."""

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

    @property
    def message(self) -> str:
        if self.is_empty:
            return f"no archive in {_where(self.drop)}: `--prune` would remove every component"
        return f"no folder `{self.drop}`{', the drop of the last run' * self.is_remembered}: {self.cause}"

    @property
    def location(self) -> Location | None:
        return Location(self.drop) if self.is_empty else None

    @property
    def advice(self) -> str:
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


class NothingToBuild(WarningDiagnostic, frozen=True):
    """The drop has no archive, or none is selected. The exit code is 0."""

    drop: str
    archives: int
    at = "drop"

    @property
    def message(self) -> str:
        where = _where(self.drop)
        what = f"no archive in {where} is selected" if self.archives else f"no `.zip` file in {where}"
        return f"nothing to build: {what}"

    @property
    def advice(self) -> str:
        if self.archives:
            return "the log has the reason for each archive"
        return "put archives there, or name their folder: `tool create FOLDER`"


UnusedKind: TypeAlias = Literal["other format", "split", "unfinished", "unpacked", "deeper", "no file"]
"""Why something in the drop is not read: it is an archive of another format, a part of a split one, a download that
has not finished, an unpacked component, a folder of archives, or called like an archive and no file."""
_UNUSED: Final[dict[UnusedKind, tuple[str, str]]] = {
    "other format": ("only `.zip` archives are read, not {}", "unpack it, and pack its contents with `zip -r`"),
    "split": ("parts of a split archive are not read: {}", "join and unpack it with `7z x`, and pack with `zip -r`"),
    "unfinished": ("a download has not finished: {}", "wait for its end, or download again"),
    "unpacked": ("unpacked components are not read: {}", "pack it: `cd {1} && zip -r {2}.zip {2}`"),
    "no file": ("only files are read, not {}", "put the archives themselves there; the target of a link must exist"),
    "deeper": ("archives in subfolders are not read: {}", "move them up, or name their folder instead: `{}`"),
}
"""Why such things are not read, and what to do."""


class UnusedFiles(WarningDiagnostic, frozen=True):
    """The drop has files or folders that look like archives or components, but are not read."""

    drop: str
    kind: UnusedKind
    names: tuple[str, ...]
    """Paths relative to the drop."""
    at = "drop"

    @property
    def message(self) -> str:
        return _UNUSED[self.kind][0].format(listed(self.names))

    @property
    def advice(self) -> str:
        paths = (str(PurePath(self.drop, self.names[0])), self.drop, self.names[0])
        return _UNUSED[self.kind][1].format(*map(shlex.quote, paths))


class DuplicateArchive(Selectable, WarningDiagnostic, frozen=True, tag=code):
    """The drop has several archives of a component: the highest version is built; of one content, the first by name."""

    built_archive: str
    archives: tuple[str, ...]
    """Those that are not built."""
    versions: tuple[str, ...]
    """Their versions; empty for one with the content that is built."""
    built_version: str = ""
    at = "built_archive"
    inside = "drop"

    @property
    def message(self) -> str:
        pairs = zip(self.archives, self.versions, strict=True)
        others = listed([f"`{name}` ({version or 'the same content'})" for name, version in pairs], mark="")
        return f"{f'version {self.built_version}' if self.built_version else 'it'} is built, not {others}"

    @property
    def advice(self) -> str:
        flags, others = self.excluding(self.built_archive), self.archives[1:]
        which, another = ("the others", "another") if others else (f"`{self.archives[0]}`", "it")
        return f"remove {which}; or build {another} with `{flags}`"


class RepackedArchive(WarningDiagnostic, frozen=True):
    """With `--frozen`, an archive is not the recorded file, but holds the same files. It is accepted."""

    archive: str
    path: str
    """The component, relative to the project."""
    at = "archive"
    inside = "drop"
    message = Sentence("`{archive}` was repacked; it has the files that `{path}` was built from")


def _where(drop: str) -> str:
    return "the current folder" if drop == "." else f"`{drop}`"


DropError: TypeAlias = DropNotFound | ComponentNotFound

EXAMPLES: Final = (
    DropNotFound("dorp", "it does not exist", ("drop",)),
    ComponentNotFound("shop_baner", "drop", ("shop_banner",)),
    NothingToBuild(".", 0),
    UnusedFiles("drop", "other format", ("shop_map.tar.gz",)),
    DuplicateArchive("m-1.5.zip", ("m-1.4.zip", "m.zip"), ("1.4", ""), "1.5"),
    RepackedArchive("m.zip", "modules/m"),
)
