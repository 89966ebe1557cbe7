"""Warnings: every note in words. Here are those of the configuration and of a run; `drop_warnings` has the others."""

from pathlib import PurePath
from typing import Final, assert_never

from io_edges.report.build_prose import in_conflict, ways_out
from io_edges.report.drop_warnings import of_drop
from io_edges.report.wording import Prose, are, listed
from pipeline.report import notes, run_notes
from pipeline.report.drop_notes import DropNote
from pipeline.report.events import WarningEvent
from pipeline.report.notes import LegacyNote, Note
from pipeline.report.run_notes import RunNote
from pipeline.report.source import Source

_RENAMED: Final = {".mts": "tool.config.ts", ".cts": "tool.config.ts", ".ts": "tool.config.ts"} | dict.fromkeys(
    (".mjs", ".cjs", ".js"), "tool.config.js"
)
"""What to call a script that is a configuration, by its suffix."""


def warning(note: Note, lists_below: frozenset[str] | None = None) -> WarningEvent:
    """Put a note in words; `lists_below` is what `wording.adding` goes by."""
    prose = _in_words(note, lists_below)
    source = str(prose.source) if prose.source else None
    return WarningEvent(str(note.__struct_config__.tag), prose.message, source, prose.help or None)


def _in_words(note: Note, lists_below: frozenset[str] | None) -> Prose:
    if isinstance(note, LegacyNote):
        return _of_legacy(note)
    if isinstance(note, DropNote):
        return of_drop(note, lists_below)
    if isinstance(note, RunNote):
        return _of_run(note)
    match note:
        case notes.ShadowedConfig(config_file, shadowed_files):
            message = f"{listed(shadowed_files)} {are(shadowed_files)} not read: `{config_file}` comes first"
            return Prose(message=message, help="keep one of them", source=Source(config_file))
        case notes.UnreadConfig(file):
            names = "`tool.config.ts`, `tool.config.js` or `tool.config.json`"
            message = f"`{file}` is not read: a configuration is called {names}"
            return Prose(message=message, help=_instead(file), source=Source(file))
        case notes.UnreadPackage(file):
            message = f"`{file}` cannot be read as JSON, and is passed over: it lies above the project"
            return Prose(message=message, help="fix it if it holds the configuration", source=Source(file))
        case notes.MisspeltVariable(variable, right):
            message, advice = _of_variable(variable, right)
            return Prose(message=message, help=advice, source=Source(variable))
        case notes.ConfigKept(file, backup, lost):
            what = f"`{file}` is overwritten" if lost == "config" else f"the key `tool` of `{file}` is set anew"
            return Prose(message=f"{what}; the original is kept in `{backup}`", source=Source(file))
        case _:
            assert_never(note)


def _instead(file: str) -> str:
    """What to do with a file that is called like a configuration elsewhere."""
    name = _RENAMED.get(PurePath(file).suffix)
    return f"rename it to `{name}`" if name else "write it as JSON, in `tool.config.json`; `tool init` does"


def _of_variable(variable: str, right: str) -> tuple[str, str]:
    """What is wrong with the name of a variable, and what to do."""
    if right.startswith("--"):
        return f"`{variable}` is not read: `{right}` has no variable", f"pass `{right}`"
    name, _, value = right.partition("=")
    return f"`{variable}` is not read: the variable is called `{name}`", f"set `{right}`" if value else "rename it"


def _of_run(note: RunNote) -> Prose:
    match note:
        case run_notes.MissingHookFolder(leaf, folder, source):
            message = f"{leaf} names `{folder}`, which is no folder: no script of it runs"
            return Prose(message=message, help="create the folder, or correct the path", source=source)
        case run_notes.SkippedHook(stage, script, suffix):
            message = f"the {stage} script `{script}` is skipped: it is not executable, and not `.sh` or `.py`"
            return Prose(message=message, help=_runnable(suffix), source=Source(script))
        case run_notes.FailedHook(stage, script, status):
            message = f"the {stage} script `{script}` failed: {status}; the run goes on"
            return Prose(message=message, help="`--on-failure=fail` ends a run there", source=Source(script))
        case run_notes.ChangedDrop(drop):
            message = f"the init scripts changed the drop `{drop}` after it was read"
            return Prose(message=message, help="run again to build what is there", source=Source(drop))
        case run_notes.BackedUp(component):
            return Prose(message=_backed_up(note), source=Source(component))
        case run_notes.KeptComponents():
            return _kept(note)
        case run_notes.InPlace(component, cause):
            message = f"the files of `{component}` were replaced one by one: {cause}"
            return Prose(message=message, source=Source(component))
        case run_notes.ConflictAhead(disputed):
            message = f"the next run would stop, because of what is in conflict: {in_conflict(disputed)}"
            return Prose(message=message, help=ways_out(disputed))
        case run_notes.Repacked(archive, path):
            message = f"`{archive}` was packed again; its files are those that `{path}` was built from"
            return Prose(message=message, source=Source(archive))
        case run_notes.LiveRun():
            message = "another run is building this project: what is there may be about to change"
            return Prose(message=message, help="look again when it has ended")
        case run_notes.InterruptedRun(dry):
            return Prose(
                message=f"an earlier run was interrupted; {'the next one finishes it' if dry else 'cleaned up'}"
            )
        case run_notes.NotLocked(project, cause):
            message = f"the project `{project}` cannot be locked: {cause}"
            return Prose(message=message, help="do not start a second run in it", source=Source(project))
        case run_notes.CacheDamaged(file, foreign):
            message = f"`{file}` is not a cache, and is left alone" if foreign else f"the cache `{file}` was damaged"
            advice = "set `cache.file` to another path" if foreign else ""
            return Prose(message=message + "; it is made anew" * (not foreign), help=advice, source=Source(file))
        case run_notes.CacheUnwritable(file, cause):
            message = f"the cache `{file}` cannot be written: {cause}; the next run will be slower"
            return Prose(message=message, help="make it writable, or set `cache.file`", source=Source(file))
        case run_notes.LeftOver(path, cause):
            return Prose(message=f"`{path}` could not be removed: {cause}", help="remove it", source=Source(path))
        case _:
            assert_never(note)


def _runnable(suffix: str) -> str:
    """How a script can be run that cannot."""
    if suffix in {".js", ".ts", ".mjs", ".cjs", ".mts", ".cts"}:
        return "add a first line such as `#!/usr/bin/env node` and make it executable"
    return "make it executable, or give it one of these suffixes"


def _backed_up(note: run_notes.BackedUp) -> str:
    would, which = "would be " * note.dry, listed(note.files)
    if note.is_archives:
        return f"the archive's {which} of `{note.component}` {would}put in `{note.backup}`; yours stays"
    return f"{which} of `{note.component}` {would}moved to `{note.backup}`"


def _kept(note: run_notes.KeptComponents) -> Prose:
    parts = ((note.left_out, "not selected"), (note.gone, "without an archive in the drop"))
    which = "; ".join(f"{what}: {listed(paths)}" for paths, what in parts if paths)
    if note.in_doubt:
        doubt = "nothing is removed while an archive is refused, or if the archives are elsewhere"
        return Prose(message=f"built before and kept, {which}; {doubt}", help="fix that, then run again")
    is_one = len(note.left_out) + len(note.gone) == 1
    return Prose(message=f"built before and kept, {which}", help=f"`--prune` removes {'it' if is_one else 'them'}")


def _of_legacy(note: LegacyNote) -> Prose:
    match note:
        case notes.LegacyMoved(key, leaf, source):
            return Prose(message=f"`{key}` of the 0.x file is read as `{leaf}`", source=source)
        case notes.LegacyDropped(key, reason, source):
            what = f"`{key}` of the 0.x file" if key else "the 0.x file"
            return Prose(message=f"{what} is ignored: {reason}", source=source)
        case notes.LegacyLifted(file, backup):
            kept = f"the original is kept in `{backup}`"
            message = f"the 0.x file `{file}` was rewritten in the version 1 shape; {kept}"
            return Prose(message=message, source=Source(file))
        case notes.LegacyKept(file, cause):
            message = f"the 0.x file `{file}` is not rewritten in the version 1 shape: {cause}"
            advice = "make it writable; or write a configuration with `tool init`"
            return Prose(message=message, help=advice, source=Source(file))
        case notes.LegacyUnread(file, config_file):
            message = f"the 0.x file `{file}` is not read: `{config_file}` comes before it"
            return Prose(message=message, help="delete it when you no longer need it", source=Source(file))
        case _:
            assert_never(note)
