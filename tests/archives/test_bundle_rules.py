"""Which folders and archives are the members of a bundle, as pure rules (`docs/archives.md`)."""

from pathlib import PurePath

import pytest

from pipeline.archives.archive import Archive, ArchiveFile, Component, Entry
from pipeline.recognition.bundles import (
    Members,
    inner_archives,
    is_wrapper,
    leftovers,
    recognise_folders,
)
from pipeline.recognition.recognise import (
    find_roots,
)
from pipeline.recognition.unmarked import backup, passed_over
from pipeline.report.diagnostics.archives import left_alone, not_built
from tests.support.miniatures import (
    Files,
    drupal,
    within,
)
from tests.support.recognition import reader
from tests.support.tables import lists, rows


@pytest.mark.parametrize(
    ("files", "left"),
    rows("bundles", "left"),
)
def test_what_is_left_of_a_bundle(files: Files, left: tuple[str, ...]) -> None:
    """Files of a bundle that belong to no member are reported, unless they are documentation, tests
    or hidden.
    """
    file = ArchiveFile(path=PurePath("/drop/x.zip"), display_path="x.zip")
    roots = find_roots(
        tuple(Entry(name=f"top/{path}") for path in files), reader(within("top", files))
    )
    warning = (left_alone("x.zip", left),) if left else ()
    assert (
        leftovers(file, roots[-1], Members(recognise_folders(file, roots), inner_archives(roots)))
        == warning
    )


@pytest.mark.parametrize(
    ("folder", "more", "members"),
    lists("bundles", "below"),
)
def test_a_component_some_folders_down(folder: str, more: Files, members: list[str]) -> None:
    """A single folder with a marker is the component, whatever lies beside it; two or more are
    members of a bundle.

    The folder is at most two folders down, or in its place in a site.
    """
    files = {"README.md": "", **within(folder, drupal("a")), **more}
    file = ArchiveFile(path=PurePath("/drop/x.zip"), display_path="x.zip")
    roots = find_roots(tuple(Entry(name=path) for path in files), reader(files))
    assert [each.file.member for each in recognise_folders(file, roots)] == members


def test_what_an_archive_is_called() -> None:
    """An archive is called by its file name, an archive in a bundle by its entry, and a folder in a
    bundle by its own name.
    """
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
    """Archives up to four folders down are members; hidden ones, those of tests and those beside
    code are not.
    """
    members = (
        "top/a.ZIP",
        "top/m/b/c/d/b.zip",
        "top/m/b/c/d/e/c.zip",
        "top/tests/d.zip",
        "top/.e.zip",
        "top/read.me",
    )
    names = (*members, "top/lib/a.php", "top/lib/data/f.zip")
    assert inner_archives(find_roots(tuple(Entry(name=name) for name in names), reader({}))) == (
        "top/a.ZIP",
        "top/m/b/c/d/b.zip",
    )
    assert inner_archives(()) == ()


def test_archives_in_a_folder_that_is_a_component() -> None:
    """Archives in a folder with a marker belong to that folder, even if it is refused."""
    files: Files = {
        "m/module.json": '{"name": "m"}',
        "bad/module.json": '{"name": "../m"}',
        "x/readme": "",
    }
    archives = (f"{folder}/a.zip" for folder in ("m", "bad", "x"))
    entries = tuple(Entry(name=name) for name in (*files, *archives))
    assert inner_archives(find_roots(entries, reader(files))) == ("x/a.zip",)


@pytest.mark.parametrize(
    ("more", "wrapper"),
    rows("bundles", "wrappers"),
)
def test_wrappers(more: Files, wrapper: bool) -> None:
    """A folder only wraps archives if it has nothing but archives and documentation in it."""
    entries = tuple(Entry(name=f"top/{name}") for name in ("a.zip", "plugins/b.zip", *more))
    roots = find_roots(entries, reader({}))
    assert is_wrapper(roots[-1], inner_archives(roots)) is wrapper


@pytest.mark.parametrize(
    ("name", "called"),
    rows("bundles", "passed over"),
)
def test_archives_that_are_passed_over(name: str, called: str) -> None:
    """An archive in a bundle that cannot be recognised gets a safe name of its own and is
    reported.
    """
    file = ArchiveFile(path=PurePath("/drop/x.zip"), display_path="x.zip").at(name, inner=name)
    warning = not_built(f"x.zip!{name}", "unmarked")
    assert passed_over(file, (), nested=False) == Archive(
        file=file, component=Component(kind="module", name=called), warnings=(warning,)
    )


def test_a_file_that_is_called_like_one_of_a_system() -> None:
    """A file with the name of a system's file does not show the backup of a site without the folder
    that the system has beside it.
    """
    files = {"site/installer.php": "<?php", "site.sql": ""}
    file = ArchiveFile(path=PurePath("/drop/x.zip"), display_path="x.zip")
    roots = find_roots(tuple(Entry(name=path) for path in files), reader(files))
    assert backup(file, roots) == ()
    assert backup(file, ()) == ()
