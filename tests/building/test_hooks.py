"""Hook scripts, run by the real command (`docs/scripts.md`)."""

import json
import os
import select
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

from io_edges.building.hooks import run_hooks
from io_edges.report.console import Console
from io_edges.system.signals import reap
from pipeline.building.hooks import Hook, missing_program
from tests.support.errors import error
from tests.support.forks import TOOL
from tests.support.project import Project, Ran
from tests.support.sweep import sweep_only
from tests.support.tables import named

SHOW = (
    "import json, os; print(json.dumps({k: v for k, v in os.environ.items() if "
    'k.startswith("TOOL_HOOK_")}))'
)


def lines(ran: Ran) -> list[tuple[str, str, str]]:
    """What the scripts printed: source, stream and line."""
    return [(each["source"], each["stream"], each["line"]) for each in ran.reported("output")]


def hooks(ran: Ran) -> list[tuple[str, str, str, int]]:
    """What became of the scripts: stage, name, status and exit code."""
    return [
        (each["stage"], each["script"], each["status"], each["exit"])
        for each in ran.reported("hook")
    ]


def seconds(ran: Ran) -> float:
    """How long the only script of a run took, with what was waited for afterwards."""
    (hook,) = ran.reported("hook")
    return float(hook["seconds"])


def test_scripts_run_around_the_build(project: Project) -> None:
    """Init scripts run before the components are in place, post scripts after, in byte order, in
    the project.
    """
    project.module("m")
    look = "test -e modules/m && echo built || echo not yet; pwd"
    project.write("init-scripts/10 b.sh", look)
    project.write("init-scripts/Z.sh", "echo Z >&2")
    project.write("init-scripts/a.sh", "echo a")
    project.write("post-scripts/x.sh", look)
    ran = project.create("--output=out")
    out = f"{project.root}/out"
    assert ran.code == 0
    assert hooks(ran) == [
        ("init", "10 b.sh", "ok", 0),
        ("init", "Z.sh", "ok", 0),
        ("init", "a.sh", "ok", 0),
        ("post", "x.sh", "ok", 0),
    ]
    assert lines(ran) == [
        ("init-scripts/10 b.sh", "stdout", "not yet"),
        ("init-scripts/10 b.sh", "stdout", out),
        ("init-scripts/Z.sh", "stderr", "Z"),
        ("init-scripts/a.sh", "stdout", "a"),
        ("post-scripts/x.sh", "stdout", "built"),
        ("post-scripts/x.sh", "stdout", out),
    ]


def test_what_scripts_are_told(project: Project) -> None:
    """A script gets its stage, the project, the theme and the plan, and nothing on standard
    input.
    """
    project.theme("t")
    project.module("m")
    project.write(
        "init-scripts/a.py",
        f"{SHOW}; print(open(os.environ['TOOL_HOOK_PLAN']).read()); print(open(0).read())",
    )
    ran = project.create()
    reported, plan, stdin = (line for _, _, line in lines(ran))
    variables = json.loads(reported)
    assert variables.pop("TOOL_HOOK_PLAN").endswith("/plan.json")
    assert variables == {
        "TOOL_HOOK_STAGE": "init",
        "TOOL_HOOK_PROJECT": str(project.root),
        "TOOL_HOOK_THEME": "t",
    }
    assert json.loads(plan) == {
        "project": str(project.root),
        "components": ran.reported("component"),
    }
    assert stdin == ""


def test_what_runs_a_script(project: Project) -> None:
    """An executable script runs itself, with or without a first line; `.sh` and `.py` files need no
    bit; others are skipped.
    """
    project.module("m")
    for name, text in (("a", "#!/bin/sh\necho a"), ("b", "echo b")):
        project.write(f"init-scripts/{name}", text).chmod(0o755)
    project.write("init-scripts/c.sh", "echo c")
    project.write("init-scripts/d.js", "")
    project.write("init-scripts/sub/h.sh", "echo h")
    project.write("elsewhere.sh", "echo i")
    (project.root / "init-scripts" / "i.sh").symlink_to("../elsewhere.sh")
    ran = project.create()
    assert [line for _, _, line in lines(ran)] == ["a", "b", "c", "i"]
    assert [(each["code"], each["source"]) for each in ran.reported("warning")] == [
        ("skipped-hook", "init-scripts/d.js")
    ]


def test_what_a_first_line_names(project: Project) -> None:
    """A script without the executable bit is run by the program in its first line; if that is
    missing, the script has failed.
    """
    project.module("m")
    project.write("init-scripts/a.sh", "#!/bin/bash\nset -o pipefail\n[[ a ]] && echo $0")
    project.write("init-scripts/b", "#!/usr/bin/env -S sh -u\r\necho b")
    project.write("init-scripts/c.py", "#!/nonexistent/python3\nimport sys; print(sys.executable)")
    project.write("init-scripts/d.js", "#!/nonexistent/node -x\r\n")
    project.write("init-scripts/e.sh.bak", "echo e").chmod(0o755)
    ran = project.create()
    printed = [line for _, _, line in lines(ran)]
    assert printed == [str(project.root / "init-scripts/a.sh"), "b", sys.executable]
    assert [each["message"] for each in ran.reported("warning")] == [
        "the init script `init-scripts/e.sh.bak` is skipped: it is named like a backup",
        "the init script `init-scripts/d.js` failed: it cannot be run: its first line names "
        "`/nonexistent/node`, "
        "which is not there; the run goes on",
    ]
    assert [each["code"] for each in project.create("-q").reported("warning")] == ["failed-hook"]


def test_a_failure_that_is_passed_over(project: Project) -> None:
    """With `continue`, a failing script is reported, the next one runs, and the run succeeds."""
    project.module("m")
    project.write("init-scripts/a.sh", "exit 3")
    project.write("init-scripts/b.sh", "kill -9 $$")
    project.write("init-scripts/c", "#!/nonexistent").chmod(0o755)
    project.write("init-scripts/d.sh", "exit 0")
    ran = project.create()
    assert ran.code == 0
    assert list(project.tree) == ["modules/m/m.php"]
    assert hooks(ran) == [
        ("init", "a.sh", "failed", 3),
        ("init", "b.sh", "failed", 137),
        ("init", "c", "failed", 126),
        ("init", "d.sh", "ok", 0),
    ]
    assert [each["message"] for each in ran.reported("warning")] == [
        "the init script `init-scripts/a.sh` failed: exit code 3; the run goes on",
        "the init script `init-scripts/b.sh` failed: ended by signal 9; the run goes on",
        "the init script `init-scripts/c` failed: it cannot be run: its first line names "
        "`/nonexistent`, "
        "which is not there; the run goes on",
    ]


@pytest.mark.parametrize(
    ("beginning", "reason"),
    [
        (b"#!/bin/sh\r\necho a\r\n", "its lines end in CR LF, as on Windows"),
        (b"#! /opt/node\t-x\n", "its first line names `/opt/node`, which is not there"),
        (b"#!/opt/caf\xe9", "its first line names `/opt/caf\udce9`, which is not there"),
        (b"echo a\r\n", None),
        (b"", None),
    ],
)
def test_a_script_whose_program_is_missing(beginning: bytes, reason: str | None) -> None:
    """If the system says that a script does not exist, the reason is found in its first line."""
    assert missing_program(beginning) == reason


@pytest.mark.parametrize(("stage", "built"), [("init", []), ("post", ["modules/m/m.php"])])
def test_a_failure_that_stops_the_run(project: Project, stage: str, built: list[str]) -> None:
    """With `fail` no later script runs and the exit code is 79; a failing init script leaves the
    components alone.
    """
    project.module("m")
    project.write(f"{stage}-scripts/a.sh", "exit 3")
    project.write(f"{stage}-scripts/b.sh", "echo never")
    ran, script = project.create("--on-failure=fail"), f"{stage}-scripts/a.sh"
    assert ran.code == 79
    assert hooks(ran) == [(stage, "a.sh", "failed", 3)]
    assert lines(ran) == []
    assert list(project.tree) == built
    message = f"the {stage} script `{script}` failed: exit code 3"
    assert ran.reported("error") == [
        error("HookFailed", 79, None, script, message, "`--on-failure=continue`")
    ]
    assert not (project.root / ".tool/staging").exists()


@pytest.mark.parametrize("script", ["cp drop/m.zip drop/n.zip", "rm -r drop"])
def test_a_script_that_changes_the_drop(project: Project, script: str) -> None:
    """If an init script changes the drop, or removes it, the plan is carried out as it was,
    with a warning.
    """
    project.module("m", "drop/m.zip")
    project.write("init-scripts/a.sh", script)
    ran = project.create("drop")
    assert ran.code == 0
    assert [each["code"] for each in ran.reported("warning")] == ["changed-drop"]


def test_a_script_that_builds_the_component_itself(project: Project) -> None:
    """If an init script puts something where a component goes, that is not overwritten, and the
    build is undone.
    """
    project.theme("t")
    project.module("m")
    project.write("init-scripts/a.sh", "mkdir -p modules/m; echo mine > modules/m/x")
    ran = project.create()
    assert ran.code == 73
    assert ran.reported("error")[0]["error"] == "OutputConflict"
    assert project.tree == {"modules/m/x": "mine\n"}
    assert not list(project.root.glob(".tool-*"))


def test_the_order_of_output(project: Project) -> None:
    """In text, what a script prints on its two streams stays in order; in JSON each line has the
    name of its stream.
    """
    script = "i=0; while [ $i -lt 50 ]; do i=$((i + 1)); echo out $i; echo err $i >&2; done"
    project.write("post-scripts/a.sh", script)
    printed = [
        f"post-scripts/a.sh: {stream} {number}"
        for number in range(1, 51)
        for stream in ("out", "err")
    ]
    reported = project.run("create", ".").err.splitlines()
    assert [line for line in reported if line.startswith("post-scripts/a.sh: ")] == printed
    events = project.create(".").reported("output")
    assert {each["stream"] for each in events if each["line"].startswith("err")} == {"stderr"}
    assert [each["line"] for each in events if each["stream"] == "stdout"] == [
        f"out {n}" for n in range(1, 51)
    ]


def test_output_is_harmless(project: Project) -> None:
    """Whatever bytes a script prints, they reach the log escaped and complete."""
    project.write("init-scripts/a.sh", "printf '\\033[31mred\\n\\377\\ncaf\\303'")
    ran = project.run("create", ".")
    assert (
        "init-scripts/a.sh: \\x1b[31mred\ninit-scripts/a.sh: \\xff\ninit-scripts/a.sh: caf\\xc3\n"
        in ran.err
    )
    assert "\x1b" not in ran.err


def test_what_outlives_a_script_is_not_waited_for(project: Project) -> None:
    """A program that outlives its script and keeps its output open delays neither the run nor a
    line.
    """
    project.write("post-scripts/a.sh", "sleep 30 & echo started; printf unended")
    ran = project.create(".")
    assert ran.code == 0
    assert lines(ran) == [
        ("post-scripts/a.sh", "stdout", "started"),
        ("post-scripts/a.sh", "stdout", "unended"),
    ]
    assert seconds(ran) < 25  # long enough for a busy machine


def test_nothing_is_left_open(project: Project) -> None:
    """A run with a script closes every file; Python would report one that is left open."""
    project.write("init-scripts/a.sh", "echo out; echo err >&2")
    ran = project.start("create", ".", "--log-format=json", env={"PYTHONDEVMODE": "1"})
    assert sorted(lines(ran)) == [
        ("init-scripts/a.sh", "stderr", "err"),
        ("init-scripts/a.sh", "stdout", "out"),
    ]


@sweep_only
def test_a_slow_reader_gets_every_line(project: Project) -> None:
    """Every line that a script printed is logged, however slowly the log is read."""
    project.module("m")
    project.write("post-scripts/a.sh", "seq 1 20000")
    with subprocess.Popen(
        [TOOL, "create", "--log-format=json"],
        cwd=project.root,
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
    ) as ran:
        assert ran.stderr
        reported = b""
        while piece := os.read(ran.stderr.fileno(), 2048):
            reported += piece
            # Slower than the script, and for longer than a pause is waited for.
            select.select([], [], [], 0.005)
    lines = [json.loads(line) for line in reported.decode().splitlines()]
    assert [each["line"] for each in lines if each["event"] == "output"] == [
        str(each) for each in range(1, 20_001)
    ]


@pytest.mark.parametrize("script", ["exec sleep 600", '(trap "" TERM; sleep 600) & wait'])
def test_an_interrupt_ends_the_script(project: Project, script: str) -> None:
    """If a run is interrupted at any moment of a script, it ends the script with every process that
    it started.
    """
    project.module("m")
    project.write("init-scripts/a.sh", f"echo $$ >> pids; kill -INT $PPID; {script}")
    for _ in range(5):
        assert project.create().code == 130
    groups = (project.root / "pids").read_text(encoding="utf-8").split()
    alive = set(groups)
    until = time.monotonic() + 60
    # A process that was killed takes a moment to go.
    while not alive.isdisjoint(groups) and time.monotonic() < until:
        listed = subprocess.run(
            ["ps", "-e", "-o", "pgid=,stat="], capture_output=True, text=True, check=True
        ).stdout
        alive = {
            line.split()[0] for line in listed.splitlines() if not line.split()[1].startswith("Z")
        }
    assert alive.isdisjoint(groups)


def test_an_interrupt_between_two_looks_at_a_script() -> None:
    """An ended child is waited for, even if an interrupted `Popen.wait` still holds its lock."""
    with subprocess.Popen(["sleep", "600"], stdout=subprocess.DEVNULL) as child:
        child._waitpid_lock.acquire()  # type: ignore[attr-defined]
        child.kill()
        reap(child)
        assert child.returncode == -9


def test_no_theme_is_told_where_none_is_built(project: Project) -> None:
    """A theme that is on disk but is not built is not the theme of the run."""
    archive = project.theme("sea")
    project.module("m")
    project.create()
    archive.unlink()
    project.write("post-scripts/a.sh", 'echo "[$TOOL_HOOK_THEME]"')
    assert [each["line"] for each in project.create().reported("output")] == ["[]"]


@sweep_only
def test_a_child_that_goes_on_talking(project: Project) -> None:
    """A program that a script leaves behind and that keeps printing does not delay the run."""
    project.module("m")
    project.write(
        "post-scripts/a.sh", "(echo $$ > pid; while sleep 0.1; do echo tick; done) & echo done"
    )
    ran = project.create()
    group = (project.root / "pid").read_text(encoding="utf-8").strip()
    subprocess.run(["kill", "--", f"-{group}"], check=True)
    assert ran.code == 0
    assert hooks(ran) == [("post", "a.sh", "ok", 0)]
    assert "done" in [line for _, _, line in lines(ran)]
    assert seconds(ran) < 25


def test_quiet_shows_what_a_failing_script_printed(project: Project) -> None:
    """With `--quiet`, only a failing script shows its output: the last 20 lines."""
    project.module("m")
    project.write("post-scripts/10-good.sh", "echo good; echo so far >&2")
    project.write(
        "post-scripts/20-bad.sh",
        "i=0; while [ $i -lt 25 ]; do i=$((i + 1)); echo line $i; done; exit 3",
    )
    ran = project.run("create", "--quiet")
    assert (ran.code, ran.err.splitlines()) == (
        0,
        [
            *(f"post-scripts/20-bad.sh: line {number}" for number in range(6, 26)),
            (
                "warning: the post script `post-scripts/20-bad.sh` failed: exit code 3; the run "
                "goes "
                "on"
            ),
            "  = help: `--on-failure=fail` ends a run there",
        ],
    )
    events = project.create("--quiet").log
    assert [each["event"] for each in events] == ["start", *["output"] * 20, "warning", "summary"]


def test_a_silent_script_is_named(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """A script that prints nothing for long is named, so that a person knows what the run waits
    for.
    """
    monkeypatch.setattr("io_edges.building.hooks.SILENT_SECONDS", 0.0)
    os.mkfifo(project.root / "fifo")
    path = project.write("a.sh", "cat fifo")  # which waits until somebody writes
    said = list[str]()

    class Listening(Console):
        """Lets the script end when it has been named."""

        def print_text(self, *lines: str) -> None:
            said.extend(lines)
            (project.root / "fifo").write_text("", encoding="utf-8")

    run_hooks(
        [Hook("post", path, "post/a.sh", "sh")], project.root, {}, "fail", Listening(quiet=True)
    )
    assert said == ["waiting for `post/a.sh`, which has printed nothing yet"]


def contents(version: str) -> dict[str, str]:
    """The files of the module in a version."""
    return {
        "m.php": f"{version}{version}",
        **dict.fromkeys(("a", "lib/b", "lib/c", "link"), version),
    }


@pytest.fixture(scope="module")
def outdated(shared: Project) -> Project:
    """A project whose only module has a file of the user, and an update in the drop; each test
    changes a copy.
    """

    def pack(version: str) -> None:
        with zipfile.ZipFile(shared.root / "m.zip", "w") as archive:
            for name in ("m.php", "a", "lib/b", "lib/c"):
                archive.writestr(
                    zipfile.ZipInfo(f"m/{name}", (2026, 1, 1, 0, 0, 0)), contents(version)[name]
                )
            link = zipfile.ZipInfo("m/link", (2026, 1, 1, 0, 0, 0))
            link.create_system, link.external_attr = 3, 0o120777 << 16
            archive.writestr(link, "a")

    pack("0")
    assert shared.create().code == 0
    (shared.root / "modules/m/mine").write_text("mine")
    pack("1")
    return shared


def update_with(project: Project, script: str) -> Ran:
    """Update the module, with an init script; `$S` is where it is staged."""
    project.write("init-scripts/a.sh", f"S=.tool/staging/0\n{script}\n")
    return project.create()


@pytest.mark.parametrize("script", named("hooks", "tampering"))
def test_a_script_that_changes_what_is_staged(
    outdated: Project, tmp_path: Path, script: str
) -> None:
    """Only verified files are put in place: if an init script changes a staged file, the run ends
    and changes nothing.
    """
    project = outdated.copy(tmp_path / "project")
    ran = update_with(project, script)
    assert ran.code == 74, ran.err
    (error,) = ran.reported("error")
    assert f"{project.root}/.tool/staging/0" in error["message"]
    assert project.tree == {
        **{f"modules/m/{name}": text for name, text in contents("0").items()},
        "modules/m/mine": "mine",
    }
    project.write("init-scripts/a.sh", "rm -f x")
    assert not (project.root / ".tool/staging").exists()
    again = project.create()
    assert again.code == 0, again.err
    assert project.tree["modules/m/a"] == "1"


@pytest.mark.parametrize(("script", "users"), named("hooks", "harmless"))
def test_a_script_that_changes_nothing_verified(
    outdated: Project, tmp_path: Path, script: str, users: dict[str, str]
) -> None:
    """An init script may change modes and owners, and the user's own files in a component."""
    project = outdated.copy(tmp_path / "project")
    ran = update_with(project, script)
    assert ran.code == 0, ran.err
    assert project.tree == {
        f"modules/m/{name}": text for name, text in {**contents("1"), **users}.items()
    }


def test_new_and_changed_scripts_are_named_before_they_run(project: Project) -> None:
    """One line names the scripts that are new or have changed since the last run here that could
    report them.
    """
    project.module("m", "drop/m.zip")
    project.write("init-scripts/a.sh", "true")
    project.write("post-scripts/b.sh", "true")
    line = "new or changed since the last run here: "

    def named(*args: str) -> list[str]:
        ran = project.run("create", "drop", *args)
        return [each.removeprefix(line) for each in ran.err.splitlines() if each.startswith(line)]

    both = ["`init-scripts/a.sh`, `post-scripts/b.sh`"]
    assert [named("--no-hooks"), named("--dry-run"), named(), named()] == [[], both, both, []]
    project.write("post-scripts/b.sh", "echo other")
    assert [named("--quiet"), named()] == [[], ["`post-scripts/b.sh`"]]
    project.write("init-scripts/a.sh", "exit 1")
    assert [named("--on-failure=fail"), named("--on-failure=fail"), named()] == [
        ["`init-scripts/a.sh`"]
    ] * 3
    project.write("post-scripts/b.sh", "true")
    assert "`post-scripts/b.sh`" in project.run("undo", "--dry-run").err
    project.write("post-scripts/b.sh", "echo again")
    log = project.create("drop").log
    assert {"event": "scripts", "new": ["post-scripts/b.sh"]} in log
    assert [each["event"] for each in log].index("scripts") < [each["event"] for each in log].index(
        "hook"
    )
