"""Select, run alone: which archives are built, each with its reason (`docs/selection.md`)."""

from pathlib import PurePath

import pytest
from msgspec.structs import replace

from pipeline.archives import Archive, ArchiveFile, Component, Entry, describe
from pipeline.choices import because
from pipeline.events import Kind
from pipeline.flags import read_flags
from pipeline.layers import Settings, defaults
from pipeline.merge import merge
from pipeline.notes import DamagedArchive, DuplicateArchive, NothingToBuild, UnmatchedPattern
from pipeline.patterns import judge
from pipeline.problems import (
    ArchiveRejected,
    BuildProblem,
    ComponentAmbiguous,
    FileSystemProblem,
    ThemeAmbiguous,
    ThemeNotFound,
)
from pipeline.schema import Value
from pipeline.select import Selection, select, stays_closed
from pipeline.source import BUILT_IN, Source
from pipeline.variables import read_variables
from tests.disks import START

ENTRY = Entry(name="a", size=1, crc=1)


def settings_of(environ: dict[str, str] | None = None, **flags: Value) -> Settings:
    """Settings of flags over variables over the defaults."""
    return merge((read_flags(flags, START), read_variables(environ or {}, START).unwrap(), defaults(START)))


def archive(kind: Kind, name: str, file: str | None = None, named: bool = False, crc: int = 1) -> Archive:
    """An archive that holds one file."""
    shown = file or f"{name}.zip"
    file_ = ArchiveFile(path=PurePath("/drop") / shown, shown=shown, named=named)
    return describe(Archive(file=file_), Component(kind=kind, name=name), (replace(ENTRY, crc=crc),))


def told(selection: Selection) -> dict[str, tuple[bool, str]]:
    """For each archive whether it is built, and why."""
    return {choice.archive.file.shown: (choice.selected, because(choice.reason)) for choice in selection.choices}


def selected(settings: Settings, *archives: Archive) -> Selection:
    """The selection of a drop."""
    selection = select(settings, archives, "drop")
    assert selection.problems == ()
    return selection


def problems(settings: Settings, *archives: Archive) -> tuple[BuildProblem, ...]:
    """What stops a drop."""
    return select(settings, archives, "drop").selected.failure()


def test_everything_by_default() -> None:
    """The only theme and every module are built, the theme first, then the modules by name."""
    selection = selected(settings_of(), archive("module", "z"), archive("theme", "t"), archive("module", "a"))
    assert told(selection) == {
        "a.zip": (True, "no pattern speaks about it"),
        "t.zip": (True, "the only theme of the drop"),
        "z.zip": (True, "no pattern speaks about it"),
    }
    assert [choice.component.name for choice in selection.selected.unwrap()] == ["t", "a", "z"]
    assert selection.notes == ()


@pytest.mark.parametrize(
    ("flags", "environ", "verdict"),
    [
        ({}, {}, (True, "no pattern speaks about it")),
        ({"modules_exclude": ("b*",)}, {}, (False, "matches `b*` of modules.exclude (--exclude)")),
        ({"modules_exclude": ("x", "bar-1.zip")}, {}, (False, "matches `bar-1.zip` of modules.exclude (--exclude)")),
        ({"modules_exclude": ("B*",)}, {}, (True, "no pattern speaks about it")),
        ({"modules_exclude": ("[!b]*",)}, {}, (True, "no pattern speaks about it")),
        ({"modules_include": ("bar",)}, {}, (True, "matches `bar` of modules.include (--include)")),
        ({"modules_include": ("x",)}, {}, (True, "no pattern speaks about it")),
        ({"modules_only": ("ba?",)}, {}, (True, "matches `ba?` of modules.only (--only)")),
        ({"modules_only": ("x",)}, {}, (False, "matches no pattern of modules.only (--only)")),
        ({"modules_only": ()}, {}, (True, "no pattern speaks about it")),
        (
            {"modules_include": ("bar",), "modules_exclude": ("bar",)},
            {},
            (False, "matches `bar` of modules.exclude (--exclude)"),
        ),
        (
            {"modules_include": ("bar",), "modules_only": ("x",)},
            {},
            (False, "matches no pattern of modules.only (--only)"),
        ),
        (
            {"modules_include": ("bar",)},
            {"TOOL_MODULES_EXCLUDE": "bar", "TOOL_MODULES_ONLY": "x"},
            (True, "matches `bar` of modules.include (--include)"),
        ),
        (
            {"modules_include": ("x",)},
            {"TOOL_MODULES_EXCLUDE": "bar"},
            (False, "matches `bar` of modules.exclude (TOOL_MODULES_EXCLUDE)"),
        ),
        (
            {"modules_only": ("bar",)},
            {"TOOL_MODULES_EXCLUDE": "bar"},
            (True, "matches `bar` of modules.only (--only)"),
        ),
    ],
)
def test_the_highest_layer_that_speaks_decides(
    flags: dict[str, Value], environ: dict[str, str], verdict: tuple[bool, str]
) -> None:
    """Layer by layer, highest first: out beats in within one, and a layer that says nothing passes the question on."""
    settled, reason = judge(settings_of(environ, **flags), ("bar", "bar-1.zip"))
    assert (settled, because(reason)) == verdict


@pytest.mark.parametrize(
    ("theme", "reasons"),
    [
        ("t", {"t": (True, "theme (--theme) is `t`"), "u": (False, "not the theme that theme (--theme) names, `t`")}),
        ("none", {"t": (False, "theme (--theme) is `none`"), "u": (False, "theme (--theme) is `none`")}),
        (
            "../u.zip",
            {
                "t": (False, "not the theme that theme (--theme) names, `../u.zip`"),
                "u": (True, "theme (--theme) is `../u.zip`"),
            },
        ),
    ],
)
def test_the_theme_setting(theme: str, reasons: dict[str, tuple[bool, str]]) -> None:
    """A name, `none` or the path of an archive chooses among several themes."""
    selection = selected(settings_of(theme=theme), archive("theme", "t"), archive("theme", "u", named=True))
    assert told(selection) == {f"{name}.zip": reason for name, reason in reasons.items()}


def test_several_themes() -> None:
    """With `auto` several themes are ambiguous, and their names are told."""
    assert problems(settings_of(), archive("theme", "t"), archive("theme", "u")) == (
        ThemeAmbiguous(("t", "u"), BUILT_IN),
    )


def test_themes_that_are_not_decided() -> None:
    """Where the theme is not decided, each is left out, and says so."""
    archives = archive("theme", "t"), archive("theme", "u"), archive("module", "m")
    assert told(select(settings_of(), archives, "drop")) == {
        "m.zip": (True, "no pattern speaks about it"),
        "t.zip": (False, "the theme is not decided"),
        "u.zip": (False, "the theme is not decided"),
    }


def test_a_theme_that_is_not_there() -> None:
    """A theme that the drop does not have is told with those that it has, and the nearest."""
    assert problems(settings_of(theme="harbor"), archive("theme", "harbour"), archive("module", "harbor")) == (
        ThemeNotFound("harbor", Source("--theme"), ("harbour",), ("harbour",)),
    )
    assert problems(settings_of(theme="./no.zip"), archive("module", "m")) == (
        ThemeNotFound("./no.zip", Source("--theme")),
    )


def test_no_theme() -> None:
    """A drop without a theme is fine with `auto`."""
    assert told(selected(settings_of(), archive("module", "m"))) == {"m.zip": (True, "no pattern speaks about it")}


def test_one_component_twice() -> None:
    """Two archives with the same content are one, the first by name; with different contents they are ambiguous."""
    same = selected(settings_of(), archive("module", "m", "m-dev.zip"), archive("module", "m", "m.zip"))
    assert told(same) == {
        "m-dev.zip": (True, "no pattern speaks about it"),
        "m.zip": (False, "same content as m-dev.zip"),
    }
    assert same.notes == (DuplicateArchive("m.zip", "m-dev.zip"),)
    two = archive("module", "m", "m-dev.zip"), archive("module", "m", "m.zip", crc=2)
    assert problems(settings_of(), *two) == (ComponentAmbiguous("module", "m", ("m-dev.zip", "m.zip")),)
    assert told(selected(settings_of(modules_exclude=("m-dev.zip",)), *two))["m.zip"][0] is True


def refused(file: str, component: Component | None, reason: str = "bad", named: bool = False) -> Archive:
    """An archive that is refused, of which it may be known all the same what it is."""
    return Archive(
        file=ArchiveFile(path=PurePath("/drop") / file, shown=file, named=named),
        component=component,
        refusals=(ArchiveRejected(file, reason, "e"), ArchiveRejected(file, "also")),
    )


def test_refusals_of_what_is_selected() -> None:
    """Every refusal of every selected archive, and of each of which nothing is known, stops the drop."""
    archives = refused("a.zip", Component(kind="module", name="a")), refused("b.zip", None)
    assert problems(settings_of(), *archives) == tuple(
        ArchiveRejected(file, reason, entry)
        for file in ("a.zip", "b.zip")
        for reason, entry in (("bad", "e"), ("also", None))
    )


def test_refusals_of_what_is_left_out() -> None:
    """Damage in an archive that is left out is a warning; a file name is enough to leave one out."""
    settings = settings_of(modules_exclude=("a", "b*"))
    locked = Archive(
        file=ArchiveFile(path=PurePath("/drop/bb.zip"), shown="bb.zip"), refusals=(FileSystemProblem("bb.zip", "no"),)
    )
    selection = selected(settings, refused("a.zip", Component(kind="module", name="a")), refused("b.zip", None), locked)
    assert told(selection) == {
        "a.zip": (False, "matches `a` of modules.exclude (--exclude)"),
        "b.zip": (False, "matches `b*` of modules.exclude (--exclude)"),
        "bb.zip": (False, "matches `b*` of modules.exclude (--exclude)"),
    }
    assert selection.notes == (
        DamagedArchive("a.zip", "bad", "e"),
        DamagedArchive("b.zip", "bad", "e"),
        DamagedArchive("bb.zip", "no"),
        NothingToBuild("drop", 3),
    )


def test_a_name_that_only_does_not_match_leaves_nothing_out() -> None:
    """`only` says nothing about an archive of which the name is not known."""
    assert problems(settings_of(modules_only=("x",)), refused("b.zip", None))[0] == ArchiveRejected("b.zip", "bad", "e")


def test_the_theme_is_never_left_out_by_a_pattern() -> None:
    """A pattern speaks about modules only: the archive that the theme setting names is refused if it is damaged."""
    settings = settings_of(theme="t.zip", modules_exclude=("*",))
    assert problems(settings, refused("t.zip", None, named=True))[1:] == (
        ArchiveRejected("t.zip", "bad", "e"),
        ArchiveRejected("t.zip", "also"),
    )


def test_patterns_without_a_match() -> None:
    """A pattern that matches no module of the drop is noted with its place and the nearest name."""
    settings = settings_of({"TOOL_MODULES_ONLY": "m"}, modules_exclude=("shop_baner", "m.zip"))
    assert selected(settings, archive("module", "shop_banner"), archive("module", "m")).notes == (
        UnmatchedPattern("modules.exclude", "shop_baner", Source("--exclude"), ("shop_banner",)),
        NothingToBuild("drop", 2),
    )


def test_an_empty_drop() -> None:
    """A drop without archives is noted."""
    assert selected(settings_of()).notes == (NothingToBuild("drop", 0),)


@pytest.mark.parametrize(
    ("theme", "pattern", "named", "closed"),
    [
        ("auto", "a*", False, False),
        ("t", "a*", False, False),
        ("auto", "a.zip", False, True),
        ("t", "*.ZIP", False, False),
        ("t", "*.zip", False, True),
        ("none", "a*", False, True),
        ("x.zip", "a*", False, True),
        ("x.zip", "a*", True, False),
        ("x.zip", "a.zip", True, False),
    ],
)
def test_archives_that_stay_closed(theme: str, pattern: str, named: bool, closed: bool) -> None:
    """An archive that its file name leaves out stays closed, unless a theme may be in it and no file is named."""
    file = ArchiveFile(path=PurePath("/drop/a.zip"), shown="a.zip", named=named)
    assert stays_closed(settings_of(theme=theme, modules_exclude=(pattern,)), file) is closed
    assert stays_closed(settings_of(theme=theme), file) is False
