"""Recognise, run alone: what an archive is, and by what evidence (`docs/archives.md`)."""

from collections.abc import Mapping
from pathlib import PurePath

import pytest
from returns.result import Failure, Success

from pipeline.archives import ArchiveFile, Component, Entry, Shelf
from pipeline.events import Kind
from pipeline.notes import EmptyArchive, Note, UnrecognisedArchive
from pipeline.problems import ArchiveRejected
from pipeline.recognise import recognise, wanted
from pipeline.xml_text import read_xml
from pipeline.yaml_text import read_yaml

PHP = "<?php class X extends Module { function __construct() { $this->version = '1.2'; } }"
CONFIG_XML = "<module><name><![CDATA[bar]]></name><version>2.0</version></module>"


def looked_into(
    files: Mapping[str, str | bytes], name: str = "x.zip", shelf: Shelf = "", named: bool = False
) -> tuple[Component, tuple[Note, ...]] | tuple[ArchiveRejected, ...]:
    """What is made of an archive, given only the marker files that the recognisers ask for."""
    file = ArchiveFile(path=PurePath("/drop") / name, shown=name, shelf=shelf, named=named)
    data = {path: text.encode() if isinstance(text, str) else text for path, text in files.items()}
    entries = tuple(Entry(name=path, size=len(content)) for path, content in data.items())
    contents: dict[str, bytes] = {}
    while missing := set(wanted(entries, contents)) - contents.keys():
        contents |= {path: data[path] for path in missing}
    found = recognise(file, entries, contents)
    return found.failure() if isinstance(found, Failure) else found.unwrap()


def component(kind: Kind, name: str, version: str | None, evidence: str | None, root: str) -> Component:
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
def test_markers(files: Mapping[str, str | bytes], expected: Component) -> None:
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
        ({"config.xml": "<!DOCTYPE m><m><name>x</name></m>", "x.php": ""}, "x.zip", ("module", "x", "")),
        ({"config.xml": "<m><name>y</name>", "y.php": ""}, "x.zip", ("module", "x", "")),
    ],
)
def test_archives_without_a_marker(files: Mapping[str, str], name: str, expected: tuple[Kind, str, str]) -> None:
    """Without a marker that can be read, the folder or file name tells, less a version or branch at its end."""
    kind, called, root = expected
    notes = () if kind == "theme" else (UnrecognisedArchive(name, called),)
    assert looked_into(files, name) == (component(kind, called, None, None, root), notes)


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


@pytest.mark.parametrize("name", ["..", "a/b", ".hidden", "a b", "ä", "", "x" * 256])
def test_names_that_are_not_safe(name: str) -> None:
    """A name that is not one safe path component is refused."""
    import json

    reason = f"its name, `{name}`, is not safe as that of a folder"
    assert looked_into({"module.json": json.dumps({"name": name})}) == (ArchiveRejected("x.zip", reason),)


def test_an_archive_without_files() -> None:
    """An archive that has nothing, or nothing but junk, is noted."""
    for files in ({}, {"__MACOSX/x": "", ".DS_Store": ""}):
        assert looked_into(files) == (component("module", "x", None, None, ""), (EmptyArchive("x.zip"),))


def test_large_markers_are_not_read() -> None:
    """A marker file of more than 1 MiB, or 64 KiB of TOML, is not asked for."""
    entries = (Entry(name="theme.json", size=1024 * 1024 + 1), Entry(name="module.json", size=1024 * 1024))
    assert wanted(entries, {}) == ("module.json",)
    toml = (Entry(name="theme.toml", size=64 * 1024 + 1), Entry(name="module.toml", size=64 * 1024))
    assert wanted(toml, {}) == ("module.toml",)


def test_only_the_php_that_is_named_is_asked_for() -> None:
    """Of many PHP files at the root only that is read which the folder or, once it is read, `config.xml` names."""
    entries = tuple(Entry(name=name) for name in ("config.xml", "a.php", "b.php", "bar.php"))
    assert wanted(entries, {}) == ("config.xml",)
    assert wanted(entries, {"config.xml": CONFIG_XML.encode()}) == ("config.xml", "bar.php")


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


def test_success_is_a_pair() -> None:
    """Recognition gives the component and what was noted about it."""
    file = ArchiveFile(path=PurePath("/drop/a.zip"), shown="a.zip")
    assert recognise(file, (), {}) == Success((component("module", "a", None, None, ""), (EmptyArchive("a.zip"),)))
