"""Needs of components that the drop does not meet (`docs/archives.md`)."""

from pathlib import PurePath

import pytest
from msgspec.structs import replace

from pipeline.archives.archive import Archive, ArchiveFile, Component
from pipeline.report.diagnostics.selection import missing_need
from pipeline.report.events import ComponentKind
from pipeline.report.location import Location
from pipeline.selection.choices import Choice, Reason, SelectionRule
from pipeline.selection.needs import MissingNeed, archive_to_rename, missing_needs, needs


def chosen(kind: ComponentKind, name: str, *requires: str, **more: object) -> Choice:
    """An archive that is built."""
    component = replace(Component(kind=kind, name=name, requires=requires), **more)
    archive = Archive(file=ArchiveFile(path=PurePath(f"/{name}.zip"), display_path=f"{name}.zip"))
    return Choice(archive, component, True, Reason("unmentioned"))


def missed(*choices: Choice) -> list[tuple[str, ...]]:
    """What the components of a drop that are built need and it has not, with who needs it."""
    warnings = missing_needs([each.component for each in choices if each.selected], choices)
    return [(warning.name, *warning.needed_by) for warning in warnings]


def test_what_nobody_has() -> None:
    """Each unmet need is reported once, with every component that has it; needs are transitive, and
    cycles end.
    """
    drop = (
        chosen("module", "a", "b", "x"),
        chosen("module", "b", "a", "x", "y"),
        chosen("theme", "t", "x", parent="sea"),
    )
    assert missed(*drop) == [("x", "a", "b", "t"), ("y", "b"), ("sea", "t")]


@pytest.mark.parametrize("need", ["b", "B", "sub", "Sub"])
def test_what_is_in_the_drop(need: str) -> None:
    """A need is met by a component in the drop, whatever its capitals, also inside another
    component.
    """
    assert missed(chosen("module", "a", need), chosen("module", "b", provides=("b", "sub"))) == []
    assert missed(chosen("module", "a", need), chosen("module", "B", provides=("B", "SUB"))) == []


def test_a_module_or_its_project() -> None:
    """A need is met by a module or by its project; the project alone is not a need, unless it is a
    module itself.
    """
    user = chosen("module", "a", "suite:sub", "box:tool", "own:box")
    assert user.component.needs == (("sub", "suite"), ("tool", "box"), ("box", "own"))
    assert missed(user, chosen("module", "suite"), chosen("module", "own")) == [("tool", "a")]
    (warning, _) = missing_needs([user.component], (user, chosen("module", "suite")))
    assert warning == MissingNeed("module", "box", "own", ("a",))
    assert (
        missing_need(warning.kind, warning.name, warning.project, warning.needed_by).message
        == "`a` needs `box` (of `own`), which is neither in the drop nor in the project"
    )


@pytest.mark.parametrize(
    ("name", "root", "file", "is_named"),
    [
        ("wp-rocket", "wp-rocket-3.15/", "wp-rocket-3.15.zip", True),
        ("wp-rocket", "acme-wp-rocket-1a2b3c4/", "download.zip", True),
        ("wp-rocket", "", "wp-rocket_3.15.zip", True),
        ("rocket-pro", "wp-rocket-3.15/", "wp-rocket-3.15.zip", False),
        ("plugin", "plugin-main/", "plugin-main.zip", False),
    ],
)
def test_what_has_another_name_by_a_guess(name: str, root: str, file: str, is_named: bool) -> None:
    """If an archive with a guessed name would meet a need under another one, it is named; only a
    single one is, and only if it is built.
    """
    guess = chosen("module", "rocket", root=root, system="WordPress", is_guessed=True)
    guess = replace(
        guess, archive=Archive(file=ArchiveFile(path=PurePath("/drop", file), display_path=file))
    )
    member = replace(guess, archive=Archive(file=guess.archive.file.at("wp-rocket-3.15")))
    copy = replace(
        guess, archive=Archive(file=replace(guess.archive.file, display_path="copy.zip"))
    )
    sure = replace(guess, component=replace(guess.component, is_guessed=False))
    out = replace(guess, selected=False)
    theme = replace(out, component=replace(out.component, kind="theme"))
    assert archive_to_rename("module", name, (guess, member, sure, out, theme)) == file * is_named
    assert archive_to_rename("theme", name, (guess, theme)) == file * is_named
    assert [
        archive_to_rename("module", name, each) for each in ((guess, copy), (sure, out, member))
    ] == ["", ""]


def test_what_cannot_be_reported() -> None:
    """If an archive is refused before it is recognised, no need is reported."""
    refused = replace(chosen("module", "x"), selected=False, reason=Reason("refused"))
    assert missed(chosen("module", "a", "b"), refused) == []


@pytest.mark.parametrize(
    ("rule", "names"), [("other theme", []), ("not built", ["b"]), ("other system", ["b"])]
)
def test_what_is_no_component_here(rule: SelectionRule, names: list[str]) -> None:
    """An archive that is left out still meets a need; one of another system, or that is not a
    component, does not.
    """
    left_out = replace(chosen("theme", "b"), selected=False, reason=Reason(rule))
    assert [name for name, *_ in missed(chosen("module", "a", "b"), left_out)] == names


@pytest.mark.parametrize(
    ("need", "out"),
    [
        ("suite", ["suite"]),
        ("sub", ["suite"]),
        ("suite:sub", ["suite"]),
        ("other:sub", ["suite"]),
        ("suite:more", ["more"]),
        ("built:more", ["more"]),
        ("built:else", []),
        ("theme", []),
        ("twice", []),
    ],
)
def test_what_is_left_out_with_its_component(need: str, out: list[str]) -> None:
    """A module inside another one is left out with it; if a project is named as well, the module
    itself is preferred.
    """
    suite, built = (
        chosen("module", "suite", provides=("suite", "sub")),
        chosen("module", "built", provides=("twice",)),
    )
    parts = (suite, chosen("module", "more"), chosen("theme", "theme"), chosen("module", "twice"))
    left = tuple(replace(each, selected=False, reason=Reason("unmentioned")) for each in parts)
    drop = (chosen("module", "a", need), built, *left)
    assert [each.message for each in needs(drop, None, lambda _: False)] == [
        f"`{name}` is left out, but needed by `a`" for name in out
    ]


def test_what_is_a_flag() -> None:
    """A flag is told apart from a variable and from a position in a file of any name."""
    sources = (
        Location("--exclude"),
        Location("TOOL_MODULES_EXCLUDE"),
        Location("--x.json", 1, 2),
        Location("tool.config.ts"),
    )
    assert [source.is_flag for source in sources] == [True, False, False, False]
