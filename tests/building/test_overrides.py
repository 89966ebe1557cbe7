"""Which files of a component themes override, and which of these an update
outdates (`docs/building.md`).
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import PurePath
from typing import Any

import pytest
from msgspec.structs import replace

from pipeline.archives.archive import Component
from pipeline.archives.constraints import is_beyond
from pipeline.archives.places import USUAL, FolderProbe, Places, joined
from pipeline.building.draft import Contents, PlanOptions, Theme
from pipeline.building.judging.judge import (
    ancestors_of,
    is_stale,
    judge_updates,
    may_be_overridden,
    overridden,
    successor,
)
from pipeline.building.merging.files_merge import merge_files
from pipeline.building.merging.preference import Preference
from pipeline.building.patching.payload import Payload
from pipeline.building.steps import Plan, Step
from pipeline.building.stores.record import Files, FileState, Record, RecordedComponent
from pipeline.building.survey import Target
from pipeline.report.diagnostic import Command
from pipeline.report.diagnostics.updates import (
    Override,
    UnmetRequirement,
    beyond_limit,
    stale_override,
)
from pipeline.report.events import Action
from pipeline.systems.table import SYSTEMS
from pipeline.systems.wordpress import WORDPRESS
from tests.support.drafts import NO_GIT, built_step, choice_of, draft_of, untouched
from tests.support.tables import in_bytes, rows


def theme(system: str, *files: str, name: str = "own", parent: str | None = None) -> Theme:
    """A theme of a system, with files."""
    return Theme(Component(kind="theme", name=name, system=system, parent=parent), frozenset(files))


def module(system: str, name: str = "m", *requires: str) -> Component:
    """A module of a system."""
    return Component(kind="module", name=name, system=system, requires=requires)


@pytest.mark.parametrize(
    ("component", "file", "own"),
    [
        (module("PrestaShop"), "views/a.tpl", "modules/m/views/a.tpl"),
        (module("WordPress"), "templates/a.php", "m/a.php"),
        (module("WordPress", "woocommerce"), "templates/a.php", "woocommerce/a.php"),
        (module("WordPress", "woocommerce-m"), "templates/a.php", "woocommerce/a.php"),
        (module("WordPress", "m", "woocommerce"), "templates/a.php", "woocommerce/a.php"),
        (module("WordPress", "m", "woocommerce"), "templates/a.php", "m/a.php"),
        (module("WordPress", "bbpress"), "templates/default/bbpress/a.php", "bbpress/a.php"),
        (module("WordPress", "the-events-calendar"), "src/views/a.php", "tribe-events/a.php"),
        (module("WordPress", "events-manager"), "templates/a.php", "plugins/events-manager/a.php"),
        (
            module("WordPress", "buddypress"),
            "bp-templates/bp-nouveau/buddypress/a.php",
            "buddypress/a.php",
        ),
        (
            module("WordPress", "buddypress"),
            "bp-templates/bp-legacy/buddypress/a.php",
            "buddypress/a.php",
        ),
        (module("WordPress", "dokan-lite"), "templates/a.php", "dokan/a.php"),
        (module("WordPress", "easy-digital-downloads"), "templates/a.php", "edd_templates/a.php"),
        (module("WordPress", "event-tickets"), "src/views/a.php", "tribe/tickets/a.php"),
        (
            module("WordPress", "paid-memberships-pro"),
            "pages/a.php",
            "paid-memberships-pro/pages/a.php",
        ),
        (module("WordPress", "sensei-lms"), "templates/a.php", "sensei/a.php"),
        (module("WordPress", "wp-job-manager"), "templates/a.php", "job_manager/a.php"),
        (module("WordPress", "wp-user-manager"), "templates/a.php", "wpum/a.php"),
        (module("Drupal"), "modules/sub/templates/a.html.twig", "templates/b/a.html.twig"),
        (module("Drupal 7"), "a.tpl.php", "a.tpl.php"),
        (module("Backdrop"), "templates/a.tpl.php", "a.tpl.php"),
        (module("Omeka S"), "view/m/a.phtml", "view/m/a.phtml"),
    ],
)
def test_a_theme_overrides_a_file_of_a_module(component: Component, file: str, own: str) -> None:
    """Each system, and some plugins, has a folder in which a theme overrides a module's file; a
    theme of another system overrides nothing.
    """
    files = ("other.txt", file)
    assert may_be_overridden(component, file)
    assert overridden(component, files, theme(component.system, "readme.txt", own), ()) == {
        file: own
    }
    assert overridden(component, files, theme("another", own), ()) == {}
    assert overridden(component, ("other.txt",), theme(component.system, own), ()) == {}


@pytest.mark.parametrize(("system", "file", "is_overridden"), rows("overrides", "files of themes"))
def test_a_theme_overrides_a_file_of_a_theme(system: str, file: str, is_overridden: bool) -> None:
    """A theme overrides files of the themes that it builds on, but no file that each theme has for
    itself.
    """
    parent, child = theme(system, file, name="sea").component, theme(system, file)
    assert overridden(parent, (file,), child, ("sea",)) == ({file: file} if is_overridden else {})
    assert overridden(parent, (file,), child, ("bay",)) == {}


def test_the_first_place_counts() -> None:
    """If a theme has a file in several places, the first place of the table is reported, otherwise
    the first path.
    """
    (_, first), (_, second) = WORDPRESS.overrides(module("WordPress", "the-events-calendar"))
    own = theme("WordPress", f"{second}a.php", f"{first}a.php")
    found = overridden(module("WordPress", "the-events-calendar"), ("src/views/a.php",), own, ())
    assert found == {"src/views/a.php": f"{first}a.php"}
    twig = theme("Drupal", "b/a.html.twig", "a/a.html.twig")
    assert overridden(module("Drupal"), ("a.html.twig",), twig, ()) == {
        "a.html.twig": "a/a.html.twig"
    }


def test_ancestors() -> None:
    """The ancestors of a theme are all themes that it builds on, directly or not, even if they are
    missing or form a circle.
    """
    own, bay = theme("Drupal", parent="bay"), theme("Drupal", name="bay", parent="sea")
    assert ancestors_of(own, (own, bay)) == {"bay", "sea"}
    assert ancestors_of(
        own, (own, replace(bay, component=replace(bay.component, parent="own")))
    ) == {"bay", "own"}
    assert ancestors_of(theme("Drupal"), ()) == frozenset()


def test_what_a_file_becomes() -> None:
    """The successor of a file has the same path or, if templates go by their names, the same
    name.
    """
    files = ("old/a.html.twig", "new/b.html.twig")
    assert successor(module("Drupal"), "old/a.html.twig", files) == "old/a.html.twig"
    assert successor(module("Drupal"), "old/b.html.twig", files) == "new/b.html.twig"
    assert successor(module("Drupal"), "old/c.html.twig", files) == ""
    assert successor(module("Omeka S"), "old/b.html.twig", files) == ""


@pytest.mark.parametrize(
    ("override", "old", "new", "expected"), in_bytes(rows("overrides", "stale"))
)
def test_what_is_stale(override: bytes, old: bytes, new: bytes | None, expected: bool) -> None:
    """An override is outdated by a newer `@version` or other content, but not by another comment at
    the beginning, nor by a folder's guard.
    """
    assert is_stale(override, old, new) is expected


def states(texts: Mapping[str, bytes]) -> Files:
    """Files whose digests are their contents."""
    return {name: FileState(digest=text.decode()) for name, text in texts.items()}


class World:
    """A project with a module `m` of PrestaShop, its archive, and themes."""

    def __init__(
        self, there: Mapping[str, bytes], given: Mapping[str, bytes], action: Action = "update"
    ) -> None:
        self.there, self.given, self.looked = there, given, list[object]()
        self.version, self.project = "", PurePath("/p")
        self.signs = frozenset({"config/defines.inc.php", "classes"})
        self.files: dict[str, bytes] = {}
        self.choice = choice_of(system="PrestaShop")
        merged = merge_files(states(there), states(there), states(given))
        step = replace(
            built_step(self.choice, Target(), Payload(), None), action=action, merge=merged
        )
        kept = replace(untouched("modules/n"), action="update", merge=merged)
        self.steps: tuple[Step, ...] = (step, kept)
        own = ("modules/m/a.tpl", "modules/m/b.tpl")
        self.themes = {
            "themes/m": theme("PrestaShop", *own),
            "themes/contrib/own": theme("PrestaShop", own[0]),
        }

    def look_for_themes(self, folders: tuple[str, ...]) -> Mapping[str, Theme]:
        """The themes in all folders."""
        self.looked.append(folders)
        return self.themes

    def warnings(
        self, drop: str = "drop", output: str = ".", places: Places = USUAL, **options: Any
    ) -> object:
        """The warnings of the plan."""
        return self.judged(drop, output, places, **options).warnings

    def judged(
        self, drop: str = "drop", output: str = ".", places: Places = USUAL, **options: Any
    ) -> Plan:
        """The plan, judged."""
        draft = draft_of(
            *self.steps,
            options=PlanOptions(**options),
            record=Record().within(places),
            project=self.project,
            command=Command(drop, output),
            texts=Contents(
                partial(self.read, self.there),
                partial(self.read, self.given),
                lambda *_: None,
                lambda *_: None,
                NO_GIT,
            ),
            probe=FolderProbe(
                self.project.name, lambda path: path in self.signs, str, self.content
            ),
            recognise_themes=self.look_for_themes,
        )
        return judge_updates(draft).plan

    def content(self, path: str) -> bytes:
        """What is in a file of the system: its version, unless the test gives files."""
        return self.files.get(path, f"const VERSION = '{self.version}'".encode())

    def read(
        self, texts: Mapping[str, bytes], _: object, names: Iterable[str]
    ) -> Mapping[str, bytes]:
        """Contents of the files that are asked for, which has to be some."""
        wanted = [*names]
        assert wanted
        self.looked.append(wanted)
        return {name: texts[name] for name in wanted if name in texts}


TOPS = ("themes", "mu-plugins", "sites/all/themes")
THEMES = tuple(f"{top}{inner}" for top in TOPS for inner in ("", "/contrib", "/custom"))
OLD = {"a.tpl": b"a", "b.tpl": b"b", "c.tpl": b"c"}


def test_one_warning_has_all_overrides_of_a_component() -> None:
    """One warning names all outdated overrides of a component; only files that themes override and
    the update changes are read.
    """
    world = World(OLD, {"a.tpl": b"new", "c.tpl": b"new"})
    a, b = (
        Override(f"themes/m/modules/m/{name}.tpl", f"modules/m/{name}.tpl", name == "b")
        for name in "ab"
    )
    command = "tool diff './-d p' modules/m --theirs --output=shop"
    other = replace(a, path="themes/contrib/own/modules/m/a.tpl")
    warning = stale_override("modules/m", (a, b, other), command)
    assert world.warnings("-d p", "shop", Places("themes/contrib")) == (warning,)
    assert world.looked == [THEMES, ["a.tpl", "b.tpl"], ["a.tpl"]]
    assert warning.message == (
        "the update of `modules/m` changes files that a theme overrides: "
        "`themes/m/modules/m/a.tpl` overrides `modules/m/a.tpl`, "
        "`themes/m/modules/m/b.tpl` overrides `modules/m/b.tpl`, which is removed, "
        "`themes/contrib/own/modules/m/a.tpl` overrides `modules/m/a.tpl`"
    )


@pytest.mark.parametrize(
    ("world", "looked"),
    [
        (World(OLD, OLD), []),
        (World(OLD, {**OLD, "d.tpl": b"d"}), []),
        (World(OLD, {"a.tpl": b"new"}, "keep"), []),
        (World(OLD, {**OLD, "c.tpl": b"new"}), [THEMES]),
        (
            World({"a.tpl": b"{* *}a"}, {"a.tpl": b"a"}),
            [THEMES, ["a.tpl"], ["a.tpl"]],
        ),
    ],
)
def test_nothing_is_stale(world: World, looked: list[object]) -> None:
    """Files that do not change are not read; neither are themes, if nothing changes that they could
    override.
    """
    assert world.warnings() == ()
    assert world.looked == looked


def test_what_changes_itself() -> None:
    """A theme that the same run updates is not reported, and a component does not override
    itself.
    """
    world = World(OLD, {**OLD, "a.tpl": b"new"})
    merged = merge_files({}, {}, {"modules/m/a.tpl": FileState()})
    update = replace(untouched("themes/m"), action="update", merge=merged)
    world.themes = {"themes/m": world.themes["themes/m"], "modules/m": world.themes["themes/m"]}
    world.steps = (*world.steps, update)
    assert world.warnings() == ()
    world.steps = world.steps[:1]
    assert world.warnings() != ()


@pytest.mark.parametrize(
    ("version", "runs_on", "known", "action", "is_told"), rows("overrides", "runs on")
)
def test_what_a_component_runs_on(
    version: str, runs_on: str, known: str, action: Action, is_told: bool
) -> None:
    """Requirements are judged if a run adds a component or updates it from another archive, not if
    it keeps it or restores files.
    """
    world = World(OLD, OLD, action)
    world.choice = replace(world.choice, component=replace(world.choice.component, runs_on=runs_on))
    world.choice = replace(world.choice, archive=replace(world.choice.archive, digest="same"))
    base = RecordedComponent(archive="m.zip", digest=known, content="", files={}) if known else None
    step = replace(
        world.steps[0], survey=replace(world.steps[0].survey, choice=world.choice, written=base)
    )
    world.version, world.steps = version, (step, world.steps[1])
    error = UnmetRequirement(
        "modules/m", "PrestaShop", runs_on, version, is_beyond(version, runs_on)
    )
    plan = world.judged()
    assert plan.refused == ((error,) if is_told else ())
    assert [each.path for each in plan.steps] == (
        ["modules/n"] if is_told else ["modules/m", "modules/n"]
    )
    world.project = PurePath("/site/wp-content")
    assert bool(world.judged().refused) is is_told
    assert world.judged(prefer=Preference("theirs"), names=frozenset({"modules/m"})).refused == ()
    assert bool(world.judged(prefer=Preference("theirs")).refused) is is_told


@pytest.mark.parametrize(
    ("system", "runs_on", "file", "text", "versions"), rows("overrides", "versions of systems")
)
def test_where_the_version_of_a_system_is(
    system: str, runs_on: str, file: str, text: str, versions: tuple[str, str]
) -> None:
    """Each system has its version in a file of its own; a component is not built if the system is
    too old or too new for it.
    """
    world = World(OLD, OLD, "add")
    world.choice = replace(
        world.choice, component=replace(world.choice.component, system=system, runs_on=runs_on)
    )
    world.steps = (built_step(world.choice, Target(), Payload(), None),)
    places = Places("web/themes", "web/modules") if file.startswith("web/") else USUAL
    world.project = PurePath("/site/wp-content") if file.startswith("../") else world.project
    root = next((each for each in ("..", "web") if file.startswith(f"{each}/")), ".")
    (host,) = [
        each for each in SYSTEMS if any(joined(root, known.path) == file for known in each.versions)
    ]
    world.signs = frozenset(joined(root, path) for path in host.found_by.paths)
    for version, is_built in zip(versions, (False, True), strict=True):
        world.files = {file: text.format(version).encode()}
        plan = world.judged(places=places)
        assert bool(plan.steps) is is_built
        assert is_built or [type(each) for each in plan.refused] == [UnmetRequirement]


@pytest.mark.parametrize(
    ("version", "runs_on", "reported"),
    [
        ("9.0.0", "1.7 - 8.1", beyond_limit),
        ("1.6.1", "1.7 - 8.1", UnmetRequirement),
        ("9.0.0", ">=1.7 <=8.1.2", beyond_limit),
        ("1.6.1", ">=1.7 <=8.1.2", UnmetRequirement),
        ("9.0.0", "<=8.1.2", beyond_limit),
        ("9.0.0", ">=1.7 <=0", beyond_limit),
        ("8.1.0", "8.1 - 8.x", beyond_limit),
        ("8.1.0", "9.0 - 9.x", UnmetRequirement),
        ("1.6.1", ">=1.7", UnmetRequirement),
    ],
)
def test_a_shop_enforces_its_upper_limit(
    version: str, runs_on: str, reported: Callable[[str, str, str, str], object]
) -> None:
    """A shop that is newer than a module allows is a warning; a module for a newer shop is left
    out.
    """
    world = World(OLD, OLD, "add")
    world.choice = replace(world.choice, component=replace(world.choice.component, runs_on=runs_on))
    world.version, world.steps = version, (built_step(world.choice, Target(), Payload(), None),)
    plan = world.judged()
    assert (*plan.warnings, *plan.refused) == (
        reported("modules/m", "PrestaShop", runs_on, version),
    )
    assert bool(plan.steps) is (reported is beyond_limit)
