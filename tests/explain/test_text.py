"""An explanation as lines for people (`docs/configuration.md`)."""

import pytest
from msgspec.structs import replace

from pipeline.explain.document import (
    ArchivePart,
    ConfigPart,
    ErrorPart,
    ExitPart,
    Explanation,
    Meaning,
    PatternRow,
    PresetRow,
    SettingPart,
    WarningPart,
)
from pipeline.explain.settings import explain_config, explain_setting
from pipeline.explain.text import lines
from pipeline.locate import EndReason, Probe
from pipeline.report.events import ErrorEvent
from pipeline.report.layout import PIPE, Screen
from pipeline.schema import SETTINGS
from tests.support.cases import SETTING, Case, case_of
from tests.support.disks import START

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
    advice="edit the list",
)


def text(document: Explanation, columns: int = 0) -> str:
    """The lines of a document on a screen of some width."""
    return "\n".join(lines(document, Screen(columns)))


def setting(path: str, case: Case) -> SettingPart:
    """The explanation of a setting."""
    return explain_setting(SETTING[path], case.settings.decision(path))


def config(case: Case) -> ConfigPart:
    """The explanation of the configuration."""
    return explain_config(case.resolution, START, case.disk)


def test_a_setting() -> None:
    """Its value, its meaning, the value of each layer and what overrides it, its elements, and how to change it."""
    case = case_of('{"exclude": ["...", "b"], "presets": ["./p.json"]}', {"p.json": {"exclude": ["a, b"]}})
    document = replace(NAMED, settings=(setting("modules.exclude", case),))
    assert text(document) == (
        'modules.exclude is ["a, b", b]\n'
        "  Leave out the modules that match these names or patterns.\n"
        "\n"
        "  config   tool.config.json:1:13  [..., b]  used\n"
        '  preset   p.json:1:13            ["a, b"]  kept by `...`\n'
        "  default  built-in               []        `config` overrides `default`\n"
        "\n"
        "Its elements:\n"
        '  "a, b"  preset  p.json:1:14\n'
        "  b       config  tool.config.json:1:21\n"
        "\n"
        "To change it: edit tool.config.json:1:13; `--exclude` and `TOOL_MODULES_EXCLUDE` override it for one run."
    )


def test_detected_presets() -> None:
    """A preset that was detected is reported as such, also where a list keeps it by `...`."""
    for config, layer in ((None, "detected"), ({"presets": ["...", "ci"]}, "config")):
        part = setting("presets", case_of(config, {}, {"CI": "1"}))
        assert f"\n  ci  {layer}  " in text(replace(NAMED, settings=(part,)))


def test_a_refused_archive() -> None:
    """An archive that is refused is not said to be built, nor one that nobody could recognise to be left out."""
    parts = (replace(MODULE, selected=True), replace(MODULE, rule="refused"))
    assert [text(replace(NAMED, archives=(part,))).partition("\n")[0] for part in parts] == [
        "b.zip: module blog 1.0, refused",
        "b.zip: refused",
    ]


def test_an_archive() -> None:
    """Why it is built or not, what it was recognised by, what it needs and who needs it, each pattern that matches."""
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
        "  overrides      no pattern of modules.only (p.json:1:2), which leaves it out\n"
        "\n"
        "To change it: edit the list."
    )
    part = replace(MODULE, patterns=(PatternRow("modules.include", "b", "flag", "--include", "in", False),))
    assert "  overrides      b of modules.include (--include), which selects it\n" in text(
        replace(NAMED, archives=(part,))
    )


def test_many_archives() -> None:
    """Of more than three, those with the same outcome and reason share a paragraph: what is built first."""
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
        "`tool explain NAME 'my drop'` explains one of them."
    )


@pytest.mark.parametrize(
    ("part", "evidence"),
    [
        (replace(MODULE, field=None), "blog/blog.php"),
        (replace(MODULE, evidence=None), "no marker: it goes by its name and place"),
        (replace(MODULE, opened=False), "its file name: it was not opened"),
    ],
)
def test_what_an_archive_was_recognised_by(part: ArchivePart, evidence: str) -> None:
    """A marker, nothing but its name, or not even that."""
    assert f"  recognised by  {evidence}\n" in text(replace(NAMED, archives=(part,)))


def test_the_configuration() -> None:
    """Every path that was probed, where the search ended, and the presets with what chose them."""
    case = case_of({"presets": ["ci"]}, {"package.json": {"tool": {}}})
    assert text(replace(NAMED, config=config(case))) == (
        "The configuration file is tool.config.json.\n"
        "\n"
        "  tool.config.ts    missing\n"
        "  tool.config.js    missing\n"
        "  tool.config.json  used\n"
        "  package.json      not read: an earlier one is used\n"
        "The search ended in `.`, with the first configuration that was found.\n"
        "\n"
        "Presets, lowest first:\n"
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
        "No configuration file: defaults are used.\n"
        "\n"
        f"{told}\n"
        "\n"
        "Presets, lowest first:\n"
        "  default  lib/default.json  detected by lib/default.json\n"
        "\n"
        "Searched for presets:\n"
        "  lib/default.ts    missing\n"
        "  lib/default.json  found"
    )
    none = text(replace(NAMED, config=replace(part, presets=(), preset_probes=(Probe("CI", "missing"),))))
    assert none.endswith("\n  the variable CI  neither `true` nor `1`")
    there = text(replace(NAMED, config=replace(part, presets=(), preset_probes=(Probe("CI", "taken"),))))
    assert there.endswith("\n  the variable CI  found")
    assert text(replace(NAMED, config=replace(part, presets=(), preset_probes=()))).endswith("\nNo preset is used.")
    assert "\nNo preset is used.\n\nSearched for presets:\n" in none


def test_errors_warnings_and_exit_codes() -> None:
    """An exit code comes before its errors; each meaning is wrapped to the width, and has its example below."""
    event = ErrorEvent("X", 68, None, "two", None, "three")
    error = ErrorPart(error="X", exit=68, meanings=(Meaning("One two three four five.", event), Meaning("Six.")))
    warning = WarningPart(code="left-over", meanings=(Meaning("Seven."),))
    document = replace(NAMED, exit=ExitPart(exit=68, meaning="It is."), errors=(error,), warnings=(warning,))
    assert text(document, 20) == (
        "Exit code 68: It is.\n\nX: exit code 68\n\nOne two three four\nfive.\n\n  error: X: two\n"
        "    = help: three\n\nSix.\n\nleft-over: a warning\n\nSeven."
    )


def test_what_would_stop_a_run() -> None:
    """The error is reported below the archive, with its own advice."""
    stopped = replace(NAMED, archives=(MODULE,), problems=(ErrorEvent("A", 68, "theme", "which?", None, "this"),))
    assert text(stopped).endswith(".\n\nA run would stop:\n  error: A: which?\n    = help: this")


def test_narrow_screens() -> None:
    """Nothing is wider than the screen but a word that is."""
    case = case_of({"exclude": ["shop_*"], "presets": ["ci"]}, environ={"TOOL_HOOKS_ON_FAILURE": "continue"})
    parts = tuple(setting(each.path, case) for each in SETTINGS)
    document = replace(NAMED, settings=parts, archives=(MODULE,), config=config(case))
    for columns in (40, 80):
        wide = [line for line in lines(document, Screen(columns)) if len(line) > columns]
        assert [line for line in wide if " " in line.strip()] == []


def test_colours() -> None:
    """The layer that is used is coloured as something added, one that is overridden as something skipped."""
    document = replace(NAMED, settings=(setting("theme", case_of({"theme": "a"})),))
    told = lines(document, Screen(colour=True))
    assert [line for line in told if "\x1b" in line] == [
        "  \x1b[32mconfig\x1b[0m   tool.config.json:1:11  a     used",
        "  \x1b[2mdefault\x1b[0m  built-in               auto  `config` overrides `default`",
    ]


def test_a_pipe_is_written_in_full() -> None:
    """In a pipe no line is broken."""
    assert (
        len(lines(replace(NAMED, errors=(ErrorPart(error="X", exit=1, meanings=(Meaning("a " * 200),)),)), PIPE)) == 3
    )
