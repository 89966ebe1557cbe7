"""An explanation as lines for people (`docs/explain.md`)."""

import pytest
from msgspec.structs import replace

from pipeline.explain.advice import ArchiveEffect, Change, ChangeStep, SettingEffect
from pipeline.explain.document import (
    ArchivePart,
    ConfigPart,
    ErrorPart,
    ExitPart,
    Explanation,
    PatternRow,
    PresetRow,
    WarningPart,
)
from pipeline.explain.settings import explain_config, explain_setting
from pipeline.explain.text import lines
from pipeline.locate import EndReason, Probe
from pipeline.report.events import ErrorEvent
from pipeline.report.layout import PIPE, Screen
from pipeline.schema import SETTINGS
from tests.support.cases import SETTING, case_of

NAMED = Explanation(name="x")
MODULE = ArchivePart(
    archive="b.zip",
    kind="module",
    name="blog",
    version="1.0",
    system="PrestaShop",
    evidence="blog/blog.php",
    field="class",
    selected=False,
    rule="pattern",
    reason="matches `b*` of modules.exclude (c.json:1:2)",
    patterns=(
        PatternRow("modules.exclude", "b*", "config", "c.json:1:2", "out", True),
        PatternRow("modules.only", "", "preset", "p.json:1:2", "out", False),
    ),
    parent="base",
    requires=("a", "c"),
    needed_by=("shop",),
    refusals=("x.php: it is damaged",),
    change=Change(
        (ChangeStep("delete", "c.json:1:2", "exclude[0]", "b*"),),
        (SettingEffect("modules.exclude", (), "config", "c.json:1:1"),),
        (ArchiveEffect("b.zip", True), ArchiveEffect("bb.zip", True), ArchiveEffect("c.zip", False)),
    ),
)


def text(document: Explanation, columns: int = 0) -> str:
    """The lines of a document on a screen of some width."""
    return "\n".join(lines(document, Screen(columns)))


def test_a_setting() -> None:
    """Its value, what it is for, who says what and why that lost, its elements, and what would change it."""
    case = case_of('{"exclude": ["...", "b"], "presets": ["./p.json"]}', {"p.json": {"exclude": ["a, b"]}})
    document = replace(NAMED, settings=(explain_setting(SETTING["modules.exclude"], case),))
    assert text(document) == (
        'modules.exclude is ["a, b", b]\n'
        "  Names or glob patterns of modules to leave out.\n"
        "\n"
        "  config   tool.config.json:1:13  [..., b]  holds\n"
        '  preset   p.json:1:13            ["a, b"]  kept by `...`\n'
        "  default  built-in               []        lost: `config` overrides `default`\n"
        "\n"
        "Its elements:\n"
        '  "a, b"  preset  p.json:1:14\n'
        "  b       config  tool.config.json:1:21\n"
        "\n"
        "What would change it:\n"
        '  ["a, b"], as p.json:1:13 says:\n'
        "    delete `exclude` at tool.config.json:1:13\n"
        "  [], the default:\n"
        "    pass `--exclude=`\n"
        '  without "a, b":\n'
        '    delete "a, b" (`exclude[0]`) at p.json:1:14\n'
        "  without b:\n"
        "    delete b (`exclude[1]`) at tool.config.json:1:21\n"
        "\n"
        "`--exclude`, `TOOL_MODULES_EXCLUDE` and the key `modules.exclude` of a configuration set it, in this order of "
        "precedence."
    )


def test_detected_presets_and_other_values() -> None:
    """A preset that was detected is told as such; a change tells what else would come of it."""
    case = case_of(None, {}, {"CI": "1"})
    parts = tuple(explain_setting(SETTING[path], case) for path in ("presets", "cache.enabled"))
    told = text(replace(NAMED, settings=parts)).split("\n")
    assert "  ci  detected  CI" in told
    assert told[told.index("  without ci:") + 1] == (
        "    unset the variable `CI`; also, `hooks.onFailure` would be continue, `cache.enabled` would be true"
    )
    listed = case_of({"presets": ["ci", "..."]}, {}, {"CI": "1"})
    assert "\n  ci  config  tool.config.json:" in text(
        replace(NAMED, settings=(explain_setting(SETTING["presets"], listed),))
    )
    at = told.index("  true, the default:")
    assert told[at + 1 : at + 3] == ["    pass `--cache`", ""]


def test_an_element_that_nothing_takes_out() -> None:
    """No goal is told that nothing reaches."""
    case = case_of({"presets": ["team"], "presetsSearchPath": ["./presets"]}, {"presets/team.json": {}})
    told = text(replace(NAMED, settings=(explain_setting(SETTING["presetsSearchPath"], case),)))
    assert "\n  ./presets  config  tool.config.json:1:" in told
    assert "What would change it:" not in told


def test_a_setting_that_nobody_sets() -> None:
    """Where there are few values, the flag of each other one is told."""
    told = text(replace(NAMED, settings=(explain_setting(SETTING["cache.enabled"], case_of()),)))
    assert "What would change it:\n  false:\n    pass `--no-cache`\n" in told


def test_a_refused_archive() -> None:
    """An archive that is refused is not said to be built, nor one that nobody could recognise to be left out."""
    parts = (replace(MODULE, selected=True), replace(MODULE, rule="refused"))
    assert [text(replace(NAMED, archives=(part,))).partition("\n")[0] for part in parts] == [
        "b.zip: module blog 1.0, refused",
        "b.zip: refused",
    ]


def test_an_archive() -> None:
    """Why it is built or not, what it was recognised by, what it needs and who needs it, each pattern that speaks."""
    assert text(replace(NAMED, archives=(MODULE,))) == (
        "b.zip: module blog 1.0, left out\n"
        "\n"
        "  because        matches `b*` of modules.exclude (c.json:1:2)\n"
        "  recognised by  blog/blog.php (class)\n"
        "  system         PrestaShop\n"
        "  builds on      base\n"
        "  needs          a, c\n"
        "  needed by      shop\n"
        "  refused        x.php: it is damaged\n"
        "  pattern        b* of modules.exclude (c.json:1:2) says out, and decides\n"
        "  pattern        no pattern of modules.only (p.json:1:2) says out\n"
        "\n"
        "What would change it:\n"
        "  build it, for good:\n"
        "    delete b* (`exclude[0]`) at c.json:1:2; also, bb.zip would be built, c.zip would be left out"
    )
    run = Change((ChangeStep("pass", "--include", value=("blog",)),), (), (ArchiveEffect("b.zip", True),))
    assert text(replace(NAMED, archives=(replace(MODULE, alternative=run),))).partition("What would change it:\n")[
        2
    ] == (
        "  build it, for this run:\n"
        "    pass `--include=blog`\n"
        "  build it, for good:\n"
        "    delete b* (`exclude[0]`) at c.json:1:2; also, bb.zip would be built, c.zip would be left out"
    )


def test_many_archives() -> None:
    """Of more than three, those that share a fate and a reason share a paragraph: what is built first."""
    plain = replace(MODULE, refusals=(), reason="no setting leaves it out", selected=True, rule="unmentioned")
    parts = (
        *(replace(MODULE, name=name, refusals=()) for name in ("a", "b")),
        *(replace(plain, name=name) for name in ("c", "d")),
        replace(plain, name="e", built=True),
        replace(plain, name="f", kind="theme"),
        replace(plain, name="g", archive="g.zip", refusals=("it is cut",)),
        replace(
            plain, name="h", archive="h-1.0.zip", rule="older", reason="h-2.0.zip has a higher version", selected=False
        ),
    )
    assert text(replace(NAMED, archives=parts, drop="my drop")) == (
        "1 module built: no setting leaves it out\n"
        "  e\n"
        "\n"
        "2 modules selected: no setting leaves them out\n"
        "  c, d\n"
        "\n"
        "1 theme selected: no setting leaves it out\n"
        "  f\n"
        "\n"
        "2 modules left out: match `b*` of modules.exclude (c.json:1:2)\n"
        "  a, b\n"
        "\n"
        "1 module left out: h-2.0.zip has a higher version\n"
        "  h-1.0.zip\n"
        "\n"
        "1 archive refused: it is cut\n"
        "  g.zip\n"
        "\n"
        "`tool explain NAME 'my drop'` says of one of them what would change it."
    )


@pytest.mark.parametrize(
    ("part", "evidence"),
    [
        (replace(MODULE, field=None), "blog/blog.php"),
        (replace(MODULE, evidence=None), "no marker: it goes by its name and place"),
        (replace(MODULE, opened=False), "its file name; it was not opened"),
    ],
)
def test_what_an_archive_was_recognised_by(part: ArchivePart, evidence: str) -> None:
    """A marker, nothing but its name, or not even that."""
    assert f"  recognised by  {evidence}\n" in text(replace(NAMED, archives=(part,)))


def test_an_archive_that_nothing_changes() -> None:
    """Without a change, nothing is promised."""
    part = replace(MODULE, version=None, selected=True, change=Change((ChangeStep("unset", "X"),), ()))
    assert text(replace(NAMED, archives=(part,))).endswith("  leave it out, for this run:\n    unset the variable `X`")
    assert "would change" not in text(replace(NAMED, archives=(replace(part, change=None),)))


def test_the_configuration() -> None:
    """Every path that was probed, where the search ended, and the presets with what chose them."""
    case = case_of({"presets": ["ci"]}, {"package.json": {"tool": {}}})
    assert text(replace(NAMED, config=explain_config(case))) == (
        "The configuration is tool.config.json.\n"
        "\n"
        "  tool.config.ts    missing\n"
        "  tool.config.js    missing\n"
        "  tool.config.json  the configuration\n"
        "  package.json      not read: another comes first\n"
        "The search ended in `.`, with the first configuration that was found.\n"
        "\n"
        "Presets, the later over the earlier:\n"
        "  ci  preset:ci  listed at tool.config.json:1:14"
    )


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        ("named", "It is named by `--config`, so nothing was searched."),
        ("git", "The search ended in `..`, which has a `.git`."),
        ("root", "The search ended in `..`, the root of the file system."),
    ],
)
def test_no_configuration(reason: EndReason, told: str) -> None:
    """Why the search ended, and what was looked for to detect presets."""
    part = ConfigPart(
        file=None,
        probes=(),
        ended_at="..",
        ended_because=reason,
        presets=(PresetRow("default", "lib/default.json", "lib/default.json", True),),
        preset_probes=(Probe("lib/default.ts", "missing"), Probe("lib/default.json", "taken")),
    )
    assert text(replace(NAMED, config=part)) == (
        "There is no configuration: the defaults hold.\n"
        "\n"
        f"{told}\n"
        "\n"
        "Presets, the later over the earlier:\n"
        "  default  lib/default.json  detected by lib/default.json\n"
        "\n"
        "Looked at for presets:\n"
        "  lib/default.ts    missing\n"
        "  lib/default.json  found"
    )
    none = text(replace(NAMED, config=replace(part, presets=(), preset_probes=(Probe("CI", "missing"),))))
    assert none.endswith("\n  the variable CI  neither `true` nor `1`")
    there = text(replace(NAMED, config=replace(part, presets=(), preset_probes=(Probe("CI", "taken"),))))
    assert there.endswith("\n  the variable CI  found")
    assert text(replace(NAMED, config=replace(part, presets=(), preset_probes=()))).endswith("\nPresets: none apply.")
    assert "\nPresets: none apply.\n\nLooked at for presets:\n" in none


def test_errors() -> None:
    """The name, the exit code and the paragraph, wrapped to the width."""
    part = ErrorPart(error="ThemeNotFound", exit=68, paragraph="One two three four five six.")
    assert text(replace(NAMED, errors=(part, part)), 24) == "\n\n".join(
        ["ThemeNotFound: exit code 68\n\nOne two three four five\nsix."] * 2
    )


def test_an_example() -> None:
    """An error has an example of each problem that is reported as it, as a run prints it."""
    part = ErrorPart(error="X", exit=1, paragraph="One.", examples=(ErrorEvent("X", 1, None, "two", None, "three"),))
    assert text(replace(NAMED, errors=(part,))).endswith("\n\nFor example:\n\nerror: X: two\n  = help: three")


def test_exit_codes_and_warnings() -> None:
    """What an exit code says comes before its errors; a warning has its code and its paragraph."""
    error = ErrorPart(error="ThemeNotFound", exit=68, paragraph="One.")
    warning = WarningPart(code="left-over", paragraph="Two three four.")
    document = replace(NAMED, exit=ExitPart(exit=68, meaning="It is."), errors=(error,), warnings=(warning,))
    assert text(document, 40) == (
        "Exit code 68: It is.\n\nThemeNotFound: exit code 68\n\nOne.\n\nleft-over: a warning\n\nTwo three four."
    )


def test_what_would_stop_a_run() -> None:
    """The problem is told below the archive that is explained, in one sentence."""
    stopped = replace(NAMED, archives=(MODULE,), problems=(ErrorEvent("ThemeAmbiguous", 68, "theme", "which?", None),))
    assert text(stopped).endswith("left out\n\nA run would stop: ThemeAmbiguous: which?")


@pytest.mark.parametrize(
    ("step", "told"),
    [
        (ChangeStep("delete", "c.json:1:2", "theme"), "delete `theme` at c.json:1:2"),
        (ChangeStep("delete", "c.json:1:2", "exclude[0]", "a b"), 'delete "a b" (`exclude[0]`) at c.json:1:2'),
        (ChangeStep("add", "c.json:1:2", "modules.include", "a"), "add a to `modules.include` at c.json:1:2"),
        (ChangeStep("omit", "--no-cache"), "leave out `--no-cache`"),
        (ChangeStep("omit", "--exclude", value="a b"), "leave out `'--exclude=a b'`"),
        (ChangeStep("pass", "--no-cache", value=False), "pass `--no-cache`"),
        (ChangeStep("pass", "--exclude", value=()), "pass `--exclude=`"),
        (ChangeStep("pass", "--exclude", value=("...", "b*")), "pass `--exclude=... '--exclude=b*'`"),
        (ChangeStep("unset", "CI"), "unset the variable `CI`"),
        (ChangeStep("set", "TOOL_X", value="a,b c"), "set the variable `'TOOL_X=a,b c'`"),
    ],
)
def test_steps(step: ChangeStep, told: str) -> None:
    """A step in words, with what is to be typed as a shell takes it."""
    assert str(step) == told


def test_narrow_screens() -> None:
    """Nothing is wider than the screen but a word that is."""
    case = case_of({"exclude": ["shop_*"], "presets": ["ci"]}, environ={"TOOL_HOOKS_ON_FAILURE": "continue"})
    parts = tuple(explain_setting(setting, case) for setting in SETTINGS)
    config = explain_config(case)
    document = replace(NAMED, settings=parts, archives=(MODULE,), config=config)
    for columns in (40, 80):
        wide = [line for line in lines(document, Screen(columns)) if len(line) > columns]
        assert [line for line in wide if " " in line.strip()] == []


def test_colours() -> None:
    """The layer that decides is coloured as something added, one that lost as something skipped."""
    document = replace(NAMED, settings=(explain_setting(SETTING["theme"], case_of({"theme": "a"})),))
    told = lines(document, Screen(colour=True))
    assert [line for line in told if "\x1b" in line] == [
        "  \x1b[32mconfig\x1b[0m   tool.config.json:1:11  a     holds",
        "  \x1b[2mdefault\x1b[0m  built-in               auto  lost: `config` overrides `default`",
    ]


def test_a_pipe_is_written_in_full() -> None:
    """In a pipe no line is broken."""
    assert len(lines(replace(NAMED, errors=(ErrorPart(error="X", exit=1, paragraph="a " * 200),)), PIPE)) == 3


def test_how_scripts_were_read() -> None:
    """Of a configuration and presets that are scripts, whether they were run."""
    part = ConfigPart(
        file="tool.config.ts",
        probes=(),
        ended_at=".",
        ended_because="match",
        presets=(PresetRow("./p.js", "p.js", "tool.config.ts:1:14", False),),
        readings={"tool.config.ts": "literal", "p.js": "evaluated"},
    )
    shown = text(replace(NAMED, config=part)).splitlines()
    assert (shown[0], shown[-1]) == (
        "The configuration is tool.config.ts, read as a literal.",
        "  ./p.js  p.js  listed at tool.config.ts:1:14, evaluated",
    )
