"""Copies: where a project has a component already (`docs/building.md`)."""

from pathlib import PurePath

import pytest
from msgspec.structs import replace

from pipeline.archives.archive import Archive, ArchiveFile, Component
from pipeline.archives.places import FolderProbe, Places
from pipeline.building.draft import PlanOptions
from pipeline.building.judging.copies import Home, homes, is_moved, leave_copies, placed
from pipeline.building.merging.preference import Preference
from pipeline.building.patching.given import Given
from pipeline.building.steps import Target
from pipeline.building.stores.record import FileState, Record, RecordedComponent
from pipeline.report.diagnostics.updates import BuiltElsewhere, built_under_folder, other_copies
from pipeline.selection.choices import Choice, Reason
from pipeline.selection.select import Selection
from tests.support.drafts import NO_OPTIONS, built_step, draft_of

KIT = Component(kind="module", name="kit", evidence="kit-main/kit.php", root="kit-main/", system="WordPress")
BUILT = RecordedComponent(archive="kit.zip", digest="1", content="1", files={"kit.php": FileState()})


def archive(component: Component | None) -> Archive:
    """The archive of a component."""
    file = ArchiveFile(path=PurePath("/drop/kit.zip"), display_path="kit.zip")
    return Archive(file=file, digest="1", component=component, files=1)


def project(*files: str) -> FolderProbe:
    """A project with some files."""
    there = {*files, *(str(above) for each in files for above in PurePath(each).parents)}

    def folders(path: str) -> list[str]:
        return sorted({each.removeprefix(f"{path}/") for each in there if PurePath(each).parent == PurePath(path)})

    return FolderProbe("", there.__contains__, str, folders=folders, names=folders)


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
        (KIT, ("modules/kit-1.0/kit.php", "modules/kit-main/kit.php"), (), Home(others=("kit-1.0", "kit-main"))),
        (replace(KIT, system="Omeka S"), ("modules/kit-main/kit.php",), (), Home(others=("kit-main",))),
        (replace(KIT, evidence="main.php", root=""), ("modules/kit.old/main.php",), (), Home(others=("kit.old",))),
        (replace(KIT, evidence="main.php", root=""), ("modules/kit-pro/main.php", "modules/x/main.php"), (), Home()),
        (replace(KIT, evidence=None, root=""), ("modules/kit-main/kit.php",), (), Home()),
    ],
)
def test_where_a_project_has_a_component(
    component: Component, files: tuple[str, ...], recorded: tuple[str, ...], expected: Home
) -> None:
    """Under its own name, or in the only folder whose name is its own but for what downloads add; others may be it."""
    found = homes((archive(component), archive(None)), Record(dict.fromkeys(recorded, BUILT)), project(*files))
    assert found == {("module", "kit"): expected}


def test_each_folder_is_looked_into_once() -> None:
    """However many components are new, and have whatever markers, so that many of them take no longer each."""
    looked: list[str] = []

    def names(path: str) -> list[str]:
        looked.append(path)
        return ["main.php", "kit.php"]

    folders = [f"off{number}" for number in range(9)]
    probe = replace(project(), folders=lambda _: folders, names=names, is_there=lambda path: path.endswith(".php"))
    new = [replace(KIT, name=f"kit{number}", evidence=f"kit{number % 2}.php", root="") for number in range(9)]
    new.append(replace(KIT, evidence="kit.php", root=""))
    found = homes(map(archive, new), Record(), probe)
    assert found == {**{("module", each.name): Home() for each in new}, ("module", "kit"): Home(others=tuple(folders))}
    assert looked == [f"modules/{folder}" for folder in folders]


def test_a_component_is_placed_where_it_is() -> None:
    """A choice gets the name of its folder, which is reported until it is recorded; possible copies are named."""
    choice = Choice(archive(KIT), KIT, True, Reason("unmentioned"))
    moved, record = {("module", "kit"): Home("kit-main")}, Record({"modules/kit-main": BUILT})
    selection = placed(Selection((choice,)), moved, Record())
    assert [each.path for each in selection.choices] == ["modules/kit-main"]
    assert selection.warnings == (built_under_folder("kit.zip", "kit", "modules/kit-main"),)
    assert placed(Selection((choice,)), moved, record).warnings == ()
    others = placed(Selection((choice,)), {("module", "kit"): Home(others=("off",))}, Record())
    assert (others.choices, others.warnings) == (
        (choice,),
        (other_copies("kit.zip", "modules/kit", ("modules/off",), "kit.php"),),
    )
    found = [archive(KIT), archive(None), archive(replace(KIT, what="library"))]
    assert [is_moved(each, moved) for each in found] == [True, False, False]


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
    """Unless it is there in its own folder, too, or is named with `--force`."""
    choice = Choice(archive(KIT), KIT, True, Reason("unmentioned"), folder=target)
    path = f"{target}/kit"

    def left(occupancy: str, options: PlanOptions = NO_OPTIONS) -> tuple[object, ...]:
        draft = draft_of(
            options=options,
            record=Record().within(Places("themes", target)),
            probe=project(f"{other}/kit/kit.php"),
        )
        steps = (built_step(choice, Target(occupancy=occupancy), Given(), None),)
        after = leave_copies(draft.with_plan(replace(draft.plan, steps=steps)))
        return (*after.plan.refused, *(step.choice for step in after.plan.steps))

    assert left("absent") == (BuiltElsewhere(path, f"{other}/kit", "module"),)
    assert left("present") == (choice,)
    assert left("absent", PlanOptions(prefer=Preference("theirs"), names=frozenset({path}))) == (choice,)
