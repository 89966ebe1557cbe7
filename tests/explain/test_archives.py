"""Why an archive is built or not, and what would turn that round (`docs/explain.md`)."""

from pathlib import PurePath

import pytest
from msgspec.structs import replace

from pipeline.archives.archive import Archive, ArchiveFile, Component
from pipeline.building.draft import Drop
from pipeline.building.record import Record, as_recorded
from pipeline.building.steps import Plan, Target
from pipeline.explain import archives
from pipeline.explain.advice import ArchiveEffect, Change, ChangeStep, SettingEffect
from pipeline.explain.archives import DropCase, explain_archives
from pipeline.explain.changes import Case
from pipeline.explain.document import ArchivePart, PatternRow
from pipeline.plan import choose
from pipeline.report.diagnostics.archives import ArchiveRejected
from pipeline.report.diagnostics.disk import FileSystemProblem
from pipeline.report.events import ComponentKind
from pipeline.schema import LIST_LIMIT
from tests.support.cases import case_of

EXCLUDE = "modules.exclude"


def archive(name: str, kind: ComponentKind = "module", file: str = "", content: str = "", **more: object) -> Archive:
    """An archive of a component."""
    shown = file or f"{name}.zip"
    component = replace(Component(kind=kind, name=name, evidence=f"{name}/{name}.php", field="class"), **more)
    place = ArchiveFile(path=PurePath("/drop") / shown, display_path=shown)
    return Archive(file=place, component=component, content=content or shown, files=1)


def dropped(case: Case, *found: Archive) -> DropCase:
    """A drop with archives."""
    archives = {each.file: each for each in found}
    drop = Drop("drop", lambda _: tuple(archives), lambda files: [(archives[each],) for each in files])
    return DropCase(case, drop, choose(case.settings, drop))


def explained(drop: DropCase) -> dict[str, ArchivePart]:
    """The explanation of each archive of a drop."""
    return {part.archive: part for part in explain_archives(drop.selection.choices, drop)}


def steps(drop: DropCase) -> dict[str, tuple[ChangeStep, ...]]:
    """What would turn each archive of a drop round; nothing if nothing does."""
    return {name: part.change.steps if part.change else () for name, part in explained(drop).items()}


def test_a_module_that_a_pattern_leaves_out() -> None:
    """What it was recognised by, which pattern of which layer decides, who needs it, and what would build it."""
    case = case_of('{"exclude": ["blog"]}')
    drop = dropped(
        case, archive("blog", version="1.0", system="PrestaShop"), archive("shop", requires=("blog", "shop"))
    )
    assert explained(drop)["shop.zip"].needed_by == ()
    assert explained(drop)["blog.zip"] == ArchivePart(
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
        change=Change(
            (ChangeStep("delete", "tool.config.json:1:14", "exclude[0]", "blog"),),
            (SettingEffect(EXCLUDE, (), "config", "tool.config.json:1:13"),),
            (ArchiveEffect("blog.zip", True),),
        ),
        alternative=Change(
            (ChangeStep("pass", "--include", value=("blog",)),),
            (SettingEffect("modules.include", ("blog",), "flag", "--include"),),
            (ArchiveEffect("blog.zip", True),),
        ),
    )


def test_a_change_for_good_is_an_alternative_to_one_for_a_run() -> None:
    """To delete a pattern moves others as well, and is told beside the flag that does not; without a file, none is."""
    drop = dropped(case_of({"exclude": ["shop_*"]}), archive("shop_a"), archive("shop_b"))
    part = explained(drop)["shop_a.zip"]
    assert part.alternative == Change(
        (ChangeStep("delete", "tool.config.json:1:14", "exclude[0]", "shop_*"),),
        (SettingEffect(EXCLUDE, (), "config", "tool.config.json:1:13"),),
        (ArchiveEffect("shop_a.zip", True), ArchiveEffect("shop_b.zip", True)),
    )
    assert explained(dropped(case_of(), archive("shop_a")))["shop_a.zip"].alternative is None


def test_what_is_built() -> None:
    """A component is built if the project has it from this archive: not if it is missing, or from another one."""
    drop = dropped(case_of(), *(replace(archive(name), digest=name) for name in "abcd"))
    recorded = {
        f"modules/{name}": as_recorded(each.archive, {})
        for name, each in zip("abcd", drop.selection.choices, strict=True)
    }
    recorded["modules/b"] = replace(recorded["modules/b"], digest="x", content="x")
    del recorded["modules/d"]
    places = {f"modules/{name}": Target(standing="present") for name in "abd"}
    preview = Plan(project=PurePath(), steps=(), places=places, before=Record(recorded))
    parts = explained(replace(drop, preview=preview))
    assert [part.built for part in parts.values()] == [True, False, False, False]


def test_a_change_that_moves_others_is_the_last_resort() -> None:
    """To delete a pattern that leaves out several is not the smallest change: one more flag moves the one alone."""
    drop = dropped(case_of({"exclude": ["shop_*"]}), archive("shop_a"), archive("shop_b"))
    assert steps(drop) == {
        "shop_a.zip": (ChangeStep("pass", "--include", value=("shop_a",)),),
        "shop_b.zip": (ChangeStep("pass", "--include", value=("shop_b",)),),
    }


def test_a_change_that_moves_only_others_is_none() -> None:
    """To delete the pattern that decides does not help where another one matches as well."""
    drop = dropped(case_of({"exclude": ["*_a", "shop_a"]}), archive("shop_a"), archive("shop_a_a"))
    assert steps(drop)["shop_a.zip"] == (ChangeStep("pass", "--include", value=("shop_a",)),)


def test_a_module_that_nobody_mentions() -> None:
    """It is left out by one more pattern: in the file that has the list that counts, else as a flag."""
    assert steps(dropped(case_of(), archive("blog[1]", file="b.zip"))) == {
        "b.zip": (ChangeStep("pass", "--exclude", value=("blog[[]1]",)),)
    }
    assert steps(dropped(case_of('{"exclude": ["x"]}'), archive("blog"))) == {
        "blog.zip": (ChangeStep("add", "tool.config.json:1:13", "exclude", "blog"),)
    }
    assert steps(dropped(case_of(None, {}, {"TOOL_MODULES_EXCLUDE": "x"}), archive("blog"))) == {
        "blog.zip": (ChangeStep("pass", "--exclude", value=("...", "blog")),)
    }
    assert steps(dropped(case_of(None, {}, {}, {EXCLUDE: ("x",)}), archive("blog"))) == {
        "blog.zip": (ChangeStep("pass", "--exclude", value=("x", "blog")),)
    }


def test_several_layers_speak() -> None:
    """Each list that speaks is told in order of precedence; of those only the first decides."""
    case = case_of({"modules": {"only": ["shop"], "exclude": ["b*"]}}, flags={"modules.include": ("blog",)})
    part = explained(dropped(case, archive("blog")))["blog.zip"]
    assert [(each.leaf, each.pattern, each.layer, each.says, each.decides) for each in part.patterns] == [
        ("modules.include", "blog", "flag", "in", True),
        ("modules.only", "", "config", "out", False),
        (EXCLUDE, "b*", "config", "out", False),
    ]
    assert part.change is not None
    assert part.change.steps == (ChangeStep("omit", "--include", value="blog"),)


def test_only_lets_one_more_in() -> None:
    """A module that matches nothing of `only` comes in by one more pattern in that list."""
    case = case_of('{"modules": {"only": ["shop"]}}')
    assert steps(dropped(case, archive("blog"), archive("shop")))["blog.zip"] == (
        ChangeStep("pass", "--include", value=("blog",)),
    )
    flag = case_of(None, {}, {}, {"modules.only": ("shop",)})
    assert steps(dropped(flag, archive("blog"), archive("shop")))["blog.zip"] == (
        ChangeStep("pass", "--only", value=("shop", "blog")),
    )


def test_themes() -> None:
    """A theme is chosen by its name; the one that is built goes by `none`."""
    drop = dropped(case_of({"theme": "a"}), archive("a", "theme"), archive("b", "theme", parent="a"))
    parts = explained(drop)
    assert steps(drop) == {
        "a.zip": (ChangeStep("pass", "--theme", value="none"),),
        "b.zip": (ChangeStep("pass", "--theme", value="b"),),
    }
    assert (parts["a.zip"].needed_by, parts["b.zip"].parent) == (("b",), "a")
    assert parts["b.zip"].change == Change(
        (ChangeStep("pass", "--theme", value="b"),),
        (SettingEffect("theme", "b", "flag", "--theme"),),
        (ArchiveEffect("b.zip", True),),
    )


def test_a_theme_that_cannot_be_chosen() -> None:
    """Where themes are ambiguous, the change settles it, and leaves no other problem."""
    drop = dropped(case_of(), archive("a", "theme"), archive("b", "theme"))
    assert drop.selection.problems
    assert steps(drop) == {
        "a.zip": (ChangeStep("pass", "--theme", value="a"),),
        "b.zip": (ChangeStep("pass", "--theme", value="b"),),
    }


def test_a_theme_whose_file_the_setting_names() -> None:
    """No pattern says anything about the name of the file that the setting names, as none leaves it out."""
    file = ArchiveFile(path=PurePath("/drop/a.zip"), display_path="a.zip", is_theme_setting=True)
    theme = replace(archive("a", "theme"), file=file)
    part = explained(dropped(case_of({"theme": "./a.zip", "exclude": ["a.zip"]}), theme))["a.zip"]
    assert (part.selected, part.patterns) == (True, ())


def test_patterns_that_name_the_files_of_themes() -> None:
    """Of a theme that is opened, because of an `include`, only patterns that name files are told."""
    case = case_of('{"modules": {"exclude": ["a", "a.zip"], "only": ["x"], "include": ["y"]}}')
    part = explained(dropped(case, archive("a", "theme", file="themes/a.zip")))["themes/a.zip"]
    assert [(each.pattern, each.says, each.decides) for each in part.patterns] == [("a.zip", "out", True)]
    assert part.change is not None
    assert part.change.steps == (ChangeStep("delete", "tool.config.json:1:31", "modules.exclude[1]", "a.zip"),)


def test_an_archive_that_is_not_opened() -> None:
    """It is told as such; to try a change, it is opened."""
    drop = dropped(case_of({"theme": "none", "exclude": ["b.zip"]}), archive("blog", file="b.zip"))
    part = explained(drop)["b.zip"]
    assert (part.opened, part.evidence, part.selected) == (False, None, False)
    assert part.change is not None
    assert part.change.archives == (ArchiveEffect("b.zip", True),)


def test_a_bundle_that_is_not_opened() -> None:
    """Every member that would be built is told."""
    file = ArchiveFile(path=PurePath("/drop/b.zip"), display_path="b.zip")
    members = [replace(archive(name), file=file.at(name), content=name) for name in ("x", "y")]

    drop = Drop("drop", lambda _: (file,), lambda files: [tuple(members) for _ in files])
    case = case_of({"theme": "none", "exclude": ["b.zip"]})
    part = explained(DropCase(case, drop, choose(case.settings, drop)))["b.zip"]
    assert part.change is not None
    assert part.change.archives == tuple(ArchiveEffect(name, True) for name in ("b.zip", "b.zip!x", "b.zip!y"))


def test_members_of_a_bundle() -> None:
    """A module in a bundle is left out by its name; a theme by its path, which brings in the same one elsewhere."""
    file = ArchiveFile(path=PurePath("/drop/b.zip"), display_path="b.zip")
    member = replace(archive("x"), file=file.at("x"))
    assert steps(dropped(case_of(), member)) == {"b.zip!x": (ChangeStep("pass", "--exclude", value=("x",)),)}
    theme = replace(archive("x", "theme"), file=file.at("x"))
    assert steps(dropped(case_of(), theme, archive("x", "theme"))) == {
        "b.zip!x": (ChangeStep("pass", "--theme", value="none"),),
        "x.zip": (ChangeStep("pass", "--exclude", value=("b.zip!x",)),),
    }


@pytest.mark.parametrize("content", ["same", ""])
def test_one_component_twice(content: str) -> None:
    """The archive that is passed over is built if the other is left out, and both moves are told."""
    old = archive("blog", file="old.zip", content=content, version="1.0")
    new = archive("blog", file="new.zip", content=content, version="2.0")
    part = explained(dropped(case_of(), old, new))["old.zip"]
    assert part.change is not None
    assert part.change.steps == (ChangeStep("pass", "--exclude", value=("new.zip",)),)
    assert part.change.archives == (ArchiveEffect("old.zip", True), ArchiveEffect("new.zip", False))


def test_refused_archives() -> None:
    """What is wrong with an archive is told; no setting builds it."""
    refusals = (ArchiveRejected("a.zip", "it is damaged", "x.php"), FileSystemProblem("/drop/a.zip", "denied"))
    broken = Archive(file=ArchiveFile(path=PurePath("/drop/a.zip"), display_path="a.zip"), refusals=refusals)
    part = explained(dropped(case_of(), broken))["a.zip"]
    assert (part.opened, part.refusals, part.change) == (True, ("x.php: it is damaged", "denied"), None)


def test_a_change_that_makes_the_drop_fail_is_not_told() -> None:
    """To build a refused archive that a pattern leaves out would stop the run."""
    refused = replace(archive("a"), refusals=(ArchiveRejected("a.zip", "it is damaged"),))
    assert steps(dropped(case_of({"exclude": ["a"]}), refused, archive("b"))) == {
        "a.zip": (),
        "b.zip": (ChangeStep("add", "tool.config.json:1:13", "exclude", "b"),),
    }


def test_large_drops(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of very many archives every one is explained, and for the first a change is tried."""
    monkeypatch.setattr(archives, "WORK_LIMIT", 1)
    drop = dropped(case_of(), archive("a"), archive("b"))
    assert {name: bool(change) for name, change in steps(drop).items()} == {"a.zip": True, "b.zip": False}


def test_a_change_that_only_moves_the_problem_is_not_told() -> None:
    """Of two equal versions below a third, neither can be built by leaving out that one."""
    drop = dropped(
        case_of(),
        archive("blog", file="x.zip", version="1.0"),
        archive("blog", file="y.zip", version="1.0"),
        archive("blog", file="z.zip", version="2.0"),
    )
    assert steps(drop) == {"x.zip": (), "y.zip": (), "z.zip": (ChangeStep("pass", "--exclude", value=("blog",)),)}


def test_a_change_that_makes_the_settings_fail_is_not_told() -> None:
    """A list in a file that is as long as it may be takes no more patterns; a flag does."""
    full = {"exclude": [f"m{number}" for number in range(LIST_LIMIT)]}
    assert steps(dropped(case_of(full), archive("blog")))["blog.zip"] == (
        ChangeStep("pass", "--exclude", value=("...", "blog")),
    )
