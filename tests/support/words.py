"""What is said of every error and every warning: the examples of the product, and cases in which it is something else.

It is kept in `tests/report/words.txt`; `python -m tests.support.words` writes that anew.
"""

from functools import cache
from inspect import getsource, isfunction
from pathlib import Path
from types import UnionType
from typing import Any, Final, get_args

from io_edges.report.console import error_event, warning_event
from pipeline.emit import emit
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics import (
    Error,
    archives,
    bases,
    building,
    configuration,
    conflicts,
    disk,
    drop,
    patches,
    runs,
    selection,
    settings,
    updates,
)
from pipeline.report.diagnostics.archives import (
    ArchiveRejected,
    Skipped,
    Unbuilt,
    damaged_archive,
    drop_ins,
    guessed_name,
    guessed_names,
    left_alone,
    not_built,
    unrecognised_archive,
)
from pipeline.report.diagnostics.bases import (
    Command,
    DropBehind,
    Later,
    UnknownBase,
    UnknownComponent,
    drop_behind,
    old_version_shown,
)
from pipeline.report.diagnostics.building import (
    BadFolder,
    NothingToUndo,
    RecordUnreadable,
    backed_up,
    built_again,
    changed_meanwhile,
    files_edited,
    gives_others,
    kept_components,
    not_as_built,
    not_as_recorded,
    not_complete,
    patch_differs,
    patch_unfit,
    patch_unused,
    would_change,
)
from pipeline.report.diagnostics.configuration import (
    ConfigNotFound,
    ConfigUnreadable,
    duplicate_key,
    legacy_key,
    not_json,
    rewritten_config,
    shadowed_config,
    too_much,
    unread_config,
)
from pipeline.report.diagnostics.conflicts import (
    DisputedFile,
    InTheWay,
    OutputConflict,
    Unmergeable,
    idle_pattern,
)
from pipeline.report.diagnostics.disk import (
    FileSystemProblem,
    ProjectLocked,
    damaged_file,
    git_leaves_out,
    left_over,
    not_locked,
    unwritable_file,
)
from pipeline.report.diagnostics.drop import (
    ComponentNotFound,
    DropNotFound,
    UnusedKind,
    duplicate_archive,
    nothing_to_build,
    repacked_archive,
    unused_files,
)
from pipeline.report.diagnostics.patches import (
    Misfit,
    PatchConflict,
    PatchInvalid,
    Unsaved,
    Unused,
    edits_left_out,
    patch_restored,
    patch_rewritten,
    unused_patch,
)
from pipeline.report.diagnostics.runs import (
    HookFailed,
    changed_drop,
    failed_hook,
    interrupted_run,
    live_run,
    missing_hook_folder,
    not_logged,
    skipped_hook,
)
from pipeline.report.diagnostics.scripts import EvaluationFailed, ScriptFault, ScriptRuntimeUnavailable
from pipeline.report.diagnostics.selection import (
    ComponentAmbiguous,
    ThemeAmbiguous,
    ThemeNotFound,
    bringing_in,
    missing_need,
    needed_component,
    problem_ahead,
    unmatched_pattern,
)
from pipeline.report.diagnostics.settings import (
    InvalidValue,
    PresetNotFound,
    UnknownKey,
    UsageError,
    missing_presets_folder,
    misspelt_variable,
    not_one_of,
    quoted_variable,
    repeated_splice,
    unexpanded_path,
)
from pipeline.report.diagnostics.updates import (
    BuiltElsewhere,
    Override,
    PartialArchive,
    UnmetRequirement,
    beyond_limit,
    built_under_folder,
    edits_replaced,
    other_copies,
    stale_override,
)
from pipeline.report.events import ErrorEvent, WarningEvent
from pipeline.report.location import BUILT_IN, Location

KEPT: Final = Path(__file__).parent.parent / "report" / "words.txt"
AT: Final = Location("tool.config.json", 3, 5)
FLAG, ONLY, VARIABLE = Location("--exclude"), Location("--only"), Location("TOOL_CACHE_ENABLED")


@cache
def examples() -> tuple[Error | WarningDiagnostic, ...]:
    """One of each error and each warning."""
    return (
        UsageError("Unknown option: --exlude", "tool create", instead="did you mean `--exclude`?"),
        UnknownKey("exlude", AT, ("exclude",)),
        InvalidValue("modules.only", AT, "a list of strings", "a string"),
        PresetNotFound("shpo", AT, ("presets/shpo.ts",), ("shop",), "presets[1]"),
        misspelt_variable("TOOL_ON_FAILURE", "TOOL_HOOKS_ON_FAILURE"),
        quoted_variable("TOOL_THEME"),
        unexpanded_path("cache.file", "~/cache.json", AT),
        missing_presets_folder("presets", AT),
        ConfigNotFound("conf/tol.json", suggestions=("conf/tool.json",)),
        ConfigUnreadable("tool.config.json", "permission denied"),
        not_json(Location("tool.config.json", 3, 5), "trailing comma in object"),
        shadowed_config("tool.config.ts", ("tool.config.json",)),
        unread_config(("tool.config.yaml",)),
        rewritten_config("tool.config.json", "tool.config.json.bak"),
        legacy_key("themeName", Location(".tool.json", 2, 3), "theme"),
        EvaluationFailed(Location("tool.config.ts", 1, 23), "threw", "ReferenceError: os is not defined"),
        ScriptRuntimeUnavailable("tool.config.ts"),
        DropNotFound("dorp", "it does not exist", ("drop",)),
        ComponentNotFound("shop_baner", "drop", ("shop_banner",)),
        nothing_to_build(".", 0),
        unused_files("drop", "other format", ("shop_map.tar.gz",)),
        duplicate_archive("m-1.5.zip", "1.5", (("m-1.4.zip", "1.4"), ("m.zip", ""))),
        repacked_archive("m.zip", "modules/m"),
        ThemeNotFound("Harbor", AT, ("harbour",), ("harbour",)),
        ThemeAmbiguous(("bay", "harbour"), BUILT_IN),
        ComponentAmbiguous("module", "m", ("m-1.zip", "m (2).zip")),
        unmatched_pattern("modules.exclude", "shpo", AT, ("shop",)),
        needed_component("b", ("a",), bringing_in("b", "modules.exclude", AT, None), AT),
        missing_need("module", "b", "b", ("a",)),
        problem_ahead(ThemeAmbiguous(("bay", "harbour"), BUILT_IN), BUILT_IN),
        ArchiveRejected("m.zip", "it is encrypted; pack it again without a password", "m/m.php"),
        damaged_archive("m.zip", "its end is missing, as when a download stops"),
        unrecognised_archive("sea.zip", "sea"),
        not_built("standard.zip", "profile"),
        drop_ins("cache.zip", ("object-cache.php",)),
        guessed_name("sea-main.zip", "sea", "sea-main/ (folder)"),
        guessed_names("sea.zip", ("sea/café.txt",)),
        left_alone("b.zip", ("extra",)),
        OutputConflict("modules/m", disputed=(DisputedFile("modules/m/a.php", "edited"),)),
        UnknownBase((UnknownComponent("modules/m", "1.4.2", "m.zip", "1.5.0", replaces=2, leaves=1, moves=1),)),
        DropBehind("modules/m", "m.zip", "1.4.2", "1.5.0"),
        drop_behind((Later("modules/m", "1.5.0", "m.zip", "1.4.2"),), Command()),
        old_version_shown("modules/m", "modules/m/m.php", "1.4.2"),
        idle_pattern("--keep-mine", "modules/m/*.css"),
        PatchInvalid("patches/modules/m.patch", 12, "the line counts of a hunk are wrong"),
        PatchConflict(
            "patches/modules/m.patch",
            12,
            path="modules/m",
            name="a.php",
            archive="m.zip",
            why="none",
            at_line=30,
            expected="return 1;",
            found="return 2;",
        ),
        unused_patch("patches/modules/m.patch", "component"),
        patch_restored("modules/m", ("a.php",)),
        patch_rewritten("patches/modules/m.patch", "m.zip"),
        edits_left_out(("modules/m/logo.png",), "binary"),
        would_change("modules/m", "update"),
        RecordUnreadable(".tool-manifest.json"),
        NothingToUndo("nothing"),
        backed_up("modules/m", ("a.php",), ".tool/backup/1/modules/m"),
        built_again(("m.zip",)),
        kept_components(("modules/a",), ("modules/b",)),
        changed_meanwhile("modules/m", ("m.php", "a/b")),
        BadFolder("--modules-dir", "../plugins", "its name has `..`"),
        FileSystemProblem("modules/m", "no space left on device"),
        ProjectLocked("site"),
        not_locked("site", "no locks available"),
        git_leaves_out("modules/m", ("vendor/a.php", "vendor/b.php"), 2, "modules/m/.gitignore"),
        damaged_file(".tool-cache.json", "cache"),
        unwritable_file(".tool-cache.json", "permission denied"),
        left_over(".tool/staging", "permission denied"),
        HookFailed("init", "init-scripts/a.sh", "exit code 3"),
        failed_hook("init", "init-scripts/a.sh", "exit code 3"),
        skipped_hook("init", "init-scripts/a.js", ".js"),
        missing_hook_folder("hooks.initScriptsDir", "./hooks", Location("tool.config.json", 3, 5)),
        changed_drop("drop"),
        interrupted_run("begun", RUN, ("modules/m",)),
        live_run(),
        not_logged("shop_baner", ("modules/shop_banner",), ("shop_banner",)),
        PartialArchive("modules/m", "m-fix.zip", 3, 3, 50),
        UnmetRequirement("modules/m", "Drupal", "^10.3 || ^11", "10.2.4"),
        BuiltElsewhere("modules/contrib/m", "modules/custom/m", "module"),
        built_under_folder("m.zip", "m", "plugins/m-master"),
        other_copies("m.zip", "plugins/m", ("plugins/m.off",), "m.php"),
        beyond_limit("modules/m", "PrestaShop", "1.7 - 8.1", "8.2.0"),
        edits_replaced("modules/m", "2.3.0", ("a.php",)),
        stale_override(
            "modules/m", (Override("themes/t/modules/m/m.tpl", "modules/m/m.tpl"),), "tool diff drop --theirs"
        ),
    )


@cache
def every() -> tuple[Error | WarningDiagnostic, ...]:
    """These, and what else is said of each in other cases."""
    return (
        *examples(),
        UsageError("Unknown option: --foo", "tool create"),
        ConfigNotFound(""),
        ConfigNotFound("gone.json"),
        ConfigNotFound("package.json", lacks_key=True),
        ConfigNotFound("link.json", is_dangling=True),
        ConfigUnreadable("conf", "it is a folder"),
        ConfigUnreadable("tool.config.json", "it is a broken link"),
        not_json(AT, "trailing comma in object"),
        not_json(AT, "a string is not closed"),
        not_json(AT, "it has a comment"),
        not_json(AT, "the text ends too early"),
        not_json(AT, "the file is empty"),
        not_json(Location("package.json", 1, 1), "the file is empty"),
        not_json(AT, "it has a conflict marker of git"),
        not_json(AT, "the escape `\\U` does not exist"),
        not_json(AT, "unexpected `none`"),
        not_json(AT, "the byte 0xff is not UTF-8"),
        not_json(AT, "it does not begin with `{`"),
        not_json(AT, "unexpected `True`"),
        not_json(AT, "unexpected `NaN`"),
        not_json(AT, "unexpected `theme`"),
        not_json(AT, "unexpected `01`"),
        not_json(AT, "invalid character"),
        duplicate_key("theme", AT, Location("tool.config.json", 2, 3)),
        too_much(Location("tool.config.json"), "bytes", 1048576),
        too_much(AT, "levels", 64),
        too_much(Location("tool.config.json"), "bytes to write", 1048576),
        UnknownKey("colour", AT),
        UnknownKey("presets", Location("presets/shop.json", 2, 3), in_preset=True),
        InvalidValue("cache.file", AT, "a path or a name", "an empty string"),
        UnknownKey("log.level", AT),
        UnknownKey("$schema", AT),
        UnknownKey("output", AT),
        UnknownKey("drop", AT),
        UnknownKey("themesDir", AT),
        UnknownKey("extends", AT),
        UnknownKey("onFailure", AT, belongs="hooks.onFailure"),
        UnknownKey("modules.theme", AT, belongs="theme"),
        InvalidValue("", AT, "an object", "a list"),
        InvalidValue("schema", AT, "the number 1", "a string"),
        InvalidValue("schema", AT, "the number 1", "null"),
        InvalidValue("schema", AT, "the number 1", "a list"),
        InvalidValue("theme", AT, "a string", "a number"),
        InvalidValue("theme", AT, "a string", "a list"),
        InvalidValue("theme", AT, "a string", "null"),
        InvalidValue("modules", AT, "an object", "a string"),
        InvalidValue("modules", AT, "an object", "a list"),
        InvalidValue("exclude", AT, "a list of strings", "a number"),
        InvalidValue("modules.only[1]", AT, "a string", "null"),
        InvalidValue("cache.enabled", AT, "true or false", "a string"),
        InvalidValue("presets[0]", Location("TOOL_PRESETS"), "a string", "a number"),
        InvalidValue("modules.only", Location("TOOL_MODULES_ONLY"), "a JSON array of strings", "text that is not JSON"),
        not_one_of(("1",), "schema", AT, "2"),
        not_one_of(("continue", "fail"), "hooks.onFailure", AT, "stop"),
        not_one_of(("true", "1", "false", "0"), "cache.enabled", VARIABLE, "yes"),
        not_one_of(("text", "json"), "log.format", AT, "jsonn", ("json",)),
        not_one_of(("all", "none"), "", Location("TOOL_KEEP"), "some"),
        repeated_splice("modules.exclude[2]", AT),
        PresetNotFound("shop", AT, ()),
        PresetNotFound("auto", AT, ()),
        PresetNotFound("./gone.json", AT, ("gone.json",), is_path=True),
        PresetNotFound("~/gone.json", AT, ("~/gone.json",), is_path=True),
        UnknownKey("tool", AT),
        InvalidValue("", Location("SOURCE_DATE_EPOCH"), "seconds since 1970, at most 11 digits", "`abc`"),
        PresetNotFound("./presets", AT, ("presets",), ("./presets/shop.ts",), is_path=True, is_folder=True),
        PresetNotFound("./empty", AT, ("empty",), is_path=True, is_folder=True),
        *(EvaluationFailed(Location("tool.config.ts", 1, 1), each, "this") for each in get_args(ScriptFault)),
        EvaluationFailed(Location("tool.config.ts", 2, 3), "not data", "a function", "modules.only[0]"),
        *(
            PatchConflict(
                "m.patch",
                12,
                path="modules/m",
                name="a",
                archive="m.zip",
                why=each,
                at_line=9,
                expected=text,
                found=found,
            )
            for each, text, found in (
                *(("none", "1", ""), ("none", "", "2"), ("none", "", "")),
                *((each, "1", "2") for each in get_args(Misfit)),
            )
        ),
        DropNotFound("drop", "it does not exist"),
        DropNotFound("drop", "it does not exist", is_remembered=True),
        DropNotFound("drop", is_empty=True),
        PatchConflict(
            "m.patch", 12, path="modules/m", name="a", archive="m.zip", why="none", can_merge=True, is_there=True
        ),
        *(unused_patch("patches/modules/m.patch", each, "modules/m/a.php", line=12) for each in get_args(Unused)),
        unused_patch("patches/modules/m.patch", "missing", "modules/m", files=2),
        *(edits_left_out(("modules/m/a", "modules/m/b"), each) for each in get_args(Unsaved)),
        ScriptRuntimeUnavailable(),
        ScriptRuntimeUnavailable(said="fatal: a library is missing"),
        DropNotFound("drop/a.zip", "it is a file"),
        DropNotFound("a.zip", "it is a file", others=("b.zip",)),
        DropNotFound("a.zip", "it is a file", others=("b.zip", "c.zip", "d.zip")),
        DropNotFound("shop_baner", "it does not exist", (), ("shop_banner",)),
        DropNotFound("dorp", "it does not exist", ("drop",), ("drops", "crop")),
        ThemeNotFound("sea", AT),
        ThemeNotFound("hill", AT, ("sea", "bay")),
        ThemeNotFound("m.zip", AT, holds="a module"),
        *(not_built("m.zip", each) for each in (*get_args(Unbuilt), *get_args(Skipped))),
        unrecognised_archive("m.zip", "m", marker="config.xml"),
        unrecognised_archive("m.zip", "m", system="Drupal"),
        ThemeNotFound("hill", AT, ("sea",)),
        ThemeNotFound("in/sea.zip", AT, ("bay",)),
        ThemeNotFound("sea", AT, ("bay",), left_out=("sea.zip",)),
        ArchiveRejected("m.zip", "it has two end records"),
        ArchiveRejected("m.zip", "it has two end records", more=2),
        OutputConflict("modules/m", disputed=(DisputedFile("modules/m/a", "deleted"),)),
        *(OutputConflict("m", disputed=(DisputedFile("m/a", "edited", each),)) for each in get_args(Unmergeable)),
        OutputConflict("modules/m", disputed=(DisputedFile("modules/m/a", "edited", "touching", ((1, 1), (3, 5))),)),
        OutputConflict("modules/m", disputed=(DisputedFile("modules/m/a", "added"),)),
        OutputConflict("modules/m", reason="changed"),
        *(OutputConflict("tool.config.json", reason=each) for each in get_args(InTheWay) if each != "case"),
        OutputConflict("modules/m", reason="link", kind="module"),
        OutputConflict("themes/t", reason="link", kind="theme"),
        OutputConflict("modules/m", reason="link"),
        OutputConflict("themes/sea", reason="link"),
        not_as_built("modules/m", ("x.php",)),
        not_complete("modules/m"),
        not_as_recorded("modules/m", "m.zip", "", "1f"),
        not_as_recorded("modules/m", "m.zip", "1f", ""),
        not_as_recorded("modules/m", "m.zip", "1f", "2e"),
        RecordUnreadable(".tool-manifest.json", is_merging=True),
        RecordUnreadable(".tool/staging/run.json"),
        FileSystemProblem(".tool", "permission denied; it belongs to the user `www-data`"),
        NothingToUndo("record", run="`tool create` of 2026-01-01T00:00:00Z"),
        OutputConflict("modules/m/a", reason="case", other="modules/m/A"),
        NothingToUndo("damaged", ".tool/previous/0/a"),
        NothingToUndo("undone", run="`tool undo` of 2026-01-01T00:00:00Z"),
        NothingToUndo("not undone", run="`tool create drop` of 2026-01-01T00:00:00Z"),
        NothingToUndo("gone", "modules/m"),
        OutputConflict("modules/m", disputed=(DisputedFile("modules/m/a", "edited"),), undoing=True),
        NothingToUndo("replaced", "modules/m", "2.3.0"),
        UnknownBase((UnknownComponent("modules/m", "1.4.2", "m.zip", "1.4.2", "m.zip"), UnknownComponent("themes/t"))),
        gives_others("modules/m", "m.zip"),
        patch_rewritten("patches/modules/m.patch", "m.zip", is_gone=True),
        FileSystemProblem("modules/m", "permission denied"),
        FileSystemProblem("modules/m", "input/output error"),
        FileSystemProblem("日本.txt", "the encoding ascii cannot spell it"),
        HookFailed(
            "post",
            "post-scripts/a",
            "it cannot be run: its lines end in CR LF, as on Windows",
        ),
        shadowed_config("tool.config.ts", ("tool.config.json", "package.json")),
        unread_config(("tool.config.mjs", "tool.json")),
        unread_config(("shop/tool.config.json",), elsewhere=True),
        unread_config(("tool.config.json",), cause="not JSON: trailing comma in object"),
        shadowed_config("../tool.config.json", (".tool.json",)),
        rewritten_config(".tool.json", cause="it is read-only"),
        misspelt_variable("TOOL_NO_CACHE", "TOOL_CACHE_ENABLED=false"),
        misspelt_variable("TOOL_DRY_RUN", "--dry-run"),
        legacy_key("", Location(".tool.json", 1, 1), reason="it is not an object"),
        nothing_to_build("drop", 2),
        ComponentNotFound("modules/m", "."),
        *(unused_files("drop", each, ("a b",)) for each in get_args(UnusedKind)),
        *(unused_files("drop", each, ("a", "b")) for each in get_args(UnusedKind)),
        unmatched_pattern("modules.exclude", "gone", AT),
        unmatched_pattern("modules.exclude", "a,b", FLAG),
        needed_component("b", ("a", "c"), bringing_in("b", "modules.exclude", FLAG, None), FLAG),
        needed_component("b", ("a",), bringing_in("b", "modules.only", ONLY, None), ONLY),
        damaged_archive("m.zip", "its data is damaged; download the archive again", "m/a"),
        damaged_archive("m.zip", "it has two end records"),
        duplicate_archive("m.zip", "", (("m (2).zip", ""),)),
        skipped_hook("init", "init-scripts/a.txt", ".txt"),
        backed_up("modules/m", ("a",), ".tool/backup/1/modules/m", "archive's", dry=True),
        backed_up("modules/m", ("a",), ".tool/backup/1/modules/m", "copied"),
        kept_components((), ("modules/b",)),
        kept_components(("modules/a",), (), by_flag=True),
        kept_components((), ("modules/b",), in_doubt=True),
        interrupted_run("idle"),
        interrupted_run("finished", RUN),
        interrupted_run("forgotten"),
        interrupted_run("forgotten", RUN),
        damaged_file("notes.txt", "foreign"),
        damaged_file(".tool/state.json", "state"),
        unwritable_file("modules/m/cache", "it would lie in a component, or in a folder of the tool's own"),
        unwritable_file(".tool/state.json", "permission denied", is_cache=False),
        files_edited("modules/m", ("a.php",)),
        patch_differs("modules/m", "patches/modules/m.patch", "1f", ""),
        patch_differs("modules/m", "patches/modules/m.patch", "", "2e"),
        patch_differs("modules/m", "patches/modules/m.patch", "1f", "2e"),
        patch_unfit("modules/m", "patches/modules/m.patch", "modules/m/a.php"),
        patch_unused(
            "`patches/modules/m.patch` is of a component that is not built", Location("patches/modules/m.patch")
        ),
        ConfigNotFound("conf", in_folder=True),
        shadowed_config("tool.config.ts", ("conf/tool.config.json",)),
        DropNotFound(".", is_unnamed=True),
        ComponentAmbiguous("module", "m", ("a/m.zip", "b/m.zip")),
        unmatched_pattern("modules.exclude", "!m", AT),
        unmatched_pattern("modules.include", "!m", AT),
        unmatched_pattern("modules.exclude", "{a,b}", AT),
        unmatched_pattern("modules.exclude", "sea", AT, is_theme=True),
        OutputConflict("modules", reason="link", flags="--modules-dir=lib"),
        not_logged("shop_baner", ("modules/m",)),
    )


RUN = "`tool create drop` of 2026-07-01T08:30:00Z"
"""How messages name a run."""


def variants(union: Any) -> set[type]:
    """The members of a union, also of unions in it."""
    members: set[type] = set()
    for member in get_args(union):
        members |= variants(member) if isinstance(member, UnionType) else {member}
    return members


def warning_codes() -> list[str]:
    """The code of each warning: the name of the function that makes it, in the order of the modules."""
    modules = (
        settings,
        configuration,
        drop,
        selection,
        archives,
        bases,
        conflicts,
        patches,
        building,
        disk,
        runs,
        updates,
    )
    return [
        name.replace("_", "-")
        for module in modules
        for name, make in vars(module).items()
        if isfunction(make) and make.__module__ == module.__name__ and "WarningDiagnostic(" in getsource(make)
    ]


def event(diagnostic: Error | WarningDiagnostic) -> ErrorEvent | WarningEvent:
    """The event that reports a diagnostic."""
    return warning_event(diagnostic) if isinstance(diagnostic, WarningDiagnostic) else error_event(diagnostic)


def name_of(diagnostic: Error | WarningDiagnostic) -> str:
    """The type of an error, the code of a warning."""
    return diagnostic.code if isinstance(diagnostic, WarningDiagnostic) else type(diagnostic).__name__


def words() -> str:
    """What is said of each."""
    parts = (f"{name_of(each)}\n" + "\n".join(emit((event(each),), "text")) for each in every())
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    KEPT.write_text(words(), encoding="utf-8")
