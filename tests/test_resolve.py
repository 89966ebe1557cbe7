"""Resolve: the whole chain on a disk made of a dict, with presets (`docs/configuration.md`)."""

from collections.abc import Mapping
from pathlib import PurePath

import pytest
from msgspec import UNSET
from msgspec.structs import replace
from returns.result import Failure, Result, Success

from pipeline.config.flags import read_flags
from pipeline.config.layers import Decision, Layer
from pipeline.config.presets import probed_files
from pipeline.config.tree import ConfigFile
from pipeline.merge import merge
from pipeline.report.diagnostics import ConfigError
from pipeline.report.diagnostics.configuration import ConfigNotFound, shadowed_config
from pipeline.report.diagnostics.scripts import ScriptRuntimeUnavailable
from pipeline.report.diagnostics.settings import InvalidValue, PresetNotFound, UnknownKey
from pipeline.report.location import BUILT_IN, Location
from pipeline.report.outcome import Outcome
from pipeline.resolve import Request, Resolution, load, resolve
from tests.support.disks import START, assignment, disk_of


def resolved(
    files: Mapping[str, str],
    environ: Mapping[str, str] | None = None,
    **flags: str | tuple[str, ...] | bool,
) -> Outcome[Resolution]:
    """Resolve in `/project`, with files by their path in it."""
    disk = disk_of(
        {"/project/.git": None, **{f"/project/{name}": text for name, text in files.items()}}
    )
    return resolve(
        Request(start=START, environ=environ or {}, flags=read_flags(flags, START)), disk
    )


def applied(outcome: Outcome[Resolution]) -> list[str]:
    """The locations of the presets that set `cache.file`, the winner first."""
    decision = outcome.unwrap().settings.decision("cache.file")
    return [
        str(assignment.location)
        for assignment in decision.assignments
        if assignment.layer == "preset"
    ]


def test_five_layers() -> None:
    """Flag, variable, configuration, preset and default: each overrides the next."""
    files = {
        "tool.config.json": (
            '{"presets": ["./p.json"],\n "hooks": {"initScriptsDir": "c"}, "theme": "c"}'
        ),
        "p.json": '{"theme": "p", "hooks": {"initScriptsDir": "p", "postScriptsDir": "p"}}',
    }
    settings = (
        resolved(files, {"TOOL_THEME": "e", "TOOL_LOG_FORMAT": "json"}, theme="f").unwrap().settings
    )
    assert settings.decision("theme") == Decision(
        "theme",
        assignment("flag", Location("--theme"), "f"),
        (
            assignment("env", Location("TOOL_THEME"), "e"),
            assignment("config", Location("tool.config.json", 2, 45), "c"),
            assignment("preset", Location("p.json", 1, 11), "p"),
            assignment("default", BUILT_IN, "auto"),
        ),
    )
    values = (
        settings.hooks_init_scripts_dir,
        settings.hooks_post_scripts_dir,
        settings.cache_file,
        settings.log_format,
    )
    assert values == (
        PurePath("/project/c"),
        PurePath("/project/p"),
        PurePath("/project/.tool-cache.json"),
        "json",
    )


@pytest.mark.rule("Precedence, layer 4, bundled presets")
def test_the_bundled_preset_ci() -> None:
    """The preset `ci` is a clean, strict build; `none` sets nothing."""
    settings = resolved({}, presets=("ci", "none")).unwrap().settings
    changed = {d.path: d.winner for d in settings.decisions if d.winner.layer != "default"}
    assert changed == {
        "presets": assignment("flag", Location("--preset"), ("ci", "none")),
        "hooks.onFailure": assignment("preset", Location("preset:ci"), "fail"),
        "cache.enabled": assignment("preset", Location("preset:ci"), False),
    }


@pytest.mark.rule("Precedence, layer 4, several presets", "Precedence, layer 4, local presets")
def test_a_later_preset_lies_over_an_earlier_one() -> None:
    """Of several presets, a later one overrides an earlier one, whatever they are."""
    files = {"a.json": '{"cache": {"file": "a"}}', "b.json": '{"cache": {"file": "b"}}'}
    assert applied(resolved(files, presets=("./a.json", "b.json"))) == [
        "b.json:1:20",
        "a.json:1:20",
    ]


def test_a_preset_that_is_listed_again_is_read_once() -> None:
    """A preset that is listed more than once, however it is called, is read once and has
    its last place.
    """
    read: list[PurePath] = []
    disk = disk_of(
        {
            "/project/a.json": '{"cache": {"file": "a"}}',
            "/project/b.json": '{"cache": {"file": "b"}}',
        }
    )

    def load(path: PurePath, limit: int) -> Result[bytes, str]:
        read.append(path)
        return disk.load(path, limit)

    flags = read_flags(
        {
            "presets": ("./a.json", "b.json", "a", *["./a.json"] * 100),
            "presets_search_path": (".",),
        },
        START,
    )
    outcome = resolve(Request(start=START, flags=flags), replace(disk, load=load))
    assert applied(outcome) == ["a.json:1:20", "b.json:1:20"]
    assert read == [START / "b.json", START / "a.json"]


@pytest.mark.rule("Schema, `presets`, not empty", "Schema, `presetsSearchPath`")
def test_a_name_is_searched_for() -> None:
    """A preset's name is a bundled one, or the first of `<name>.ts`, `.js`, `.json` in the folders
    of the search path, in order.
    """
    files = {
        "one/team.json": '{"cache": {"file": "one"}}',
        "two/team.json": '{"cache": {"file": "two"}}',
        "one/ci.json": '{"cache": {"file": "mine"}}',
        "two/web.json": '{"cache": {"file": "web"}}',
    }
    path = ("one", "two")
    assert applied(resolved(files, presets=("team", "ci", "web"), presets_search_path=path)) == [
        "two/web.json:1:20",
        "one/team.json:1:20",
    ]


def test_a_script_preset_comes_before_json() -> None:
    """In one folder `<name>.ts` and `<name>.js` are tried before `<name>.json`."""
    files = {"one/team.js": "", "one/team.json": "{}"}
    outcome = resolved(files, presets=("team",), presets_search_path=("one",))
    assert outcome == Failure((ScriptRuntimeUnavailable("team.js"),))


@pytest.mark.rule("Schema, `presets`, left out")
def test_presets_are_detected() -> None:
    """If `presets` is unset, `default` of the search path applies, then `ci` if the variable `CI`
    is set and not false.
    """
    files = {
        "p/default.json": '{"cache": {"file": "d", "enabled": true}}',
        "tool.config.json": '{"presetsSearchPath": ["p"]}',
    }
    found = {
        ci: resolved(files, {"CI": ci}).unwrap().settings
        for ci in ("true", "True", "woodpecker", "no", "", "0", "FALSE")
    }
    assert {ci: (str(s.cache_file), s.cache_enabled) for ci, s in found.items()} == {
        **dict.fromkeys(("true", "True", "woodpecker", "no"), ("/project/p/d", False)),
        **dict.fromkeys(("", "0", "FALSE"), ("/project/p/d", True)),
    }


def warned(
    files: Mapping[str, str], **flags: str | tuple[str, ...] | bool
) -> list[tuple[str, str, str]]:
    """The code, the name in the message, and the place of each warning."""
    warnings = resolved(files, None, **flags).unwrap().settings.warnings
    return [(each.code, each.message.split("`")[1], str(each.location)) for each in warnings]


def test_a_folder_of_presets_that_does_not_exist() -> None:
    """Each missing folder of `presetsSearchPath` is reported at its position."""
    files = {
        "tool.config.json": '{"presetsSearchPath": ["p", "none", "p/default.json"]}',
        "p/default.json": "{}",
    }
    assert warned(files, presets_search_path=("...", "../no")) == [
        ("missing-presets-folder", "none", "tool.config.json:1:29"),
        ("missing-presets-folder", "p/default.json", "tool.config.json:1:37"),
        ("missing-presets-folder", "../no", "--presets-search-path"),
    ]


def test_paths_that_are_not_expanded() -> None:
    """A leading `~`, and `$`, are reported in a path; a name may have them."""
    config = (
        '{"theme": "$HOME/t.zip", "cache": {"file": "~/c"}, "presets": ["./$p.json"], '
        '"exclude": ["$x", "~"]}'
    )
    files = {"tool.config.json": config, "$p.json": "{}", "$q/x": ""}
    assert warned(files, presets_search_path=("$q",), hooks_init_scripts_dir="a~") == [
        ("unexpanded-path", "$HOME/t.zip", "tool.config.json:1:11"),
        ("unexpanded-path", "./$p.json", "tool.config.json:1:64"),
        ("unexpanded-path", "$q", "--presets-search-path"),
        ("unexpanded-path", "~/c", "tool.config.json:1:44"),
    ]
    assert warned({}, theme="$x") == []
    assert warned({}, theme="$x.zip") == [("unexpanded-path", "$x.zip", "--theme")]
    assert warned({}, theme="~/t") == [("unexpanded-path", "~/t", "--theme")]


@pytest.mark.rule("Schema, `presets`, empty")
@pytest.mark.parametrize("none", [(), ("none",)])
def test_presets_can_be_opted_out_of(none: tuple[str, ...]) -> None:
    """An empty list, or `none` alone, applies no preset, even if some would be detected."""
    files = {"p/default.json": '{"cache": {"file": "d"}}'}
    assert applied(resolved(files, {"CI": "true"}, presets=none, presets_search_path=("p",))) == []


def not_found(
    index: int, preset: str, column: int, searched: tuple[str, ...], near: tuple[str, ...] = ()
) -> PresetNotFound:
    """The error that an item of the configuration is no preset."""
    location, is_path, is_folder = (
        Location("tool.config.json", 1, column),
        preset.startswith("./"),
        preset == "./p",
    )
    return PresetNotFound(preset, location, searched, near, f"presets[{index}]", is_path, is_folder)


@pytest.mark.rule("Errors, 67")
@pytest.mark.parametrize(
    ("files", "error"),
    [
        (
            {
                "tool.config.json": (
                    '{"presets": ["no", "./no.json", "team2"], "presetsSearchPath": ["p"]}'
                ),
                "p/team.ts": "",
            },
            (
                not_found(0, "no", 14, ("p/no.ts", "p/no.js", "p/no.json")),
                not_found(1, "./no.json", 20, ("no.json",)),
                not_found(2, "team2", 33, ("p/team2.ts", "p/team2.js", "p/team2.json"), ("team",)),
            ),
        ),
        ({"tool.config.json": '{"presets": ["cy"]}'}, (not_found(0, "cy", 14, ()),)),
        (
            {".tool.json": '{"preset": "cy"}'},
            (PresetNotFound("cy", Location(".tool.json", 1, 12), ()),),
        ),
        (
            {
                "tool.config.json": '{"presets": ["./p.json", "./q.json"]}',
                "p.json": '{"x": 1}',
                "q.json": '{"presets": []}',
            },
            (
                UnknownKey("x", Location("p.json", 1, 2), in_preset=True),
                UnknownKey("presets", Location("q.json", 1, 2), in_preset=True),
            ),
        ),
        (
            {"tool.config.json": '{"presets": ["./p"]}', "p/a": ""},
            (not_found(0, "./p", 14, ("p",)),),
        ),
    ],
)
def test_presets_that_fail(files: Mapping[str, str], error: tuple[ConfigError, ...]) -> None:
    """All missing presets are reported with their positions, or else every mistake in those that
    were found.
    """
    assert resolved(files) == Failure(error)


def suggestions(errors: tuple[ConfigError, ...]) -> list[tuple[str, ...]]:
    """What is suggested for each preset that is not found."""
    return [error.suggestions for error in errors if isinstance(error, PresetNotFound)]


def test_a_preset_file_that_is_nearly_there() -> None:
    """For a path without a file, the preset files beside it are suggested, and for a folder those
    in it.
    """
    files = {
        "tool.config.json": '{"presets": ["./p/shp.ts", "./p", "a.json"]}',
        "p/shop.ts": "",
        "p/x.md": "",
    }
    errors = resolved(files).failure()
    assert suggestions(errors) == [("./p/shop.ts",), ("./p/shop.ts",), ()]
    names = (".tool-cache", *"abcd")
    many = {"tool.config.json": '{"presets": ["./p"]}', **{f"p/{name}.json": "" for name in names}}
    assert suggestions(resolved(many).failure()) == [("./p/a.json", "./p/b.json", "./p/c.json")]


BAD_VARIABLE = InvalidValue("presets[0]", Location("TOOL_PRESETS"), "a string", "a number")


def test_the_errors_of_parallel_sources_are_reported_together() -> None:
    """A bad variable and a broken file are reported together; presets are not looked for."""
    files = {"tool.config.json": '{"theme": 1, "presets": ["no"]}'}
    theme = InvalidValue("theme", Location("tool.config.json", 1, 11), "a string", "a number")
    assert resolved(files, {"TOOL_PRESETS": "[1]"}) == Failure((BAD_VARIABLE, theme))


def test_a_missing_file_is_reported_first() -> None:
    """If the file of `--config` does not exist, that is reported first, whatever else is wrong."""
    request = Request(start=START, environ={"TOOL_PRESETS": "[1]"}, config="no.json")
    assert resolve(request, disk_of({})) == Failure((ConfigNotFound("no.json"), BAD_VARIABLE))


def test_the_warnings_of_every_stage() -> None:
    """The settings have the warnings of discovery and of all layers."""
    files = {"tool.config.json": "{}", "package.json": '{"tool": {}}'}
    assert resolved(files).unwrap().settings.warnings == (
        shadowed_config("tool.config.json", ("package.json",)),
    )


def test_one_file_alone() -> None:
    """A single file can be loaded by itself."""
    disk = disk_of({"/project/a.json": '{"theme": "x"}'})
    layer = load(ConfigFile.at("a.json", START), disk)
    assert layer == Success(
        Layer({"theme": (assignment("config", Location("a.json", 1, 11), "x"),)})
    )
    assert layer.map(lambda layer: (layer.value("theme"), layer.value("presets"))) == Success(
        ("x", UNSET)
    )


def test_the_files_that_were_read() -> None:
    """A resolution lists the configuration and its presets as the user knows them."""
    files = {"tool.config.json": '{"presets": ["./p.json", "ci"]}', "p.json": "{}"}
    assert resolved(files).unwrap().files == ("tool.config.json", "p.json", "preset:ci")


@pytest.mark.parametrize("presets", [None, ("...", "ci")])
def test_what_is_no_file_is_not_detected(presets: tuple[str, ...] | None) -> None:
    """A broken link with the name of a detected preset is skipped for the next suffix."""
    files = {"/project/p/default.ts": "", "/project/p/default.json": '{"cache": {"file": "d"}}'}
    disk = disk_of(files)
    broken = replace(
        disk, presence=lambda path: "dangling" if path.name == "default.ts" else disk.presence(path)
    )
    flags = read_flags({"presets_search_path": ("p",), "presets": presets}, START)
    assert applied(resolve(Request(start=START, flags=flags), broken)) == ["p/default.json:1:20"]


@pytest.mark.parametrize(
    ("presets", "probed"),
    [
        ((), {"default.ts": False, "default.js": True}),
        (("ci", "./default.js"), {}),
        (("none", "shop"), {"shop.ts": False, "shop.js": False, "shop.json": False}),
    ],
)
def test_where_presets_are_looked_for(presets: tuple[str, ...], probed: dict[str, bool]) -> None:
    """A name is searched for until it is found, and `default` unless presets are listed; a path or
    a bundled name is not.
    """
    flags = {"presets": presets} if presets else {}
    decision = merge((read_flags(flags, START),), START).decision("presets")
    found = probed_files(decision, (START / "p",), {START / "p/default.js"})
    assert dict(found) == {START / "p" / name: is_used for name, is_used in probed.items()}
