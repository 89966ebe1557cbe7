"""Recognise, run alone: what an archive is, and by what evidence (`docs/archives.md`)."""

from collections.abc import Callable
from pathlib import PurePath

import pytest
from msgspec.structs import replace

from pipeline.archives.archive import ArchiveFile, Component, Entry, Shelf
from pipeline.archives.bundles import Members, excess, inner_archives, is_package, left_alone, load_of
from pipeline.archives.formats.header import read_header
from pipeline.archives.formats.info import last, read_info
from pipeline.archives.formats.xml import read_xml
from pipeline.archives.formats.yaml import read_yaml
from pipeline.archives.markers import cost_of
from pipeline.archives.recognise import (
    MEMBER_LIMIT,
    Recognition,
    by_name,
    find_roots,
    passed_over,
    recognise,
    recognise_folders,
)
from pipeline.report.build_notes import EmptyArchive, LeftAlone, PassedOver, UnreadMarker, UnrecognisedArchive
from pipeline.report.build_problems import ArchiveRejected
from pipeline.report.events import ComponentKind
from pipeline.report.notes import Note
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

PHP = "<?php class X extends Module { function __construct() { $this->version = '1.2'; } }"
CONFIG_XML = "<module><name><![CDATA[bar]]></name><version>2.0</version></module>"


def reader(files: Files) -> Callable[[str, int], bytes]:
    """Reads the files of an archive."""
    data = {path: text.encode() if isinstance(text, str) else text for path, text in files.items()}
    return lambda name, limit: data.get(name, b"")[:limit]


def sighted(files: Files, name: str = "x.zip", shelf: Shelf = "", named: bool = False) -> tuple[Recognition, ...]:
    """What is seen in an archive, by its markers or else by its name."""
    file = ArchiveFile(path=PurePath("/drop") / name, display_path=name, shelf=shelf, is_theme_setting=named)
    roots = find_roots(tuple(Entry(name=path) for path in files), reader(files))
    return recognise(file, roots) or recognise_folders(file, roots) or (by_name(file, roots),)


def looked_into(
    files: Files, name: str = "x.zip", shelf: Shelf = "", named: bool = False
) -> tuple[Component, tuple[Note, ...]] | tuple[ArchiveRejected, ...]:
    """The one component of an archive, without what it says of its system, or why it is refused."""
    (sight,) = sighted(files, name, shelf, named)
    bare = sight.component and replace(sight.component, system="", field="")
    return (bare, sight.notes) if bare else sight.refusals


def component(kind: ComponentKind, name: str, version: str | None, evidence: str | None, root: str) -> Component:
    """A component in one line."""
    return Component(kind=kind, name=name, version=version, evidence=evidence, root=root)


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (
            {"config/theme.yml": "name: t\nversion: 1.10\n", "index.php": ""},
            component("theme", "t", "1.10", "config/theme.yml", ""),
        ),
        (
            {"repo-main/config/theme.yml": "\ufeffname: 't'\r\n"},
            component("theme", "t", None, "repo-main/config/theme.yml", "repo-main/"),
        ),
        ({"config/theme.yml": "name: t"}, component("theme", "t", None, "config/theme.yml", "")),
        ({"bar/bar.php": PHP, "bar/other.php": ""}, component("module", "bar", "1.2", "bar/bar.php", "bar/")),
        (
            {"bar/bar.php": PHP, "bar/config.xml": CONFIG_XML},
            component("module", "bar", "2.0", "bar/bar.php", "bar/"),
        ),
        ({"bar.php": PHP, "a.php": "", "config.xml": CONFIG_XML}, component("module", "bar", "2.0", "bar.php", "")),
        ({"bar-1.2.x/bar.php": PHP}, component("module", "bar", "1.2", "bar-1.2.x/bar.php", "bar-1.2.x/")),
        (
            {"repo-dev/bar.php": "", "repo-dev/config.xml": CONFIG_XML},
            component("module", "bar", "2.0", "repo-dev/bar.php", "repo-dev/"),
        ),
        ({"a/b/bar/bar.php": PHP}, component("module", "bar", "1.2", "a/b/bar/bar.php", "a/b/bar/")),
        ({"theme.json": '{"name": "t", "version": 2}'}, component("theme", "t", "2", "theme.json", "")),
        ({"theme.json": '{"name": "t", "version": true}'}, component("theme", "t", None, "theme.json", "")),
        ({"theme.toml": 'name = "t"\nversion = 0x' + "f" * 9000}, component("theme", "t", None, "theme.toml", "")),
        ({"x/theme.toml": 'name = "t"\nversion = "1"'}, component("theme", "t", "1", "x/theme.toml", "x/")),
        ({"module.yml": "name: m"}, component("module", "m", None, "module.yml", "")),
        ({"m/module.json": b'\xef\xbb\xbf{"name": "m"}'}, component("module", "m", None, "m/module.json", "m/")),
        (
            {"__MACOSX/bar/._bar.php": "", "bar/.DS_Store": "", "bar/bar.php": ""},
            component("module", "bar", None, "bar/bar.php", "bar/"),
        ),
    ],
)
def test_markers(files: Files, expected: Component) -> None:
    """A marker gives kind, name and version, at the root or in the only folder, whatever the file is called."""
    for name in ("x.zip", "a-theme-module-1.0.zip"):
        assert looked_into(files, name) == (expected, ())


@pytest.mark.parametrize(
    ("files", "name", "expected"),
    [
        ({"foo-1.2.0/readme": ""}, "x.zip", ("module", "foo", "foo-1.2.0/")),
        ({"foo/readme": ""}, "bar-1.0.zip", ("module", "foo", "foo/")),
        ({"readme": "", "a/b": ""}, "token-8.x-2.20.zip", ("module", "token", "")),
        ({"readme": ""}, "views-7.x-2.0-beta4.zip", ("module", "views", "")),
        ({"readme": ""}, "bar-v2.0.1.zip", ("module", "bar", "")),
        ({"readme": ""}, "bar-main.zip", ("module", "bar", "")),
        ({"readme": ""}, "bar-2.zip", ("module", "bar-2", "")),
        ({"readme": ""}, "bar-1.0 (2).zip", ("module", "bar", "")),
        ({"readme": ""}, "my-theme.zip", ("theme", "my-theme", "")),
        ({"readme": ""}, "my_theme-1.0.zip", ("theme", "my_theme", "")),
        ({"readme": ""}, "themes.zip", ("module", "themes", "")),
        ({"theme.json": "{}"}, "x.zip", ("module", "x", "")),
        ({"theme.json": "[1"}, "x.zip", ("module", "x", "")),
        ({"theme.toml": "name ="}, "x.zip", ("module", "x", "")),
        ({"theme.yml": "name: [a"}, "x.zip", ("module", "x", "")),
        ({"module.json": '{"name": ""}'}, "x.zip", ("module", "x", "")),
        ({"m.info.yml": "name: M\n\ttype: module\n"}, "x.zip", ("module", "x", "")),
        ({"m.info.yml": b"type: module\nname: caf\xe9\n"}, "x.zip", ("module", "x", "")),
        ({"m.info.yml": "x: &x module\ntype: *x\n"}, "x.zip", ("module", "x", "")),
        ({"m.info.yml": "type: module\n#" + "x" * 65536}, "x.zip", ("module", "x", "")),
        ({"m.info": "description = M\n", "m.module": ""}, "x.zip", ("module", "x", "")),
        ({"config.xml": "<!DOCTYPE m><m><name>x</name></m>", "x.php": ""}, "x.zip", ("module", "x", "")),
        ({"config.xml": "<m><name>y</name>", "y.php": ""}, "x.zip", ("module", "x", "")),
    ],
)
def test_archives_without_a_marker(files: Files, name: str, expected: tuple[ComponentKind, str, str]) -> None:
    """Without a marker that can be read, the folder or file name tells, less a version or branch at its end."""
    kind, called, root = expected
    notes: tuple[Note, ...] = () if kind == "theme" else (UnrecognisedArchive(name, called),)
    silent = ("theme.", "module.", "m.info")
    notes += tuple(UnreadMarker(name, marker) for marker in files if marker.startswith(silent))
    assert looked_into(files, name) == (component(kind, called, None, None, root), notes)


def test_a_marker_that_tells_nothing() -> None:
    """That a file is called as a marker and tells nothing is noted, once, with its path."""
    for files in ({"config/theme.yml": "name: [a"}, {"config/theme.yml": "x: y", "module.json": "", "a": ""}):
        assert looked_into(files)[1][1:] == (UnreadMarker("x.zip", "config/theme.yml"),)
    assert looked_into({"a.info.yml": "type: profile", "b.info": "name = B", "b.profile": ""})[1][1:] == ()
    files = {"a/module.ini": "", "a/config/module.ini": "[info]\nname = x"}
    assert looked_into(files)[1][1:] == (UnreadMarker("x.zip", "a/config/module.ini"),)


def test_the_place_of_an_archive_without_a_marker() -> None:
    """The subfolder of the drop comes before the name, and so does that the theme setting names the file."""
    files = {"a": ""}
    assert [
        looked_into(files, "a.zip", shelf="themes"),
        looked_into(files, "a-theme.zip", shelf="modules"),
        looked_into(files, "a.zip", named=True),
    ] == [
        (component("theme", "a", None, None, ""), ()),
        (component("module", "a-theme", None, None, ""), ()),
        (component("theme", "a", None, None, ""), ()),
    ]


def test_a_marker_comes_before_the_place() -> None:
    """What is inside an archive decides over where it lies."""
    assert looked_into({"bar/bar.php": ""}, "x.zip", shelf="themes") == (
        component("module", "bar", None, "bar/bar.php", "bar/"),
        (),
    )


def test_markers_of_both_kinds() -> None:
    """An archive that is a theme and a module at one root is refused, naming both markers."""
    files = {"x/theme.json": '{"name": "t"}', "x/module.json": '{"name": "m"}'}
    reason = "it is both a theme (x/theme.json) and a module (x/module.json)"
    assert looked_into(files) == (ArchiveRejected("x.zip", reason),)


@pytest.mark.parametrize("name", ["..", "a/b", ".hidden", "a b", "ä", "x" * 256, "a.", "con", "NUL.txt", "Lpt1"])
def test_names_that_are_not_safe(name: str) -> None:
    """A name that is not one safe path component is refused."""
    import json

    reason = f"its name, `{name}`, is not safe as a folder name"
    assert looked_into({"module.json": json.dumps({"name": name})}) == (ArchiveRejected("x.zip", reason),)


def test_a_long_name_that_is_not_safe() -> None:
    """Of a long name only the beginning is shown; a parent with a name that no theme can have is none."""
    (sight,) = sighted({"module.json": f'{{"name": "{"a" * 9999}"}}'})
    assert len(sight.refusals[0].reason) < 400
    for parent, known in (("../sea", None), ("a" * 256, None), ("sea", "sea")):
        (sight,) = sighted({"a.info.yml": f"type: theme\nbase theme: {parent}\n"})
        assert sight.component and sight.component.parent == known


@pytest.mark.parametrize("name", ["-main.zip", "my module.zip"])
def test_a_guessed_name_that_is_not_safe(name: str) -> None:
    """An archive that is refused for the name of its file is not said to be taken for a module, too."""
    (sight,) = sighted({"readme": "", "a": ""}, name)
    assert (len(sight.refusals), sight.notes) == (1, ())


def test_an_archive_without_files() -> None:
    """An archive that has nothing, or nothing but junk, is noted."""
    for files in ({}, {"__MACOSX/x": "", ".DS_Store": ""}):
        assert looked_into(files) == (component("module", "x", None, None, ""), (EmptyArchive("x.zip"),))


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
    """A marker file of more than 64 KiB, or 1 MiB of JSON, tells nothing."""
    seen = [sighted({file: text.ljust(length), "a": ""})[0].component for length in (limit, limit + 1)]
    assert [each.evidence for each in seen if each] == [file, None]


@pytest.mark.parametrize(
    ("file", "text"), [("m.info", "name = m\ntype = module\n"), ("config/theme.ini", "name = m\n")]
)
def test_of_large_info_files_the_beginning_is_read(file: str, text: str) -> None:
    """Of `.info` and `.ini` the whole lines of the first 64 KiB tell."""
    begin = f"{text}version = 1\n".ljust(65536 - len("version = 2")) + "\n"
    seen = [sighted({file: f"{begin}version = {rest}", "a": ""})[0].component for rest in ("", "2.5\n")]
    assert [(each.evidence, each.version) for each in seen if each] == [(file, None), (file, "1")]


@pytest.mark.parametrize(("dots", "evidence"), [(32, "module.toml"), (33, None)])
def test_keys_of_many_parts(dots: int, evidence: str | None) -> None:
    """TOML with more than 32 dots in a line is not read: a key of many parts takes very long."""
    (sight,) = sighted({"module.toml": f'name = "m"\n{"a." * dots}a = 1\n', "a": ""})
    assert sight.component and sight.component.evidence == evidence


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
    """Formats that are slow to read count more, and every file counts for something."""
    assert [cost_of(marker, size) for size in (0, 10_000)] == [4096, 10_000 * cost]


def test_few_of_many_info_files_are_read() -> None:
    """Of many info files at one root only some are read, the one that is called as the folder first."""
    many = {f"m/{number:03}.info.yml": "type: module\n" for number in range(200)}
    asked: list[str] = []
    roots = find_roots(tuple(Entry(name=name) for name in many), lambda name, _: asked.append(name) or b"")
    recognise(ArchiveFile(path=PurePath("/drop/x.zip"), display_path="x.zip"), roots)
    assert len(asked) == 8
    (sight,) = sighted({**many, "m/m.info.yml": "type: theme\n"})
    assert sight.component and sight.component.evidence == "m/m.info.yml"


def test_what_is_needed() -> None:
    """Modules that are needed are told without versions and what Drupal itself has; parents likewise."""
    files: dict[str, Files] = {
        "drupal": drupal(
            "a",
            more="dependencies:\n  - drupal:node (>=8.6)\n  - rules_x:rules_ui (>=1)\n  - b\n  - a\n  - [c]\n"
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
            more="dependencies[] = b (>=1.x)\ntest_dependencies[] = c\ndependencies[] = 'd'\ndependencies[] = views\n",
        ),
        "backdrop theme": backdrop("a", "theme", "base theme = sea\n"),
        "prestashop": prestashop_theme("a", parent="sea", enabled=("b", "c")),
        "wordpress": wordpress_theme(more="Template: sea\n"),
        "plugin": {"a.php": "<?php\n/* Plugin Name: A\nRequires Plugins: b, c-d\nTemplate: sea */"},
    }
    seen = {name: sighted(each, "a.zip")[0].component for name, each in files.items()}
    assert {name: (each.requires, each.parent) for name, each in seen.items() if each} == {
        "drupal": (("rules_ui", "rules_x", "b"), None),
        "drupal 7": (("cart", "shop", "views"), None),
        "drupal without": ((), None),
        "drupal theme": (("b",), "sea"),
        "drupal alone": ((), None),
        "backdrop": (("b", "d"), None),
        "backdrop theme": ((), "sea"),
        "prestashop": (("b", "c"), "sea"),
        "wordpress": ((), "sea"),
        "plugin": (("b", "c-d"), None),
    }


def test_what_a_theme_brings_along() -> None:
    """Modules below `dependencies/modules/` are told with the theme that brings them; one that is refused says why."""
    files = {**prestashop_theme("sea"), **within("dependencies/modules/a", prestashop_module("a"))}
    files |= within("dependencies/modules/b", {"module.json": '{"name": "../b"}'}) | {"dependencies/modules/c/x": ""}
    theme, module, refused = sighted(files)
    assert [each.component.bundled_in for each in (theme, module) if each.component] == ["", "sea"]
    assert (module.file.display_path, module.file.names) == (
        "x.zip!dependencies/modules/a",
        ("x.zip", "x.zip!dependencies/modules/a", "a"),
    )
    shown = "x.zip!dependencies/modules/b"
    assert refused.refusals == (ArchiveRejected(shown, "its name, `../b`, is not safe as a folder name"),)


PAIR = {**within("a", drupal("a")), **within("b", drupal("b")), "Docs/x": "", ".github/x": "", "composer.json": "{}"}


@pytest.mark.parametrize(
    ("files", "left"),
    [
        (PAIR, ()),
        ({**PAIR, **within("payment/c", drupal("c")), "shipping/x": ""}, ("payment", "shipping")),
        (
            {"themes/t.zip": "", "themes/index.php": "", "modules/b.zip": "", "read.me/x.pdf": "", "a.PNG": ""},
            ("read.me",),
        ),
        (
            {"themes/t.zip": "", "m/m.js": "", "m/d.zip": "", "e/f/m.zip": "", "src/x.txt": "", "tests/c.zip": ""},
            ("e", "m", "src", "tests"),
        ),
        (
            {"p.info.yml": "type: profile", "p.profile": "", "demo/t.zip": "", "index.php": ""},
            ("p.info.yml", "p.profile"),
        ),
        ({**PAIR, "t.zip": "", "a/c.zip": ""}, ("composer.json",)),
    ],
)
def test_what_is_left_of_a_bundle(files: Files, left: tuple[str, ...]) -> None:
    """What belongs to no member of a bundle is noted, unless it is papers or hidden."""
    file = ArchiveFile(path=PurePath("/drop/x.zip"), display_path="x.zip")
    roots = find_roots(tuple(Entry(name=f"top/{path}") for path in files), reader(within("top", files)))
    note = (LeftAlone("x.zip", left),) if left else ()
    assert left_alone(file, roots[-1], Members(recognise_folders(file, roots), inner_archives(roots))) == note


def test_bundles_are_not_looked_into_without_end() -> None:
    """A folder of more than 1,000 folders, or archives, is no bundle."""
    for count, members in ((MEMBER_LIMIT, MEMBER_LIMIT), (MEMBER_LIMIT + 1, 1)):
        assert len(sighted({f"m{n}/module.json": f'{{"name": "m{n}"}}' for n in range(count)})) == members
    for count, members in ((MEMBER_LIMIT, MEMBER_LIMIT), (MEMBER_LIMIT + 1, 0)):
        entries = tuple(Entry(name=f"{n}.zip") for n in range(count))
        assert len(inner_archives(find_roots(entries, reader({})))) == members


def test_what_an_archive_is_called() -> None:
    """An archive is called as its file, one in a bundle as its entry, a folder in a bundle as it is itself."""
    file = ArchiveFile(path=PurePath("/drop/x.1.zip"), display_path="x.1.zip")
    inner = file.at("m/b.2.zip", inner="top/m/b.2.zip")
    calls = (file, inner, file.at("m.3"), inner.at("dependencies/modules/c.4"), file.at("d!5"))
    assert [each.stem for each in calls] == ["x.1", "b.2", "m.3", "c.4", "d!5"]
    assert [each.names[1:] for each in calls] == [
        (),
        ("x.1.zip!m/b.2.zip", "b.2.zip"),
        ("x.1.zip!m.3", "m.3"),
        ("x.1.zip!m/b.2.zip!dependencies/modules/c.4", "c.4"),
        ("x.1.zip!d!5", "d!5"),
    ]


def test_archives_in_an_archive() -> None:
    """Archives beside one another, or one folder down, are members; hidden ones and those of tests are not."""
    names = ("top/a.ZIP", "top/m/b.zip", "top/m/deep/c.zip", "top/tests/d.zip", "top/.e.zip", "top/read.me")
    assert inner_archives(find_roots(tuple(Entry(name=name) for name in names), reader({}))) == (
        "top/a.ZIP",
        "top/m/b.zip",
    )
    assert inner_archives(()) == ()


def test_archives_in_a_folder_that_is_a_component() -> None:
    """What lies in a folder with a marker, be it one that is refused, belongs to that folder."""
    files: Files = {"m/module.json": '{"name": "m"}', "bad/module.json": '{"name": "../m"}', "x/readme": ""}
    archives = (f"{folder}/a.zip" for folder in ("m", "bad", "x"))
    entries = tuple(Entry(name=name) for name in (*files, *archives))
    assert inner_archives(find_roots(entries, reader(files))) == ("x/a.zip",)


@pytest.mark.parametrize(
    ("more", "package"),
    [
        ({}, True),
        ({"Documentation/a.js": "", "META-INF/x": "", "License": "", "read me.PDF": "", ".x": "", ".y/z": ""}, True),
        ({"a.js": ""}, False),
        ({"src/a.txt": ""}, False),
        ({"plugins/a.txt": ""}, False),
    ],
)
def test_packages(more: Files, package: bool) -> None:
    """A folder is a package if nothing but archives and papers is in it."""
    entries = tuple(Entry(name=f"top/{name}") for name in ("a.zip", "plugins/b.zip", *more))
    roots = find_roots(entries, reader({}))
    assert is_package(roots[-1], inner_archives(roots)) is package


@pytest.mark.parametrize(
    ("name", "called"),
    [("How to.zip", "How-to"), ("manual-1.2.zip", "manual"), ("...zip", "unnamed"), ("con.zip", "unnamed")],
)
def test_archives_that_are_passed_over(name: str, called: str) -> None:
    """An archive in a bundle that nothing is known of has a safe name of its own, and is noted."""
    file = ArchiveFile(path=PurePath("/drop/x.zip"), display_path="x.zip").at(name, inner=name)
    note = PassedOver(f"x.zip!{name}", nested=False)
    assert passed_over(file, (), nested=False) == Recognition(
        file=file, component=Component(kind="module", name=called), notes=(note,)
    )


def test_bundles_of_bombs() -> None:
    """What the archives in a bundle would give counts with what the bundle itself gives."""
    mib = 1024 * 1024
    outer = load_of((Entry(name="a.zip", size=mib, packed=mib), Entry(name="b.zip", size=mib, packed=mib)))
    inner = (Entry(name="a", size=90 * mib, packed=mib),)
    many = tuple(Entry(name=str(number)) for number in range(60_000))
    loads = {
        "fine": outer.and_in_it(inner),
        "it has more than 100,000 entries, with those of the archives in it": outer.and_in_it(many).and_in_it(many),
        "more than 2 GiB would come out of it and the archives in it": outer.and_in_it(inner * 30),
        "with the archives in it, it would grow more than 100 times": outer.and_in_it(inner * 3),
    }
    assert {reason: excess(load) or "fine" for reason, load in loads.items()} == {reason: reason for reason in loads}


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("a = 1\nB b = ' x = ; y '\n", {"a": ("1",), "b b": (" x = ; y ",)}),
        ("a[] = 1\na [] = 2 ; more\na[x] = 3\na = 4\na = 5", {"a[]": ("1", "2", "3"), "a": ("5",)}),
        ("; a = 1\n# b = 2\n= 3\n[x]\nc = 4\n[Info]\nd = 'e\nf", {"d": ("'e",)}),
        ("\ufeffa=1\r\nb =\r\n", {"a": ("1",), "b": ("",)}),
    ],
)
def test_info(text: str, data: object) -> None:
    """`.info` and `.ini` are read as the values of each key, as far as they stand in no section or in `[info]`."""
    assert read_info(text.encode()) == data


def test_the_last_value_of_a_key() -> None:
    """A key that is empty or missing has no value."""
    info = {"a": ("1", "2"), "b": ("",), "c": ()}
    assert [last(info, key) for key in "abcd"] == ["2", None, None, None]


def test_headers() -> None:
    """The header of a style sheet or a PHP file is read as WordPress reads it."""
    text = "<?php /* Plugin Name: A: b */\n * Version: 1\n# Version: 2\r\n// Template: */\n * no field: x\n"
    text += "Requires Plugins: a, b ?>"
    assert read_header(text.encode()) == {"Plugin Name": "A: b", "Version": "1", "Requires Plugins": "a, b"}
    assert read_header(b" " * 8192 + b"\nVersion: 1") == {}


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("a: 1\nb: [x, {c: d}]\n", {"a": "1", "b": ["x", {"c": "d"}]}),
        ("a: &x y\nb: *x", {"a": "y", "b": None}),
        ("? [k]\n: v\na: b", {"a": "b"}),
        ("", None),
        ("a: [", None),
        ("\x01", None),
        ("- a\n---\n- b", ["a"]),
        ("[" * 16 + "]" * 16, eval("[" * 16 + "]" * 16)),
        ("[" * 17 + "]" * 17, None),
        ("[" * 1_000_000, None),
    ],
)
def test_yaml(text: str, data: object) -> None:
    """YAML is read as mappings, lists and strings; deep nesting and what is no YAML give nothing."""
    assert read_yaml(text.encode()) == data


@pytest.mark.parametrize(
    ("text", "data"),
    [
        (
            "<m><name> a </name><version><![CDATA[1]]></version><deep><name>b</name></deep>c</m>",
            {"name": "a", "version": "1"},
        ),
        ('<!DOCTYPE m [<!ENTITY a "b">]><m><name>&a;</name></m>', {}),
        ("<m><name>a</name>", {}),
        ("", {}),
    ],
)
def test_xml(text: str, data: object) -> None:
    """XML is read as the text of the elements below the root; with a document type, or broken, it gives nothing."""
    assert [read_xml(text.encode(encoding)) for encoding in ("utf-8", "utf-16")] == [data, data]
