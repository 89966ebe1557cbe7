"""`tool create`, run as a user would: what it builds, refuses and leaves unchanged
(`docs/building.md`).
"""

import json
import os
import shlex
import stat
import zipfile
from pathlib import Path
from typing import Final

import pytest

from pipeline import __version__
from tests.support.forks import SHELLS
from tests.support.project import Project, php


def errors(project: Project, *args: str) -> list[tuple[str, int, str | None]]:
    """Run a create that fails; its errors by name, exit code and source."""
    ran = project.create(*args)
    reported = [(each["error"], each["exit"], each["source"]) for each in ran.reported("error")]
    assert ran.code == reported[0][1]
    assert ran.out == ""
    return reported


def test_a_whole_build(project: Project) -> None:
    """Themes and modules are built from the drop and its two subfolders, and standard output has
    the project's path.
    """
    project.archive(
        "drop/t.zip",
        {"config/theme.yml": "name: sea\nversion: 2.0", "__MACOSX/x": "", "a/b.css": "b"},
    )
    project.archive(
        "drop/modules/m-main.zip",
        {"m-main/m.php": "m", "m-main/.DS_Store": "", "m-main/.htaccess": "h"},
    )
    project.archive("drop/themes/readme.txt", {})
    project.module("two", "drop/TWO.ZIP")
    ran = project.create("drop", "--output=out/deep")
    root = project.root / "out" / "deep"
    assert ran.code == 0
    assert ran.out == f"{root}\n"
    assert Project(root).tree == {
        "themes/sea/config/theme.yml": "name: sea\nversion: 2.0",
        "themes/sea/a/b.css": "b",
        "modules/m/m.php": "m",
        "modules/m/.htaccess": "h",
        "modules/two/two.php": php("two"),
    }
    assert sorted(path.name for path in root.iterdir()) == [
        ".tool",
        ".tool-cache.json",
        ".tool-manifest.json",
        "modules",
        "themes",
    ]


def test_modes_and_links(project: Project) -> None:
    """Executables stay executable, links inside the component are kept, and no archive sets any
    other mode.
    """
    path = project.root / "m.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, mode in (
            ("m/m.php", 0o100666),
            ("m/run", 0o104755),
            ("m/link", 0o120777),
            ("m/d/", 0o40700),
        ):
            info = zipfile.ZipInfo(name)
            info.create_system, info.external_attr = 3, mode << 16
            archive.writestr(info, "run" if name == "m/link" else "")
    before = os.umask(0o022)
    try:
        assert project.create().code == 0
    finally:
        os.umask(before)
    built = project.root / "modules" / "m"
    modes = {
        each.name: oct(stat.S_IMODE(each.lstat().st_mode)) for each in (built, *built.iterdir())
    }
    assert modes == {
        "m": "0o755",
        "m.php": "0o644",
        "run": "0o755",
        "link": modes["link"],
        "d": "0o755",
    }
    assert (built / "link").readlink() == Path("run")


def test_a_dry_run_writes_nothing(project: Project) -> None:
    """A dry run shows the plan with its hooks; it writes nothing, runs no script and makes no
    output folder.
    """
    project.module("m")
    project.write("init-scripts/a.sh", "touch ran")
    project.write("post-scripts/b.py", "open('ran', 'w')")
    before = sorted(project.root.rglob("*"))
    ran = project.create("--dry-run", "--output=out")
    assert ran.code == 0
    assert ran.out == f"{project.root}/out\n"
    assert sorted(project.root.rglob("*")) == before
    assert [each["action"] for each in ran.reported("component")] == ["add"]
    assert ran.reported("hook") == [
        {
            "event": "hook",
            "stage": stage,
            "script": script,
            "status": "planned",
            "exit": None,
            "seconds": None,
        }
        for stage, script in (("init", "a.sh"), ("post", "b.py"))
    ]
    assert project.run("create", "--dry-run").err.endswith("; nothing was written\n")


def test_the_theme_by_its_file(project: Project) -> None:
    """A theme setting that ends in `.zip` is a file in the drop or elsewhere, relative to the file
    that sets it.
    """
    project.theme("one", "drop/one.zip")
    project.theme("two", "drop/two.zip")
    project.archive("elsewhere/bare.zip", {"style.css": ""})
    project.write("conf/my.json", {"theme": "../elsewhere/bare.zip"})
    assert project.create("drop", "--theme=drop/two.zip", "--output=a").code == 0
    assert project.create("drop", "--config=conf/my.json", "--output=b").code == 0
    assert [
        sorted(path.name for path in (project.root / out / "themes").iterdir()) for out in "ab"
    ] == [
        ["two"],
        ["bare"],
    ]


def test_a_misspelt_drop(project: Project) -> None:
    """If the drop does not exist, folders with similar names beside it are suggested, but no
    file.
    """
    project.module("m", "in/drop/m.zip")
    project.write("in/dropp", "a file")
    (reported,) = project.create("in/drop_").reported("error")
    assert (reported["exit"], reported["help"]) == (72, "did you mean `in/drop`?")


@pytest.mark.parametrize(
    ("files", "args", "expected"),
    [
        ((), ("missing",), ("DropNotFound", 72, None)),
        ((), ("init-scripts/../tool.config.json",), ("DropNotFound", 72, None)),
        ((), ("--output=tool.config.json",), ("OutputConflict", 73, "tool.config.json")),
        ((), ("--output=tool.config.json/out",), ("OutputConflict", 73, "tool.config.json")),
        (
            (),
            ("--output=tool.config.json/out", "--dry-run"),
            ("OutputConflict", 73, "tool.config.json"),
        ),
        (("t",), ("--theme=x.zip",), ("ThemeNotFound", 68, "--theme")),
    ],
)
def test_what_cannot_be_built(
    project: Project,
    files: tuple[str, ...],
    args: tuple[str, ...],
    expected: tuple[str, int, str | None],
) -> None:
    """A missing drop or theme, several themes, and an output that is a file each end with their own
    exit code.
    """
    project.write("tool.config.json", {})
    for name in files:
        project.theme(name)
    assert errors(project, *args) == [expected]
    assert not (project.root / "themes").exists()


def test_a_refused_archive_is_one_error(project: Project) -> None:
    """A refused archive is one error and no warning, and is counted once; `--verbose` lists every
    reason.
    """
    project.archive("bad.zip", {"../a": "", "../b": "", "/c": ""})
    project.module("m")
    ran = project.create("--keep-going")
    assert ran.reported("warning") == []
    assert [each["message"] for each in ran.reported("error")] == [
        "`bad.zip`, entry `../a`: its name has `..` (and 2 more; `--verbose` lists all)"
    ]
    assert ran.log[-1]["refused"] == 1
    assert len(errors(project, "--verbose")) == 3


def test_a_refused_theme_is_not_taken_for_an_archive_of_the_drop(project: Project) -> None:
    """Archives are told apart by their locations: excluding one of the drop does not excuse another
    with the same name.
    """
    project.archive("drop/x.zip", {"module.json": '{"name": "mod"}'})
    project.archive("x.zip", {"config/theme.yml": "name: evil", "../../../escaped.txt": "pwned"})
    project.write("tool.config.json", {"theme": "./x.zip", "exclude": ["x.zip"]})
    assert errors(project, "drop", "--output=out") == [("ArchiveRejected", 76, "./x.zip")]
    assert [path.name for path in project.root.parent.rglob("escaped*")] == []


def test_empty_values_are_refused(project: Project) -> None:
    """An empty path, as from a shell variable that is not set, is refused and does not mean the
    current folder.
    """
    project.write("evil.sh", "touch ran").chmod(0o755)
    for args in (
        ("--init-scripts-dir=",),
        ("--post-scripts-dir=",),
        ("--cache-file=",),
        ("--output=",),
        ("",),
    ):
        assert project.create(*args).code == 64
    assert project.create("--presets-search-path=a", "--presets-search-path=").code == 64
    project.write("tool.config.json", {"presetsSearchPath": ["", "a"]})
    assert [each["path"] for each in project.create().reported("error")] == ["presetsSearchPath[0]"]
    project.write("tool.config.json", {"presetsSearchPath": ["a"], "presets": [""]})
    assert [each["error"] for each in project.create().reported("error")] == [
        "SchemaValidationError"
    ]
    assert not (project.root / "ran").exists()


def test_a_dry_run_shows_the_plan_beside_a_conflict(project: Project) -> None:
    """A dry run shows what the run would do besides its errors, and ends with the exit code of the
    run.
    """
    project.module("a")
    assert project.create().code == 0
    project.module("b")
    project.write("modules/a/a.php", "mine")
    project.archive("a.zip", {"a/a.php": php("a", "new")})
    ran = project.create("--dry-run")
    assert [(each["path"], each["action"]) for each in ran.reported("component")] == [
        ("modules/b", "add")
    ]
    assert [each["error"] for each in ran.reported("error")] == ["OutputConflict"]
    assert "`--keep-going` builds the other components" in ran.reported("error")[0]["help"]
    ends = [(each["outcome"], each["added"], each["conflicts"]) for each in ran.reported("summary")]
    assert (ran.code, ends) == (73, [("planned", 1, 1)])


def test_a_failed_run_leaves_no_folder_behind(project: Project) -> None:
    """An output folder that was made for a run that fails is removed, but not what a script has
    put into it.
    """
    project.module("m")
    project.write("init-scripts/a.sh", "exit 1")
    assert project.create("--output=a/b", "--on-failure=fail").code == 79
    assert not (project.root / "a").exists()
    project.write("init-scripts/a.sh", "touch kept; exit 1")
    assert project.create("--output=a/b", "--on-failure=fail").code == 79
    assert sorted(path.name for path in (project.root / "a" / "b").iterdir()) == [".tool", "kept"]


@pytest.mark.parametrize("umask", [0o000, 0o111] if os.geteuid() == 0 else [0o000])
def test_modes_under_any_umask(project: Project, umask: int) -> None:
    """With any umask, no file is written that everyone may write to, and a second run finds nothing
    to change.
    """
    path = project.root / "m.zip"
    with zipfile.ZipFile(path, "w") as archive:
        info = zipfile.ZipInfo("m/sub/run")
        info.create_system, info.external_attr = 3, 0o100755 << 16
        archive.writestr(info, "run")
        archive.writestr("m/m.php", "")
    before = os.umask(umask)
    try:
        first, second = project.create("--output=out"), project.create("--output=out")
    finally:
        os.umask(before)
    loose = [
        path
        for path in (project.root / "out", *(project.root / "out").rglob("*"))
        if path.stat().st_mode & 0o002
    ]
    assert first.code == 0
    assert second.code == 0
    assert second.reported("component")[0]["action"] == "keep"
    assert loose == []


ASCII: Final = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
"""A locale whose names of files are ASCII, which counts from the start of a process."""


@pytest.mark.parametrize("locale", [ASCII, {"PYTHONIOENCODING": "latin-1"}])
def test_json_is_utf_8_in_any_locale(project: Project, locale: dict[str, str]) -> None:
    """The JSON log is UTF-8 in any locale."""
    project.write("tool.config.json", {"theme": "none", "exclude": ["thème→日本"]})
    ran = project.start("create", "--dry-run", "--log-format=json", env=locale)
    assert ran.decided["modules.exclude"]["value"] == ["thème→日本"]


def test_a_name_that_the_locale_cannot_spell(project: Project) -> None:
    """If the locale cannot encode a file name, the run ends and changes nothing."""
    project.archive("m.zip", {"m/m.php": "", "m/config.xml": "", "m/日本.txt": ""})
    ran = project.start("create", "--log-format=json", env=ASCII)
    reported = [each["message"] for each in ran.reported("error")]
    assert (ran.code, reported) == (74, ["`日本.txt`: the encoding ascii cannot spell it"])
    assert sorted(each.name for each in project.root.iterdir()) == [".git", "m.zip"]


def test_many_mistakes_are_reported_quickly(project: Project) -> None:
    """A file with thousands of mistakes is read only once."""
    project.write(
        "tool.config.json", "{" + ",\n".join(f'"zz{count}": 1' for count in range(3000)) + "}"
    )
    ran = project.run("create")
    assert ran.code == 65
    assert ran.err.count("error: ") == 1001
    assert ran.err.splitlines()[-2] == "error: and 2,000 more"


@pytest.mark.parametrize(
    ("args", "scripts", "code", "ending"),
    [
        ((), {}, 0, ("done", 1)),
        (("--dry-run",), {}, 0, ("planned", 1)),
        (("--theme=sea",), {}, 68, ("unchanged", 0)),
        (("--on-failure=fail",), {"init-scripts/a.sh": "exit 1"}, 79, ("unchanged", 0)),
        (("--on-failure=fail",), {"post-scripts/a.sh": "exit 1"}, 79, ("stopped", 1)),
        ((), {"init-scripts/a.sh": "kill -INT $PPID; sleep 60"}, 130, ("unchanged", 0)),
        ((), {"post-scripts/a.sh": "kill -TERM $PPID; sleep 60"}, 143, ("stopped", 1)),
    ],
)
def test_the_last_line_says_what_became_of_the_run(
    project: Project,
    args: tuple[str, ...],
    scripts: dict[str, str],
    code: int,
    ending: tuple[str, int],
) -> None:
    """The log begins with its version and ends with a summary of what was done, however the run
    ends.
    """
    project.module("m")
    for name, text in scripts.items():
        project.write(name, text)
    ran = project.create(*args)
    first, *_, last = ran.log
    assert first == {"event": "start", "log": 1, "tool": __version__}
    assert last["event"] == "summary"
    assert (last["outcome"], last["added"]) == ending
    assert ran.code == code
    assert bool(project.tree) is (ending[1] == 1 and "--dry-run" not in args)


def test_a_look_at_a_project_that_is_being_built(project: Project) -> None:
    """While another run is building, commands that only look report that, and not an interrupted
    run.
    """
    project.module("m")
    looks = [
        f"tool {args} --log-format=json --no-cache >out 2>>err"
        for args in ("create -n", "create --check", "status")
    ]
    project.write("init-scripts/look.sh", "\n".join((*looks, "true")))
    assert project.create(env={"PATH": f"{SHELLS.folder}:{os.environ['PATH']}"}).code == 0
    lines = (project.root / "err").read_text(encoding="utf-8").splitlines()
    warnings = [each["code"] for each in map(json.loads, lines) if each["event"] == "warning"]
    assert warnings == ["live-run"] * 3


def test_a_guessed_name_is_reported_once(project: Project) -> None:
    """The run that builds a component with a guessed name reports the guess, and no later run
    does.
    """
    name = "acme-sea-kit-0a1b2c3"
    project.archive(
        f"{name}.zip", {f"{name}/load.php": "<?php\n/* Plugin Name: Sea Kit\nVersion: 1 */"}
    )
    guess = f"its name, `acme-sea-kit`, is guessed from {name}/ (folder)"
    assert [
        [each["message"] for each in project.create().reported("warning")] for _ in range(2)
    ] == [[guess], []]


def test_old_archives_of_a_component_are_reported_once(project: Project) -> None:
    """In text, one warning names all old archives of a component, and no run repeats it until there
    is another one.
    """

    def old_ones(*args: str) -> list[str]:
        return [
            line for line in project.run("create", *args).err.splitlines() if "m-1.0.zip" in line
        ]

    for version in ("1.0", "1.1", "2.0"):
        project.archive(
            f"m-{version}.zip", {"m/module.json": f'{{"name": "m", "version": "{version}"}}'}
        )
    assert old_ones() == [
        "warning: m-2.0.zip: version 2.0 is chosen; `m-1.0.zip` (1.0), `m-1.1.zip` (1.1) are older"
    ]
    assert old_ones() == []
    assert len(old_ones("--verbose")) == 2
    assert [each["archive"] for each in project.create().reported("archive")] == [
        "m-1.0.zip",
        "m-1.1.zip",
        "m-2.0.zip",
    ]
    project.archive("m-1.2.zip", {"m/module.json": '{"name": "m", "version": "1.2"}'})
    assert len(old_ones()) == 1


def test_a_run_that_stops_ends_with_a_command(project: Project) -> None:
    """A run that stops ends with a command that builds what can be built, and the command works
    when it is pasted into a shell.
    """
    for name in ("bay", "reef"):
        project.theme(name, f"my drop/{name}.zip")
    for name in ("m", "n", "o"):
        project.module(name, f"my drop/{name}.zip")
    project.write("my drop/bad.zip", "<!doctype html>")
    ran = project.create("my drop", "--exclude=o*")
    assert ran.code == 68
    assert ran.log[-1]["rest"] == "tool create 'my drop' '--exclude=o*' --keep-going --theme=none"
    text = project.run("create", "my drop", "--exclude=o*").err.splitlines()
    assert text[-2:] == [
        "to build what can be built:",
        f"  {ran.log[-1]['rest']}",
    ]
    assert project.run(*shlex.split(text[-1])[1:]).code == 76
    assert {path.split("/")[1] for path in project.tree} == {"m", "n"}


def test_the_command_of_a_run_that_names_no_drop(project: Project) -> None:
    """If the command line names no drop, the command names it; it only has `--keep-going` if that
    is needed.
    """
    project.theme("bay")
    project.theme("reef")
    assert "rest" not in project.create("--output=out", "--").log[-1]
    project.module("m")
    assert (
        project.create("--output=out", "--").log[-1]["rest"]
        == "tool create . --output=out --theme=none --"
    )


def test_the_command_beside_damage(project: Project) -> None:
    """The command skips damage that only extracting finds; if nothing else can be built, there is
    no command.
    """
    with zipfile.ZipFile(project.root / "n.zip", "w") as archive:
        archive.writestr("n/n.php", php("n"))
        archive.writestr("n/data", "0123456789")
    project.write(
        "n.zip", (project.root / "n.zip").read_bytes().replace(b"0123456789", b"0123456780", 1)
    )
    assert "rest" not in project.create().log[-1]
    project.module("m")
    assert project.create().log[-1]["rest"] == "tool create . --keep-going"
    assert "rest" not in project.create("--keep-going").log[-1]
    assert "rest" not in project.create().log[-1]


def test_several_backups_within_a_second(project: Project) -> None:
    """Each run with `--force` has its own backup folder, however quickly the runs follow one
    another.
    """
    project.module("m")
    for count in range(3):
        project.write("modules/m/m.php", str(count))
        project.archive("m.zip", {"m/m.php": f"theirs {count}"})
        assert project.create(".", "modules/m", "--force").code == 0
    kept = {
        path.read_text(encoding="utf-8") for path in (project.root / ".tool/backup").rglob("m.php")
    }
    assert kept == {"0", "1", "2"}
