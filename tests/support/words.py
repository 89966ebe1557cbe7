"""Every problem and every note, with an example of each.

What is said of them is kept in `tests/report/words.txt`, and is `docs/reference/problems.md`.
"""

from collections.abc import Iterable
from pathlib import Path
from types import UnionType
from typing import Any, Final, get_args

from toolz import unique

from io_edges.report.console import error_event
from io_edges.report.exit_codes import EXIT_CODES, error_name
from io_edges.report.explanations import EXPLANATIONS
from io_edges.report.warning_explanations import WARNING_EXPLANATIONS
from io_edges.report.warnings import warning
from pipeline.emit import emit
from pipeline.report import build_problems as b
from pipeline.report import drop_notes as d
from pipeline.report import notes as n
from pipeline.report import problems as p
from pipeline.report import redundancies as x
from pipeline.report import run_notes as r
from pipeline.report.build_problems import InTheWay
from pipeline.report.drop_notes import UnusedKind
from pipeline.report.events import Event
from pipeline.report.notes import Note
from pipeline.report.problems import Problem, ScriptFault
from pipeline.report.source import Source

KEPT: Final = Path(__file__).parent.parent / "report" / "words.txt"
AT: Final = Source("tool.config.json", 3, 5)
FLAG, VARIABLE = Source("--exclude"), Source("TOOL_CACHE_ENABLED")

PROBLEMS: Final[tuple[Problem, ...]] = (
    p.UsageError("Unknown option: --foo", "tool create"),
    p.UsageError("Unknown option: --exlude", "tool create", advice="did you mean `--exclude`?"),
    p.ConfigNotFound(""),
    p.ConfigNotFound("gone.json"),
    p.ConfigNotFound("conf/tol.json", near=("conf/tool.json",)),
    p.ConfigNotFound("package.json", lacks_key=True),
    p.ConfigNotFound("link.json", is_dangling=True),
    p.ConfigUnreadable("conf", "it is a folder"),
    p.ConfigUnreadable("tool.config.json", "permission denied"),
    p.MalformedJson(AT, "trailing comma in object"),
    p.MalformedJson(AT, "a string is not closed"),
    p.MalformedJson(AT, "it has a comment"),
    p.MalformedJson(AT, "the text ends too early"),
    p.MalformedJson(AT, "it does not begin with `{`"),
    p.MalformedJson(AT, "unexpected `True`"),
    p.MalformedJson(AT, "unexpected `NaN`"),
    p.MalformedJson(AT, "unexpected `theme`"),
    p.MalformedJson(AT, "unexpected `01`"),
    p.MalformedJson(AT, "invalid character"),
    p.DuplicateKey("theme", AT, Source("tool.config.json", 2, 3)),
    p.LimitExceeded(Source("tool.config.json"), "bytes", 1048576),
    p.LimitExceeded(AT, "levels", 64),
    p.LimitExceeded(Source("tool.config.json"), "bytes to write", 1048576),
    p.UnknownKey("colour", AT),
    p.UnknownKey("exlude", AT, ("exclude",)),
    p.UnknownKey("log.level", AT),
    p.UnknownKey("$schema", AT),
    p.UnknownKey("output", AT),
    p.UnknownKey("drop", AT),
    p.UnknownKey("extends", AT),
    p.UnknownKey("onFailure", AT, belongs="hooks.onFailure"),
    p.UnknownKey("modules.theme", AT, belongs="theme"),
    p.UnknownKey("excludeModules", AT, renamed="modules.exclude"),
    p.UnknownKey("noCache", AT, renamed="cache.enabled"),
    p.NotInPreset("presets", AT),
    p.WrongType("", AT, "an object", "a list"),
    p.WrongType("schema", AT, "the number 1", "a string"),
    p.WrongType("schema", AT, "the number 1", "null"),
    p.WrongType("schema", AT, "the number 1", "a list"),
    p.WrongType("theme", AT, "a string", "a number"),
    p.WrongType("theme", AT, "a string", "a list"),
    p.WrongType("theme", AT, "a string", "null"),
    p.WrongType("modules", AT, "an object", "a string"),
    p.WrongType("modules", AT, "an object", "a list", "modules.include"),
    p.WrongType("modules.only", AT, "a list of strings", "a string"),
    p.WrongType("exclude", AT, "a list of strings", "a number"),
    p.WrongType("modules.only[1]", AT, "a string", "null"),
    p.WrongType("cache.enabled", AT, "true or false", "a string"),
    p.WrongType("presets[0]", Source("TOOL_PRESETS"), "a string", "a number"),
    p.WrongType("modules.only", Source("TOOL_MODULES_ONLY"), "a JSON array of strings", "text that is not JSON"),
    p.BadChoice("schema", AT, "2", ("1",)),
    p.BadChoice("log.format", AT, "jsom", ("text", "json"), ("json",)),
    p.BadChoice("hooks.onFailure", AT, "stop", ("continue", "fail")),
    p.BadChoice("cache.enabled", VARIABLE, "yes", ("true", "1", "false", "0")),
    p.EmptyPath("cache.file", AT),
    p.RepeatedSplice("modules.exclude[2]", AT),
    p.PresetNotFound("shop", AT, ()),
    p.PresetNotFound("auto", AT, ()),
    p.PresetNotFound("shpo", AT, ("presets/shpo.ts",), ("shop",), "presets[1]"),
    p.PresetNotFound("./gone.json", AT, ("gone.json",), is_path=True),
    p.PresetNotFound("./presets", AT, ("presets",), ("./presets/shop.ts",), is_path=True, is_folder=True),
    p.PresetNotFound("./empty", AT, ("empty",), is_path=True, is_folder=True),
    p.ScriptRuntimeUnavailable("tool.config.ts"),
    *(p.EvaluationFailed(Source("tool.config.ts", 1, 1), each, "this") for each in get_args(ScriptFault)),
    p.EvaluationFailed(Source("tool.config.ts", 2, 3), "not data", "a function", "modules.only[0]"),
    b.DropNotFound("drop", "it does not exist"),
    b.DropNotFound("drop/a.zip", "it is a file"),
    b.DropNotFound("dorp", "it does not exist", ("drop",)),
    b.ThemeNotFound("sea", AT),
    b.ThemeNotFound("sae", AT, ("sea", "bay"), ("sea",)),
    b.ThemeNotFound("hill", AT, ("sea", "bay")),
    b.ThemeNotFound("m.zip", AT, is_module=True),
    b.ThemeNotFound("hill", AT, ("sea",)),
    b.ThemeNotFound("in/sea.zip", AT, ("bay",)),
    b.ThemeNotFound("sea", AT, ("bay",), left_out=("sea.zip",)),
    b.ThemeAmbiguous(("bay", "sea"), Source("built-in")),
    b.ComponentAmbiguous("module", "m", ("m-1.zip", "m (2).zip")),
    b.ArchiveRejected("m.zip", "it has two end records"),
    b.ArchiveRejected("m.zip", "it is encrypted; pack it again without a password", "m/m.php"),
    b.ArchiveRejected("m.zip", "its end is missing, as when a download stops; get the archive again", is_recent=True),
    b.OutputConflict("modules/m", disputed=(b.DisputedFile("modules/m/a", "edited"),)),
    b.OutputConflict("modules/m", disputed=(b.DisputedFile("modules/m/a", "deleted"),)),
    b.OutputConflict("modules/m", disputed=(b.DisputedFile("modules/m/a", "added"),)),
    b.OutputConflict("modules/m", ("modules/m/a",), reason="changed"),
    b.OutputConflict("modules/m", reason="changed"),
    *(b.OutputConflict("tool.config.json", reason=each) for each in get_args(InTheWay)),
    b.OutputConflict("modules/m", reason="link"),
    b.OutputConflict("themes/sea", reason="link"),
    b.OutOfDate("modules/m", "update"),
    b.NotAsRecorded("modules/m", "m.zip", "", "1f"),
    b.NotAsRecorded("modules/m", "m.zip", "1f", ""),
    b.NotAsRecorded("modules/m", "m.zip", "1f", "2e"),
    b.RecordUnreadable(".tool-manifest.json"),
    b.RecordUnreadable(".tool-manifest.json", is_merging=True),
    b.RecordUnreadable(".tool-staging/journal.json"),
    b.ProjectLocked("site"),
    b.FileSystemProblem("modules/m", "no space left on device"),
    b.FileSystemProblem("modules/m", "permission denied"),
    b.FileSystemProblem("modules/m", "input/output error"),
    b.FileSystemProblem("日本.txt", "the encoding ascii cannot spell it"),
    b.HookFailed("init", "init-scripts/a.sh", "exit code 3"),
    b.HookFailed("post", "post-scripts/a", "it cannot be run: its lines end in CR LF, as on Windows"),
    x.EqualSetting("theme", AT, "default", Source("built-in")),
    x.EqualSetting("theme", AT, "preset", Source("p.json", 1, 1)),
    x.RedundantItem("modules.only[1]", AT, "a", "a"),
    x.RedundantItem("modules.only[1]", AT, "ab", "a*"),
    x.IdlePreset("presets[0]", AT, "ci"),
)
NOTES: Final[tuple[Note, ...]] = (
    n.ShadowedConfig("tool.config.ts", ("tool.config.json",)),
    n.ShadowedConfig("tool.config.ts", ("tool.config.json", "package.json")),
    n.UnreadConfig("tool.config.yaml"),
    n.UnreadConfig("tool.config.mjs"),
    n.UnreadConfig("../tool.config.cts"),
    n.UnreadPackage("../package.json"),
    n.MisspeltVariable("TOOL_ON_FAILURE", "TOOL_HOOKS_ON_FAILURE"),
    n.MisspeltVariable("TOOL_NO_CACHE", "TOOL_CACHE_ENABLED=false"),
    n.MisspeltVariable("TOOL_DRY_RUN", "--dry-run"),
    n.ConfigKept("tool.config.json", "tool.config.json.bak"),
    n.ConfigKept("package.json", "package.json.bak", "key"),
    n.LegacyMoved("themeName", "theme", Source(".tool.json", 2, 3)),
    n.LegacyDropped("colour", "it is not a key of the 0.x file", Source(".tool.json", 3, 3)),
    n.LegacyDropped("", "it is not an object", Source(".tool.json", 1, 1)),
    n.LegacyLifted(".tool.json", ".tool.json.0x.bak"),
    n.LegacyKept(".tool.json", "it is read-only"),
    n.LegacyUnread(".tool.json", "tool.config.json"),
    d.NothingToBuild(".", 0),
    d.NothingToBuild("drop", 2),
    *(d.UnusedFiles("drop", each, ("a b",)) for each in get_args(UnusedKind)),
    *(d.UnusedFiles("drop", each, ("a", "b")) for each in get_args(UnusedKind)),
    d.UnmatchedPattern("modules.exclude", "shpo", AT, ("shop",)),
    d.UnmatchedPattern("modules.exclude", "gone", AT),
    d.UnmatchedPattern("modules.exclude", "north_*", AT, others=("south_*", "west_*")),
    d.UnmatchedPattern("modules.exclude", "a,b", FLAG),
    d.UnrecognisedArchive("m.zip", "m"),
    d.UnreadMarker("m.zip", "m/config.xml"),
    d.PassedOver("b.zip!docs.zip", False),
    d.PassedOver("b.zip!c.zip", True),
    d.LeftAlone("b.zip", ("extra",)),
    d.OlderArchive("m.zip", "1.0", "m-2.zip", "2.0"),
    d.NeededModule("b", ("a",), "modules.exclude", AT, False),
    d.NeededModule("b", ("a", "c"), "modules.exclude", FLAG, True),
    d.NeededModule("b", ("a",), "modules.only", Source("--only"), True),
    d.NeededTheme("sea", "bay", "sea[1].zip", AT, False),
    d.NeededTheme("sea", "bay", "sea.zip", FLAG, True),
    d.CircularNeeds("module", ("a", "b")),
    d.CircularNeeds("theme", ("bay", "sea")),
    d.MixedSystems((("Drupal", 2), ("PrestaShop", 1))),
    d.DamagedArchive("m.zip", "its data is damaged; get the archive again", "m/a"),
    d.DamagedArchive("m.zip", "it has two end records"),
    d.DuplicateArchive("m (2).zip", "m.zip"),
    d.EmptyArchive("m.zip"),
    r.MissingHookFolder("hooks.initScriptsDir", "./hooks", AT),
    r.SkippedHook("init", "init-scripts/a.js", ".js"),
    r.SkippedHook("init", "init-scripts/a.txt", ".txt"),
    r.FailedHook("init", "init-scripts/a.sh", "exit code 3"),
    r.ChangedDrop("drop"),
    r.BackedUp("modules/m", ("a",), ".tool-backup/1/modules/m"),
    r.BackedUp("modules/m", ("a",), ".tool-backup/1/modules/m", True, True),
    r.KeptComponents(("modules/a",), ("modules/b",)),
    r.KeptComponents((), ("modules/b",)),
    r.KeptComponents((), ("modules/b",), True),
    r.InPlace("modules/m", "its folder is on another disk"),
    r.ConflictAhead((b.DisputedFile("modules/m/a", "edited"), b.DisputedFile("modules/n/b", "deleted"))),
    r.ConflictAhead((b.DisputedFile("modules/m/a", "added"),)),
    r.Repacked("m.zip", "modules/m"),
    r.InterruptedRun(),
    r.InterruptedRun(True),
    r.LiveRun(),
    r.NotLocked("site", "no locks available"),
    r.CacheDamaged(".tool-cache.json"),
    r.CacheDamaged("notes.txt", True),
    r.CacheUnwritable(".tool-cache.json", "permission denied"),
    r.LeftOver(".tool-staging", "permission denied"),
)

_ERRORS: Final = (
    "With an error a run fails, and has the exit code of the first one; [exit codes](exit-codes.md) lists them. "
    "`tool explain` prints the paragraph of an error. Below it are the messages that the error can have, with examples "
    "of names and places."
)
_WARNINGS: Final = (
    "With a warning a run goes on, and its exit code stays as it is. The field `code` of the JSON log has the name of "
    "a warning, and `tool explain` prints its paragraph."
)


def variants(union: Any) -> set[type]:
    """The members of a union, also of unions in it."""
    members: set[type] = set()
    for member in get_args(union):
        members |= variants(member) if isinstance(member, UnionType) else {member}
    return members


def words() -> str:
    """What is said of each, in text and as JSON."""
    events = (*map(error_event, PROBLEMS), *map(warning, NOTES))
    parts = ("\n".join((*emit((event,), "text"), *emit((event,), "json"))) for event in events)
    return "\n\n".join(parts) + "\n"


def page() -> str:
    """The page of the reference: each error and each warning, what it means, and what can be said of it."""
    parts = ["# Errors and warnings\n", f"## Errors\n\n{_ERRORS}\n"]
    for name, code in EXIT_CODES.items():
        said = _said(error_event(problem) for problem in PROBLEMS if error_name(problem) == name)
        parts.append(f"### `{name}`\n\n{EXPLANATIONS[name]}\n\nThe exit code is {code}.\n{said}")
    parts.append(f"## Warnings\n\n{_WARNINGS}\n")
    for note in get_args(Note):
        said = _said(warning(each) for each in NOTES if isinstance(each, note))
        code = str(note.__struct_config__.tag)
        parts.append(f"### `{code}`\n\n{WARNING_EXPLANATIONS[code]}\n{said}")
    return "\n".join(parts)


def _said(events: Iterable[Event]) -> str:
    """Examples of what is said, each once, as a block of text."""
    lines = "\n".join(unique("\n".join(emit((event,), "text")) for event in events))
    return f"\n```text\n{lines}\n```\n" if lines else ""


ALL: Final = (variants(Problem), variants(Note))

if __name__ == "__main__":
    KEPT.write_text(words(), encoding="utf-8")
