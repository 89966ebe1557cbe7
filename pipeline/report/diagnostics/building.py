"""Errors that stop a build, and warnings about components (`docs/building.md`)."""

import re
import shlex
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from pipeline.report.diagnostic import (
    Command,
    Diagnostic,
    ListsBelow,
    OfProject,
    Sentence,
    WarningDiagnostic,
    excluding,
)
from pipeline.report.events import Action
from pipeline.report.location import Location, in_project
from pipeline.report.wording import agreeing, clause, listed

_UP_TO_DATE: Final = {
    "project": "run `tool create` without `--check`",
    "interrupted": (
        "run `tool create` without `--check` and `--frozen`; it completes the interrupted run first"
    ),
    "record": (
        "run without `--frozen`, and commit `.tool-manifest.json`; or restore what the record names"
    ),
    "files": "restore these files, or pass `--mine` to keep them",
    "patch": "change, rename or delete the patch, build, and commit the patch and the record",
    "component": (
        "`tool status -v` lists its files; `--except PATTERN` ignores files that a "
        "module writes itself"
    ),
}
"""What to do, by what is out of date."""


def readable_on_the_web(drop: str, path: str) -> WarningDiagnostic:
    """A web server may hand out the record, and the archives of a drop in the project.

    `drop` is that drop as the user wrote it, and `path` its path in the project; both are empty if
    it is elsewhere.
    """
    message = (
        "a web server may hand out `.tool-manifest.json`, which names all modules and their "
        "versions"
    )
    hidden = r"/\.tool"
    outside = ""
    if path:
        message += f"; it may also hand out the archives in `{drop}`"
        hidden = r"/\.tool|^/[^/]*\.zip$"
        if path != ".":
            hidden = rf"/(\.tool|{re.escape(path)}/.*\.zip$)"
        outside = "move the drop out of the web root; or "
    apache = f'`RedirectMatch 404 "{hidden}"` in the Apache configuration or an `.htaccess` file'
    nginx = (
        f'`location ~ "{hidden}" {{ return 404; }}` before every other `location ~` in the '
        f"nginx configuration"
    )
    advice = f"{outside}put {apache}, or {nginx}"
    return WarningDiagnostic(
        "readable-on-the-web", message, advice, in_project(".tool-manifest.json")
    )


class OutOfDate(OfProject, frozen=True):
    """With `--check`, a run would change the project, or built files are edited or missing; with
    `--frozen`, the drop, the selection or a file would differ from the record.
    """

    message: str
    what: Literal["project", "record", "files", "patch", "component", "interrupted"] = "project"

    @property
    def advice(self) -> str:
        return _UP_TO_DATE[self.what]


def would_change(path: str, action: Action) -> OutOfDate:
    """The error that a run would add, update or remove a component."""
    return OutOfDate(path, f"`{path}` is out of date: a run would {action} it")


def not_complete(path: str) -> OutOfDate:
    """The error that a run was interrupted while it changed a component, and has not
    been finished.
    """
    return OutOfDate(
        path, f"`{path}` is not complete: an earlier run was interrupted", "interrupted"
    )


def not_as_recorded(path: str, archive: str, recorded: str, digest: str) -> OutOfDate:
    """The error that the drop or the selection differs from the record.

    `recorded` is the SHA-256 of the archive in the record, `digest` that of the archive in the
    drop; each is empty if there is no archive.
    """
    if not recorded:
        return OutOfDate(
            path, f"`{path}` (`{archive}`) is selected, but not in the record", "record"
        )
    if not digest:
        return OutOfDate(
            path,
            f"`{path}` is in the record, but it is not selected or `{archive}` is not in the drop",
            "record",
        )
    digests = f"its SHA-256 is {digest}, but the record has {recorded}"
    return OutOfDate(path, f"`{archive}` is not what `{path}` was built from: {digests}", "record")


def gives_others(path: str, archive: str) -> OutOfDate:
    """The error that the recorded files of a component are not those of its recorded archive."""
    return OutOfDate(
        path, f"the files recorded for `{path}` are not those in `{archive}`", "record"
    )


def files_edited(path: str, files: tuple[str, ...]) -> OutOfDate:
    """The error that files of a component differ from the record, and that the run would not
    restore them.
    """
    would = f"after the run, these files of `{path}` would still differ from the record"
    return OutOfDate(path, f"{would}: {listed(files)}", "files")


def not_as_built(path: str, files: tuple[str, ...] = ()) -> OutOfDate:
    """The error that built files of a component are missing or edited, or that executable
    code was added.
    """
    return OutOfDate(
        path, f"`{path}` is not as it was built{clause(': {}', listed(files))}", "component"
    )


def patch_differs(path: str, patch: str, recorded: str, digest: str) -> OutOfDate:
    """The error that the patch of a component differs from the record.

    `recorded` is its SHA-256 in the record, `digest` that of the file; each is empty if there
    is no patch.
    """
    if not digest:
        return OutOfDate(
            path, f"`{path}` was built with `{patch}`, which is missing or cannot be read", "record"
        )
    if not recorded:
        return OutOfDate(
            path,
            f"`{patch}` is not what `{path}` was built with: the record has no patch",
            "record",
        )
    digests = f"its SHA-256 is {digest}, but the record has {recorded}"
    return OutOfDate(path, f"`{patch}` is not what `{path}` was built with: {digests}", "record")


def patch_unfit(path: str, patch: str, file: str) -> OutOfDate:
    """The error that a patch does not fit a file of the archive, and that a flag builds the
    file without it.
    """
    return OutOfDate(
        path, f"`{file}` is built without `{patch}`, which does not fit the archive", "patch"
    )


def patch_unused(message: str, patch: Location | None) -> OutOfDate:
    """The error that a patch is not used; without `--frozen`, it is a warning."""
    path = ""
    if patch:
        path = patch.name
    return OutOfDate(path, message, "patch")


class RecordUnreadable(Diagnostic, frozen=True):
    """The record of what the tool wrote, or the journal of a killed run, is damaged."""

    file: str
    is_merging: bool = False
    """Whether the file has both sides of a git merge."""
    at = "file"
    inside = "project"

    @property
    def message(self) -> str:
        if self.is_merging:
            return f"`{self.file}` has both sides of a git merge"
        return f"`{self.file}` is damaged: cannot distinguish your files from built files"

    @property
    def advice(self) -> str:
        if self.is_merging:
            return (
                f"keep either side, for example with `git checkout --ours {self.file}`, and "
                f"run again to update it"
            )
        folder, _, journal = self.file.rpartition("/")
        if folder and journal:
            return f"save your files from `{folder}`, then delete it"
        return (
            "restore it; or delete it, and tool treats each file that differs from its archive "
            "as yours"
        )


class NothingToUndo(Diagnostic, frozen=True):
    """The last run cannot be undone or redone: its previous files are not kept, or the project has
    changed since.
    """

    reason: Literal[
        "nothing", "record", "damaged", "replaced", "gone", "undone", "not undone", "part", "other"
    ]
    path: str = ".tool/previous"
    run: str = ""
    """The time and the command of the kept run; if the reason is `replaced`, the
    version on disk.
    """
    versions: tuple[str, ...] = ()
    """The kept versions of a component that the run did not change, as `NAME@VERSION`."""
    command: Command = Command()
    others: tuple[str, ...] = ()
    """The components that can be undone without one that was removed or replaced."""
    at = "path"
    inside = "project"

    @property
    def message(self) -> str:
        if self.reason == "nothing":
            return "there is no run to undo or redo"
        if self.reason == "record":
            return (
                f"`.tool-manifest.json` has changed since the run that could be undone ({self.run})"
            )
        if self.reason == "undone":
            return f"the last run has already been undone ({self.run})"
        if self.reason == "not undone":
            return f"there is nothing to redo: the last run was not an undo ({self.run})"
        if self.reason == "part":
            return f"`{self.path}` has already been undone ({self.run})"
        if self.reason == "other":
            why = (
                f"the last run did not change it, or its change has already been undone "
                f"({self.run})"
            )
            return f"there is nothing to undo in `{self.path}`: {why}"
        if self.reason == "gone":
            return f"`{self.path}` has been removed since the run that could be undone"
        if self.reason == "replaced":
            return (
                f"`{self.path}` has been replaced since the run that could be undone: "
                f"{self.run} is on disk"
            )
        return f"`{self.path}` has changed since the run that could be undone"

    @property
    def advice(self) -> str:
        if self.reason == "record":
            return (
                "restore `.tool-manifest.json` as that run wrote it, or build what you want "
                "with `tool create`"
            )
        if self.reason in {"undone", "part"}:
            return f"`{self.command.without_drop('redo')}` reverses the undo"
        if self.reason == "not undone":
            return f"`{self.command.without_drop('undo')}` undoes that run"
        if self.reason == "other" and self.versions:
            builds = [f"`{self.command.line('create', version)}`" for version in self.versions]
            return f"to build a kept version, run {' or '.join(builds)}"
        if self.reason == "other":
            return (
                "no other version is kept: put the archive of the version that you want into "
                "the drop"
            )
        way = "build the archives that you want, even older ones, with `tool create`"
        if self.others:
            undoes = self.command.without_drop("undo", *self.others)
            return f"`{undoes}` undoes the others; or {way}"
        return way


BackedUp: TypeAlias = Literal["moved", "copied", "archive's"]
"""What the backup has: the user's files, moved there; copies of the user's files, which were
merged; or the archive's files, while the user's stay in place."""
_BACKED_UP: Final[dict[BackedUp, str]] = {
    "moved": "{files} of `{component}` {were} moved to `{backup}`",
    "copied": "{files} of `{component}` {were} merged; {copies} {are} in `{backup}`",
    "archive's": (
        "the archive's {versions} of {files} in `{component}` {are} in `{backup}`; your "
        "{versions} {were} kept"
    ),
}


def backed_up(
    component: str,
    files: tuple[str, ...],
    backup: str,
    what: BackedUp = "moved",
    *,
    dry: bool = False,
) -> WarningDiagnostic:
    """Files are in the backup: yours after `--force`, `--prune` or a rewrite by the shop, copies of
    yours that were merged, or the archive's.

    `backup` is the folder as the user would type it.
    """
    words = {
        "were": agreeing(files, "was", "were"),
        "are": agreeing(files, "is", "are"),
        "versions": agreeing(files, "version", "versions"),
        "copies": agreeing(files, "a copy of your version", "copies of your versions"),
    }
    if dry:
        words |= {"were": "would be", "are": "would be"}
    message = _BACKED_UP[what].format(
        files=listed(files), component=component, backup=backup, **words
    )
    return WarningDiagnostic("backed-up", message, location=in_project(component))


def changed_meanwhile(component: str, files: tuple[str, ...]) -> WarningDiagnostic:
    """Files changed while the run replaced others. They stay as they are, and count as edited."""
    is_left = agreeing(files, "it as it is", "them as they are")
    message = f"{listed(files)} of `{component}` changed during the run, which left {is_left}"
    advice = "keep your version; or delete the file and run again to restore the archive's version"
    if len(files) > 1:
        advice = (
            "keep your versions; or delete the files and run again to restore the archive's "
            "versions"
        )
    return WarningDiagnostic("changed-meanwhile", message, advice, in_project(component))


class Copy(Struct, frozen=True):
    """A kept archive, and the path in the drop to which it can be copied; both are relative to the
    current folder.
    """

    source: str
    target: str

    def __str__(self) -> str:
        """The command that copies it."""
        return shlex.join(("cp", self.source, self.target))


def built_again(
    archives: tuple[str, ...], copies: tuple[Copy, ...], command: str, lists_below: ListsBelow
) -> WarningDiagnostic:
    """After `undo`, or a run with `NAME@VERSION`: the next run builds other archives from the drop,
    or the drop does not have what was built, so a clone cannot build it, and `--prune` removes it.

    `command` is the command line of that next run; `lists_below` is as in `Selectable`.
    """
    parts = list[str]()
    ways = [f"`{copy}` puts it into the drop" for copy in copies]
    if archives:
        first, *more = archives
        flags = [
            excluding(first, lists_below),
            *(excluding(archive, frozenset()) for archive in more),
        ]
        these = agreeing(archives, "this archive", "these archives")
        parts.append(f"the next `tool create` will build {these} again: {listed(archives)}")
        ways.append(
            f"`{' '.join((command, *flags))}` leaves {agreeing(archives, 'it', 'them')} out"
        )
    if copies:
        parts.append(
            f"the drop does not have {agreeing(copies, 'the archive', 'the archives')} of what "
            f"was built"
        )
    return WarningDiagnostic("built-again", "; ".join(parts), "; ".join(ways))


def kept_components(
    left_out: tuple[str, ...],
    without_archive: tuple[str, ...],
    *,
    in_doubt: bool = False,
    by_flag: bool = False,
    unknown: tuple[str, ...] = (),
) -> WarningDiagnostic:
    """Components of earlier runs are not built any more. They are kept until `--prune`
    removes them.

    The selection leaves out `left_out`; the drop has no archive of those `without_archive`. If
    `in_doubt`, not even `--prune` removes them. If `by_flag`, a flag of this run leaves one out, so
    removal for good is not suggested. `--prune` does not remove components with an `unknown` base.
    """
    parts = (
        clause("not selected: {}", listed(left_out)),
        clause("without an archive in the drop: {}", listed(without_archive)),
    )
    which = "; ".join(filter(None, parts))
    if by_flag:
        advice = ""
    elif in_doubt:
        advice = "`--prune` does not remove them while an archive is refused or the drop is empty"
    else:
        except_for = clause(
            ", except where another version than the one that was built is on disk: {}",
            listed(unknown),
        )
        advice = f"`--prune` removes them{except_for}"
    return WarningDiagnostic("kept-components", f"kept from earlier runs, {which}", advice)


class BadFolder(Diagnostic, frozen=True):
    """Themes or modules cannot go into the folder that a flag or variable names."""

    by: str
    """The flag or the variable that names the folder."""
    folder: str
    fault: str
    at = "by"
    message = Sentence("no component can go into `{folder}`: {fault}")
    advice = "name a folder in the project, relative to it, such as `wp-content/plugins`"


BuildingError: TypeAlias = OutOfDate | RecordUnreadable | NothingToUndo | BadFolder
