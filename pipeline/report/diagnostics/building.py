"""Errors that stop a build, and warnings about components (`docs/building.md`)."""

import re
import shlex
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from pipeline.report.diagnostic import Diagnostic, ListsBelow, OfProject, Sentence, WarningDiagnostic, excluding
from pipeline.report.diagnostics.bases import Command
from pipeline.report.events import Action
from pipeline.report.location import Location, in_project
from pipeline.report.wording import agreeing, clause, listed

_UP_TO_DATE: Final = {
    "project": "run `tool create` without `--check`",
    "interrupted": "run `tool create` without `--check` and `--frozen`; it completes the interrupted run first",
    "record": "run without `--frozen`, and commit `.tool-manifest.json`; or restore what the record says",
    "files": "restore these files, or pass `--mine` to keep them",
    "patch": "change, rename or delete the patch, build, and commit both",
    "component": "`tool status -v` lists its files; `--except PATTERN` leaves out those that a module writes by itself",
}
"""What to do, by what differs."""


def readable_on_the_web(drop: str, path: str) -> WarningDiagnostic:
    """A web server may hand out the record, and the archives of a drop that is in the project.

    `drop` is that folder as the user wrote it, `path` its path in the project; both are empty if it is elsewhere.
    """
    message = "a web server may hand out `.tool-manifest.json`, which names all modules and their versions"
    hidden = r"/\.tool"
    outside = ""
    if path:
        message += f", and the archives in `{drop}`"
        hidden = r"/\.tool|^/[^/]*\.zip$"
        if path != ".":
            hidden = rf"/(\.tool|{re.escape(path)}/.*\.zip$)"
        outside = "move the drop out of the web root; or "
    apache = f'`RedirectMatch 404 "{hidden}"` into the configuration of Apache or an `.htaccess`'
    nginx = f'`location ~ "{hidden}" {{ return 404; }}` before every other `location ~` of nginx'
    advice = f"{outside}write {apache}, or {nginx}"
    return WarningDiagnostic("readable-on-the-web", message, advice, in_project(".tool-manifest.json"))


class OutOfDate(OfProject, frozen=True):
    """With `--check`, a run would change the project, or built files are edited or missing; with `--frozen`, the drop,
    the selection or a file would differ from the record.
    """

    message: str
    what: Literal["project", "record", "files", "patch", "component", "interrupted"] = "project"

    @property
    def advice(self) -> str:
        return _UP_TO_DATE[self.what]


def would_change(path: str, action: Action) -> OutOfDate:
    """A run would change the project."""
    return OutOfDate(path, f"`{path}` is out of date: a run would {action} it")


def not_complete(path: str) -> OutOfDate:
    """A run that was about a component was interrupted, and is not finished."""
    return OutOfDate(path, f"`{path}` is not complete: an earlier run was interrupted", "interrupted")


def not_as_recorded(path: str, archive: str, recorded: str, digest: str) -> OutOfDate:
    """The drop or the selection differs from the record, by the SHA-256 of the archive in the record and of that in the
    drop. Each is empty if there is none.
    """
    if not recorded:
        return OutOfDate(path, f"`{path}` (`{archive}`) is selected, and not in the record", "record")
    if not digest:
        return OutOfDate(
            path, f"`{path}` is in the record; it is not selected, or `{archive}` is not in the drop", "record"
        )
    digests = f"SHA-256 is {digest}, recorded is {recorded}"
    return OutOfDate(path, f"`{archive}` is not what `{path}` was built from: {digests}", "record")


def gives_others(path: str, archive: str) -> OutOfDate:
    """The record names the archive of a component, and has other files than that gives."""
    return OutOfDate(path, f"the record has other files of `{path}` than `{archive}` gives", "record")


def files_edited(path: str, files: tuple[str, ...]) -> OutOfDate:
    """Files of a component that a run would not restore differ from the record."""
    return OutOfDate(path, f"`{path}` would not be as recorded after the run: {listed(files)}", "files")


def not_as_built(path: str, files: tuple[str, ...] = ()) -> OutOfDate:
    """Built files of a component are missing or edited, or files were added that can run."""
    return OutOfDate(path, f"`{path}` is not as it was built{clause(': {}', listed(files))}", "component")


def patch_differs(path: str, patch: str, recorded: str, digest: str) -> OutOfDate:
    """The patch of a component differs from the record, by its SHA-256 there and here. Each is empty without one."""
    if not digest:
        return OutOfDate(path, f"`{path}` was built with `{patch}`, which is missing or cannot be read", "record")
    if not recorded:
        return OutOfDate(path, f"`{patch}` is not what `{path}` was built with: the record has no patch", "record")
    digests = f"SHA-256 is {digest}, recorded is {recorded}"
    return OutOfDate(path, f"`{patch}` is not what `{path}` was built with: {digests}", "record")


def patch_unfit(path: str, patch: str, file: str) -> OutOfDate:
    """A patch does not fit a file of the archive, and a flag of the run builds the file without it."""
    return OutOfDate(path, f"`{file}` is built without `{patch}`, which does not fit the archive", "patch")


def patch_unused(message: str, patch: Location | None) -> OutOfDate:
    """A patch is used for nothing, as a warning says otherwise."""
    path = ""
    if patch:
        path = patch.name
    return OutOfDate(path, message, "patch")


class RecordUnreadable(Diagnostic, frozen=True):
    """The record of what the tool wrote, or the journal of a killed run, is damaged."""

    file: str
    is_merging: bool = False
    """Whether version control has left both sides of a merge in it."""
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
            return f"keep either side, for example with `git checkout --ours {self.file}`, and run again to update it"
        folder, _, journal = self.file.rpartition("/")
        if folder and journal:
            return f"save your files from `{folder}`, then delete it"
        return "restore it; or delete it, and tool treats each file that differs from its archive as yours"


class NothingToUndo(Diagnostic, frozen=True):
    """The last run cannot be undone or redone: its previous files are not kept, or the project has changed since."""

    reason: Literal["nothing", "record", "damaged", "replaced", "gone", "undone", "not undone", "part", "other"]
    path: str = ".tool/previous"
    run: str = ""
    """The time and the command of the run that is kept; of a component that was replaced, the version on disk."""
    versions: tuple[str, ...] = ()
    """Of a component that the run did not change, the kept versions, as `NAME@VERSION`."""
    command: Command = Command()
    at = "path"
    inside = "project"

    @property
    def message(self) -> str:
        if self.reason == "nothing":
            return "there is no run to undo or redo"
        if self.reason == "record":
            return f"`.tool-manifest.json` has changed since the run that could be undone ({self.run})"
        if self.reason == "undone":
            return f"the last run is undone already ({self.run})"
        if self.reason == "not undone":
            return f"there is no undo to take back: the last run is another ({self.run})"
        if self.reason == "part":
            return f"`{self.path}` is undone already ({self.run})"
        if self.reason == "other":
            why = f"the last run did not change it, or that is undone already ({self.run})"
            return f"there is nothing to undo of `{self.path}`: {why}"
        if self.reason == "gone":
            return f"`{self.path}` was removed since the run that could be undone"
        if self.reason == "replaced":
            return f"`{self.path}` was replaced since the run that could be undone: {self.run} is on disk"
        return f"`{self.path}` has changed since the run that could be undone"

    @property
    def advice(self) -> str:
        if self.reason == "record":
            return "restore `.tool-manifest.json` as that run wrote it, or build what you want with `tool create`"
        if self.reason in {"undone", "part"}:
            return f"`{self.command.without_drop('redo')}` takes the undo back"
        if self.reason == "not undone":
            return f"`{self.command.without_drop('undo')}` takes that run back"
        if self.reason == "other" and self.versions:
            builds = [f"`{self.command.line('create', version)}`" for version in self.versions]
            return f"to build a version of it that is kept, run {' or '.join(builds)}"
        if self.reason == "other":
            return "no other version of it is kept: put the archive of the one that you want into the drop"
        return "build the archives that you want, also older ones, with `tool create`"


BackedUp: TypeAlias = Literal["moved", "copied", "archive's"]
"""What is in the backup: the user's files, which are not in place any more; copies of what was merged; or what the
archive has, while the user's files stay in place."""
_BACKED_UP: Final[dict[BackedUp, str]] = {
    "moved": "{files} of `{component}` {would}moved to `{backup}`",
    "copied": "{files} of `{component}` {was} merged; a copy of your version {is_in} `{backup}`",
    "archive's": "the archive's {files} of `{component}` {is_in} `{backup}`; yours is kept",
}


def backed_up(
    component: str, files: tuple[str, ...], backup: str, what: BackedUp = "moved", *, dry: bool = False
) -> WarningDiagnostic:
    """Files are in the backup: yours after `--force`, `--prune` or a rewrite by the shop, copies of yours that were
    merged, or the archive's.

    `backup` is the folder as the user types it.
    """
    words = {"would": "", "was": agreeing(files, "was", "were"), "is_in": "is in"}
    if dry:
        words = {"would": "would be ", "was": "would be", "is_in": "would be in"}
    message = _BACKED_UP[what].format(files=listed(files), component=component, backup=backup, **words)
    return WarningDiagnostic("backed-up", message, location=in_project(component))


def changed_meanwhile(component: str, files: tuple[str, ...]) -> WarningDiagnostic:
    """Files changed while the run replaced others. They stay as they are, and count as edited."""
    is_left = agreeing(files, "it as it is", "them as they are")
    message = f"{listed(files)} of `{component}` changed during the run, which left {is_left}"
    advice = "keep it; or delete it and run again to restore the archive's"
    return WarningDiagnostic("changed-meanwhile", message, advice, in_project(component))


class Copy(Struct, frozen=True):
    """A kept archive, and the path in the drop to which it can be copied, both as paths from the current folder."""

    source: str
    target: str

    def __str__(self) -> str:
        """The command that copies it."""
        return shlex.join(("cp", self.source, self.target))


def built_again(
    archives: tuple[str, ...], copies: tuple[Copy, ...], command: str, lists_below: ListsBelow
) -> WarningDiagnostic:
    """After `undo`, or a run with `NAME@VERSION`: the next run builds the other archives that the drop has, or the drop
    does not have what was built, so that a clone cannot build it, and `--prune` removes it.

    `command` is that run; `lists_below` is as in `Selectable`.
    """
    parts = list[str]()
    ways = [f"`{copy}` puts it into the drop" for copy in copies]
    if archives:
        first, *more = archives
        flags = [excluding(first, lists_below), *(excluding(archive, frozenset()) for archive in more)]
        parts.append(f"the next `tool create` will build these archives again: {listed(archives)}")
        ways.append(f"`{' '.join((command, *flags))}` leaves {agreeing(archives, 'it', 'them')} out")
    if copies:
        parts.append(f"the drop does not have {agreeing(copies, 'the archive', 'the archives')} of what was built")
    return WarningDiagnostic("built-again", "; ".join(parts), "; ".join(ways))


def kept_components(
    left_out: tuple[str, ...],
    without_archive: tuple[str, ...],
    *,
    in_doubt: bool = False,
    by_flag: bool = False,
    unknown: tuple[str, ...] = (),
) -> WarningDiagnostic:
    """Components of earlier runs are not built any more. They are kept until `--prune` removes them.

    The selection leaves out the first, the others have no archive in the drop. If `in_doubt`, not even `--prune`
    removes them; if `by_flag`, a flag of this run leaves one out, so that it is not to be removed for good. Nor does it
    remove what is of an `unknown` base.
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
        but_not = clause(", but not what is of another version than was built: {}", listed(unknown))
        advice = f"`--prune` removes them{but_not}"
    return WarningDiagnostic("kept-components", f"kept from earlier runs, {which}", advice)


class BadFolder(Diagnostic, frozen=True):
    """Themes or modules cannot go into the folder that a flag or variable names."""

    by: str
    """The flag or the variable that names it."""
    folder: str
    fault: str
    at = "by"
    message = Sentence("no component can go into `{folder}`: {fault}")
    advice = "name a folder in the project, relative to it, such as `wp-content/plugins`"


BuildingError: TypeAlias = OutOfDate | RecordUnreadable | NothingToUndo | BadFolder
