"""Recognise, run alone: what an archive is, and the evidence for it (`docs/archives.md`)."""

from pathlib import PurePath
from typing import Any

import pytest

from pipeline.archives.archive import ArchiveFile, Entry
from pipeline.archives.markers import cost_of
from pipeline.recognition.recognise import (
    find_roots,
    recognise,
)
from pipeline.report.diagnostics.archives import (
    ArchiveRejected,
    Flaw,
    Mend,
    not_built,
    unrecognised_archive,
)
from pipeline.report.events import ComponentKind
from pipeline.report.wording import shortened
from tests.support.miniatures import (
    Files,
    backdrop,
    drupal,
    drupal_7,
    prestashop_module,
    prestashop_theme,
    within,
    wordpress_theme,
)
from tests.support.recognition import component, outcome_of, recognitions_of, warned
from tests.support.tables import rows


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        *rows("recognise", "marked"),
        (
            {"m/module.json": b'\xef\xbb\xbf{"name": "m"}'},
            ("module", "m", None, "m/module.json", "m/"),
        ),
    ],
)
def test_markers(files: Files, expected: tuple[Any, ...]) -> None:
    """A marker gives kind, name and version, at the root or in the only folder, whatever the
    file is called.
    """
    for name in ("x.zip", "a-theme-module-main.zip"):
        assert outcome_of(files, name) == (component(*expected), ())


@pytest.mark.parametrize(
    ("files", "name", "expected"),
    rows("recognise", "unmarked"),
)
def test_archives_without_a_marker(
    files: Files, name: str, expected: tuple[ComponentKind, str, str]
) -> None:
    """Without a readable marker, the name is that of the folder or file, without a version or
    branch at its end.
    """
    kind, called, root = expected
    versions = {
        **dict.fromkeys(("bar-1.0 (2).zip", "my_theme-1.0.zip", "bar-1.0.zip"), "1.0"),
        "token-8.x-2.20.zip": "8.x-2.20",
        "views-7.x-2.0-beta4.zip": "7.x-2.0-beta4",
        "bar-v2.0.1.zip": "2.0.1",
    }
    silent = ("theme.", "module.", "m.info")
    marker = next((each for each in files if each.startswith(silent)), "")
    warnings = (unrecognised_archive(name, called, kind, marker),)
    assert outcome_of(files, name) == (
        component(kind, called, versions.get(name), None, root),
        warnings,
    )


def test_a_marker_that_tells_nothing() -> None:
    """A file that has the name of a marker but is not one is reported once, with its path."""
    for files in (
        {"config/theme.yml": "name: [a"},
        {"config/theme.yml": "x: y", "module.json": "", "a": ""},
    ):
        (warning,) = warned(files)
        assert warning.message.startswith("`config/theme.yml` lacks a name or a type")
    (warning,) = warned({"a.info.yml": "type: profile", "b.info": "name = B", "b.profile": ""})
    assert warning.code == "not-built"
    files = {"a/module.ini": "", "a/config/module.ini": "[info]\nname = x"}
    assert warned(files) == (unrecognised_archive("x.zip", "a", marker="a/config/module.ini"),)


def test_the_place_of_an_archive_without_a_marker() -> None:
    """Without a marker, the subfolder of the drop or the theme setting decides before the name."""
    files = {"a": ""}
    assert [
        outcome_of(files, "a.zip", shelf="themes"),
        outcome_of(files, "a-theme.zip", shelf="modules"),
        outcome_of(files, "a.zip", named=True),
    ] == [
        (component("theme", "a", None, None, ""), ()),
        (component("module", "a-theme", None, None, ""), ()),
        (component("theme", "a", None, None, ""), ()),
    ]


def test_a_marker_comes_before_the_place() -> None:
    """A marker inside an archive decides before the folder that the archive lies in."""
    assert outcome_of({"bar/bar.php": ""}, "x.zip", shelf="themes") == (
        component("module", "bar", None, "bar/bar.php", "bar/"),
        (),
    )


@pytest.mark.parametrize(
    "name", ["..", "a/b", ".hidden", "a b", "ä", "x" * 256, "a.", "con", "NUL.txt", "Lpt1"]
)
def test_names_that_are_not_safe(name: str) -> None:
    """A name that is not one safe path component is refused."""
    import json

    reason = f"its name, `{shortened(name)}`, is not safe as a folder name"
    flaw = Flaw(reason, Mend("let it have letters, digits, `_`, `-` and `.` alone"))
    assert outcome_of({"module.json": json.dumps({"name": name})}) == (
        ArchiveRejected("x.zip", flaw),
    )


def test_a_long_name_that_is_not_safe() -> None:
    """Only the beginning of a long name is shown; a parent whose name no theme can have is
    ignored.
    """
    (recognition,) = recognitions_of({"module.json": f'{{"name": "{"a" * 9999}"}}'})
    (refusal,) = recognition.refusals
    assert isinstance(refusal, ArchiveRejected)
    assert len(refusal.flaw.what) < 400
    for parent, known in (("../sea", None), ("a" * 256, None), ("sea", "sea")):
        (recognition,) = recognitions_of({"a.info.yml": f"type: theme\nbase theme: {parent}\n"})
        assert recognition.component and recognition.component.parent == known


@pytest.mark.parametrize("name", ["-main.zip", "my module.zip"])
def test_a_guessed_name_that_is_not_safe(name: str) -> None:
    """An archive that is refused for its file name gets no second warning that it is taken for a
    module.
    """
    (recognition,) = recognitions_of({"readme": "", "a": ""}, name)
    assert len(recognition.refusals) == 1
    assert recognition.warnings == ()


def test_an_archive_without_files() -> None:
    """An archive that is empty, or has only junk in it, is reported."""
    for files in ({}, {"__MACOSX/x": "", ".DS_Store": ""}):
        assert outcome_of(files) == (
            component("module", "x", None, None, ""),
            (not_built("x.zip", "empty"),),
        )


@pytest.mark.parametrize(
    ("file", "text", "limit"),
    [
        ("module.json", '{"name": "m"}', 1024 * 1024),
        ("module.toml", 'name = "m"\n', 64 * 1024),
        ("module.yml", "name: m\n", 64 * 1024),
        ("m.info.yml", "type: module\n", 64 * 1024),
    ],
)
def test_large_markers_are_not_read(file: str, text: str, limit: int) -> None:
    """A marker file of more than 64 KiB, or 1 MiB of JSON, is not read."""
    seen = [
        recognitions_of({file: text.ljust(length), "a": ""})[0].component
        for length in (limit, limit + 1)
    ]
    assert [each.evidence for each in seen if each] == [file, None]


@pytest.mark.parametrize(
    ("file", "text"), [("m.info", "name = m\ntype = module\n"), ("config/theme.ini", "name = m\n")]
)
def test_of_large_info_files_the_beginning_is_read(file: str, text: str) -> None:
    """The whole lines in the first 64 KiB of `.info` and `.ini` files are read."""
    begin = f"{text}version = 1\n".ljust(65536 - len("version = 2")) + "\n"
    seen = [
        recognitions_of({file: f"{begin}version = {rest}", "a": ""})[0].component
        for rest in ("", "2.5\n")
    ]
    assert [(each.evidence, each.version) for each in seen if each] == [(file, None), (file, "1")]


@pytest.mark.parametrize(("dots", "evidence"), [(32, "module.toml"), (33, None)])
def test_keys_of_many_parts(dots: int, evidence: str | None) -> None:
    """TOML with more than 32 dots in a line is not read: a key of many parts takes very long."""
    (recognition,) = recognitions_of({"module.toml": f'name = "m"\n{"a." * dots}a = 1\n', "a": ""})
    assert recognition.component and recognition.component.evidence == evidence


@pytest.mark.parametrize(
    ("marker", "cost"),
    [
        ("m/a.info.yml", 64),
        ("theme.toml", 256),
        ("a.info", 16),
        ("a.ini", 16),
        ("a.xml", 16),
        ("a.json", 1),
        ("a.php", 1),
    ],
)
def test_what_a_marker_costs(marker: str, cost: int) -> None:
    """A format that is slow to read uses more of the budget, and every file uses some."""
    assert [cost_of(marker, size) for size in (0, 10_000)] == [4096, 10_000 * cost]


def test_few_of_many_info_files_are_read() -> None:
    """Of many info files in one folder only some are read, first the one with the name of the
    folder.
    """
    many = {f"m/{number:03}.info.yml": "type: module\n" for number in range(200)}
    asked: list[str] = []

    def asking(name: str, _: int) -> bytes:
        asked.append(name)
        return b""

    roots = find_roots(tuple(Entry(name=name) for name in many), asking)
    recognise(ArchiveFile(path=PurePath("/drop/x.zip"), display_path="x.zip"), roots)
    assert len(asked) == 8
    (recognition,) = recognitions_of({**many, "m/m.info.yml": "type: theme\n"})
    assert recognition.component and recognition.component.evidence == "m/m.info.yml"


def test_what_is_needed() -> None:
    """Needed modules are listed without versions, and without those of `drupal`; parents are
    listed, too.
    """
    files: dict[str, Files] = {
        "drupal": drupal(
            "a",
            more="dependencies:\n  - drupal:node (>=8.6)\n  - rules_x:rules_ui (>=1)\n  - b\n  - "
            "a\n  - [c]\n"
            "  - system\n  - views:views\n",
        ),
        "drupal 7": drupal_7(
            "a",
            more="dependencies[] = shop:cart (>=7.x)\ndependencies[] = drupal:user\n"
            "dependencies[] = node\ndependencies[] = views\n",
        ),
        "drupal without": drupal("a", more="dependencies: none\n"),
        "drupal theme": drupal("a", "theme", "base theme: sea\ndependencies:\n  - b:b\n"),
        "drupal alone": drupal("a", "theme", "base theme: false\n"),
        "backdrop": backdrop(
            "a",
            more=(
                "dependencies[] = b (>=1.x)\ntest_dependencies[] = c\ndependencies[] = "
                "'d'\ndependencies[] = views\n"
            ),
        ),
        "backdrop theme": backdrop("a", "theme", "base theme = sea\n"),
        "prestashop": prestashop_theme("a", parent="sea", enabled=("b", "c")),
        "wordpress": wordpress_theme(more="Template: sea\n"),
        "plugin": {
            "a.php": (
                "<?php\n/* Plugin Name: A\nRequires Plugins: b, c-d,, B, d e,b\nTemplate: sea */"
            )
        },
    }
    seen = {name: recognitions_of(each, "a.zip")[0].component for name, each in files.items()}
    assert {name: (each.requires, each.parent) for name, each in seen.items() if each} == {
        "drupal": (("rules_x:rules_ui", "b", "system", "views"), None),
        "drupal 7": (("shop:cart", "node", "views"), None),
        "drupal without": ((), None),
        "drupal theme": (("b",), "sea"),
        "drupal alone": ((), None),
        "backdrop": (("b", "d", "views"), None),
        "backdrop theme": ((), "sea"),
        "prestashop": (("b", "c"), "sea"),
        "wordpress": ((), "sea"),
        "plugin": (("b", "c-d"), None),
    }


def test_needs_as_people_write_them() -> None:
    """Quotes, versions and blanks around needs are ignored, and so are values that are not text;
    the system itself is not a need.
    """
    listed = "".join(
        f"  - {need}\n"
        for need in (
            *(
                "token",
                "token:token (>=8.x-1.2)",
                '"suite:part (>=1, <3)"',
                "'quoted'",
                "' blank (>1)'",
                " 'x : y '",
            ),
            *("drupal:node (>=8)", "Drupal:views", "1", "{a: b}", "~", '""', "'(>=1)'"),
        )
    )
    (recognition,) = recognitions_of(drupal("a", more=f"dependencies:\n{listed}"), "a.zip")
    assert recognition.component
    assert recognition.component.requires == (
        "token",
        "suite:part",
        "quoted",
        "blank",
        "x:y",
        "Drupal:views",
        "1",
    )


def test_what_is_in_a_component() -> None:
    """Drupal finds modules inside modules, at any depth, by their info files."""
    inside = {"modules/b/b.info.yml": "type: module", "a_test/deep/c.info.yml": "", "d.info": ""}
    (recognition,) = recognitions_of({**drupal("a"), **inside}, "a.zip")
    assert recognition.component
    assert recognition.component.provides == ("a", "b", "c")
    (old,) = recognitions_of({**drupal_7("a"), "b/b.info": "name = B\n"}, "a.zip")
    assert old.component
    assert old.component.provides == ("a", "b")


def test_what_a_theme_brings_along() -> None:
    """Modules below `dependencies/modules/` are listed with their theme; a refused one has its
    reason.
    """
    files = {**prestashop_theme("sea"), **within("dependencies/modules/a", prestashop_module("a"))}
    files |= within("dependencies/modules/b", {"module.json": '{"name": "../b"}'}) | {
        "dependencies/modules/c/x": ""
    }
    theme, module, refused = recognitions_of(files)
    assert [each.component.bundled_in for each in (theme, module) if each.component] == ["", "sea"]
    assert module.file.display_path == "x.zip!dependencies/modules/a"
    assert module.file.names == ("x.zip", "x.zip!dependencies/modules/a", "a")
    shown = "x.zip!dependencies/modules/b"
    mend = Mend("let it have letters, digits, `_`, `-` and `.` alone")
    flaw = Flaw("its name, `../b`, is not safe as a folder name", mend)
    assert refused.refusals == (ArchiveRejected(shown, flaw),)


@pytest.mark.parametrize(
    ("files", "expected"),
    rows("recognise", "runs on"),
)
def test_what_it_runs_on(files: Files, expected: tuple[str, str]) -> None:
    """The marker gives the versions of the system and of PHP that a component runs on, if it has
    them.
    """
    (recognition,) = recognitions_of(files)
    assert recognition.component
    assert (recognition.component.runs_on, recognition.component.php) == expected


def test_folders_that_are_not_built() -> None:
    """If all recognised folders of an archive are of a kind that is not built, the only one
    describes the archive, or the first of several.
    """
    export = {
        "Config.xml": "<theme/>",
        "themes/sea/config.xml": '<theme version="1.2">',
        "themes/sea/index.tpl": "",
    }
    layout = "name = One\ntype = layout\nbackdrop = 1.x\n"
    found = []
    for files in (export, {"lay-main/one/one.info": layout, "lay-main/two/two.info": layout}):
        (recognition,) = recognitions_of(files, "lay-main.zip")
        known = recognition.component
        assert known
        found.append((known.what, known.name, known.version, known.evidence, known.root))
    assert found == [
        ("old theme", "sea", "1.2", "themes/sea/config.xml", "themes/sea/"),
        ("layout", "lay", None, "lay-main/one/one.info", "lay-main/"),
    ]
