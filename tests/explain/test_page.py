"""The explanation of a whole run as a page of HTML (`docs/explain.md`)."""

from msgspec.structs import replace

from pipeline.explain.configuration import explain_config
from pipeline.explain.document import (
    ArchiveEffect,
    ArchivePart,
    Change,
    Explanation,
    PatternRow,
    PlanPart,
    SettingEffect,
    Step,
)
from pipeline.explain.page import page
from pipeline.explain.settings import explain_setting
from pipeline.report.events import ComponentEvent, ErrorEvent, HookEvent, SummaryEvent
from pipeline.schema import LEAVES
from tests.support.cases import LEAF, case_of
from tests.support.disks import START
from tests.support.pages import read_page

EMPTY = Explanation(tool="1.0.0")
WITH_PRESET = case_of(
    {"exclude": ["...", "b"], "presets": ["./p.json"]}, {"p.json": {"exclude": ["<b>a</b>"], "theme": "a\u202eb"}}
)
MODULE = ArchivePart(
    archive="b.zip",
    kind="module",
    name="blog",
    version="1.0",
    evidence="blog/blog.php",
    selected=False,
    rule="pattern",
    reason="matches `b`",
    patterns=(PatternRow("modules.exclude", "b", "config", "c.json:1:2", "out", True),),
    change=Change(
        (Step("delete", "c.json:1:2", "exclude[0]", "b"),),
        (SettingEffect("modules.exclude", (), "config", "c.json:1:1"),),
        (ArchiveEffect("b.zip", True),),
    ),
)
SUMMARY = SummaryEvent("/secret/folder", "planned", 1, 0, 0, 0, 0, 0.0)


def test_a_setting_is_a_row() -> None:
    """Each layer has its column: who holds, whose list is kept, who lost and why, each with its place."""
    setting = explain_setting(LEAF["modules.exclude"], WITH_PRESET)
    rows = read_page(page(replace(EMPTY, settings=(setting,)))).tables["Every setting"]
    assert rows == [
        ["Setting", "Value", "flag", "env", "config", "preset", "default", "What would change it"],
        [
            "modules.exclude",
            '["<b>a</b>", b] "<b>a</b>" preset: p.json:1:14 b config: tool.config.json:1:21',
            "",
            "",
            "[..., b] holds tool.config.json:1:13",
            '["<b>a</b>"] kept by ... p.json:1:13',
            "[] lost: config overrides default built-in",
            '4 ways ["<b>a</b>"], as p.json:1:13 says delete exclude at tool.config.json:1:13 '
            "[], the default pass --exclude= "
            'without "<b>a</b>" delete "<b>a</b>" (exclude[0]) at p.json:1:14 '
            "without b delete b (exclude[1]) at tool.config.json:1:21",
        ],
    ]


def test_a_setting_that_nothing_would_change() -> None:
    """A setting with a default and nothing to choose from has no way to be changed."""
    setting = explain_setting(LEAF["cache.file"], case_of())
    rows = read_page(page(replace(EMPTY, settings=(setting,)))).tables["Every setting"]
    assert rows[1] == ["cache.file", ".tool-cache.json", "", "", "", "", ".tool-cache.json holds built-in", ""]


def test_text_is_only_text() -> None:
    """What is in a configuration or a drop makes no element of a page, and nothing that turns text round stays."""
    settings = tuple(explain_setting(leaf, WITH_PRESET) for leaf in LEAVES)
    archives = (replace(MODULE, archive='a\u202eb"><b>.zip'),)
    text = page(replace(EMPTY, settings=settings, archives=archives))
    assert ("b" in read_page(text).tags, "\u202e" in text, "a\\u202eb" in text) == (False, False, True)


def test_the_configuration() -> None:
    """Every path that was probed, and the presets with what chose them; without a configuration it says so."""
    config = explain_config(WITH_PRESET.resolution, START, WITH_PRESET.disk)
    tables = read_page(page(replace(EMPTY, config=config))).tables
    assert tables["Where it was looked for"] == [
        ["Path", "What was there"],
        ["tool.config.ts", "missing"],
        ["tool.config.js", "missing"],
        ["tool.config.json", "the configuration"],
        ["package.json", "missing"],
    ]
    assert tables["Presets, the later over the earlier"] == [
        ["Preset", "File", "Chosen"],
        ["./p.json", "p.json", "listed at tool.config.json:1:39"],
    ]
    nothing = page(replace(EMPTY, config=explain_config(case_of().resolution, START, case_of().disk)))
    assert "<p>There is none: the defaults hold.</p>" in nothing
    assert read_page(nothing).tables["Where presets were looked for"] == [
        ["Path", "What was there"],
        ["the variable CI", "neither `true` nor `1`"],
    ]


def test_archives() -> None:
    """Each archive with what it is, whether it is built, every fact about it, and what would turn that round."""
    other = replace(MODULE, archive="c.zip", version=None, selected=True, patterns=(), change=None)
    unset = replace(MODULE.change, settings=(), steps=(Step("unset", "TOOL_THEME"),)) if MODULE.change else None
    third = replace(other, archive="d.zip", change=unset)
    assert read_page(page(replace(EMPTY, archives=(MODULE, other, third)))).tables["Every archive"] == [
        ["Archive", "What it is", "State", "Why", "What would change it"],
        [
            "b.zip",
            "module blog 1.0",
            "left out",
            "because: matches b recognised by: blog/blog.php "
            "pattern: b of modules.exclude (c.json:1:2) says out, and decides",
            "1 way build it delete b (exclude[0]) at c.json:1:2",
        ],
        ["c.zip", "module blog", "built", "because: matches b recognised by: blog/blog.php", ""],
        [
            "d.zip",
            "module blog",
            "built",
            "because: matches b recognised by: blog/blog.php",
            "1 way leave it out unset the variable TOOL_THEME",
        ],
    ]


def test_the_plan() -> None:
    """What a run would do, without the absolute path of the project; an idle one says so."""
    plan = PlanPart(
        components=(ComponentEvent("module", "blog", "add", "modules/blog", 3, version="1.0", archive="b.zip"),),
        hooks=(HookEvent("init", "a.sh", "planned"),),
        summary=SUMMARY,
    )
    text = page(replace(EMPTY, plan=plan, drop="drop"))
    assert read_page(text).tables["Every step"] == [
        ["What", "Action", "Version", "Files"],
        ["modules/blog", "add", "1.0", "3"],
        ["init/a.sh", "run", "", ""],
    ]
    assert ("secret" in text, "for the drop <code>drop</code>." in text) == (False, True)
    assert "<p>Nothing would be done.</p>" in page(replace(EMPTY, plan=replace(plan, components=(), hooks=())))


def test_problems() -> None:
    """What would stop a run comes first, with its place if it has one."""
    problems = (
        ErrorEvent("ThemeAmbiguous", 68, "theme", "which?", None),
        ErrorEvent("ArchiveRejected", 76, None, "`x` is damaged", "drop/x.zip"),
    )
    text = page(replace(EMPTY, problems=problems))
    assert '<li><strong class="problem">ThemeAmbiguous</strong>: which?</li>' in text
    assert ": <code>x</code> is damaged (<code>drop/x.zip</code>)</li>" in text
    assert text.index("problems-heading") < text.index("settings-heading")
