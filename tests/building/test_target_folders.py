"""Target folders: where themes and modules are built (`docs/building.md`)."""

import pytest
from msgspec.structs import replace
from returns.result import Success

from pipeline.archives.places import FolderProbe, Places, folder_fault
from pipeline.building.names import canonical_path, known_components, path_in_project
from pipeline.building.stores.changes import Change, Run
from pipeline.building.stores.journal import Journal, read_journal, record_with
from pipeline.building.stores.record import Record, RecordedComponent, read_record, write_record
from pipeline.building.stores.sealed import seal
from pipeline.building.stores.undoable import belongs_to, record_before
from pipeline.building.survey import Target
from pipeline.building.target_folders import (
    NamedFolder,
    already_elsewhere,
    check_systems_below,
    choose_target_folders,
    is_on_the_web,
    named_folders,
    several_systems,
)
from pipeline.report.diagnostics.building import BadFolder
from pipeline.report.events import ComponentKind
from pipeline.report.outcome import errors_of, fold
from pipeline.report.wording import listed
from pipeline.selection.select import Selection
from pipeline.systems.residences import Residence, residences
from pipeline.systems.table import system_called
from tests.support.drafts import undo_steps
from tests.support.tables import rows

WORDPRESS = Places("wp-content/themes", "wp-content/plugins")
M = RecordedComponent(archive="m.zip", digest="1", content="2", files={})
OWN = Places("own/themes", "own/modules")


def look(
    *there: str, name: str = "site", links: dict[str, str] | None = None, text: bytes = b""
) -> FolderProbe:
    """A project that has some paths, and some links that lead elsewhere; all files have
    one content.
    """
    return FolderProbe(
        name, set(there).__contains__, lambda path: (links or {}).get(path, path), lambda _: text
    )


def decided(
    *there: str,
    flags: dict[ComponentKind, str | None] | None = None,
    components: tuple[str, ...] = (),
    drop: str = "/",
    text: bytes = b"",
) -> object:
    """The folders of a project whose record has some components, or the errors."""
    recorded = OWN if any(path.startswith("own/") for path in components) else Places()
    outcome = choose_target_folders(
        named_folders(flags or {}, {}),
        recorded,
        components,
        drop,
        tuple(residences(look(*there, text=text))),
    )
    return fold(outcome, lambda places: places, lambda errors: errors)


@pytest.mark.parametrize(("there", "places"), rows("target_folders", "systems"))
def test_the_system_that_lives_in_a_project_is_detected(
    there: tuple[str, ...], places: tuple[str, str]
) -> None:
    """WordPress and Drupal keep components elsewhere; every other project has `themes/`
    and `modules/`.
    """
    assert decided(*there) == Places(*places)


def test_backdrop_is_told_from_drupal_by_its_marker() -> None:
    """Drupal and Backdrop share a file; that of Backdrop has its version in it."""
    marker, contrib = "core/includes/bootstrap.inc", "modules/contrib"
    assert decided(marker, contrib, text=b"define('BACKDROP_VERSION', '1.27');") == Places(
        "themes", contrib
    )
    assert decided(marker, contrib, text=b"VERSION") == Places()


@pytest.mark.parametrize(("file", "expected"), rows("target_folders", "on the web"))
def test_a_project_on_the_web(file: str, expected: bool) -> None:
    """A web server may serve the files of a project that itself has a system or an `index.php`."""
    assert is_on_the_web(look(file)) is expected


def test_the_content_folder_of_wordpress_may_be_the_project() -> None:
    """The content folder of WordPress is recognised by its name and by the files beside it."""
    marker = "../wp-includes/version.php"
    (system,) = residences(look(marker, name="wp-content"))
    assert system.marker == marker
    assert system == Residence(system_called("WordPress"), "..", Places("themes", "plugins"))


def test_of_two_systems_none_is_guessed() -> None:
    """If a project has two systems, none is chosen, even if a flag names one of the folders."""
    both = ("wp-includes/version.php", "web/core/lib/Drupal.php")
    error = (several_systems([*residences(look(*both))]),)
    assert (
        "Drupal (web/core/lib/Drupal.php), WordPress (wp-includes/version.php)" in error[0].message
    )
    assert decided(*both) == error
    assert decided(*both, flags={"module": "m"}) == error


@pytest.mark.parametrize(
    ("links", "roots"),
    [
        ({"docroot": "web"}, ["web"]),
        ({"web": "docroot"}, ["docroot"]),
        ({"web": "../elsewhere", "docroot": "../elsewhere"}, ["web"]),
        ({"web": "../elsewhere"}, ["docroot", "web"]),
        ({}, ["web", "docroot"]),
    ],
)
def test_a_link_to_a_system_is_no_second_one(links: dict[str, str], roots: list[str]) -> None:
    """If two paths lead to one folder, the one that is not a link is used."""
    there = ("web/core/lib/Drupal.php", "docroot/core/lib/Drupal.php")
    markers = [each.marker for each in residences(look(*there, links=links))]
    assert markers == [f"{root}/core/lib/Drupal.php" for root in roots]


@pytest.mark.parametrize(("there", "links", "below"), rows("target_folders", "one folder down"))
def test_a_system_one_folder_down_is_an_error(
    there: tuple[str, ...], links: dict[str, str], below: list[tuple[str, ...]]
) -> None:
    """A system one folder down is an error, unless the project itself has one, or no component is
    for it; a link to its folder is not a second one.
    """
    place = look(*there, links=links)
    found = errors_of(check_systems_below(place, {"Drupal", "PrestaShop", "WordPress"}, "shop"))
    expected = [
        f"{name} is not in the project itself, but one folder down, in {listed(rest)}"
        for name, *rest in below
    ]
    assert [each.message for each in found] == expected
    alone = errors_of(check_systems_below(place, {"WordPress"}, "shop"))
    assert [each.message for each in alone] == [
        each for each in expected if each.startswith("WordPress")
    ]
    nothing = FolderProbe("", pytest.fail, pytest.fail)
    assert check_systems_below(nothing, {"", "Joomla"}, "shop") == Success(None)  # asks nothing


def test_both_ways_to_a_system_one_folder_down() -> None:
    """The error has both ways to build there: the flag for the folder of the project, and the two
    flags for its target folders.
    """
    place = look("www/core/lib/Drupal.php", "public/core/lib/Drupal.php", "public/modules/contrib")
    (error,) = errors_of(check_systems_below(place, {"Drupal"}, "my shop"))
    assert error.advice == (
        "pass `'--output=my shop/public'` or `'--output=my shop/www'`; "
        "or `--themes-dir=public/themes --modules-dir=public/modules/contrib`"
    )


def test_a_flag_counts_before_a_variable() -> None:
    """A flag overrides a variable; an empty variable is unset."""
    environ = {"TOOL_THEMES_DIR": "by/variable", "TOOL_MODULES_DIR": "by/variable"}
    assert named_folders({"theme": "by/flag", "module": None}, environ) == {
        "theme": NamedFolder("by/flag", "--themes-dir"),
        "module": NamedFolder("by/variable", "TOOL_MODULES_DIR"),
    }
    assert named_folders({}, {"TOOL_THEMES_DIR": ""}) == {}


def test_what_is_recorded_stays_where_it_is() -> None:
    """A project that was built before keeps its folders, whatever system it has; another folder is
    an error.
    """
    assert decided("wp-includes/version.php", components=("modules/x",)) == Places()
    assert decided("wp-includes/version.php", components=("own/modules/x",)) == OWN
    assert decided(components=("own/modules/x",), flags={"module": "./own/modules/"}) == OWN
    assert decided(components=("own/modules/x",), flags={"module": "modules"}) == (
        already_elsewhere(NamedFolder("modules", "--modules-dir"), "own/modules"),
    )


def test_a_kind_of_which_nothing_is_built_may_get_another_folder() -> None:
    """A kind of component of which nothing is built may get another folder, as nothing has to be
    moved.
    """
    assert decided(components=("own/modules/x",), flags={"theme": "t"}) == Places(
        "t", "own/modules"
    )
    assert decided(components=("own/themes/x",), flags={"theme": "t"}) == (
        already_elsewhere(NamedFolder("t", "--themes-dir"), "own/themes"),
    )


@pytest.mark.parametrize(("folder", "fault"), rows("target_folders", "safe paths"))
def test_a_folder_of_components_is_a_safe_path_in_the_project(folder: str, fault: str) -> None:
    """A target folder has to be a safe path in the project, whether a flag, a variable or a record
    names it.
    """
    assert folder_fault(folder) == fault


@pytest.mark.parametrize(
    ("themes", "modules"),
    [("a", "a"), ("a", "a/b"), ("a/b", "a"), ("a", "A/b"), ("../a", "b"), ("a", ".tool")],
)
def test_folders_that_are_not_apart_or_not_safe_are_not_sound(themes: str, modules: str) -> None:
    """Target folders must not contain each other, as each has components of one kind."""
    assert not Places(themes, modules).is_sound
    assert Places("a", "ab").is_sound


@pytest.mark.parametrize(
    ("modules", "fault"),
    [
        ("../x", "its name has `..`"),
        ("themes/x", "themes in `themes` and modules in `themes/x` cannot be told apart"),
        ("drop", "it is the folder of the archives, or in it"),
        ("drop/x", "it is the folder of the archives, or in it"),
    ],
)
def test_a_flag_that_names_no_such_folder_is_refused(modules: str, fault: str) -> None:
    """The error names the flag."""
    assert decided(flags={"module": modules}, drop="drop") == (
        BadFolder("--modules-dir", modules, fault),
    )


def test_archives_may_lie_in_the_project_itself() -> None:
    """If the drop is the project itself, every target folder may be in it."""
    assert decided(flags={"module": "x"}, drop=".") == Places(modules="x")


def test_a_path_in_one_of_the_folders_has_a_kind() -> None:
    """A path in a target folder has a kind; any other path is not that of a component."""
    assert [WORDPRESS.kind_of(f"wp-content/{each}/x") for each in ("themes", "plugins")] == [
        "theme",
        "module",
    ]
    assert [WORDPRESS.of("theme"), WORDPRESS.of("module")] == [
        "wp-content/themes",
        "wp-content/plugins",
    ]
    assert [
        *map(WORDPRESS.holds, ("wp-content/plugins/x", "wp-content/plugins/x/y", "modules/x"))
    ] == [
        True,
        False,
        False,
    ]


def recorded(places: Places, *paths: str) -> Record:
    """A record of components at some paths."""
    return Record(dict.fromkeys(paths, M)).within(places)


def test_the_record_has_the_folders() -> None:
    """The record has the target folders if they are not the usual ones and there is a component;
    otherwise it has none.
    """
    held = recorded(WORDPRESS, "wp-content/plugins/m")
    assert read_record(write_record(held)) == held
    assert write_record(recorded(Places(), "modules/m")) == write_record(Record({"modules/m": M}))
    assert write_record(recorded(WORDPRESS)) == write_record(Record())


@pytest.mark.parametrize(
    "path", ["modules/m", "wp-content/plugins/a/m", "wp-content/plugins/..", "../m", "m"]
)
def test_a_record_of_what_is_elsewhere_is_damaged(path: str) -> None:
    """In a record, each component is directly in a target folder, and these are judged like those
    of a flag; otherwise it is damaged.
    """
    assert read_record(write_record(recorded(WORDPRESS, path))) is None
    for places in (Places("../t", "m"), Places(".git", "m"), Places("m", "m"), Places("/t", "m")):
        assert read_record(write_record(recorded(places, "m/m"))) is None


RUN = Run(id="0", time="", command=())


def test_a_journal_leads_nowhere_else() -> None:
    """The folders of a journal are judged like those of a record, and each of its components is in
    one of them.
    """
    change = Change(path="wp-content/plugins/m", slot="0", adds=True)
    journal = Journal(
        run=RUN,
        changes=(change,),
        backup=".tool/backup/1",
        places=WORDPRESS,
        made=("wp-content",),
        record="",
    )
    assert read_journal(seal(journal)) == journal
    for damaged in (
        replace(journal, places=Places()),
        replace(journal, places=Places("../t", "wp-content/plugins")),
        replace(journal, made=("wp-includes",)),
        replace(journal, changes=(replace(change, path="wp-content/plugins/../m"),)),
    ):
        assert read_journal(seal(damaged)) is None
    assert (
        record_with(Record(), journal).places
        == record_before(journal.own, Record()).places
        == WORDPRESS
    )
    theme = replace(journal, changes=(Change(path="wp-content/themes/t", slot="0"),))
    assert [step.kind for step in undo_steps(theme, {"wp-content/themes/t": Target()})] == ["theme"]


def test_what_a_run_did_belongs_to_a_record() -> None:
    """The changes of a run belong to a record with the same folders; a record without components
    fits any.
    """
    previous = Journal(run=RUN, changes=(), backup=".tool/backup/1", places=WORDPRESS)
    held = (recorded(WORDPRESS, "wp-content/plugins/m"), recorded(Places(), "modules/m"), Record())
    assert [belongs_to(previous.own, each) for each in held] == [True, False, True]


def test_names_in_other_folders() -> None:
    """A component is named by its path, or by the path that it usually has."""
    assert [
        canonical_path(each, WORDPRESS) for each in ("m", "modules/m", "wp-content/themes/t/")
    ] == [
        "m",
        "modules/m",
        "themes/t",
    ]
    assert [
        path_in_project(each, WORDPRESS) for each in ("m", "modules/m/", "wp-content/themes/t")
    ] == [
        "m",
        "wp-content/plugins/m",
        "wp-content/themes/t",
    ]
    path = "wp-content/plugins/m"
    known = known_components(Selection(()), recorded(WORDPRESS, path))
    assert {name: [*paths] for name, paths in known.items()} == {
        key: [path] for key in ("m", "modules/m", path)
    }
