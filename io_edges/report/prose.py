"""Prose: every problem in words. `io_edges/report/warnings.py` does the same for notes."""

import shlex
from collections.abc import Sequence
from pathlib import PurePath
from typing import Final, assert_never

from msgspec import Struct

from pipeline.building.layout import STAGING
from pipeline.config.legacy_keys import INSTEAD
from pipeline.report import build_problems, problems, redundancies
from pipeline.report.build_problems import BuildProblem, Dispute, InTheWay
from pipeline.report.problems import ConfigProblem, FileProblem, Problem, ScriptFault
from pipeline.report.source import Source
from pipeline.schema import is_theme_archive

LISTED = 10
"""How many things of a long list are named."""

_DISPUTES: Final[dict[Dispute, str]] = {"edited": "edited", "added": "added by both", "type": "of another type"}

_FAULTS: Final[dict[ScriptFault, tuple[str, str]]] = {
    "syntax": ("it cannot be parsed: {}", ""),
    "threw": ("it threw: {}", ""),
    "missing import": ("it imports something that does not exist: {}", ""),
    "unsupported import": ("it imports something that cannot be loaded: {}", ""),
    "denied": ("it is not allowed to do this: {}", "a script may only read its project and the environment"),
    "no default export": ("it has no default export", "write `export default { … }`, or `module.exports = { … }`"),
    "not an object": ("expected its default export to be an object, found {}", ""),
    "not data": ("expected plain data, found {}", "strings, numbers, booleans, lists and plain objects are data"),
    "ended early": ("it ended before it gave a configuration: {}", ""),
    "timed out": (
        "it gave no configuration in time: all scripts of a run have {} together",
        "a configuration should not wait for anything",
    ),
    "out of memory": ("it needs more memory than a script may have", ""),
    "too much output": ("it printed more than {}", ""),
    "not a literal": (
        "this has to be evaluated, and `--no-exec` or `TOOL_NO_EXEC` forbids it",
        "write a literal here, or the configuration as JSON; or let scripts run",
    ),
}
"""What each fault of a script's evaluation means, and what to do."""

_WORDS: Final = {
    **{word: f"JSON writes `{word}`" for word in ("true", "false", "null")},
    "none": "JSON writes `null`",
    **dict.fromkeys(("nan", "infinity", "undefined"), ""),
}
"""What to do about a word of another language."""

_IN_THE_WAY: Final[dict[InTheWay, tuple[str, str]]] = {
    "file": ("is a file where a folder is needed", "move it away"),
    "link": ("is a symbolic link, which is not followed", "move it away"),
    "foreign": ("is in the staging folder, but no run put it there", "move it away"),
    "other": ("is not a file", "move it away"),
    "dangling": ("is a link that leads nowhere", "remove it, or create the file that it leads to"),
    "config": ("already exists", "`--force` keeps it as `{}.bak` and writes a new one"),
    "key": ("already has the key `tool`", "`--force` sets a new value, and keeps the file as `{}.bak`"),
}
"""What each thing in the way is, and what to do."""


class Prose(Struct, frozen=True, kw_only=True):
    """A problem in words: what is wrong, what to do, where."""

    message: str
    help: str = ""
    path: str | None = None
    source: Source | None = None


def listed(names: Sequence[str], limit: int = LISTED) -> str:
    """List names: `a, b and 3 more`."""
    rest = f" and {len(names) - limit} more" if len(names) > limit else ""
    return ", ".join(f"`{name}`" for name in names[:limit]) + rest


def meant(near: Sequence[str]) -> str:
    """Suggest the near names; empty if there are none."""
    return f"did you mean {' or '.join(f'`{name}`' for name in near)}?" if near else ""


def in_words(problem: Problem) -> Prose:
    """Put a problem in words."""
    match problem:
        case problems.UsageError(message, command, path, source):
            return Prose(message=message, help=f"`{command} --help` lists what it accepts", path=path, source=source)
        case redundancies.EqualSetting(path, source, layer, below):
            who = "it is the default" if layer == "default" else f"`{below}` sets the same"
            return Prose(message=f"this changes nothing: {who}", help="take it out", path=path, source=source)
        case redundancies.RedundantItem(path, source, item, by):
            why = "is in this list already" if by == item else f"changes nothing: `{by}` in the same list covers it"
            return Prose(message=f"`{item}` {why}", help="take it out", path=path, source=source)
        case redundancies.IdlePreset(path, source, preset):
            message = f"the preset `{preset}` changes nothing: no setting of it is used"
            return Prose(message=message, help="take it out of the list", path=path, source=source)
        case _:
            return _of_build(problem) if isinstance(problem, BuildProblem) else _of_config(problem)


def _of_config(problem: ConfigProblem) -> Prose:
    match problem:
        case problems.UnknownKey(path, source, near, renamed):
            return Prose(message="unknown key", help=_of_key(path, near, renamed), path=path, source=source)
        case problems.NotInPreset(path, source):
            advice = "set it in the configuration file"
            return Prose(message="a preset cannot choose presets", help=advice, path=path, source=source)
        case problems.WrongType(path, source, expected, actual, renamed):
            advice = f"in 0.x `{path}` was {actual}: it is now called `{renamed}`" if renamed else ""
            return Prose(message=f"expected {expected}, found {actual}", help=advice, path=path, source=source)
        case problems.BadChoice(path, source, value, choices, near):
            message = f"expected {' or '.join(f'`{choice}`' for choice in choices)}, found `{value}`"
            return Prose(message=message, help=meant(near), path=path or None, source=source)
        case problems.EmptyPath(path, source):
            advice = "write `.` for the folder itself, or leave it out"
            return Prose(
                message="expected a path or a name, found an empty string", help=advice, path=path, source=source
            )
        case problems.RepeatedSplice(path, source):
            message = '`"..."` is in this list already; it stands for the list of the layers below, once'
            return Prose(message=message, help="take one of them out", path=path, source=source)
        case problems.PresetNotFound(preset, source, searched, near, path):
            where = f"; looked for {listed(searched)}" if searched else "; `presetsSearchPath` is empty"
            advice = meant(near) or "bundled presets are `none` and `ci`"
            return Prose(message=f"no preset `{preset}`{where}", help=advice, path=path, source=source)
        case _:
            return _of_file(problem)


def _of_key(path: str, near: tuple[str, ...], renamed: str | None) -> str:
    """What to write instead of a key."""
    now = f"gone: use {INSTEAD[path]}" if path in INSTEAD else f"now called `{renamed}`"
    return f"this key of the 0.x file is {now}" if renamed else meant(near)


def _of_file(problem: FileProblem) -> Prose:
    match problem:
        case problems.ConfigNotFound(file, lacks_key):
            if lacks_key:
                return Prose(message=f"`{file}` has no key `tool`", help="add it, or name another file")
            return Prose(message=f"no file `{file}`", help="check the path")
        case problems.ConfigUnreadable(file, cause):
            return Prose(message=f"cannot read `{file}`: {cause}")
        case problems.MalformedJson(source, reason):
            return Prose(message=f"not JSON: {reason}", help=_of_json(reason), source=source)
        case problems.DuplicateKey(path, source, first):
            return Prose(message=f"duplicate key, first at {first}", help="remove one", path=path, source=source)
        case problems.LimitExceeded(source, unit, limit):
            return Prose(message=f"more than {limit:,} {unit}", source=source)
        case problems.ScriptRuntimeUnavailable(file):
            advice = "install Deno, with `pip install deno` or on `PATH`; or write the configuration as JSON"
            return Prose(message=f"`{file}` is a script, and Deno, which evaluates it, is not installed", help=advice)
        case problems.EvaluationFailed(source, fault, detail, path):
            message, advice = _FAULTS[fault]
            return Prose(message=message.format(detail), help=advice, path=path or None, source=source)
        case _:
            assert_never(problem)


def _of_json(reason: str) -> str:
    """What to do about a word that JSON does not have."""
    word = reason.removeprefix("unexpected `")
    if word == reason:
        return ""
    if word.startswith(("/", "#")):
        return "JSON has no comments"
    quotes = "JSON puts keys and strings in double quotes" if word[0] == "'" or word[0].isalpha() else ""
    return _WORDS.get(word.removesuffix("`").lower(), quotes)


def _of_conflict(conflict: build_problems.OutputConflict) -> Prose:
    path, reason = conflict.path, conflict.reason
    if reason == "disputed":
        which = ", ".join(f"`{each.path}` ({_DISPUTES[each.dispute]})" for each in conflict.disputed[:LISTED])
        more = f" and {len(conflict.disputed) - LISTED:,} more" if len(conflict.disputed) > LISTED else ""
        advice = "`--force` builds the archive's files and moves yours to `.tool-backup/`; `--mine` keeps yours"
        message = f"`{path}` was changed both by you and by its archive: {which}{more}"
        return Prose(message=message, help=advice, source=Source(path))
    if reason == "changed":
        which = f": {listed(conflict.files)}" if conflict.files else ""
        return Prose(message=f"`{path}` was changed during the run{which}", help="run again", source=Source(path))
    what, advice = _IN_THE_WAY[reason]
    return Prose(message=f"`{path}` {what}", help=advice.format(path), source=Source(path))


def _of_frozen(path: str, archive: str, recorded: str, digest: str) -> str:
    """How a component is not as the record says."""
    if not recorded:
        return f"`{path}` (`{archive}`) is selected, and not in the record"
    if not digest:
        return f"`{path}` is in the record; it is not selected, or `{archive}` is not in the drop"
    return f"`{archive}` is not what `{path}` was built from: SHA-256 is {digest}, recorded is {recorded}"


def _of_drop(drop: str) -> str:
    """What to name instead of something that is no folder."""
    if not is_theme_archive(drop):
        return "name the folder that holds the archives"
    instead = shlex.join((str(PurePath(drop).parent), f"--only={PurePath(drop).name}"))
    return f"name the folder that it is in: `{instead}` is for this module alone; for a theme there is `--theme`"


def _of_build(problem: BuildProblem) -> Prose:
    match problem:
        case build_problems.DropNotFound(drop, cause):
            return Prose(message=f"no folder `{drop}`: {cause}", help=_of_drop(drop))
        case build_problems.ThemeNotFound(theme, source, _, _, is_module) if is_module:
            return Prose(message=f"`{theme}` holds a module, not a theme", path="theme", source=source)
        case build_problems.ThemeNotFound(theme, source, themes, near, _, left_out):
            there = f"the drop has {listed(themes)}" if themes else "the drop has no theme"
            excluded = f"excluded by file name: {listed(left_out)}; take it out of `modules.exclude`"
            advice = excluded if left_out else meant(near)
            return Prose(message=f"no theme `{theme}`; {there}", help=advice, path="theme", source=source)
        case build_problems.ThemeAmbiguous(themes, source):
            advice = f"choose one, for example `--theme={themes[0]}`, or `--theme=none`"
            message = f"the drop has several themes: {listed(themes)}"
            return Prose(message=message, help=advice, path="theme", source=source)
        case build_problems.ComponentAmbiguous(kind, name, archives):
            advice = "leave all but one out with `--exclude` and the file name, or remove them from the drop"
            return Prose(message=f"several archives are the {kind} `{name}`: {listed(archives)}", help=advice)
        case build_problems.ArchiveRejected(archive, reason, entry, is_recent):
            which = f"`{archive}`, entry `{entry}`" if entry is not None else f"`{archive}`"
            advice = "it was changed a moment ago: is it still being copied?" if is_recent else ""
            return Prose(message=f"{which}: {reason}", source=Source(archive), help=advice)
        case build_problems.OutputConflict():
            return _of_conflict(problem)
        case build_problems.NotAsRecorded(path, archive, recorded, digest):
            advice = "run without `--frozen`, and commit `.tool-manifest.json`; or restore what the record says"
            return Prose(message=_of_frozen(path, archive, recorded, digest), help=advice, source=Source(path))
        case build_problems.OutOfDate(path, action):
            advice = "run `tool create` without `--check`"
            return Prose(message=f"`{path}` is out of date: a run would {action} it", help=advice, source=Source(path))
        case build_problems.RecordUnreadable(file):
            restored = "restore it; or delete it, and what differs from its archive counts as yours"
            searched = f"look for files of yours in `{STAGING}`, then delete it"
            advice = searched if file.startswith(STAGING) else restored
            message = f"`{file}` is damaged: your files cannot be told from built ones"
            return Prose(message=message, help=advice, source=Source(file))
        case build_problems.ProjectLocked(project):
            advice = "pass `--wait=SECONDS` to wait for it"
            return Prose(message="another run is building this project", help=advice, source=Source(project))
        case build_problems.FileSystemProblem(path, cause):
            return Prose(message=f"`{path}`: {cause}", source=Source(path))
        case build_problems.HookFailed(stage, script, status):
            advice = "pass `--on-failure=continue` to go on"
            return Prose(message=f"the {stage} script `{script}` failed: {status}", help=advice, source=Source(script))
        case _:
            assert_never(problem)
