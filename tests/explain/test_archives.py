"""Why an archive is built or not, and how to change that (`docs/configuration.md`)."""

from pathlib import PurePath
from typing import Any

import pytest
from msgspec.structs import replace

from pipeline.archives.archive import Archive, ArchiveFile, Component
from pipeline.building.draft import Drop
from pipeline.building.record import Record, as_recorded
from pipeline.building.steps import Plan, Target
from pipeline.config.layers import Settings
from pipeline.explain.archives import explain_archive
from pipeline.explain.document import ArchivePart, PatternRow
from pipeline.plan import choose
from pipeline.report.diagnostics.archives import ArchiveRejected
from pipeline.report.events import ComponentKind
from pipeline.selection.choices import SelectionRule
from pipeline.selection.select import Selection
from tests.support.cases import case_of

EXCLUDE = "modules.exclude"
NOTHING = Plan(project=PurePath(), steps=())


def archive(name: str, kind: ComponentKind = "module", file: str = "", content: str = "", **more: object) -> Archive:
    """An archive of a component."""
    shown = file or f"{name}.zip"
    component = replace(Component(kind=kind, name=name, evidence=f"{name}/{name}.php", field="class"), **more)
    place = ArchiveFile(path=PurePath("/drop") / shown, display_path=shown)
    return Archive(file=place, component=component, content=content or shown, files=1)


def selected(settings: Settings, *found: Archive) -> Selection:
    """The selection of a drop with archives."""
    archives = {each.file: each for each in found}
    return choose(
        settings, Drop("drop", lambda _: tuple(archives), lambda files: [(archives[each],) for each in files])
    )


def explained(settings: Settings, *found: Archive, preview: Plan = NOTHING) -> dict[str, ArchivePart]:
    """The explanation of each archive of a drop."""
    choices = selected(settings, *found).choices
    parts = (explain_archive(choice, choices, settings, preview) for choice in choices)
    return {part.archive: part for part in parts}


def test_a_module_that_a_pattern_leaves_out() -> None:
    """What it was recognised by, which pattern of which layer decides, and what needs it."""
    settings = case_of('{"exclude": ["blog"]}').settings
    parts = explained(
        settings, archive("blog", version="1.0", system="PrestaShop"), archive("shop", requires=("blog", "shop"))
    )
    assert parts["shop.zip"].needed_by == ()
    assert parts["blog.zip"] == ArchivePart(
        archive="blog.zip",
        kind="module",
        name="blog",
        version="1.0",
        system="PrestaShop",
        evidence="blog/blog.php",
        field="class",
        selected=False,
        rule="pattern",
        reason="matches `blog` of modules.exclude (tool.config.json:1:14)",
        patterns=(PatternRow(EXCLUDE, "blog", "config", "tool.config.json:1:14", "out", decides=True),),
        needed_by=("shop",),
        advice="edit the list at tool.config.json:1:14, or add `blog` to `modules.include` in a higher layer",
    )


A, B = archive("a"), archive("b")
BAY, SEA = archive("bay", "theme"), archive("sea", "theme")
CHILD = archive("bay", "theme", parent="sea")
TIDE, EBB = archive("tide", "theme", parent="ebb"), archive("ebb", "theme", parent="tide")
OLD, NEW = archive("a", file="old.zip", version="1"), archive("a", file="new.zip", version="2")


@pytest.mark.parametrize(
    ("config", "found", "rule", "advice", "after"),
    [
        ({}, (A,), "unmentioned", "add `a` to `modules.exclude`", {"exclude": ["a"]}),
        (
            {"modules": {"exclude": ["a"]}},
            (A,),
            "pattern",
            "edit the list at tool.config.json:1:26, or add `a` to `modules.include` in a higher layer",
            {"modules": {"exclude": ["a"], "include": ["a"]}},
        ),
        (
            {"modules": {"only": ["a"]}},
            (A,),
            "pattern",
            "edit the list at tool.config.json:1:23, or add `a` to `modules.exclude` in a higher layer",
            {"modules": {"only": ["b"]}},
        ),
        (
            {"modules": {"only": ["b"]}},
            (A, B),
            "no pattern",
            "add `a` to the list at tool.config.json:1:22",
            {"modules": {"only": ["b", "a"]}},
        ),
        ({}, (BAY,), "only theme", "set `theme` to `none`", {"theme": "none"}),
        ({}, (CHILD, SEA), "last child", "set `theme` to `none`", {"theme": "none"}),
        ({"theme": "bay"}, (BAY, SEA), "theme", "set `theme` to another theme, or to `none`", {"theme": "sea"}),
        ({"theme": "sea"}, (BAY, SEA), "other theme", "set `theme` to `bay`", {"theme": "bay"}),
        ({"theme": "none"}, (BAY,), "no theme", "set `theme` to `bay`", {"theme": "bay"}),
        ({}, (BAY, SEA), "undecided theme", "set `theme` to `bay`", {"theme": "bay"}),
        (
            {},
            (replace(SEA, file=A.file), replace(CHILD, file=B.file)),
            "parent theme",
            "set `theme` to a theme that does not build on it",
            {"theme": "none"},
        ),
        ({}, (TIDE, EBB, BAY), "no parent", "set `theme` to `tide`", {"theme": "tide"}),
        (
            {},
            (OLD, NEW),
            "older",
            "remove new.zip, or add its file name to `modules.exclude`",
            {"exclude": ["new.zip"]},
        ),
        (
            {},
            (replace(A, component=replace(A.component, what="profile")),),
            "not built",
            "to build it as a module, put it in `modules/` of the drop",
            None,
        ),
    ],
)
def test_the_advice_of_each_rule(
    config: dict[str, Any], found: tuple[Archive, ...], rule: SelectionRule, advice: str, after: dict[str, Any] | None
) -> None:
    """Each rule says what to do for another result, and whoever does that gets it."""
    name = found[0].file.display_path
    part = explained(case_of(config).settings, *found)[name]
    assert (part.rule, part.advice) == (rule, advice)
    if after is not None:
        assert explained(case_of(after).settings, *found)[name].selected is not part.selected


def test_what_is_built() -> None:
    """A component is built if the project has it from this archive: not if it is missing, or from another one."""
    settings, found = case_of().settings, [replace(archive(name), digest=name) for name in "abcd"]
    choices = selected(settings, *found).choices
    recorded = {f"modules/{name}": as_recorded(each.archive, {}) for name, each in zip("abcd", choices, strict=True)}
    recorded["modules/b"] = replace(recorded["modules/b"], digest="x", content="x")
    del recorded["modules/d"]
    places = {f"modules/{name}": Target(occupancy="present") for name in "abd"}
    preview = Plan(project=PurePath(), steps=(), places=places, before=Record(recorded))
    parts = explained(settings, *found, preview=preview)
    assert [part.built for part in parts.values()] == [True, False, False, False]


def test_several_layers_match() -> None:
    """Each list that matches is reported in order of precedence; of those only the first decides."""
    case = case_of({"modules": {"only": ["shop"], "exclude": ["b*"]}}, flags={"modules.include": ("blog",)})
    part = explained(case.settings, archive("blog"))["blog.zip"]
    assert [(each.leaf, each.pattern, each.layer, each.says, each.decides) for each in part.patterns] == [
        ("modules.include", "blog", "flag", "in", True),
        ("modules.only", "", "config", "out", False),
        (EXCLUDE, "b*", "config", "out", False),
    ]


def test_a_theme_whose_file_the_setting_names() -> None:
    """No pattern is reported that matches the name of the file that the setting names, as none leaves it out."""
    file = ArchiveFile(path=PurePath("/drop/a.zip"), display_path="a.zip", is_theme_setting=True)
    settings = case_of({"theme": "./a.zip", "exclude": ["a.zip"]}).settings
    part = explained(settings, replace(archive("a", "theme"), file=file))["a.zip"]
    assert (part.selected, part.patterns) == (True, ())


def test_patterns_that_name_the_files_of_themes() -> None:
    """Of a theme, only patterns that name files are reported."""
    settings = case_of('{"modules": {"exclude": ["a", "a.zip"], "only": ["x"], "include": ["y"]}}').settings
    part = explained(settings, archive("a", "theme", file="themes/a.zip"))["themes/a.zip"]
    assert [(each.pattern, each.says, each.decides) for each in part.patterns] == [("a.zip", "out", True)]


def test_an_archive_that_is_not_opened() -> None:
    """An archive that a pattern leaves out by its file name has no evidence."""
    part = explained(case_of({"exclude": ["b.zip"]}).settings, archive("blog", file="b.zip"))["b.zip"]
    assert (part.opened, part.evidence, part.selected) == (False, None, False)


def test_parents_and_children() -> None:
    """A theme has the theme that it builds on, and the themes that build on it."""
    parts = explained(case_of().settings, CHILD, SEA)
    assert (parts["bay.zip"].parent, parts["sea.zip"].needed_by) == ("sea", ("bay",))


def test_a_refused_archive() -> None:
    """An archive that is refused has the reasons, and the advice for that, whatever selects it."""
    refused = replace(archive("blog"), refusals=(ArchiveRejected("blog.zip", "it has two end records", "x.php"),))
    part = explained(case_of().settings, refused)["blog.zip"]
    assert (part.opened, part.selected, part.refusals) == (True, True, ("x.php: it has two end records",))
    assert part.advice == "download it again, or add its file name to `modules.exclude`"
