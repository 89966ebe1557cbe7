"""How the system in a project changes a selection, run alone (`docs/archives.md`)."""

import pytest

from pipeline.archives.archive import Archive, Component, Unusable
from pipeline.archives.markers import BY_FILE_NAME
from pipeline.report.diagnostics.archives import unusable
from pipeline.report.diagnostics.drop import duplicate_archive, other_system
from pipeline.schema import Value
from pipeline.selection.choices import Choice, Reason
from pipeline.selection.duplicates import NOT_RECORDED, drop_duplicates
from pipeline.selection.hosting import Asked, Hosted, Hosting, as_read_by, hosted, unusable_parts
from pipeline.selection.select import select
from pipeline.systems.residences import Host
from pipeline.systems.table import system_called
from pipeline.values import replace
from tests.support.selecting import archive, settings_of

SHOP = Host(system_called("PrestaShop"), ".", "8.1.0")
OLD_SHOP = Host(system_called("PrestaShop"), ".", "1.6.1.24")
BEES = Host(system_called("thirty bees"), ".", "1.5.1")
DRUPAL = Host(system_called("Drupal"), ".", "10.2.4")
PAY = archive("module", "pay", system="PrestaShop")
TIDE = archive("module", "tide", system="WordPress")
WAVE = archive("theme", "wave", system="WordPress")
NAMED = archive("theme", "wave", named=True, system="WordPress")
PLAIN = archive("module", "plain", system="WordPress", field=BY_FILE_NAME)
OLD_THEME = Component(
    kind="other", name="old", what="old theme", field="of an old theme", system="PrestaShop"
)
ADOPTED = replace(OLD_THEME, kind="theme", what=None)


def left_out(*archives: Archive) -> tuple[Choice, ...]:
    """The choices of archives for WordPress that are not built."""
    reason = Reason("other system", word="WordPress")
    return tuple(Choice(each, each.component, False, reason) for each in archives if each.component)


def test_a_project_without_a_system() -> None:
    """Without a system, no archive is left out."""
    assert hosted((PAY, TIDE), Hosting(), settings_of()) == Hosted((PAY, TIDE))


def test_archives_of_another_system() -> None:
    """Archives of another system are left out, and one warning names them; those without a marker
    of a system are not.
    """
    warning = other_system("WordPress", "PrestaShop", ("tide.zip", "wave.zip"), ("tide", "wave"))
    expected = Hosted((PAY, PLAIN), left_out(TIDE, WAVE), (warning,))
    assert hosted((PAY, TIDE, WAVE, PLAIN), Hosting(SHOP), settings_of()) == expected


def test_a_pattern_that_matches_archives_of_another_system() -> None:
    """If a pattern only matches archives of another system, the warning names that system."""
    settings = settings_of(modules_exclude=("ti*",))
    warnings = select(settings, (PAY, TIDE, WAVE), "drop", hosting=Hosting(SHOP)).warnings
    unmatched = [warning for warning in warnings if warning.code == "unmatched-pattern"]
    assert [warning.advice for warning in unmatched] == [
        "it only matches archives for WordPress, which are not built here"
    ]


@pytest.mark.parametrize(
    ("each", "asked", "flags", "why"),
    [
        (TIDE, Asked({"tide"}, is_forced=True), {}, "`--force` names"),
        (TIDE, Asked({"modules/tide"}, is_forced=True), {}, "`--force` names"),
        (TIDE, Asked(), {"modules_include": ("tide",)}, "a list of modules names"),
        (TIDE, Asked(), {"modules_include": ("tide.zip",)}, "a list of modules names"),
        (WAVE, Asked(), {"theme": "wave"}, "the setting `theme` names"),
        (NAMED, Asked(), {"theme": "./wave.zip"}, "the setting `theme` names"),
        (TIDE, Asked({"tide"}), {}, ""),
        (TIDE, Asked({"pay"}, is_forced=True), {}, ""),
        (TIDE, Asked(), {"modules_include": ("t*",)}, ""),
        (WAVE, Asked(), {"modules_include": ("wave",)}, ""),
    ],
)
def test_what_somebody_calls_by_its_name(
    each: Archive, asked: Asked, flags: dict[str, Value], why: str
) -> None:
    """An archive of another system that the user names is built, and the warning says how it was
    named.
    """
    assert each.component
    warning = other_system(
        "WordPress", "PrestaShop", (each.file.display_path,), (each.component.name,), why
    )
    built = (each,) * bool(why)
    expected = Hosted(built, () if why else left_out(each), (warning,))
    assert hosted((each,), Hosting(SHOP, asked), settings_of(None, **flags)) == expected


def test_what_the_record_has() -> None:
    """A recorded archive of another system is built, and the warning is given once."""
    warning = other_system("WordPress", "PrestaShop", ("tide.zip",), ("tide",), "the record has")
    hosting = Hosting(SHOP, as_recorded=frozenset({TIDE.file}))
    assert hosted((TIDE,), hosting, settings_of()) == Hosted((TIDE,), once=(warning,))


RUNS, IS_BEYOND, RUNS_ELSEWHERE = range(3)


@pytest.mark.parametrize(
    ("host", "system", "runs_on", "standing"),
    [
        (SHOP, "PrestaShop", ">=8.0", RUNS),
        (SHOP, "PrestaShop", "", RUNS),
        (SHOP, "WordPress", ">=9.0", RUNS),
        (replace(SHOP, version=""), "PrestaShop", ">=9.0", RUNS),
        (SHOP, "PrestaShop", ">=1.7 <=1.7.9", IS_BEYOND),
        (SHOP, "PrestaShop", ">=9.0", RUNS_ELSEWHERE),
        (DRUPAL, "Drupal", "^9", RUNS_ELSEWHERE),
        (DRUPAL, "Drupal 7", "7.x", RUNS_ELSEWHERE),
        (None, "PrestaShop", ">=9.0", RUNS),
    ],
)
def test_standings(host: Host | None, system: str, runs_on: str, standing: int) -> None:
    """An archive runs here, or the system is beyond its limit, or it is for another version."""
    assert (
        Hosting(host).standing(archive("module", "pay", system=system, runs_on=runs_on)) == standing
    )


@pytest.mark.parametrize(("by_record", "standing"), [(False, RUNS), (True, NOT_RECORDED)])
def test_standings_by_the_record(by_record: bool, standing: int) -> None:
    """A recorded archive comes first whatever it runs on, and one that is not recorded may come
    last.
    """
    late = archive("module", "pay", "late.zip", system="PrestaShop", runs_on=">=9.0")
    hosting = Hosting(SHOP, Asked(by_record=by_record), recorded=frozenset({late.file}))
    assert (hosting.standing(late), hosting.standing(PAY)) == (RUNS, standing)


def test_the_highest_that_runs_here() -> None:
    """A higher version for another version of the system is left out, without a warning of a
    duplicate.
    """
    new = archive(
        "module", "pay", "pay5.zip", crc=5, system="PrestaShop", version="5.0", runs_on=">=9.0"
    )
    old = archive(
        "module", "pay", "pay4.zip", crc=4, system="PrestaShop", version="4.0", runs_on=">=8.0 <9"
    )
    selection = select(settings_of(), (new, old), "drop", (), Hosting(SHOP))
    assert new.component and old.component
    assert (selection.choices, selection.warnings) == (
        (
            Choice(old, old.component, True, Reason("unmentioned")),
            Choice(new, new.component, False, Reason("other version", word="pay4.zip")),
        ),
        (),
    )


def test_the_one_that_the_record_names() -> None:
    """If only the record decides, the reason of the others is the record, not a system."""
    new = archive("module", "pay", "pay5.zip", crc=5, version="5.0")
    old = archive("module", "pay", "pay4.zip", crc=4, version="4.0")
    hosting = Hosting(asked=Asked(by_record=True), recorded=frozenset({old.file}))
    selection = select(settings_of(), (new, old), "drop", (), hosting)
    assert new.component and old.component
    assert (selection.choices, selection.warnings) == (
        (
            Choice(old, old.component, True, Reason("unmentioned")),
            Choice(new, new.component, False, Reason("not recorded", word="pay4.zip")),
        ),
        (),
    )


@pytest.mark.parametrize(
    ("host", "component", "expected"),
    [
        (None, OLD_THEME, OLD_THEME),
        (SHOP, OLD_THEME, OLD_THEME),
        (OLD_SHOP, OLD_THEME, ADOPTED),
        (BEES, OLD_THEME, ADOPTED),
        (OLD_SHOP, replace(OLD_THEME, field="several"), replace(OLD_THEME, field="several")),
        (SHOP, None, None),
    ],
)
def test_a_theme_of_the_old_shape(
    host: Host | None, component: Component | None, expected: Component | None
) -> None:
    """An archive of the old shape is a theme for PrestaShop 1.6 and thirty bees."""
    assert as_read_by(host, replace(PAY, component=component)) == replace(PAY, component=expected)


@pytest.mark.parametrize(
    ("host", "system"),
    [("Drupal", "Drupal"), ("Backdrop", "Backdrop"), ("WordPress", "Drupal")],
)
def test_a_component_with_markers_of_several_systems(host: str, system: str) -> None:
    """If a component has markers of several systems, the system in the project reads its own;
    otherwise the first is used.
    """
    first = Component(kind="module", name="two", system="Drupal")
    second = replace(first, system="Backdrop")
    both = replace(PAY, component=first, others=(second,))
    read = as_read_by(Host(system_called(host), "."), both)
    assert read == replace(both, component=replace(first, system=system))


def test_thirty_bees_takes_the_modules_of_its_origin() -> None:
    """thirty bees takes the modules of PrestaShop, and no themes."""
    theme = Component(kind="theme", name="wave", system="PrestaShop")
    assert [BEES.takes(each) for each in (theme, replace(theme, kind="module"))] == [False, True]


UNSEEN = ("no marker of the system", "it would not see it")


@pytest.mark.parametrize(
    ("host", "component", "expected"),
    [
        (SHOP, Component(kind="module", name="a", system="PrestaShop"), ("PrestaShop", ())),
        (SHOP, Component(kind="module", name="a"), ("PrestaShop", (UNSEEN,))),
        (
            SHOP,
            Component(kind="module", name="a", system="WordPress", field=BY_FILE_NAME),
            ("PrestaShop", (UNSEEN,)),
        ),
        (None, Component(kind="module", name="a"), ("", ())),
        (
            None,
            Component(
                kind="module",
                name="a",
                system="Drupal",
                unusable=(Unusable("a.info.yml", "it has no `name`"),),
            ),
            ("Drupal", (("`a.info.yml`", "it has no `name`"),)),
        ),
        (
            SHOP,
            Component(kind="theme", name="a", system="PrestaShop", lacks=("a.css", "b.css")),
            ("PrestaShop", (("`a.css` or `b.css`", "its uploader refuses a theme without it"),)),
        ),
        (
            None,
            Component(kind="theme", name="a", system="PrestaShop", lacks=("a.css",)),
            ("PrestaShop", ()),
        ),
    ],
)
def test_what_a_system_would_not_use(
    host: Host | None, component: Component, expected: tuple[str, tuple[tuple[str, str], ...]]
) -> None:
    """The warning has what the system's reader says, what its uploader demands, or that there is no
    marker of the system.
    """
    assert unusable_parts(component, host) == expected


def test_a_warning_of_what_a_system_would_not_use() -> None:
    """The warning is only given for components that are built."""
    drop = archive("module", "a"), archive("module", "b")
    selection = select(settings_of(modules_exclude=("b",)), drop, "drop", (), Hosting(SHOP))
    assert selection.warnings == (unusable("a.zip", "a", "PrestaShop", (UNSEEN,)),)


@pytest.mark.parametrize("is_base", [True, False])
def test_no_warning_of_what_the_project_may_be_made_from(is_base: bool) -> None:
    """An older archive that an update is compared with is left out without a warning of a
    duplicate.
    """
    new = archive("module", "a", "new.zip", crc=2, version="2.0")
    old = archive("module", "a", "old.zip", version="1.0")
    assert new.component and old.component
    drop = tuple(
        Choice(each, each.component, True, Reason("unmentioned"))
        for each in (new, old)
        if each.component
    )
    choices, warnings, ambiguous = drop_duplicates(drop, may_be_base=lambda _: is_base)
    warning = duplicate_archive("new.zip", "2.0", (("old.zip", "1.0"),), None)
    older = replace(drop[1], selected=False, reason=Reason("older", word="new.zip"))
    assert (choices, warnings, ambiguous) == ((drop[0], older), () if is_base else (warning,), ())
