"""What a person sees: errors, colours, quiet, closed outputs, interrupts
(`docs/reference/events.md`).
"""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from io_edges.cli import main as entry
from io_edges.report.console import Console, print_line
from io_edges.system.signals import Terminated
from pipeline import __version__
from pipeline.config.tree import ConfigFile, Document
from pipeline.parse import parse
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.events import WarningEvent
from tests.support.disks import START
from tests.support.forks import TOOL
from tests.support.project import Project
from tests.support.tables import rows
from tests.support.terminals import Terminal

BASE = {"PATH": os.environ["PATH"]}


ENDED = {"event": "error", "path": None, "source": None, "help": None}
"""The other fields of what says that a run was ended from outside."""


def test_an_error_shows_the_line(project: Project) -> None:
    """An error in a file shows what was expected, the line, a caret under the position, and what to
    do.
    """
    project.write("tool.config.json", '{\n\t"log": {"format": "jsonn"}\n}')
    assert project.run("create").err == (
        "error: SchemaValidationError: log.format: expected `text` or `json`, found `jsonn`\n"
        "  --> tool.config.json:2:20\n"
        "   |\n"
        ' 2 |  "log": {"format": "jsonn"}\n'
        "   |                    ^\n"
        "  = help: did you mean `json`?\n"
        "nothing was changed\n"
    )


@pytest.mark.parametrize(
    ("text", "advice"),
    [*rows("console", "advice on JSON"), (b"\xff\xfe{\x00}\x00", "save the file as UTF-8")],
)
def test_advice_on_json(text: str | bytes, advice: str) -> None:
    """The error of a text that is not JSON has advice that fits the mistake."""
    file = ConfigFile.at("tool.config.json", START)
    (error,) = parse(Document(file, text.encode() if isinstance(text, str) else text)).failure()
    assert error.advice == advice


def test_an_empty_package_json(project: Project) -> None:
    """The help for an empty `package.json` works, as that need not be a configuration."""
    project.write("package.json", "")
    reported = project.run("config", "show").err.splitlines()
    assert (
        reported[-1]
        == "  = help: delete the file, or write `{ }`: only its key `tool` would be a configuration"
    )
    project.write("package.json", "{}")
    assert project.run("config", "show").code == 0


def test_keys_and_names_are_cut(project: Project) -> None:
    """A message shows at most 200 characters of a key or a name."""
    long = "x" * 5000
    project.write(
        "tool.config.json", {long: 1, "presets": [long], "log": {"format": long, long: 1}}
    )
    assert max(map(len, project.run("config", "show").err.splitlines())) < 400
    for config in (
        {"presets": [long]},
        {"presets": [f"./{long}"]},
        {"theme": long},
        {"exclude": [long]},
    ):
        project.write("tool.config.json", config)
        ran = project.create("--dry-run")
        reported = [
            each["message"] for event in ("error", "warning") for each in ran.reported(event)
        ]
        assert reported
        assert max(map(len, reported)) < 1200, config


def test_help_that_several_errors_share(project: Project) -> None:
    """If errors that follow one another have the same help, it is shown once, below the last,
    unless each shows a line of a file.
    """
    for name in "ab":
        project.module(name)
    ran = project.run("create", "--check", "--quiet")
    assert ran.code == 80
    assert ran.err == (
        "error: OutOfDate: `modules/a` is out of date: a run would add it\n"
        "  --> modules/a\n"
        "error: OutOfDate: `modules/b` is out of date: a run would add it\n"
        "  --> modules/b\n"
        "  = help: run `tool create` without `--check`\n"
    )
    project.write("tool.config.json", '{"theem": 1, "theme": 2, "exclude": [1, 2]}')
    reported = project.run("config", "validate").err.splitlines()
    assert [line for line in reported if line.startswith("  = help: put")] == [
        "  = help: put it in double quotes"
    ] * 3


def test_much_that_is_out_of_date(project: Project) -> None:
    """If the plan on a terminal has named every change, only the first of many errors about them
    are shown.
    """
    for name in "abcdefgh":
        project.module(name)
    for flags, errors in (((), 6), (("--quiet",), 8)):
        with Terminal(project.root, "create", "--check", *flags, lines=60) as terminal:
            assert terminal.end() == (80, "")
            assert terminal.shown.count("error: ") == errors
            assert ("error: and 3 more" in terminal.shown) == (errors == 6)


def test_a_long_line_is_cut(project: Project) -> None:
    """Of a very long line, the part around the position is shown, with a sign where it is cut."""
    project.write("tool.config.json", '{"theme": "' + "x" * 5000 + '", "b\x7f": 1}')
    shown = project.run("create").err.splitlines()
    assert shown[0] == 'error: SchemaValidationError: ["b\\x7f"]: unknown key'
    assert shown[3][:10] == " 1 | …xxxx"
    assert shown[3][-8:] == 'b\\x7f": 1}'[-8:]
    assert shown[4].index("^") == 64
    project.write("tool.config.json", '{"theem": "' + "x" * 5000 + '"}')
    for columns, end in ((80, 80), (200, 105)):
        with Terminal(project.root, "create", columns=columns) as terminal:
            terminal.end()
            (line,) = [each for each in terminal.shown.splitlines() if each.startswith(" 1 | ")]
        assert line == ' 1 | {"theem": "'.ljust(end - 1, "x") + "…"


def test_colours_on_a_terminal(project: Project) -> None:
    """On a terminal, `error` and `help` are coloured; with `NO_COLOR`, on a dumb terminal or in
    JSON they are not.
    """
    project.write("tool.config.json", '{"theem": 1}')
    with Terminal(project.root, "create") as terminal:
        assert terminal.end() == (65, "")
    lines = terminal.raw.decode().splitlines()
    assert lines[0] == "\x1b[1;31merror:\x1b[0m SchemaValidationError: theem: unknown key"
    assert lines[-2] == "\x1b[1;36m  = help:\x1b[0m did you mean `theme`?"
    for env in ({"NO_COLOR": "1"}, {"TERM": "dumb"}, {"TOOL_LOG_FORMAT": "json"}):
        with Terminal(project.root, "create", env=env) as terminal:
            terminal.end()
        assert b"\x1b" not in terminal.raw


def test_quiet(project: Project) -> None:
    """With `--quiet`, only warnings and errors are printed, and not the project's path."""
    project.archive("thing.zip", {"a": ""})
    ran = project.run("create", "--quiet")
    assert ran.out == ""
    assert ran.err == (
        "warning: thing.zip: no marker found; treated as the module `thing`\n"
        "  = help: if it is a theme, put it in the drop's `themes/` folder; if it is neither, "
        "leave it out with "
        "`--exclude=... --exclude=thing.zip`\n"
    )


def test_quiet_repeats_no_warning(project: Project) -> None:
    """With `--quiet`, a run does not repeat a warning of the last run; after a run without that
    warning, it is new again.
    """
    project.archive("thing.zip", {"a": ""})
    project.create("--dry-run")
    reported = [
        project.run("create", *flags, "--quiet").err.count("warning: ")
        for flags in ((), (), ("--exclude=x",), ())
    ]
    assert reported == [1, 0, 1, 0]
    assert project.run("create").err.count("warning: ") == 1
    project.run("create", "--exclude=thing.zip")  # which is not opened then
    assert project.run("create", "--check", "--quiet").err.count("warning: ") == 1


def test_what_is_the_same_warning() -> None:
    """Warnings are the same if code, source and message are equal, whatever their help."""
    reported = [
        WarningEvent(code, "message", source, way_out).identity
        for code, source, way_out in (
            ("a", None, None),
            ("a", None, "do"),
            ("a", "--x", None),
            ("b", None, None),
        )
    ]
    assert reported == ["a message", "a message", "a --x message", "b message"]


def test_quiet_holds_no_warning_of_a_run_that_fails_back(project: Project) -> None:
    """With `--quiet`, warnings that were held back are printed before the error that ends the
    run.
    """
    project.archive("thing.zip", {"a": ""})
    project.write("modules/thing", "a file")
    reported = project.run("create", "--quiet").err.splitlines()
    assert [line.partition(":")[0] for line in reported if not line.startswith(" ")] == [
        "warning",
        "error",
        "nothing was changed",
    ]


def test_quiet_holds_no_warning_of_an_interrupted_run_back(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """With `--quiet`, warnings that were held back are printed before the line about an
    interrupt.
    """
    console = Console(quiet=True, holds_back=True)
    console.warn((WarningDiagnostic("a", "the message"),))
    assert console.interrupted("Interrupted", "nothing was changed") == 130
    assert capsys.readouterr().err == ("warning: the message\ninterrupted: nothing was changed\n")


def test_an_interrupt_that_waits_is_coloured_like_a_warning(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In colours, the first word about an interrupt that has to wait has that of a warning."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    Console().finishing(2)
    assert capsys.readouterr().err == (
        "\x1b[1;33minterrupted:\x1b[0m finishing 2 files, so that every component is whole\n"
    )


@pytest.mark.parametrize(
    ("args", "last"),
    [
        (("--on-failure=fail",), r"1 added in \d+\.\d\d s; then the run stopped"),
        (("--keep-going", "--no-hooks"), r"1 added, 1 refused in \d+\.\d\d s"),
        (("--check",), "  = help: run `tool create` without `--check`"),
    ],
)
def test_quiet_says_what_a_failed_run_has_changed(
    project: Project, args: tuple[str, ...], last: str
) -> None:
    """The last line of a run that fails says it, unless the run only shows the plan."""
    project.module("m")
    project.write("post-scripts/1.sh", "exit 3")
    if "--keep-going" in args:
        project.write("n.zip", b"PK\3\4")
    ran = project.run("create", "--quiet", *args)
    assert ran.code != 0
    assert re.fullmatch(last, ran.err.splitlines()[-1])


def test_quiet_in_json(project: Project) -> None:
    """With `--quiet` a JSON log keeps its first line and the summary, however the run ends."""
    project.archive("thing.zip", {"a": ""})
    kinds = [
        [event["event"] for event in project.create(*args, "--quiet").log]
        for args in ((), ("nowhere",))
    ]
    assert kinds == [["start", "warning", "summary"], ["start", "error", "summary"]]


@pytest.mark.parametrize(
    ("archives", "advice"),
    [
        (
            ("in/a.zip",),
            "it is in: `in`, with `--only=a.zip` for only this module, or `--theme` for a theme",
        ),
        (
            ("in/a.zip", "in/b.zip"),
            (
                "they are in: `in`, with `--only=a.zip --only=b.zip` for only these modules, or "
                "`--theme` for a theme"
            ),
        ),
        (("1.zip", "2.zip", "3.zip", "4.zip"), "they are in: `.`"),
    ],
)
def test_archives_instead_of_their_folder(
    project: Project, archives: tuple[str, ...], advice: str
) -> None:
    """If archives are given as the drop, the error shows the command for them, or for many of them,
    the folder.
    """
    project.module("a", "in/a.zip")
    (reported,) = project.create(*archives).reported("error")
    assert (reported["exit"], reported["help"]) == (72, f"name the folder that {advice}")


@pytest.mark.parametrize("args", [("create", "--help"), ("-V",), ()])
def test_help_needs_no_configuration(project: Project, args: tuple[str, ...]) -> None:
    """Help and version are printed on standard output, without reading a configuration."""
    project.write("tool.config.json", "{")
    ran = project.run(*args, env={"TOOL_LOG_FORMAT": "xml"})
    assert ran.code == 0
    assert ran.err == ""
    assert ran.out != ""


@pytest.mark.parametrize(
    "line", ["create 2>/dev/full", "create 2>&1 | true", "--help >&-", "--help | true"]
)
def test_outputs_that_are_closed(project: Project, line: str) -> None:
    """An output that is closed or not read, or a full standard error, changes neither the build nor
    the exit code.
    """
    project.module("m")
    command: list[str | Path] = ["bash", "-c", f'set -o pipefail; "$0" {line}', TOOL]
    done = subprocess.run(
        command, cwd=project.root, env=BASE, check=False, capture_output=True, text=True
    )
    assert done.returncode == 0
    assert "Traceback" not in done.stderr
    assert line.startswith("create") or done.stderr == ""
    assert list(project.tree) == (["modules/m/m.php"] if line.startswith("create") else [])


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows what a process has open")
@pytest.mark.parametrize("redirect", [">&-", "<&- >&- 2>&-"])
def test_nothing_takes_the_number_of_a_closed_stream(project: Project, redirect: str) -> None:
    """With closed standard streams, a script is evaluated as usual, and no file takes the number of
    a stream.
    """
    project.module("m")
    project.write("tool.config.ts", 'export default { modules: { only: ["m"].concat() } }')
    project.write(
        "init-scripts/a.sh", "for each in 0 1 2; do readlink /proc/$PPID/fd/$each; done > streams"
    )
    script = f'"$0" create {redirect}'
    command: list[str | Path] = ["bash", "-c", script, TOOL]
    done = subprocess.run(
        command, cwd=project.root, env=BASE, check=False, input=b"", capture_output=True
    )
    streams = (project.root / "streams").read_text().splitlines()
    assert (done.returncode, streams.count(os.devnull)) == (0, redirect.count("&"))
    assert all(each.startswith("pipe:") for each in streams if each != os.devnull)


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_an_output_that_is_full(project: Project, unbuffered: str) -> None:
    """If the result of a command cannot be written, that is an error, even if the project is
    built.
    """
    env = {**BASE, "PYTHONUNBUFFERED": unbuffered}
    project.module("m")
    with Path("/dev/full").open("wb") as full:
        others = (("config", "show"), ("--help",))
        for args in (("create",), *(others if unbuffered else ())):
            done = subprocess.run(
                [TOOL, *args],
                cwd=project.root,
                env=env,
                check=False,
                stdout=full,
                stderr=subprocess.PIPE,
                text=True,
            )
            assert done.returncode == 74
            assert (
                "error: FileSystemProblem: `standard output`: no space left on device"
                in done.stderr.splitlines()
            )
    assert list(project.tree) == ["modules/m/m.php"]


@pytest.mark.parametrize("args", [("--log_format=json",), ("--log_format", "json")])
def test_a_log_format_with_an_underscore(project: Project, args: tuple[str, ...]) -> None:
    """`--log_format` works like `--log-format`, also for mistakes in the command line."""
    reported = project.run("create", *args, "--bogus").log
    assert [(each["event"], each.get("error")) for each in reported[:2]] == [
        ("start", None),
        ("error", "UsageError"),
    ]


@pytest.mark.parametrize(
    ("args", "environ", "code"),
    [
        (("--bogus",), {}, 64),
        ((), {"TOOL_NO_EXEC": "maybe"}, 65),
        (("--config=gone.json", "--bogus"), {}, 66),
    ],
)
def test_a_run_that_does_not_begin_has_a_last_line(
    project: Project, args: tuple[str, ...], environ: dict[str, str], code: int
) -> None:
    """With a wrong command line or variable, a JSON log still ends with a summary: nothing was
    changed.
    """
    ran = project.run("create", *args, "--log-format=json", env=environ)
    counts = dict.fromkeys(
        ("added", "updated", "kept", "removed", "refused", "conflicts", "seconds", "record"), 0
    )
    assert (ran.code, ran.log[-1]) == (
        code,
        {"event": "summary", "project": str(project.root), "outcome": "unchanged", **counts},
    )


def test_help_has_no_last_line(project: Project) -> None:
    """Help has no summary, and neither has a mistake in the command line of another command."""
    assert project.run("create", "--help", env={"TOOL_LOG_FORMAT": "json"}).err == ""
    wrong = project.run("status", "--bogus", "--log-format=json")
    assert [each["event"] for each in wrong.log] == ["start", "error"]


def test_a_line_in_another_encoding(
    monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """A character that the system's encoding lacks is printed in UTF-8."""
    monkeypatch.setattr(os, "fsencode", lambda text: text.encode("ascii", "surrogateescape"))
    print_line("é\udcff")
    assert capfdbinary.readouterr().out == b"\xc3\xa9\xff\n"


def test_a_log_format_that_is_no_flag(project: Project) -> None:
    """A usage error is printed as text if `--log-format` is only part of another argument."""
    for args in (
        ["--output", "my --log-format=json dir", "--bogus"],
        ["--bogus", "--", "--log-format=json"],
    ):
        assert project.run("create", *args).err.startswith(
            "error: UsageError: Unknown option: --bogus"
        )


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"])
def test_signals(project: Project, name: str) -> None:
    """An interrupt ends the running script, removes the staged files, leaves the components as they
    were, and is reported.

    With `--quiet`, only that line is printed.
    """
    project.module("m")
    number, code = signal.Signals[name], 130 if name == "SIGINT" else 143
    project.write("init-scripts/a.sh", "echo started > begun; exec sleep 60")
    os.mkfifo(project.root / "begun")
    command: list[str | Path] = [TOOL, "create", "--quiet"]
    # It is none where the tests run under nohup.
    handler = signal.signal(number, signal.SIG_DFL)
    started = subprocess.Popen(
        command, cwd=project.root, env=BASE, stderr=subprocess.PIPE, text=True
    )
    signal.signal(number, handler)
    with started as process:
        assert process.stderr is not None
        assert (project.root / "begun").read_text() == "started\n"
        process.send_signal(number)
        process.send_signal(number)  # an impatient second one does not disturb the cleaning up
        rest = process.stderr.read()
    assert process.returncode == code
    assert rest == ("interrupted" if code == 130 else "terminated") + ": nothing was changed\n"
    assert project.tree == {}
    assert not list(project.root.glob(".tool-*"))


def test_an_interrupt_in_json(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In JSON, an interrupt is an error with its exit code; its message says what a command without
    a summary has done.
    """
    ends: list[KeyboardInterrupt] = [KeyboardInterrupt("nothing was written"), Terminated()]

    def end(tokens: list[str], console: Console) -> int:
        raise ends.pop(0)

    monkeypatch.setattr(entry, "_run", end)
    monkeypatch.setattr(entry, "unwind_on_signals", lambda: None)
    monkeypatch.setattr(entry, "format_in", lambda *_: "json")
    assert [entry.main(), entry.main()] == [130, 143]
    assert [json.loads(line) for line in capsys.readouterr().err.splitlines()] == [
        {"event": "start", "log": 1, "tool": __version__},
        {
            **ENDED,
            "error": "Interrupted",
            "exit": 130,
            "message": "interrupted; nothing was written",
        },
        {"event": "start", "log": 1, "tool": __version__},
        {**ENDED, "error": "Terminated", "exit": 143, "message": "terminated"},
    ]


def test_an_interrupt_before_the_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """If a run is interrupted while the command line is parsed, its log still ends with a
    summary.
    """

    def end(words: list[str]) -> bool:
        raise Terminated

    monkeypatch.setattr(entry, "_is_group", end)
    monkeypatch.setattr(entry, "unwind_on_signals", lambda: None)
    monkeypatch.setattr(sys, "argv", ["tool", "create", "--log-format=json"])
    assert entry.main() == 143
    assert [json.loads(line)["event"] for line in capsys.readouterr().err.splitlines()] == [
        "start",
        "error",
        "summary",
    ]


@pytest.mark.parametrize(
    ("error", "reported"),
    [
        (
            ZeroDivisionError("oops"),
            (
                70,
                "error: InternalError: a bug in tool: ZeroDivisionError: oops\n"
                "  = help: run again with `--verbose`, and report what it prints\n",
            ),
        ),
        (
            MemoryError(),
            (
                74,
                "error: FileSystemProblem: `.`: out of memory\n  --> .\n"
                "  = help: free some memory, or raise `ulimit -v`, then run again\n",
            ),
        ),
        (
            ImportError("x.so: refused"),
            (
                74,
                (
                    "error: FileSystemProblem: `.`: x.so: refused\n  --> .\n  = help: fix the "
                    "cause "
                    "and retry\n"
                ),
            ),
        ),
        (
            OSError(24, "No files left", "/a.py"),
            (
                74,
                "error: FileSystemProblem: `/a.py`: no files left\n  --> /a.py\n"
                "  = help: raise the limit of open files (`ulimit -n`), then run again\n",
            ),
        ),
        (
            ValueError("lstat: embedded null character in path"),
            (
                74,
                "error: FileSystemProblem: `.`: embedded null byte\n  --> .\n"
                "  = help: fix the cause and retry\n",
            ),
        ),
    ],
)
def test_what_was_not_foreseen(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    error: Exception,
    reported: tuple[int, str],
) -> None:
    """An unexpected exception ends without a traceback: a bug with 70 and a request to report it, a
    refusal of the system with 74.
    """

    def fail(tokens: list[str], console: Console) -> int:
        raise error

    monkeypatch.setattr(entry, "_run", fail)
    monkeypatch.setattr(sys, "argv", ["tool"])
    monkeypatch.setattr(entry, "unwind_on_signals", lambda: None)
    assert (entry.main(), capsys.readouterr().err) == reported
