"""Locate, run alone: which file is the configuration (`docs/configuration.md`)."""

from pathlib import PurePath

import pytest
from msgspec.structs import replace
from returns.result import Failure, Success

from pipeline.config.disk import Disk, Presence
from pipeline.config.tree import LEGACY, ConfigFile, ConfigKind
from pipeline.locate import NAMES, Located, Probe, locate, unread_in
from pipeline.report.diagnostics.configuration import (
    ConfigNotFound,
    ConfigUnreadable,
    shadowed_config,
    too_much,
    unread_config,
)
from pipeline.report.location import Location
from pipeline.report.paths import without_detours
from tests.support.disks import START, disk_of
from tests.support.tables import rows


def file(path: str, shown: str, kind: ConfigKind) -> ConfigFile:
    """A file of the configuration layer."""
    return ConfigFile(path=PurePath(path), display_path=shown, kind=kind)


def missing(*files: str) -> tuple[Probe, ...]:
    """The probes of files that are not there."""
    return tuple(Probe(file, "missing") for file in files)


@pytest.mark.rule("Discovery, walk, start and direction", "Discovery, walk, nothing found")
def test_nothing_is_found() -> None:
    """If no folder up to that with `.git` has a file, none is found; every path that was
    checked is listed.
    """
    assert locate(START / "app", None, disk_of({"/project/.git": None})) == Success(
        Located(
            None,
            missing("tool.config.ts", "tool.config.js", "tool.config.json", "package.json")
            + missing(
                "../tool.config.ts", "../tool.config.js", "../tool.config.json", "../package.json"
            )
            + missing(".tool.json", "../.tool.json"),
        )
    )


@pytest.mark.rule("Discovery, walk, end at `.git`", "Discovery, walk, end at the root")
@pytest.mark.parametrize(("start", "files", "found"), rows("locate", "found"))
def test_what_is_found(
    start: str, files: dict[str, str | None], found: tuple[str, str, ConfigKind] | None
) -> None:
    """The last searched folder is the one with `.git`, which may be a file as in a worktree, or the
    root of the file system.

    JSON that is not an object with the key at its top is no match. The legacy file comes last,
    however near it is.
    """
    located = locate(PurePath(start), None, disk_of(files)).unwrap()
    assert located.file == (file(*found) if found else None)


@pytest.mark.rule("Discovery, rule 1")
def test_candidates_side_by_side() -> None:
    """In one folder, the first of `.ts`, `.js`, `.json` and `package.json` wins, and the others are
    reported.
    """
    disk = disk_of(
        {
            "/project/tool.config.js": "",
            "/project/tool.config.json": "{}",
            "/project/package.json": '{"tool": {}}',
            "/project/.git": None,
        }
    )
    found = locate(START, None, disk).unwrap()
    assert found == Located(
        file("/project/tool.config.js", "tool.config.js", "script"),
        (
            Probe("tool.config.ts", "missing"),
            Probe("tool.config.js", "taken"),
            Probe("tool.config.json", "shadowed"),
            Probe("package.json", "shadowed"),
        ),
    )
    assert found.warnings == (
        shadowed_config("tool.config.js", ("tool.config.json", "package.json")),
    )


@pytest.mark.rule("Discovery, candidate `package.json`", "Discovery, candidate `tool.config.json`")
def test_a_package_without_the_key_is_passed_over() -> None:
    """A `package.json` without the key is ignored, and the search goes on upwards."""
    disk = disk_of(
        {
            "/project/app/package.json": '{"name": "app"}',
            "/project/tool.config.json": "{}",
            "/project/.git": None,
        }
    )
    found = locate(START / "app", None, disk).unwrap()
    assert found.file == file("/project/tool.config.json", "../tool.config.json", "json")
    assert Probe("package.json", "no key") in found.probes


def test_a_package_may_be_large_but_not_huge() -> None:
    """A `package.json` of more than 16 MiB is refused."""
    disk = disk_of({"/project/package.json": b" " * (16 * 1024 * 1024 + 1), "/project/.git": None})
    assert locate(START, None, disk) == Failure(
        (too_much(Location("package.json"), "bytes", 16 * 1024 * 1024),)
    )


@pytest.mark.parametrize(
    ("files", "warnings"),
    rows("locate", "legacy"),
)
def test_a_legacy_file_that_is_passed_over(
    files: dict[str, str | None], warnings: tuple[tuple[str, str], ...]
) -> None:
    """A legacy file beside or below a version 1 file is reported as shadowed; one above it is not
    looked for.
    """
    disk = disk_of(
        {str(without_detours(START / path)): text for path, text in files.items()} | {"/.git": None}
    )
    located = locate(START / "app", None, disk).unwrap()
    assert tuple((each.message, each.advice) for each in located.warnings) == warnings


@pytest.mark.parametrize(
    ("name", "kind"),
    rows("locate", "suffixes"),
)
def test_a_named_file_is_read_by_its_suffix(name: str, kind: ConfigKind) -> None:
    """`--config` takes any file: scripts by their suffix, everything else as JSON."""
    found = locate(START, f"conf/{name}", disk_of({f"/project/conf/{name}": "{}"}))
    assert found == Success(
        Located(
            file(f"/project/conf/{name}", f"conf/{name}", kind),
            (Probe(f"conf/{name}", "taken"),),
            is_named=True,
        )
    )


@pytest.mark.rule("Discovery, rule 2", "Surface, `--config`")
def test_a_named_file_skips_discovery() -> None:
    """`--config` overrides a file in the current folder, and nothing else is read."""
    disk = disk_of({"/project/tool.config.ts": "", "/other/my.json": "{}"})
    assert locate(START, "/other/my.json", disk).unwrap().probes == (
        Probe("../other/my.json", "taken"),
    )


def test_a_named_package() -> None:
    """`--config=package.json` means its key `tool`, which must be there."""
    with_key = disk_of({"/project/package.json": '{"tool": {}}'})
    without = disk_of({"/project/package.json": "{}"})
    taken = Located(
        file("/project/package.json", "package.json", "package"),
        (Probe("package.json", "taken"),),
        is_named=True,
    )
    assert [locate(START, "package.json", disk) for disk in (with_key, without)] == [
        Success(taken),
        Failure((ConfigNotFound("package.json", lacks_key=True),)),
    ]


@pytest.mark.parametrize(
    ("config", "meant"),
    [
        ("tool.confg.json", "tool.config.json"),
        ("./shop.jsn", "./shop.json"),
        ("conf/shop.jsn", "conf/shop.json"),
    ],
)
def test_a_file_beside_a_named_one_that_is_not_there(config: str, meant: str) -> None:
    """If the named file is missing, a file with a similar name is suggested, written like the
    path.
    """
    names = ("tool.config.json", "shop.json", "conf/shop.json")
    disk = disk_of({f"/project/{name}": "{}" for name in names})
    unreadable = replace(disk, names=lambda _: None)
    assert [locate(START, config, each) for each in (disk, unreadable)] == [
        Failure((ConfigNotFound(config, suggestions=(meant,)),)),
        Failure((ConfigNotFound(config),)),
    ]


def dangling(disk: Disk) -> Disk:
    """A disk on which everything is a broken link."""
    return replace(disk, presence=lambda _: "dangling")


def denied(disk: Disk) -> Disk:
    """A disk on which nothing may be looked at or read."""
    return Disk(
        lambda _: "denied", lambda *_: Failure("permission denied"), disk.names, disk.evaluate
    )


@pytest.mark.rule("Discovery, rule 3", "Errors, 66")
@pytest.mark.parametrize(
    ("disk", "name", "error"),
    [
        (disk_of({"/project/x": ""}), "no.json", ConfigNotFound("no.json")),
        (disk_of({"/project/x": ""}), "", ConfigNotFound("")),
        (disk_of({"/project/conf": None}), "conf", ConfigUnreadable("conf", why="folder")),
        (dangling(disk_of({})), "a.json", ConfigNotFound("a.json", is_dangling=True)),
        (denied(disk_of({})), "a/b.json", ConfigUnreadable("a/b.json", "permission denied")),
    ],
    ids=["missing", "empty", "a folder", "a broken link", "behind a closed folder"],
)
def test_a_named_file_that_is_not_there(
    disk: Disk, name: str, error: ConfigNotFound | ConfigUnreadable
) -> None:
    """A path that does not exist, or is empty, is not found; something that is not a file, or may
    not be read, is no match.
    """
    assert locate(START, name, disk) == Failure((error,))


@pytest.mark.parametrize(
    ("names", "error"),
    [
        (None, "tool.config.ts"),
        (("tool.config.json", "other"), "tool.config.json"),
        (("package.json",), "package.json"),
        ((".tool.json",), ".tool.json"),
        (("other",), None),
    ],
)
def test_a_configuration_that_is_out_of_reach(
    names: tuple[str, ...] | None, error: str | None
) -> None:
    """A configuration in an unreadable folder, or a link into one, ends the search; a readable
    listing without it says that there is none.
    """
    files = disk_of({"/project/.git": None})

    def presence(path: PurePath) -> Presence:
        return "denied" if path.parent == START and path.name != ".git" else files.presence(path)

    closed = replace(files, presence=presence, names=lambda _: names)
    searched = (*NAMES, LEGACY)
    expected = Success(Located(None, missing(*searched)))
    assert locate(START, None, closed) == (
        Failure((ConfigUnreadable(error, "permission denied"),)) if error else expected
    )


def test_a_folder_that_cannot_be_listed() -> None:
    """In a folder that may be entered but not listed, no name is suggested."""
    unlisted = replace(disk_of({"/project/.git": None}), names=lambda _: None)
    assert locate(START, None, unlisted) == Success(Located(None, missing(*NAMES, LEGACY)))


def test_a_package_beside_a_configuration_that_may_not_be_read() -> None:
    """An unreadable `package.json` beside the configuration that is used is not an error."""
    disk = disk_of({"/project/tool.config.json": "{}", "/project/package.json": "{}"})
    closed = replace(disk, load=lambda *_: Failure("permission denied"))
    assert locate(START, None, closed).unwrap().probes[2:] == (
        Probe("tool.config.json", "taken"),
        Probe("package.json", "unreadable"),
    )


def test_a_package_that_may_not_be_read() -> None:
    """An unreadable `package.json` ends the search."""
    disk = disk_of({"/project/package.json": "{}"})
    closed = Disk(disk.presence, lambda *_: Failure("permission denied"), disk.names, disk.evaluate)
    assert locate(START, None, closed) == Failure(
        (ConfigUnreadable("package.json", "permission denied"),)
    )


def test_a_link_to_nothing() -> None:
    """A broken link is found by its name, and reading it is an error; a `package.json` that is one
    is ignored.
    """
    nothing = disk_of({"/project/.git": None})

    def dangling(name: str) -> Disk:
        return Disk(
            lambda path: "dangling" if path.name == name else nothing.presence(path),
            nothing.load,
            nothing.names,
            nothing.evaluate,
        )

    assert [
        locate(START, None, dangling(name)).unwrap().file
        for name in ("tool.config.js", "package.json")
    ] == [
        file("/project/tool.config.js", "tool.config.js", "script"),
        None,
    ]


@pytest.mark.rule("Discovery, candidate, kind")
def test_what_is_no_file() -> None:
    """A pipe or a folder is no match."""
    disk = disk_of(
        {"/project/.git": None, "/project/tool.config.js": None, "/project/tool.config.json": "{}"}
    )
    piped = replace(
        disk, presence=lambda path: "other" if path.suffix == ".ts" else disk.presence(path)
    )
    located = locate(START, None, piped).unwrap()
    assert located.file == file("/project/tool.config.json", "tool.config.json", "json")


def test_a_link_to_nothing_called_git_ends_the_walk() -> None:
    """A `.git` that is a broken link, as in a worktree that has moved, still ends the search."""
    disk = disk_of({"/tool.config.json": "{}", "/project/app": None})
    dangling = replace(
        disk, presence=lambda path: "dangling" if path == START / ".git" else disk.presence(path)
    )
    assert locate(START / "app", None, dangling).unwrap().file is None


@pytest.mark.parametrize("name", rows("locate", "near"))
def test_a_name_that_is_near(name: str) -> None:
    """A file with nearly the name of a configuration is reported and not read."""
    located = locate(
        START, None, disk_of({f"/project/{name}": "{}", "/project/.git": None})
    ).unwrap()
    assert (located.file, located.warnings) == (None, (unread_config((name,)),))


@pytest.mark.parametrize("name", rows("locate", "far"))
def test_a_name_that_is_not_meant(name: str) -> None:
    """A backup, an example, or a file of another kind is not reported."""
    assert (
        locate(START, None, disk_of({f"/project/{name}": "{}", "/project/.git": None}))
        .unwrap()
        .warnings
        == ()
    )


def test_near_names_of_a_folder() -> None:
    """Each folder has one warning about such names, and none if it has a configuration."""
    files = {
        "/a/b/c/tool.config.yaml": "",
        "/a/b/c/tool.json": "",
        "/a/b/c/toolrc": None,
        "/a/b/tool.config.mjs": "",
        "/a/tool.config.json": "{}",
        "/a/tool.config.toml": "",
        "/.git": None,
    }
    located = locate(PurePath("/a/b/c"), None, disk_of(files)).unwrap()
    assert located.warnings == (
        unread_config(("tool.config.yaml", "tool.json")),
        unread_config(("../tool.config.mjs",)),
    )
    legacy = disk_of({"/a/.tool.json": "{}", "/a/tool.json": "{}", "/.git": None})
    assert locate(PurePath("/a"), None, legacy).unwrap().warnings == ()


@pytest.mark.parametrize(
    ("project", "drop", "files", "unread"),
    rows("locate", "elsewhere"),
)
def test_a_configuration_elsewhere(
    project: str, drop: str, files: dict[str, str], unread: list[str]
) -> None:
    """A configuration in the project, or at a drop below, is reported unless it is used or
    `--config` names one.
    """
    disk = disk_of({str(without_detours(START / path)): content for path, content in files.items()})
    located = locate(START, None, disk).unwrap()
    expected = tuple(unread_config((name,), elsewhere=True) for name in unread)
    folders = (START, without_detours(START / project), without_detours(START / drop))
    assert unread_in(*folders, located, disk) == expected
    assert unread_in(*folders, replace(located, is_named=True), disk) == ()
