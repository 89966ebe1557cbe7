"""Select, run alone: the archives that are built, each with its reason (`docs/archives.md`)."""

import sys
from pathlib import PurePath

import pytest
from msgspec.structs import replace

from pipeline.archives.archive import Archive, ArchiveFile, Component
from pipeline.archives.places import Places
from pipeline.building.draft import Drop
from pipeline.building.stores.record import Record
from pipeline.config.layers import Assignment, Settings, make_layer
from pipeline.merge import merge
from pipeline.plan import choose
from pipeline.report.diagnostics import BuildError
from pipeline.report.diagnostics.archives import (
    ArchiveRejected,
    Flaw,
    damaged_archive,
    guessed_name,
    left_alone,
    not_built,
)
from pipeline.report.diagnostics.disk import FileSystemProblem
from pipeline.report.diagnostics.drop import duplicate_archive, nothing_to_build
from pipeline.report.diagnostics.selection import (
    ComponentAmbiguous,
    ThemeAmbiguous,
    ThemeNotFound,
    bringing_in,
    needed_component,
    unmatched_pattern,
)
from pipeline.report.events import ComponentKind
from pipeline.report.location import BUILT_IN, Location
from pipeline.report.wording import SUGGESTION_LIMIT
from pipeline.schema import SETTINGS, Value
from pipeline.selection.choices import Reason, reason_text
from pipeline.selection.duplicates import drop_duplicates
from pipeline.selection.hosting import Hosting
from pipeline.selection.patterns import judge
from pipeline.selection.select import Selection, select, stays_closed
from tests.support.disks import START
from tests.support.drafts import choice_of
from tests.support.selecting import archive, settings_of
from tests.support.tables import lists, rows


def member(kind: ComponentKind, name: str, at: str, inner: str = "", **more: object) -> Archive:
    """A member of `b.zip`."""
    file = ArchiveFile(path=PurePath("/drop/b.zip"), display_path="b.zip").at(at, inner=inner)
    return replace(archive(kind, name, **more), file=file)  # type: ignore[arg-type]


def reported(selection: Selection) -> dict[str, tuple[bool, str]]:
    """For each archive whether it is built, and why."""
    return {
        choice.archive.file.display_path: (choice.selected, reason_text(choice.reason))
        for choice in selection.choices
    }


def selected(settings: Settings, *archives: Archive) -> Selection:
    """The selection of a drop."""
    selection = select(settings, archives, "drop")
    assert selection.errors == ()
    return selection


def errors(settings: Settings, *archives: Archive) -> tuple[BuildError, ...]:
    """What stops a drop."""
    return select(settings, archives, "drop").selected.failure()


@pytest.mark.rule("Schema, `theme`, `auto`", "Schema, `modules`")
def test_everything_by_default() -> None:
    """The only theme and every module are built, the theme first, then the modules by name."""
    selection = selected(
        settings_of(), archive("module", "z"), archive("theme", "t"), archive("module", "a")
    )
    assert reported(selection) == {
        "a.zip": (True, "no setting leaves it out"),
        "t.zip": (True, "the only theme in the drop"),
        "z.zip": (True, "no setting leaves it out"),
    }
    assert [choice.component.name for choice in selection.selected.unwrap()] == ["t", "a", "z"]
    assert selection.warnings == ()


@pytest.mark.rule(
    "Schema, `modules.include`",
    "Schema, `modules.exclude`",
    "Schema, `modules.only`",
    "Surface, `--exclude`",
)
@pytest.mark.parametrize(
    ("flags", "environ", "verdict"),
    rows("select", "decides"),
)
def test_the_highest_layer_that_speaks_decides(
    flags: dict[str, Value], environ: dict[str, str], verdict: tuple[bool, str]
) -> None:
    """From the highest layer down, the first rule that applies decides; a layer without one leaves
    it to the next.
    """
    settled, reason = judge(settings_of(environ, **flags), ("bar", "bar-1.zip"))
    assert (settled, reason_text(reason)) == verdict


@pytest.mark.rule("Schema, `theme`, `none`", "Schema, `theme`, any other", "Surface, `--theme`")
@pytest.mark.parametrize(
    ("theme", "reasons"),
    rows("select", "theme"),
)
def test_the_theme_setting(theme: str, reasons: dict[str, tuple[bool, str]]) -> None:
    """A name, `none` or the path of an archive chooses among several themes."""
    selection = selected(
        settings_of(theme=theme), archive("theme", "t"), archive("theme", "u", named=True)
    )
    assert reported(selection) == {f"{name}.zip": reason for name, reason in reasons.items()}


def test_a_theme_may_be_called_none() -> None:
    """The setting `none` means no theme, even if one has that name."""
    reason = (False, "theme (--theme) is `none`")
    assert reported(selected(settings_of(theme="none"), archive("theme", "none"))) == {
        "none.zip": reason
    }


def test_several_themes() -> None:
    """With `auto` several themes are ambiguous, and their names are listed in order."""
    assert errors(
        settings_of(), archive("theme", "u", "1.zip"), archive("theme", "t", "2.zip")
    ) == (ThemeAmbiguous(("t", "u"), BUILT_IN),)


def test_a_theme_that_is_not_there() -> None:
    """A theme that the drop does not have is reported with the themes that it has, and a
    similar name.
    """
    assert errors(
        settings_of(theme="harbor"), archive("theme", "harbour"), archive("module", "harbor")
    ) == (ThemeNotFound("harbor", Location("--theme"), ("harbour",), ("harbour",)),)
    assert errors(settings_of(theme="./no.zip"), archive("module", "m")) == (
        ThemeNotFound("./no.zip", Location("--theme")),
    )


def test_a_theme_whose_archive_is_refused() -> None:
    """If the archive that the setting names is refused, that is the error, and not a missing
    theme.
    """
    bad = refused("sea.zip", None, named=True)
    assert errors(settings_of(theme="sea.zip"), bad, archive("theme", "bay")) == bad.refusals
    two = (
        archive("theme", "a", "sea.zip", named=True),
        archive("theme", "b", "sea.zip", named=True),
    )
    assert errors(settings_of(theme="sea.zip"), bad, *two)[0] == ThemeAmbiguous(
        ("a", "b"), Location("--theme")
    )


BAD_SEA = ArchiveRejected("sea.zip", Flaw("bad"))


@pytest.mark.parametrize(
    ("wanted", "found", "left_out"),
    [
        ("sea", archive("theme", "sea", "sea-1.zip"), ("sea-1.zip",)),
        ("sea", replace(archive("theme", "sea"), component=None), ("sea.zip",)),
        (
            "sea",
            replace(
                archive("theme", "sea"),
                component=None,
                refusals=(ArchiveRejected("sea.zip", Flaw("bad")),),
            ),
            (),
        ),
        ("bay", archive("theme", "sea"), ()),
    ],
)
def test_a_theme_whose_file_is_left_out(
    wanted: str, found: Archive, left_out: tuple[str, ...]
) -> None:
    """If a pattern excludes the file of a theme that is not found, the error names that file,
    opened or not.
    """
    error = ThemeNotFound(wanted, Location("--theme"), left_out=left_out)
    assert errors(settings_of(theme=wanted, modules_exclude=("sea*.zip",)), found) == (error,)


def test_one_component_twice() -> None:
    """Two archives with the same content are one, and the first by name is built; with different
    contents they are ambiguous.
    """
    same = selected(
        settings_of(), archive("module", "m", "m-dev.zip"), archive("module", "m", "m.zip")
    )
    assert reported(same) == {
        "m-dev.zip": (True, "no setting leaves it out"),
        "m.zip": (False, "same content as m-dev.zip"),
    }
    assert same.warnings == (duplicate_archive("m-dev.zip", "", (("m.zip", ""),), frozenset()),)
    two = archive("module", "m", "m-dev.zip"), archive("module", "m", "m.zip", crc=2)
    assert errors(settings_of(), *two) == (
        ComponentAmbiguous("module", "m", ("m-dev.zip", "m.zip")),
    )
    assert reported(selected(settings_of(modules_exclude=("m-dev.zip",)), *two))["m.zip"][0] is True


def refused(
    file: str, component: Component | None, reason: str = "bad", named: bool = False
) -> Archive:
    """An archive that is refused, of which it may be known all the same what it is."""
    return Archive(
        file=ArchiveFile(path=PurePath("/drop") / file, display_path=file, is_theme_setting=named),
        component=component,
        refusals=(
            ArchiveRejected(file, Flaw(reason, entry="e")),
            ArchiveRejected(file, Flaw("also")),
        ),
    )


def test_refusals_of_what_is_selected() -> None:
    """Every refusal of a selected archive, or of one that cannot be recognised, stops the run."""
    archives = refused("a.zip", Component(kind="module", name="a")), refused("b.zip", None)
    assert errors(settings_of(), *archives) == tuple(
        ArchiveRejected(file, Flaw(reason, entry=entry))
        for file in ("a.zip", "b.zip")
        for reason, entry in (("bad", "e"), ("also", None))
    )


def test_refusals_of_what_is_left_out() -> None:
    """Damage in an archive that is left out is a warning; its file name is enough to leave it
    out.
    """
    settings = settings_of(modules_exclude=("a", "b*"))
    locked = Archive(
        file=ArchiveFile(path=PurePath("/drop/bb.zip"), display_path="bb.zip"),
        refusals=(FileSystemProblem("bb.zip", "no"),),
    )
    selection = selected(
        settings,
        refused("a.zip", Component(kind="module", name="a")),
        refused("b.zip", None),
        locked,
    )
    assert reported(selection) == {
        "a.zip": (False, "matches `a` in modules.exclude (--exclude)"),
        "b.zip": (False, "matches `b*` in modules.exclude (--exclude)"),
        "bb.zip": (False, "matches `b*` in modules.exclude (--exclude)"),
    }
    assert selection.warnings == (
        damaged_archive("a.zip", Flaw("bad", entry="e")),
        damaged_archive("b.zip", Flaw("bad", entry="e")),
        damaged_archive("bb.zip", Flaw("no")),
        nothing_to_build("drop", 3),
    )


def test_a_name_that_only_does_not_match_leaves_nothing_out() -> None:
    """`only` does not exclude an archive whose name is not known."""
    assert errors(settings_of(modules_only=("x",)), refused("b.zip", None))[0] == ArchiveRejected(
        "b.zip", Flaw("bad", entry="e")
    )


def test_the_theme_is_never_left_out_by_a_pattern() -> None:
    """A pattern applies to modules only: the archive that the theme setting names is refused if
    it is damaged.
    """
    settings = settings_of(theme="t.zip", modules_exclude=("*",))
    assert errors(settings, refused("t.zip", None, named=True)) == (
        ArchiveRejected("t.zip", Flaw("bad", entry="e")),
        ArchiveRejected("t.zip", Flaw("also")),
    )


def unmatched(selection: Selection) -> list[str]:
    """The patterns that match no module, as they are warned of."""
    return [
        each.message.split("`")[1]
        for each in selection.warnings
        if each.code == "unmatched-pattern"
    ]


def test_patterns_without_a_match() -> None:
    """A pattern that matches no module of the drop is reported with its location and the most
    similar name.
    """
    settings = settings_of({"TOOL_MODULES_ONLY": "m"}, modules_exclude=("shop_baner", "m.zip"))
    assert selected(
        settings, archive("module", "shop_banner"), archive("module", "m")
    ).warnings == (
        unmatched_pattern("modules.exclude", "shop_baner", Location("--exclude"), ("shop_banner",)),
        nothing_to_build("drop", 2),
    )


def test_a_pattern_of_a_preset_without_a_match() -> None:
    """A preset's pattern without a match is not reported, as presets are shared."""
    exclude = next(setting for setting in SETTINGS if setting.path == "modules.exclude")
    layers = (
        make_layer({exclude: Assignment(layer, Location(layer), ("...", layer))}, START)
        for layer in ("config", "preset")
    )
    found = select(merge(layers, START), (archive("module", "m"),), "drop")
    assert unmatched(found) == ["config"]


@pytest.mark.parametrize(
    ("setting", "pattern", "advice"),
    rows("select", "advice"),
)
def test_what_to_do_about_a_pattern_without_a_match(
    setting: str, pattern: str, advice: str
) -> None:
    """A pattern in another tool's syntax, or with the name of a theme, has its own advice."""
    settings = settings_of(None, **{setting: (pattern,)})
    warnings = selected(settings, archive("module", "m"), archive("theme", "harbour")).warnings
    assert [each.advice for each in warnings if each.code == "unmatched-pattern"] == [advice]


def test_many_patterns_without_a_match() -> None:
    """Of very many patterns without a match, only the first get suggestions, which take long to
    find.
    """
    patterns = tuple(f"shop_banne{index}" for index in range(SUGGESTION_LIMIT + 1))
    warnings = selected(
        settings_of(modules_exclude=patterns), archive("module", "shop_banner")
    ).warnings
    advice = [each.advice for each in warnings if each.code == "unmatched-pattern"]
    assert advice == [
        *["did you mean `shop_banner`?"] * SUGGESTION_LIMIT,
        "check the name and its case",
    ]


def test_a_pattern_that_matches_a_refused_archive() -> None:
    """A pattern that names the file of a refused archive has a match."""
    found = select(
        settings_of(modules_exclude=("m",), modules_include=("b.zip",)),
        (refused("b.zip", None),),
        "drop",
    )
    assert unmatched(found) == ["m"]


def test_what_is_left_alone_in_a_bundle_that_is_left_out() -> None:
    """Files of a bundle that belong to no member are reported only if something of the bundle is
    built.
    """
    bundle = replace(archive("module", "m"), warnings=(left_alone("m.zip", ("x",)),))
    assert selected(settings_of(), bundle).warnings == bundle.warnings
    assert selected(settings_of(modules_exclude=("m",)), bundle).warnings == (
        nothing_to_build("drop", 1),
    )


def test_an_empty_drop() -> None:
    """A drop without archives is reported."""
    assert selected(settings_of()).warnings == (nothing_to_build("drop", 0),)


@pytest.mark.parametrize(
    ("theme", "pattern", "named", "closed"),
    rows("select", "closed"),
)
def test_archives_that_stay_closed(theme: str, pattern: str, named: bool, closed: bool) -> None:
    """An archive that its file name leaves out is not opened, unless it may have a theme and the
    setting names no file.
    """
    file = ArchiveFile(path=PurePath("/drop/a.zip"), display_path="a.zip", is_theme_setting=named)
    assert stays_closed(settings_of(theme=theme, modules_exclude=(pattern,)), file) is closed
    assert stays_closed(settings_of(theme=theme), file) is False


@pytest.mark.parametrize(
    ("flags", "environ", "closed"),
    rows("select", "opened"),
)
def test_archives_that_another_list_may_bring_in(
    flags: dict[str, Value], environ: dict[str, str], closed: bool
) -> None:
    """An archive is opened if an `include` beside or above the `exclude`, or an `only` above it,
    may bring it in.
    """
    file = ArchiveFile(path=PurePath("/drop/a.zip"), display_path="a.zip")
    assert stays_closed(settings_of(environ, **flags), file) is closed


def test_two_versions_of_one_component() -> None:
    """Of archives with different contents the highest version is built, and one warning
    names the others.
    """
    archives = (
        archive("module", "m", "a.zip", version="8.x-1.9", crc=1),
        archive("module", "m", "a2.zip", version="8.x-1.9", crc=1),
        archive("module", "m", "b.zip", version="2.0.0-rc1", crc=2),
        archive("module", "m", "c.zip", version="2.0.0", crc=3),
        archive("module", "m", "d.zip", version="2.0.0", crc=3),
    )
    selection = selected(settings_of(), *archives)
    assert reported(selection) == {
        "a.zip": (False, "c.zip has a higher version"),
        "a2.zip": (False, "same content as a.zip"),
        "b.zip": (False, "c.zip has a higher version"),
        "c.zip": (True, "no setting leaves it out"),
        "d.zip": (False, "same content as c.zip"),
    }
    assert selection.warnings == (
        duplicate_archive(
            "c.zip",
            "2.0.0",
            (("a.zip", "8.x-1.9"), ("a2.zip", "8.x-1.9"), ("b.zip", "2.0.0-rc1"), ("d.zip", "")),
            frozenset(),
        ),
    )


@pytest.mark.parametrize(
    ("one", "other"), [(None, "1.0"), ("1.0", "1.0"), ("1.0", "v1"), ("1.0", "trunk"), (None, None)]
)
def test_versions_that_do_not_tell(one: str | None, other: str | None) -> None:
    """Archives with different contents are ambiguous if a version is missing, equal or invalid; an
    exclude settles it.
    """
    archives = (
        archive("theme", "t", "a.zip", version=one),
        archive("theme", "t", "b.zip", version=other, crc=2),
    )
    rivals = ("b.zip", "a.zip") if one is None and other else ("a.zip", "b.zip")
    assert errors(settings_of(), *archives) == (ComponentAmbiguous("theme", "t", rivals),)
    modules = (
        archive("module", "m", "a.zip", version=one),
        archive("module", "m", "b.zip", version=other, crc=2),
    )
    (error,) = errors(settings_of(), *modules)
    assert error == ComponentAmbiguous("module", "m", rivals)
    best, out = rivals
    assert error.advice.startswith(f"build `{best}` with `--exclude=... --exclude={out}`")
    assert reported(selected(settings_of(modules_exclude=(out,)), *modules))[best][0] is True


def test_an_archive_that_is_older_than_several() -> None:
    """Of several archives that tie, the first is named where an older one is left out."""
    choices = tuple(
        choice_of(file=file, version=version, archive={"content": file})
        for file, version in (("a.zip", "1.0"), ("b.zip", "2.0"), ("c.zip", "2.0"))
    )
    settled, _, _ = drop_duplicates(choices)
    assert {choice.archive.file.display_path: choice.reason for choice in settled} == {
        "a.zip": Reason("older", word="b.zip"),
        "b.zip": Reason("unmentioned"),
        "c.zip": Reason("unmentioned"),
    }


def test_rivals_are_those_that_tie() -> None:
    """Only the highest archives, and those without a version, are rivals; the advice settles it."""
    versions = {
        "a.zip": "1.0",
        "b.zip": "2.0",
        "c.zip": "2.0",
        "c (1).zip": "2.0",
        "d.zip": "dev",
        "e.zip": "1.9",
    }
    versions["b2.zip"] = "2.0"
    contents = {
        **{name: number for number, name in enumerate(versions)},
        "c (1).zip": 2,
        "b2.zip": 1,
    }
    archives = [
        archive("module", "m", name, version=of, crc=contents[name])
        for name, of in versions.items()
    ]
    (error,) = errors(settings_of(), *archives)
    assert error == ComponentAmbiguous("module", "m", ("b.zip", "c (1).zip", "d.zip"), ("c.zip",))
    flags = "--exclude=... '--exclude=c (1).zip' --exclude=d.zip --exclude=c.zip"
    assert (
        error.advice == f"build `b.zip` with `{flags}`; or remove all but one of them from the drop"
    )
    out = ("c (1).zip", "d.zip", "c.zip")
    assert [
        name
        for name, (is_in, _) in reported(
            selected(settings_of(modules_exclude=out), *archives)
        ).items()
        if is_in
    ] == ["b.zip"]
    twice = archive("module", "m", "m.zip"), archive("module", "m", "modules/m.zip", crc=2)
    (error,) = errors(settings_of(), *twice)
    assert error.advice == "remove all but one of them from the drop"


def test_members_are_reported_apart() -> None:
    """Members of one file are selected, left out and refused one by one, by their names and
    locations.
    """
    members = (
        member("module", "one", "mods/one"),
        member("module", "two", "two.zip", inner="top/two.zip", evidence="two.php"),
        member("module", "three", "mods/three", root="mods/three/"),
    )
    for pattern, out in (
        ("one", {"one"}),
        ("b.zip!mods/*", {"one", "three"}),
        ("two.zip", {"two"}),
        ("b.zip!two.zip", {"two"}),
        ("b.zip", {"one", "two", "three"}),
        ("three", {"three"}),
    ):
        choices = selected(settings_of(modules_exclude=(pattern,)), *members).choices
        assert {choice.component.name for choice in choices if not choice.selected} == out
    damaged = replace(
        members[1], component=None, refusals=(ArchiveRejected("b.zip!two.zip", Flaw("bad")),)
    )
    drop = members[0], damaged, members[2]
    assert errors(settings_of(), *drop) == damaged.refusals
    assert selected(settings_of(modules_exclude=("b.zip!two.zip",)), *drop).warnings == (
        damaged_archive("b.zip!two.zip", Flaw("bad")),
    )


def test_what_is_refused_once_is_reported_once() -> None:
    """A refusal of a whole bundle, which all members share, is one error or one warning."""
    refusal = ArchiveRejected("b.zip", Flaw("bad", entry="e"))
    members = tuple(
        replace(member("module", name, name, root=f"{name}/"), refusals=(refusal,))
        for name in ("one", "two")
    )
    assert errors(settings_of(), *members) == (refusal,)
    assert selected(settings_of(modules_exclude=("*",)), *members).warnings[0] == damaged_archive(
        "b.zip", Flaw("bad", entry="e")
    )


def test_every_archive_is_reported() -> None:
    """An archive that cannot be recognised is reported by its file name."""
    archives = refused("sea-theme-1.0.zip", None), refused("m.zip", None), archive("module", "n")
    selection = select(settings_of(), archives, "drop")
    assert [
        (each.component.kind, each.component.name, each.selected) for each in selection.choices
    ] == [
        ("module", "m", False),
        ("module", "n", True),
        ("theme", "sea-theme", False),
    ]
    assert reported(selection)["m.zip"] == (
        False,
        "refused before it was recognised: the error says why",
    )


def test_what_no_marker_tells_from_documentation() -> None:
    """An archive in a bundle that cannot be recognised is built only if a pattern names it, and
    reported otherwise.
    """
    warning = not_built("b.zip!papers.zip", "unmarked")
    papers = replace(
        member("module", "papers", "papers.zip", inner="papers.zip"), warnings=(warning,)
    )
    assert selected(settings_of(), papers).warnings == (warning, nothing_to_build("drop", 1))
    assert reported(selected(settings_of(), papers)) == {
        "b.zip!papers.zip": (False, "no marker, and no setting asks for it")
    }
    for include in ("papers", "papers.zip", "b.zip!*"):
        selection = selected(settings_of(modules_include=(include,)), papers)
        assert reported(selection)["b.zip!papers.zip"][0] is True
        assert selection.warnings == ()


def other(name: str, named: bool = False) -> Archive:
    """An archive that holds a profile."""
    profile = archive("module", name, named=named, what="profile")
    assert profile.component
    warning = not_built(f"{name}.zip", "profile")
    return replace(
        profile, component=replace(profile.component, kind="profile"), warnings=(warning,)
    )


def test_what_is_neither_theme_nor_module() -> None:
    """Something that is neither a theme nor a module is built only if its name is written out;
    otherwise a warning says so, unless a pattern leaves it out.
    """
    warning, what = not_built("p.zip", "profile"), (False, "not built: an installation profile")
    for settings in (
        settings_of(),
        settings_of(modules_only=("m",)),
        settings_of(modules_include=("p*",)),
    ):
        selection = selected(settings, other("p"), archive("module", "m"))
        assert reported(selection) == {"p.zip": what, "m.zip": reported(selection)["m.zip"]}
        assert selection.warnings == (warning,)
    selection = selected(settings_of(modules_exclude=("p",)), other("p"), archive("module", "m"))
    assert reported(selection)["p.zip"] == (False, "matches `p` in modules.exclude (--exclude)")
    assert selection.warnings == ()
    for name in ("p", "p.zip"):
        selection = selected(settings_of(modules_include=("x*", name)), other("p"))
        assert [(each.path, each.selected) for each in selection.choices] == [("modules/p", True)]
        assert unmatched(selection) == ["x*"]


def test_what_is_neither_in_the_folders_of_a_system() -> None:
    """Only themes and modules are built in the system's folders; anything else keeps its usual
    path.
    """
    archives = {
        each.file: each for each in (other("p"), archive("theme", "t"), archive("module", "m"))
    }
    drop = Drop(
        "drop", lambda _: tuple(archives), lambda files: [(archives[each],) for each in files]
    )
    selection = choose(
        settings_of(), drop, record=Record().within(Places("web/themes", "web/modules"))
    )
    assert {each.path for each in selection.choices} == {
        "profiles/p",
        "web/themes/t",
        "web/modules/m",
    }


def test_two_that_are_neither() -> None:
    """Two archives of one thing that is not built are not an error."""
    twins = (other("p"), replace(other("p"), content="2", file=other("q").file))
    assert [*reported(selected(settings_of(), *twins))] == ["p.zip", "q.zip"]


def test_a_theme_setting_that_names_what_is_neither() -> None:
    """If the theme setting names a file that is neither, the error says what the file holds."""
    error = ThemeNotFound("p.zip", Location("--theme"), holds="an installation profile")
    selection = select(settings_of(theme="p.zip"), (other("p", named=True),), "drop")
    assert selection.errors == (error,)
    assert (
        error.message == "`p.zip` holds an installation profile, not a theme; the drop has no theme"
    )


def test_a_theme_setting_that_names_a_module() -> None:
    """If the theme setting names a module, the error says that the file holds a module."""
    error = ThemeNotFound("pay.zip", Location("--theme"), holds="a module")
    assert errors(settings_of(theme="pay.zip"), archive("module", "pay", named=True)) == (error,)


def test_a_name_that_is_a_guess() -> None:
    """If a built component has a guessed name, a warning says what the guess is from."""
    pay = archive("module", "pay", named_by="pay-main/ (folder)", is_guessed=True)
    warning = guessed_name("pay.zip", "pay", "pay-main/ (folder)")
    assert selected(settings_of(), pay).warnings == (warning,)
    assert warning not in selected(settings_of(modules_exclude=("pay",)), pay).warnings


def test_modules_that_a_theme_brings_along() -> None:
    """Modules of a theme are selected like any others, and their reason names the theme."""
    tides = member(
        "module", "tides", "dependencies/modules/tides", bundled_in="sea", evidence="x", root="x/"
    )
    assert reported(selected(settings_of(theme="none"), tides)) == {
        "b.zip!dependencies/modules/tides": (
            True,
            "bundled with the theme `sea`, and no setting leaves it out",
        )
    }
    assert reported(selected(settings_of(modules_only=("x",)), tides))[
        "b.zip!dependencies/modules/tides"
    ] == (
        False,
        "matches no pattern in modules.only (--only)",
    )


GRANDPARENT = archive("theme", "sea", system="Drupal")
PARENT = archive("theme", "bay", parent="sea", system="Drupal")
CHILD = archive("theme", "harbour", parent="bay", system="Drupal")
AUTO_CHILD = (True, "the only theme in the drop that no other theme builds on")


@pytest.mark.parametrize(
    ("theme", "reason", "built"),
    lists("select", "parents"),
)
def test_parents_come_along(theme: str, reason: list[object], built: list[str]) -> None:
    """The parents of the chosen theme are built too, in any order; their reason names the theme."""
    flags: dict[str, Value] = {} if theme == "auto" else {"theme": theme}
    selection = selected(settings_of(None, **flags), PARENT, GRANDPARENT, CHILD)
    assert [*reported(selection)["harbour.zip"]] == reason
    assert [choice.component.name for choice in selection.selected.unwrap()] == built
    if "harbour" in built:
        assert reported(selection)["sea.zip"] == (True, "the theme `bay` builds on it")
        assert reported(selection)["bay.zip"] == (True, "the theme `harbour` builds on it")


@pytest.mark.parametrize(
    ("flags", "environ", "built"),
    rows("select", "left out by its file"),
)
def test_a_theme_that_a_pattern_leaves_out_by_its_file(
    flags: dict[str, tuple[str, ...]], environ: dict[str, str], built: str | None
) -> None:
    """Of two copies of a theme in a package, a pattern can leave out one by its file, as it can for
    modules.
    """
    one, other = (
        member("theme", "harbour", f"{at}/harbour.zip", f"{at}/harbour.zip", crc=ord(at))
        for at in "ab"
    )
    selection = selected(settings_of(environ, **flags), one, other)
    assert [choice.archive.file.display_path for choice in selection.selected.unwrap()] == (
        [built] if built else []
    )
    assert {*unmatched(selection)} == (
        {"x", "harbour", "*harbour*", "b.z*"}
        & {pattern for patterns in flags.values() for pattern in patterns}
    )


def test_the_file_that_the_theme_setting_names() -> None:
    """A pattern cannot leave out the whole file that the theme setting names, but it can leave out
    a member; that is the reason then.
    """
    bundle = ArchiveFile(path=PurePath("/drop/b.zip"), display_path="b.zip", is_theme_setting=True)
    one, other = (
        replace(archive("theme", name), file=bundle.at(f"{name}.zip", f"{name}.zip"))
        for name in "ac"
    )
    settings = settings_of(theme="b.zip", modules_exclude=("b.zip", "b.zip!a.zip"))
    assert reported(selected(settings, one, other)) == {
        "b.zip!a.zip": (False, "matches `b.zip!a.zip` in modules.exclude (--exclude)"),
        "b.zip!c.zip": (True, "theme (--theme) is `b.zip`"),
    }


def test_a_theme_that_auto_does_not_mean() -> None:
    """A theme that is neither built nor a parent of the built one has a reason that names the built
    one.
    """
    drop = (
        archive("theme", "a"),
        archive("theme", "x", parent="y"),
        archive("theme", "y", parent="x"),
    )
    assert reported(selected(settings_of(), *drop)) == {
        "a.zip": AUTO_CHILD,
        "x.zip": (False, "the theme `a` is built, but does not build on it"),
        "y.zip": (False, "the theme `a` is built, but does not build on it"),
    }


@pytest.mark.parametrize("name", ["sea", "themes/sea"])
def test_a_theme_that_is_named_on_the_command_line(name: str) -> None:
    """If `auto` leaves several themes to choose from, a name on the command line decides; otherwise
    it changes nothing.
    """
    drop = GRANDPARENT, PARENT, archive("theme", "cliff")
    settled = select(settings_of(), drop, "drop", {name})
    assert reported(settled) == {
        "bay.zip": (False, "no theme could be chosen"),
        "cliff.zip": (False, "no theme could be chosen"),
        "sea.zip": (True, "named on the command line; theme (built-in) is `auto`"),
    }
    assert settled.errors == ()
    assert select(settings_of(), drop, "drop", {"modules/sea"}).errors == (
        ThemeAmbiguous(("bay", "cliff"), BUILT_IN),
    )
    for flags in ({"theme": "none"}, {"theme": "bay"}, {"modules_exclude": ("cliff.zip",)}):
        assert select(settings_of(**flags), drop, "drop", {name}) == select(
            settings_of(**flags), drop, "drop"
        )


@pytest.mark.parametrize(
    ("here", "names", "reasons"),
    rows("select", "here"),
)
def test_themes_that_the_project_has(
    here: tuple[str, ...], names: tuple[str, ...], reasons: dict[str, tuple[bool, str]]
) -> None:
    """With `auto`, all themes that the project has are built, with their parents and named themes,
    and no others.
    """
    folders = {("theme", name): name for name in here}
    selection = select(
        settings_of(),
        (GRANDPARENT, PARENT, archive("theme", "cliff")),
        "drop",
        names,
        Hosting(folders=folders),
    )
    assert (reported(selection), selection.errors) == (reasons, ())


def test_a_theme_that_is_named_of_a_file_with_several() -> None:
    """A name chooses only among the themes in the file that the setting names."""
    themes = (*(archive("theme", name, named=True) for name in "ab"), archive("theme", "c"))
    settings = settings_of(theme="x.zip")
    assert [
        each.component.name for each in select(settings, themes, "", {"b"}).selected.unwrap()
    ] == ["b"]
    assert select(settings, themes, "", {"c"}).errors == (
        ThemeAmbiguous(("a", "b"), Location("--theme")),
    )


def test_named_themes_that_lie_twice() -> None:
    """Of several archives of a named theme, the highest version is built, as of any other
    component.
    """
    twice = (archive("theme", "sea", f"{n}.zip", version=f"{n}.0", crc=n) for n in (1, 2))
    drop = (*twice, archive("theme", "bay"))
    (built,) = select(settings_of(), drop, "drop", {"sea"}).selected.unwrap()
    assert built.archive.file.name == "2.zip"


def test_parents_that_are_not_in_the_drop() -> None:
    """A child theme without its parent is the only theme; two children of one parent are
    ambiguous.
    """
    assert reported(selected(settings_of(), CHILD)) == {
        "harbour.zip": (True, "the only theme in the drop")
    }
    other = archive("theme", "cliff", parent="sea")
    assert errors(settings_of(), GRANDPARENT, PARENT, other) == (
        ThemeAmbiguous(("bay", "cliff"), BUILT_IN),
    )


@pytest.mark.parametrize("first", ["classic", None])
@pytest.mark.parametrize(
    ("theme", "named"), [("auto", False), ("child", False), ("x/child-2.zip", True)]
)
def test_the_parent_of_a_theme_that_lies_twice(theme: str, named: bool, first: str | None) -> None:
    """If a theme is in the drop twice, its parent is that of the archive that is built."""
    drop = (
        archive("theme", "child", "child-1.zip", version="1.0", parent=first, crc=1),
        archive("theme", "child", "child-2.zip", named, version="2.0", parent="harbour", crc=2),
        archive("theme", "harbour"),
        *((archive("theme", "classic"),) if theme != "auto" else ()),
    )
    selection = selected(settings_of() if theme == "auto" else settings_of(theme=theme), *drop)
    files = [choice.archive.file.display_path for choice in selection.selected.unwrap()]
    assert files == ["child-2.zip", "harbour.zip"]
    assert reported(selection)["harbour.zip"] == (True, "the theme `child` builds on it")


def test_a_theme_of_which_it_is_not_known_which_is_built() -> None:
    """If versions do not decide between the archives of a child theme, only that is reported."""
    twice = (archive("theme", "child", f"{n}.zip", parent="sea", crc=n) for n in (1, 2))
    assert errors(settings_of(), *twice, archive("theme", "sea")) == (
        ComponentAmbiguous("theme", "child", ("1.zip", "2.zip")),
    )


def test_parents_in_a_circle() -> None:
    """Themes that build on one another are ambiguous with `auto`; a named one brings the others."""
    circle = (
        archive("theme", "a", parent="c"),
        archive("theme", "b", parent="a"),
        archive("theme", "c", parent="b"),
    )
    undecided = select(settings_of(), circle, "drop")
    assert undecided.errors == (ThemeAmbiguous(("a", "b", "c"), BUILT_IN),)
    selection = selected(settings_of(theme="b"), *circle)
    assert [choice.component.name for choice in selection.selected.unwrap()] == ["b", "a", "c"]
    alone = selected(settings_of(), archive("theme", "a", parent="a"))
    assert reported(alone) == {"a.zip": (True, "the only theme in the drop")}


def test_parents_in_a_circle_above_the_theme() -> None:
    """A theme whose parent is in a circle brings all of them, each once."""
    family = (
        archive("theme", "a", parent="b"),
        archive("theme", "b", parent="c"),
        archive("theme", "c", parent="b"),
    )
    selection = selected(settings_of(theme="a"), *family)
    assert [choice.component.name for choice in selection.selected.unwrap()] == ["a", "b", "c"]


def test_a_file_with_several_themes() -> None:
    """A theme setting that names a bundle of several themes is ambiguous."""
    themes = [archive("theme", name, named=True) for name in "ab"]
    assert errors(settings_of(theme="x.zip"), *themes) == (
        ThemeAmbiguous(("a", "b"), Location("--theme")),
    )
    family = archive("theme", "a", parent="b", named=True), archive("theme", "b", named=True)
    assert errors(settings_of(theme="x.zip"), *family) == (
        ThemeAmbiguous(("a", "b"), Location("--theme")),
    )


@pytest.mark.parametrize(
    ("environ", "flags", "warning"),
    [
        (
            {"TOOL_MODULES_EXCLUDE": "need"},
            {},
            ("modules.exclude", Location("TOOL_MODULES_EXCLUDE")),
        ),
        ({}, {"modules_exclude": ("need",)}, ("modules.exclude", Location("--exclude"))),
        ({}, {"modules_only": ("user", "other")}, ("modules.only", Location("--only"))),
        ({}, {}, None),
        ({}, {"modules_exclude": ("need", "user", "other")}, None),
    ],
)
def test_what_is_needed_and_left_out(
    environ: dict[str, str], flags: dict[str, Value], warning: tuple[str, Location] | None
) -> None:
    """If a built component needs a module of the drop that is left out, a warning names both."""
    drop = (
        archive("theme", "t", requires=("need",)),
        archive("module", "user", requires=("need", "elsewhere")),
        archive("module", "other", requires=("need",)),
        archive("module", "need"),
    )
    users = ("t",) if "other" in str(flags.get("modules_exclude")) else ("other", "t", "user")
    selection = selected(settings_of(environ, **flags), *drop)
    if warning:
        advice = bringing_in("need", *warning, frozenset())
        assert selection.warnings == (needed_component("need", users, advice, warning[1]),)
    elif flags:
        assert selection.warnings == (
            needed_component("need", users, "remove it from `--exclude`", Location("--exclude")),
        )
    else:
        assert selection.warnings == ()


@pytest.mark.parametrize(
    ("pattern", "drop", "file"),
    [
        ("sea.zip", (archive("theme", "sea"),), "sea.zip"),
        ("b.zip!sea.zip", (member("theme", "sea", "sea.zip", "sea.zip"),), "b.zip!sea.zip"),
        (
            "sea-1.0.zip",
            (
                Archive(
                    file=ArchiveFile(path=PurePath("/drop/sea-1.0.zip"), display_path="sea-1.0.zip")
                ),
            ),
            "sea-1.0.zip",
        ),
        ("sea.zip", (archive("theme", "sea"), archive("theme", "sea", "other.zip")), None),
        ("sea.zip", (archive("module", "sea"),), None),
        ("a.zip", (archive("theme", "sea"),), None),
    ],
)
def test_a_parent_that_is_left_out(
    pattern: str, drop: tuple[Archive, ...], file: str | None
) -> None:
    """If a built theme builds on a theme of the drop that a pattern leaves out, a warning names it
    with its file.
    """
    child = archive("theme", "bay", parent="sea")
    for environ, flags, place in (
        ({"TOOL_MODULES_EXCLUDE": pattern}, {}, "TOOL_MODULES_EXCLUDE"),
        ({}, {"modules_exclude": (pattern,)}, "--exclude"),
    ):
        warnings = selected(settings_of(environ, **flags), child, *drop).warnings
        reported = [warning for warning in warnings if warning.code == "needed-component"]
        advice = bringing_in(file or "", "modules.exclude", Location(place), frozenset())
        assert reported == (
            [needed_component("sea", ("bay",), advice, Location(place))] if file else []
        )


def test_many_patterns_and_many_archives() -> None:
    """The cost of a selection grows with the patterns and with the archives, not with their
    product.
    """
    archives = tuple(archive("module", f"m{number}") for number in range(100))
    calls = 0

    def counted(_frame: object, event: str, _arg: object) -> None:
        nonlocal calls
        calls += event == "call"

    def cost(patterns: int) -> int:
        settings = settings_of(modules_include=tuple(f"*{number}x*y" for number in range(patterns)))
        before = calls
        sys.setprofile(counted)
        try:
            select(settings, archives, "drop")
        finally:
            sys.setprofile(None)
        return calls - before

    # Compiling a pattern takes some hundred; each pair took seven.
    assert cost(200) - cost(100) < 100 * 900
