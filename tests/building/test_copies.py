"""Copies: where a project already has a component (`docs/building.md`)."""

import sys
from pathlib import PurePath

import pytest
from msgspec.structs import replace

from pipeline.archives.archive import Archive, ArchiveFile, Component
from pipeline.archives.places import FolderProbe, Places
from pipeline.building.draft import PlanOptions
from pipeline.building.judging.copies import Home, find_homes, may_be_base
from pipeline.building.judging.elsewhere import leave_copies
from pipeline.building.judging.folders import with_folders, with_known_name
from pipeline.building.merging.preference import Preference
from pipeline.building.patching.payload import Payload
from pipeline.building.stores.record import FileState, Record, RecordedComponent
from pipeline.building.survey import Occupancy, Target
from pipeline.report.diagnostics.updates import BuiltElsewhere, built_under_folder, other_copies
from pipeline.selection.choices import Choice, Reason
from pipeline.selection.select import Selection
from tests.support.drafts import NO_OPTIONS, built_step, choice_of, draft_of

KIT = Component(
    kind="module", name="kit", evidence="kit-main/kit.php", root="kit-main/", system="WordPress"
)
BUILT = RecordedComponent(
    archive="kit.zip", digest="1", content="1", files={"kit.php": FileState()}
)


def archive(component: Component | None, name: str = "kit.zip") -> Archive:
    """The archive of a component."""
    file = ArchiveFile(path=PurePath("/drop", name), display_path=name)
    return Archive(file=file, digest="2", component=component, file_count=1)


def project(*files: str, title: str = "") -> FolderProbe:
    """A project with some files, of which each is the main file of a plugin."""
    there = {*files, *(str(above) for each in files for above in PurePath(each).parents)}

    def folders(path: str) -> list[str]:
        return sorted(
            {
                each.removeprefix(f"{path}/")
                for each in there
                if PurePath(each).parent == PurePath(path)
            }
        )

    header = f"<?php\n/* Plugin Name: {title} */".encode()
    return FolderProbe("", there.__contains__, str, lambda _: header, folders, folders)


@pytest.mark.parametrize(
    ("component", "files", "recorded", "expected"),
    [
        (KIT, (), (), Home()),
        (KIT, ("modules/kit/other",), (), Home("kit")),
        (KIT, (), ("modules/kit",), Home("kit")),
        (KIT, ("modules/kit-master/kit.php",), (), Home("kit-master")),
        (KIT, (), ("modules/Kit (1)",), Home("Kit (1)")),
        (KIT, ("modules/kit-master/other.php",), (), Home()),
        (KIT, ("modules/off/kit.php",), (), Home(others=("off",))),
        (
            KIT,
            ("modules/kit-1.0/kit.php", "modules/kit-main/kit.php"),
            (),
            Home(others=("kit-1.0", "kit-main")),
        ),
        (
            replace(KIT, system="Omeka S"),
            ("modules/kit-main/kit.php",),
            (),
            Home(others=("kit-main",)),
        ),
        (
            replace(KIT, system="PrestaShop"),
            ("modules/kit-main/kit.php",),
            (),
            Home(others=("kit-main",)),
        ),
        (
            replace(KIT, system="Omeka Classic"),
            ("modules/kit-main/kit.php",),
            (),
            Home(others=("kit-main",)),
        ),
        (KIT, ("modules/kit.off/kit.php", "modules/kit-main/kit.php"), (), Home("kit-main")),
        (KIT, ("modules/kit-2024-05-01/kit.php",), (), Home(others=("kit-2024-05-01",))),
        (KIT, ("modules/kit (1)/kit.php",), (), Home(others=("kit (1)",))),
        (
            replace(KIT, evidence="main.php", root=""),
            ("modules/kit.old/main.php",),
            (),
            Home(others=("kit.old",)),
        ),
        (
            replace(KIT, evidence="main.php", root=""),
            ("modules/kit-pro/main.php", "modules/x/main.php"),
            (),
            Home(),
        ),
        (replace(KIT, evidence=None, root=""), ("modules/kit-main/kit.php",), (), Home()),
        (KIT, (), ("themes/kit-main",), Home()),
        (KIT, ("modules/kit-main/KIT.php",), (), Home()),
    ],
)
def test_where_a_project_has_a_component(
    component: Component, files: tuple[str, ...], recorded: tuple[str, ...], expected: Home
) -> None:
    """A project has a component under its own name, or in the only folder whose name is the same
    but for what downloads add; other such folders may be copies.
    """
    found = find_homes(
        (archive(component), archive(None)), Record(dict.fromkeys(recorded, BUILT)), project(*files)
    )
    assert found == {("module", "kit"): expected}


GUESS = replace(
    KIT,
    name="tides",
    named_by="kit-main/kit.php (Text Domain)",
    is_guessed=True,
    field="Plugin Name",
    title="Kit",
)
SURE = replace(GUESS, is_guessed=False)
RENAMED = replace(SURE, evidence="kit-main/main.php", title="Next")


@pytest.mark.parametrize(
    ("component", "file", "files", "recorded", "expected"),
    [
        (GUESS, "kit-main.zip", ("modules/sea/kit.php",), {}, Home("sea")),
        (GUESS, "kit-main.zip", ("modules/Sea kit/kit.php",), {}, Home("Sea kit")),
        (SURE, "kit-main.zip", ("modules/sea/kit.php",), {}, Home(others=("sea",))),
        (replace(GUESS, title="Other"), "kit-main.zip", ("modules/sea/kit.php",), {}, Home()),
        (
            GUESS,
            "kit-main.zip",
            ("modules/sea/kit.php", "modules/b/kit.php"),
            {},
            Home(others=("b", "sea")),
        ),
        (GUESS, "kit-main.zip", ("modules/kit.old/kit.php",), {}, Home(others=("kit.old",))),
        (GUESS, "kit-main.zip", ("modules/tides_old/kit.php",), {}, Home(others=("tides_old",))),
        (
            GUESS,
            "kit-main.zip",
            ("modules/sea/kit.php",),
            {"sea": "other.zip"},
            Home(others=("sea",)),
        ),
        (GUESS, "kit-main.zip", ("modules/sea/kit.php",), {"sea": "kit_v2.zip"}, Home("sea")),
        (SURE, "kit-main.zip", ("modules/sea/kit.php",), {"sea": "kit-1.0.zip"}, Home("sea")),
        (RENAMED, "kit-main.zip", ("modules/sea/kit.php",), {"sea": "kit-1.0.zip"}, Home("sea")),
        (RENAMED, "main.zip", ("modules/sea/kit.php",), {"sea": "main.zip"}, Home()),
        (RENAMED, "kit-main.zip", (), {"a": "kit.zip", "b": "kit.zip"}, Home(others=("a", "b"))),
        (replace(RENAMED, named_by=""), "kit-main.zip", (), {"sea": "kit.zip"}, Home()),
        (
            replace(RENAMED, named_by=""),
            "kit-main.zip",
            (),
            {"tides-master": "kit.zip"},
            Home("tides-master"),
        ),
    ],
)
def test_a_component_that_the_project_has_under_another_name(
    component: Component,
    file: str,
    files: tuple[str, ...],
    recorded: dict[str, str],
    expected: Home,
) -> None:
    """The record decides by the download, and if the name is a guess, the title in the marker does;
    otherwise the folders are copies.
    """
    built = {f"modules/{name}": replace(BUILT, archive=source) for name, source in recorded.items()}
    found = find_homes((archive(component, file),), Record(built), project(*files, title="Kit"))
    assert found == {("module", "tides"): expected}


def test_the_record_knows_an_archive_by_its_digest() -> None:
    """An archive with a recorded digest is the recorded component, whatever its file is called or
    its name was guessed to be.
    """
    known = replace(archive(RENAMED, "main.zip"), content="1")
    built = replace(BUILT, archive="x.zip", digest="2")
    assert find_homes((known,), Record({"modules/sea": built}), project()) == {
        ("module", "tides"): Home("sea")
    }


def test_the_folder_of_another_archive() -> None:
    """A folder with the name of another component of the drop belongs to that, so it is a copy at
    most.
    """
    found = find_homes(
        (archive(GUESS), archive(replace(SURE, name="sea"))),
        Record(),
        project("modules/sea/kit.php", title="Kit"),
    )
    assert found == {("module", "tides"): Home(others=("sea",)), ("module", "sea"): Home("sea")}


def test_a_guess_gives_way_to_the_name_of_the_folder() -> None:
    """A guessed name gives way to that of the folder if that is safe, and the guess is reported."""
    here = {("module", "tides"): Home("sea")}
    known = with_known_name(archive(GUESS), here)
    assert known.component
    assert (known.component.name, known.component.is_guessed) == ("sea", False)
    for same, home in (
        (archive(SURE), Home("sea")),
        (archive(None), Home()),
        (archive(GUESS), Home("Sea kit")),
    ):
        assert with_known_name(same, {("module", "tides"): home}) == same
    choice = Choice(known, known.component, True, Reason("unmentioned"))
    selection = with_folders(
        Selection((choice,)), {("module", "sea"): Home("sea")}, Record(), {known.file: "tides"}
    )
    assert selection.warnings == (built_under_folder("kit.zip", "tides", "modules/sea"),)


def test_two_copies_in_one_drop() -> None:
    """Two new components with the same main file and title are copies of one; a component in its
    place is not a copy.
    """
    files = (archive(SURE, "a.zip"), archive(replace(SURE, name="sea"), "b.zip"))
    choices = tuple(
        Choice(each, each.component, True, Reason("unmentioned"))
        for each in files
        if each.component
    )
    warnings = (
        other_copies("a.zip", "modules/tides", ("modules/sea",), "kit.php"),
        other_copies("b.zip", "modules/sea", ("modules/tides",), "kit.php"),
    )
    assert with_folders(Selection(choices), {}, Record()).warnings == warnings
    assert (
        with_folders(Selection(choices), {("module", "sea"): Home("sea")}, Record()).warnings
        == warnings[:1]
    )


def test_each_folder_is_looked_into_once() -> None:
    """Each folder is searched once, however many components are new and whatever their markers."""
    looked: list[str] = []

    def names(path: str) -> list[str]:
        looked.append(path)
        return ["main.php", "kit.php"]

    folders = [f"off{number}" for number in range(9)]
    probe = replace(
        project(),
        folders=lambda _: folders,
        names=names,
        is_there=lambda path: path.endswith(".php"),
    )
    new = [
        replace(KIT, name=f"kit{number}", evidence=f"kit{number % 2}.php", root="")
        for number in range(9)
    ]
    new.append(replace(KIT, evidence="kit.php", root=""))
    found = find_homes(map(archive, new), Record(), probe)
    assert found == {
        **{("module", each.name): Home() for each in new},
        ("module", "kit"): Home(others=tuple(folders)),
    }
    assert looked == [f"modules/{folder}" for folder in folders]


def calls_for(count: int) -> int:
    """How many functions are called to find so many titled components in a project with so
    many folders.
    """
    new = [
        replace(SURE, name=f"new{number}", title=f"New {number}", evidence="main.php")
        for number in range(count)
    ]
    folders = [f"off{number}" for number in range(count)]
    probe = replace(project(), folders=lambda _: folders, names=lambda _: ["main.php"])
    probe = replace(probe, is_there=lambda path: path.endswith(".php"))
    calls = 0

    def count_call(_frame: object, event: str, _what: object) -> None:
        nonlocal calls
        calls += event.endswith("call")

    before = sys.getprofile()
    sys.setprofile(count_call)
    try:
        find_homes(map(archive, new), Record(), probe)
    finally:
        sys.setprofile(before)
    return calls


def test_many_new_components_beside_many_folders() -> None:
    """Twice as many new components beside twice as many folders take twice as long, not four
    times.
    """
    calls_for(50)  # what is worked out once
    assert calls_for(200) < 2.2 * calls_for(100)


def test_a_component_is_placed_where_it_is() -> None:
    """A choice gets the name of its folder, which is reported until it is recorded; possible copies
    are named.
    """
    choice = Choice(archive(KIT), KIT, True, Reason("unmentioned"))
    moved, record = {("module", "kit"): Home("kit-main")}, Record({"modules/kit-main": BUILT})
    selection = with_folders(Selection((choice,)), moved, Record())
    assert [each.path for each in selection.choices] == ["modules/kit-main"]
    assert selection.warnings == (built_under_folder("kit.zip", "kit", "modules/kit-main"),)
    assert with_folders(Selection((choice,)), moved, record).warnings == ()
    others = with_folders(
        Selection((choice,)), {("module", "kit"): Home(others=("off",))}, Record()
    )
    assert (others.choices, others.warnings) == (
        (replace(choice, copies=("modules/off",)),),
        (other_copies("kit.zip", "modules/kit", ("modules/off",), "kit.php"),),
    )


@pytest.mark.parametrize(
    ("target", "other"),
    [
        ("modules/contrib", "modules"),
        ("modules", "modules/custom"),
        ("sites/all/modules", "modules"),
        ("web/modules", "web/sites/all/modules"),
        ("wp-content/plugins", "wp-content/mu-plugins"),
    ],
)
def test_a_component_in_another_folder_is_left_out(target: str, other: str) -> None:
    """A component that the project has in another folder is left out, unless it is in its own
    folder as well or is named with `--force`.
    """
    choice = Choice(archive(KIT), KIT, True, Reason("unmentioned"), folder=target)
    path = f"{target}/kit"

    def left(occupancy: Occupancy, options: PlanOptions = NO_OPTIONS) -> tuple[object, ...]:
        draft = draft_of(
            options=options,
            record=Record().within(Places("themes", target)),
            probe=project(f"{other}/kit/kit.php"),
        )
        steps = (built_step(choice, Target(occupancy=occupancy), Payload(), None),)
        after = leave_copies(draft.with_plan(replace(draft.plan, steps=steps)))
        return (*after.plan.refused, *(step.choice for step in after.plan.steps))

    assert left("absent") == (BuiltElsewhere(path, f"{other}/kit", "module"),)
    assert left("present") == (choice,)
    assert left("absent", PlanOptions(prefer=Preference("theirs"), names=frozenset({path}))) == (
        choice,
    )


def test_a_theme_by_its_title() -> None:
    """A theme of Omeka Classic may be in any folder; the title in its section `theme` identifies
    it.
    """
    theme = Component(
        kind="theme",
        name="sea",
        named_by="sea-main/ (folder)",
        is_guessed=True,
        evidence="sea-main/theme.ini",
        field="title",
        title="Sea",
        root="sea-main/",
        system="Omeka Classic",
    )
    for content, home in (
        (b"[theme]\ntitle = Sea\n", Home("shore")),
        (b"[info]\ntitle = Sea\n", Home()),
    ):
        probe = replace(project("themes/shore/theme.ini"), content=lambda _, known=content: known)
        assert find_homes((archive(theme),), Record(), probe) == {("theme", "sea"): home}


@pytest.mark.parametrize(
    ("homes", "digest", "is_base"),
    [
        ({}, "", False),
        ({("module", "m"): Home()}, "", False),
        ({("module", "m"): Home("m-main")}, "", True),
        ({("module", "m"): Home("m-main")}, "1", True),
        ({("module", "m"): Home("m-main")}, "2", False),
    ],
    ids=["not here", "not sure", "not recorded", "built from it", "built from another"],
)
def test_an_archive_from_which_the_project_may_have_a_component(
    homes: dict[tuple[str, str], Home], digest: str, is_base: bool
) -> None:
    """A component in the project may have been made from an archive of it, unless the record says
    from which other one.
    """
    built = RecordedComponent(archive="m.zip", digest=digest, content=digest, files={})
    record = Record({"modules/m-main": built} if digest else {})
    choice = choice_of(archive={"digest": "1", "content": "1", "file_count": 1})
    assert may_be_base(choice, homes, record) is is_base
