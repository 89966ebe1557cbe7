"""`tool inspect`, run as a user would: its reports about archives, and its exit codes
(`docs/archives.md`).
"""

import json
from pathlib import Path, PurePath
from typing import Any

import pytest
from msgspec.structs import replace

from io_edges.archives import zips
from io_edges.cli.inspect import InspectFlags, inspect
from io_edges.report.console import Console
from io_edges.system.stop import Stop
from pipeline.archives.archive import Archive, ArchiveFile, Component, Entry, with_component
from pipeline.archives.inspection import Inspection, Refusal, bundle, inspection, inspection_lines
from pipeline.archives.zip.structure import read_structure
from pipeline.report.diagnostics.archives import ArchiveRejected, Flaw
from pipeline.report.diagnostics.disk import FileSystemProblem
from tests.support.miniatures import (
    BANNER,
    HARBOUR,
    PAPERS,
    drupal,
    lay,
    pack,
    prestashop_module,
    within,
)
from tests.support.project import Project, php


def inspected(project: Project, *archives: str) -> list[dict[str, Any]]:
    """What is printed of archives, as JSON."""
    ran = project.run("inspect", "--log-format=json", *archives)
    return [json.loads(line) for line in ran.out.splitlines()]


def test_a_module(project: Project) -> None:
    """As JSON, an archive has what it is, the evidence, its needs, and how much is in it."""
    files = within("a-2.x", drupal("a", more="dependencies:\n  - b:b\n"), {"img/x.txt": "x" * 1000})
    lay({**files, "__MACOSX/._a": "junk"}, project.root / "a.zip")
    (shown,) = inspected(project, "a.zip")
    assert {key: value for key, value in shown.items() if value} == {
        "event": "inspection",
        "archive": "a.zip",
        "kind": "module",
        "name": "a",
        "version": "8.x-1.9",
        "system": "Drupal",
        "evidence": "a-2.x/a.info.yml",
        "field": "type",
        "folder": "a-2.x/",
        "requires": ["b"],
        "runs_on": "^9.5 || ^10",
        "entries": len(files) + 1,
        "files": len(files),
        "bytes": sum(len(text) for text in files.values()),
    }


def test_text_for_people(project: Project) -> None:
    """As text, one archive is shown in full, with its warnings on standard error."""
    lay({"readme": "x"}, project.root / "tides.zip")
    ran = project.run("inspect", "tides.zip")
    assert ran.out == (
        "tides.zip\n"
        "  kind      module\n"
        "  name      tides\n"
        "  evidence  none: it goes by its name and place\n"
        "  holds     1 file of 1 byte, in 1 entry\n"
    )
    assert ran.err == (
        "warning: tides.zip: no marker found; treated as the module `tides`\n"
        "  = help: if it is a theme, put it in the drop's `themes/` folder; if it is neither, "
        "leave it out with "
        "`--exclude=... --exclude=tides.zip`\n"
    )


def test_a_bundle(project: Project) -> None:
    """A bundle is shown with its members, then each member; a theme that brings modules along is
    shown alike.
    """
    theme = {**HARBOUR, **within("dependencies/modules/ps_tides", prestashop_module("ps_tides"))}
    lay(
        {"t.zip": pack(theme), "how to.zip": pack(PAPERS), "b.zip": b"PK"},
        project.root / "pack.zip",
    )
    lay(theme, project.root / "theme.zip")
    reported = inspected(project, "pack.zip", "theme.zip")
    assert [
        (each["archive"], each["kind"], each["name"], each["members"]) for each in reported
    ] == [
        (
            "pack.zip",
            "bundle",
            None,
            [
                f"pack.zip!{name}"
                for name in ("b.zip", "how to.zip", "t.zip", "t.zip!dependencies/modules/ps_tides")
            ],
        ),
        ("pack.zip!b.zip", "unknown", None, []),
        ("pack.zip!how to.zip", "unknown", "documentation", []),
        ("pack.zip!t.zip", "theme", "harbour", []),
        ("pack.zip!t.zip!dependencies/modules/ps_tides", "module", "ps_tides", []),
        ("theme.zip", "theme", "harbour", ["theme.zip!dependencies/modules/ps_tides"]),
        ("theme.zip!dependencies/modules/ps_tides", "module", "ps_tides", []),
    ]


def test_entries_of_folders_in_folders(project: Project) -> None:
    """For a folder of a bundle, its own entries are counted, each once, and only its files that are
    built.
    """
    theme = within(
        "harbour", HARBOUR, within("dependencies/modules/ps_tides", prestashop_module("ps_tides"))
    )
    project.write(
        "p.zip", pack({**theme, "readme.txt": ""}, folders=("harbour", "harbour/dependencies"))
    )
    reported = [
        (each["kind"], each["entries"], each["files"]) for each in inspected(project, "p.zip")
    ]
    module = len(prestashop_module("ps_tides"))
    assert reported == [
        ("bundle", 0, 0),
        ("theme", len(theme) + 1, len(HARBOUR)),
        ("module", module, module),
    ]


def test_what_would_be_refused(project: Project) -> None:
    """All archives are inspected before the errors of those that would be refused; damaged contents
    are found, too.
    """
    lay({"x/../y": "", "theme.json": '{"name": "a"}'}, project.root / "a.zip")
    content = pack({"m/m.php": "<?php", "m/data": "0123456789" * 3})
    project.write("b.zip", content)
    spoilt = bytearray(content)
    spoilt[content.index(b"m/data") + len("m/data") + 1] ^= 0xFF
    project.write("c.zip", bytes(spoilt))
    ran = project.run("inspect", "--log-format=json", "a.zip", "b.zip", "c.zip")
    reported = [json.loads(line) for line in ran.out.splitlines()]
    assert [(each["name"], each["refusals"] != []) for each in reported] == [
        ("a", True),
        ("m", False),
        ("m", True),
    ]
    assert reported[0]["refusals"] == [
        {"reason": "its name has `..`; do not use the archive", "entry": "x/../y"}
    ]
    assert ran.code == 76
    assert [(each["error"], each["source"]) for each in ran.reported("error")] == [
        ("ArchiveRejected", "a.zip"),
        ("ArchiveRejected", "c.zip"),
    ]


@pytest.mark.parametrize("name", ["m.zip.001", "m.z01", "m.part2.rar"])
def test_a_part_of_a_split_archive(project: Project, name: str) -> None:
    """It is named as that, not as a broken download, and nobody is told to leave out what no run
    reads.
    """
    project.write(name, pack({"m/m.php": "<?php"})[:40])
    (error,) = project.run("inspect", name, "--log-format=json").reported("error")
    assert (error["message"], error["help"]) == (
        f"`{name}`: it is a part of a split archive",
        "unpack the parts together, for example with 7-Zip, and pack what is in them with `zip -r`",
    )


@pytest.mark.parametrize("packed", [False, True])
def test_every_member_is_read(
    packed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An archive is opened twice, however many members it has; damage is reported for each member
    that it affects.
    """
    files = dict(HARBOUR)
    for number in range(20):
        files |= within(
            f"dependencies/modules/m{number}", {f"m{number}.php": "<?php", "data": "0123456789" * 3}
        )
    content = bytearray(pack(files))
    content[content.index(b"m7/data") + len("m7/data") + 1] ^= 0xFF
    path = tmp_path / "t.zip"
    path.write_bytes(pack({"harbour.zip": bytes(content)}) if packed else content)
    opened = list[int]()

    def counting(*args: Any) -> Any:
        opened.append(1)
        return read_structure(*args)

    monkeypatch.setattr(zips, "read_structure", counting)
    with pytest.raises(Stop) as stopped:
        inspect(str(path), flags=InspectFlags(quiet=True), console=Console())
    shown = [error.archive for error in stopped.value.errors if isinstance(error, ArchiveRejected)]
    theme = f"{path}!harbour.zip" if packed else str(path)
    assert shown == [theme, f"{theme}!dependencies/modules/m7"]
    assert len(opened) == 2 + 2 * packed


def test_what_cannot_be_read(project: Project) -> None:
    """A missing file, or something that is not a file, is an error of the file system; the other
    archives are shown.
    """
    lay(BANNER, project.root / "b.zip")
    unread = ("no.zip", "/dev/null", "b.zip/x.zip", f"{'x' * 300}.zip")
    ran = project.run("inspect", *unread, "b.zip", env={"TOOL_LOG_FORMAT": "json"})
    assert [json.loads(line)["name"] for line in ran.out.splitlines()] == ["ps_banner"]
    assert ran.code == 74
    assert [each["error"] for each in ran.reported("error")] == ["FileSystemProblem"] * len(unread)
    assert [project.run("inspect", *args).code for args in ((), ("",))] == [64, 64]


def test_a_folder_stands_for_the_archives_in_it(project: Project) -> None:
    """For a folder, every archive that a build would find is shown by its path; unread files are
    reported.
    """
    project.theme("harbour", "drop/themes/harbour.zip")
    project.module("shop_a", "drop/shop_a.zip")
    project.module("shop_b")
    project.write("drop/shop_c.rar", "")
    ran = project.run("inspect", "drop/", "shop_b.zip", "--log-format=json")
    assert ran.code == 0
    assert [each["archive"] for each in ran.printed] == [
        "drop/shop_a.zip",
        "drop/themes/harbour.zip",
        "shop_b.zip",
    ]
    assert [each["code"] for each in ran.reported("warning")] == ["unused-files"]


def test_a_folder_without_archives(project: Project) -> None:
    """A folder without archives is reported, but is not an error."""
    (project.root / "drop").mkdir()
    ran = project.run("inspect", "drop")
    assert (ran.code, ran.out, ran.err) == (0, "", "no archives in `drop`\n")


def test_no_text_of_an_archive_reaches_the_terminal_as_it_is(project: Project) -> None:
    """Control characters of names in an archive are escaped, in text and in JSON."""
    lay(
        {"module.json": '{"name": "a", "version": "\\u001b[31m"}', "a\x1b": ""},
        project.root / "a.zip",
    )
    for flag in ("text", "json"):
        ran = project.run("inspect", f"--log-format={flag}", "a.zip")
        assert "\x1b" not in ran.out + ran.err
        assert "[31m" in ran.out


FILE = ArchiveFile(path=PurePath("/drop/a.zip"), display_path="a.zip")
ENTRIES = (
    Entry(name="m/a", size=2),
    Entry(name="m/.DS_Store", size=9),
    Entry(name="m", kind="folder"),
)


def test_what_is_not_known_is_null() -> None:
    """Unknown facts of an archive are null in JSON; junk and folders count as entries, not as
    files.
    """
    component = Component(kind="module", name="m", root="m/")
    archive = with_component(Archive(file=FILE, entries=3), component, ENTRIES)
    seen = inspection(archive)
    assert seen == Inspection(
        archive="a.zip", kind="module", name="m", folder="m/", entries=3, files=1, bytes=2
    )
    assert inspection_lines((seen,), "json") == (
        '{"event":"inspection","archive":"a.zip","kind":"module","name":"m","named_by":null,"guessed":false,"version":null,"version_by":null,"system":null,'
        '"evidence":null,"field":null,"folder":"m/","parent":null,"requires":[],"runs_on":null,"php":null,"entries":3,"files":1,"bytes":2,'
        '"members":[],"refusals":[]}',
    )
    inside = replace(archive, file=FILE.at("m.zip", inner="m.zip"))
    assert inspection(inside) == replace(seen, archive="a.zip!m.zip", kind="unknown")


def test_an_archive_of_which_nothing_is_known() -> None:
    """A refusal is shown with its entry, if it has one, and an error of the file system with its
    cause.
    """
    refusals = ArchiveRejected("a.zip", Flaw("bad", entry="e")), FileSystemProblem("a.zip", "no")
    assert inspection(Archive(file=FILE, refusals=refusals)) == Inspection(
        archive="a.zip", kind="unknown", refusals=(Refusal("bad", "e"), Refusal("no", None))
    )


def test_lines_of_text() -> None:
    """Each known fact has a line."""
    seen = Inspection(
        archive="a.zip",
        kind="theme",
        name="t",
        evidence="e",
        field="f",
        parent="p",
        requires=("a", "b"),
    )
    seen = replace(seen, entries=2, files=2, bytes=8)
    assert inspection_lines((seen,), "text") == (
        "a.zip",
        "  kind      theme",
        "  name      t",
        "  evidence  e (f)",
        "  builds on p",
        "  needs     a, b",
        "  holds     2 files of 8 bytes, in 2 entries",
    )
    assert inspection_lines(
        (replace(seen, kind="unknown", evidence=None, requires=(), parent=None, members=("m",)),),
        "text",
    ) == (
        "a.zip",
        "  kind      unknown",
        "  name      t",
        "  holds     2 files of 8 bytes, in 2 entries",
        "  member    m",
    )


def test_lines_of_a_component_without_an_archive() -> None:
    """A component that only the record has is shown without evidence and without a size."""
    seen = Inspection(archive="modules/m", kind="module", name="m", files=2, built_from="m.zip")
    assert inspection_lines((seen,), "text") == (
        "modules/m",
        "  kind      module",
        "  name      m",
        "  holds     2 files",
        "  on disk   built from m.zip",
    )


def test_a_refusal_without_an_entry() -> None:
    """The refusal of a whole archive names no entry; a bundle with one component says so in the
    singular.
    """
    one = Inspection(
        archive="a", kind="unknown", refusals=(Refusal("bad", None), Refusal("worse", "e"))
    )
    assert inspection_lines((bundle("b", (one,)), one), "text") == (
        "b",
        "  kind      bundle",
        "  holds     1 component",
        "  member    a",
        "",
        "a",
        "  kind      unknown",
        "  refused   bad",
        "  refused   e: worse",
    )


def test_why_a_component_is_built(project: Project) -> None:
    """For a NAME, the archive is shown with whether and why it is built, and with what the project
    has of it.
    """
    project.module("a", "drop/a.zip")
    project.module("b", "drop/b.zip")
    project.write("tool.config.json", '{"exclude": ["b"]}')
    assert project.create("drop").code == 0
    for args in (["drop", "a", "b"], ["a", "b"], ["modules/a", "b"]):
        shown = inspected(project, *args)
        facts = ("archive", "name", "selected", "reason", "built_from")
        assert [[each.get(key) for key in facts] for each in shown] == [
            ["a.zip", "a", True, "no setting leaves it out", "a.zip"],
            ["b.zip", "b", False, "matches `b` in modules.exclude (tool.config.json:1:14)", None],
        ]
    assert [
        line.split("  ", 2)[1:] for line in project.run("inspect", "b").out.splitlines()[-1:]
    ] == [["left out", "matches `b` in modules.exclude (tool.config.json:1:14)"]]


def test_archives_need_no_configuration(project: Project) -> None:
    """An archive can be shown although the configuration is broken; the reason why a component is
    built cannot.
    """
    project.module("a", "drop/a.zip")
    project.write("tool.config.json", "{")
    assert [
        project.run("inspect", *args).code for args in (["drop"], ["drop/a.zip"], ["drop", "a"])
    ] == [0, 0, 65]


def test_a_refused_archive_that_is_named(project: Project) -> None:
    """The refusal of a named archive is an error, as it is in a run."""
    project.module("a", "drop/a.zip")
    project.write("drop/torn.zip", b"PK torn")
    assert project.run("inspect", "drop", "a").code == 0
    assert project.run("inspect", "drop", "torn").code == 76


def test_a_component_that_is_only_on_disk(project: Project) -> None:
    """A component that is only on disk is shown by name and path: what it is, the evidence, and the
    rule that gives its name.
    """
    project.module("a", "drop/a.zip")
    assert project.create("drop").code == 0
    project.write(
        "modules/agencymod/lights.php", "<?php\n/*\nPlugin Name: Lights\nVersion: 1.2\n*/\n"
    )
    project.write("modules/agencymod/vendor/x.php", "")
    project.write("modules/tide-old/tide.php", php("tide"))
    project.write("modules/data/x", "")
    left = (
        "  left out  the drop has no archive of it, nor does the record have it; it stays as "
        "it is\n"
    )
    shown = (
        "modules/agencymod\n"
        "  kind      module\n"
        "  name      agencymod\n"
        "  named by  agencymod/ (folder of the project)\n"
        "  version   1.2\n"
        "  system    WordPress\n"
        "  evidence  lights.php (Plugin Name)\n"
        f"  holds     2 files\n{left}"
    )
    unmarked = (
        "modules/data\n"
        "  kind      module\n"
        "  name      data\n"
        "  named by  data/ (folder of the project)\n"
        "  evidence  none: it goes by its name and place\n"
        f"  holds     1 file\n{left}"
    )
    for args in (
        ["agencymod", "data"],
        ["drop", "agencymod", "modules/data"],
        ["modules/agencymod/", "data"],
    ):
        ran = project.run("inspect", *args)
        assert (ran.code, ran.out) == (0, f"{shown}\n{unmarked}")
    (tide,) = inspected(project, "tide-old")
    assert (tide["archive"], tide["name"], tide["named_by"], tide["files"]) == (
        "modules/tide-old",
        "tide",
        None,
        1,
    )
    assert project.run("inspect", "agencymud").code == 68
    assert project.run("inspect", "drop/").out.split()[0] == "drop/a.zip"
    (project.root / "empty").mkdir()
    assert project.run("inspect", "empty").err == "no archives in `empty`\n"
