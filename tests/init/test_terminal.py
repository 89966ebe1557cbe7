"""`tool init` on a terminal: real keys, and the screen as a person sees it
(`docs/configuration.md`).
"""

import json
import os
import re
import signal
import termios
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.support.forks import TOOL
from tests.support.project import Project
from tests.support.terminals import CLEAR, DEADLINE, DOWN, END, ENTER, INTERRUPT, Terminal

PROMPTS = (
    *("Theme", "Modules to leave out", "Presets", "Folders of local presets"),
    *("When a hook script fails", "Cache file", "Log format"),
)
COLOUR = re.compile(rb"\x1b\[[0-9;]*(?:[34][0-8]|9[0-7]|10[0-7])[;m]")


def written(project: Project) -> dict[str, object] | None:
    """The configuration, if one was written; nothing else is left in the folder."""
    assert [
        path.name for path in project.root.glob("*tool*") if path.name != "tool.config.json"
    ] == []
    file = project.root / "tool.config.json"
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else None


def at(terminal: Terminal, prompt: str, start: str = PROMPTS[0]) -> None:
    """Press Enter, from one prompt on, until another is reached."""
    for each in PROMPTS[PROMPTS.index(start) :]:
        terminal.see(f"? {each} (")
        if each == prompt:
            return
        os.write(terminal.ours, ENTER.encode())


@pytest.fixture
def drop(project: Project) -> Project:
    """A project with two themes and two modules in its folder."""
    for name in ("harbour", "meadow"):
        project.theme(name)
    for name in ("shop_a", "shop_b"):
        project.module(name)
    return project


@pytest.mark.rule("Surface, `init`")
def test_seven_times_enter(drop: Project) -> None:
    """Seven times Enter writes the defaults; the other format and the next command are named. With
    `NO_COLOR` no colour is sent.

    This is the installed command, which has imported nothing before, and its standard output is the
    terminal, too.
    """
    with Terminal(
        drop.root, shell=(str(TOOL), "init"), env={"NO_COLOR": "1"}, columns=200
    ) as terminal:
        at(terminal, PROMPTS[-1])
        assert written(drop) is None
        assert terminal.end(ENTER)[0] == 0
    assert written(drop) == {"schema": 1}
    assert terminal.shown.endswith(
        "wrote tool.config.json\n"
        "to write it in TypeScript: `tool init --yes --force --format=ts`\n"
        "next: `tool create --dry-run` shows what would be built\n"
        f"{drop.root}/tool.config.json"
    )
    assert sum(line.startswith("? ") for line in terminal.shown.splitlines()) == 7
    assert COLOUR.search(terminal.raw) is None


def test_choices(drop: Project) -> None:
    """The arrow keys move in a coloured list, which has the themes of the drop; its modules are
    named.
    """
    with Terminal(drop.root, "init") as terminal:
        terminal.see(" » auto\n   none\n   harbour\n   meadow")
        terminal.press(DOWN + DOWN, " » harbour")
        terminal.press(ENTER, "? Theme harbour")
        terminal.see("in the drop: shop_a,\nshop_b\n? Modules to leave out (default [])")
        terminal.press("news_*, shop_b" + ENTER, "? Presets (default auto)")
        at(terminal, "When a hook script fails", "Presets")
        terminal.press(DOWN, " » fail")
        terminal.press(ENTER, "? When a hook script fails fail")
        terminal.see("? Cache file (")
        terminal.press("c.json" + ENTER, "? Log format (")
        assert terminal.end(DOWN + ENTER) == (0, f"{drop.root}/tool.config.json\n")
    assert COLOUR.search(terminal.raw)
    assert written(drop) == {
        "schema": 1,
        "theme": "harbour",
        "modules": {"exclude": ["news_*", "shop_b"]},
        "hooks": {"onFailure": "fail"},
        "cache": {"file": "c.json"},
        "log": {"format": "json"},
    }


def test_a_pasted_column(drop: Project) -> None:
    """Names that are pasted as a column are several answers of a list."""
    with Terminal(drop.root, "init") as terminal:
        at(terminal, "Modules to leave out")
        terminal.press("\x1b[200~shop_a\nshop_b\n\x1b[201~" + ENTER, "? Presets (default auto)")
        at(terminal, PROMPTS[-1], "Presets")
        code, _ = terminal.end(ENTER)
    assert (code, written(drop)) == (0, {"schema": 1, "modules": {"exclude": ["shop_a", "shop_b"]}})


def test_a_wrong_answer_is_corrected(drop: Project) -> None:
    """A wrong answer stays at its question to be corrected, with the reason below it."""
    with Terminal(drop.root, "init") as terminal:
        at(terminal, "Presets")
        terminal.press(
            "./p.ts" + ENTER, "? Presets (default auto) ./p.ts", "there is no file `./p.ts`"
        )
        terminal.press(CLEAR + "ci" + ENTER, "? Folders of local presets (default [])")
        terminal.press(
            '["a"' + ENTER, "expected a JSON array of strings, found text that is not JSON"
        )
        terminal.press("]" + ENTER, '? Folders of local presets (default []) ["a"]')
        at(terminal, PROMPTS[-1], "When a hook script fails")
        code, _ = terminal.end(ENTER)
    assert code == 0
    assert written(drop) == {"schema": 1, "presets": ["ci"], "presetsSearchPath": ["a"]}


def test_a_preset_that_is_not_found(drop: Project) -> None:
    """A missing preset is reported after the folders; both questions are asked again, and no other
    answer is lost.

    An answer that is refused again is not offered any more, so that Enter does not repeat it for
    ever.
    """
    drop.write("lib/shop.json", {"theme": "none"})
    with Terminal(drop.root, "init") as terminal:
        at(terminal, "Modules to leave out")
        terminal.press("a" + ENTER, "? Presets (")
        terminal.press("shop" + ENTER, "? Folders of local presets (")
        terminal.press(
            ENTER, "no preset `shop`: the bundled presets are", "? Presets (default shop)"
        )
        terminal.press(
            ENTER, "? Presets (default shop)\n", "? Folders of local presets (default [])"
        )
        terminal.press(ENTER, "? Presets (default auto)")
        terminal.press(
            "shop" + ENTER,
            "? Presets (default auto) shop\n",
            "? Folders of local presets (default [])",
        )
        terminal.press("lib" + ENTER, "? When a hook script fails")
        at(terminal, PROMPTS[-1], "When a hook script fails")
        code, _ = terminal.end(ENTER)
    assert code == 0
    assert written(drop) == {
        "schema": 1,
        "modules": {"exclude": ["a"]},
        "presets": ["shop"],
        "presetsSearchPath": ["lib"],
    }


@pytest.mark.parametrize(
    ("args", "env"),
    [(("--quiet",), {}), ((), {"TOOL_LOG_FORMAT": "json"})],
)
def test_a_question_is_shown_whatever_is_reported(
    drop: Project, args: tuple[str, ...], env: Mapping[str, str]
) -> None:
    """With `--quiet` or a JSON log, a question still has its help, and a wrong answer its
    reason.
    """
    with Terminal(drop.root, "init", *args, env=env, lines=60) as terminal:
        terminal.see("auto takes the only one in the drop")
        at(terminal, "Presets")
        terminal.press("[" + ENTER, "expected a JSON array of strings")
        code, _ = terminal.end(CLEAR + "none" + ENTER * 6)
    reported = drop.root / "tool.config.json"
    assert code == 0
    assert json.loads(reported.read_text())["presets"] == ["none"]
    # The first line of every JSON log.
    assert terminal.shown.count('{"event":"start"') == ("--quiet" not in args)


@pytest.mark.rule("Surface, `init`, nothing is lost")
@pytest.mark.parametrize(
    ("prompt", "how", "code", "shown"),
    [
        ("Theme", INTERRUPT, 130, "interrupted: nothing was written"),
        ("Modules to leave out", INTERRUPT, 130, "interrupted: nothing was written"),
        ("Theme", signal.SIGINT, 130, "interrupted: nothing was written"),
        ("Cache file", signal.SIGINT, 130, "interrupted: nothing was written"),
        ("Modules to leave out", signal.SIGTERM, 143, "terminated: nothing was written"),
        ("Cache file", END, 64, "error: UsageError: No answer for "),
    ],
)
def test_an_interrupt(
    drop: Project, prompt: str, how: str | signal.Signals, code: int, shown: str
) -> None:
    """Ctrl-C or another process ends any prompt, and Ctrl-D one where the user types; the terminal
    is restored.
    """
    with Terminal(drop.root, "init") as terminal:
        at(terminal, prompt)
        if isinstance(how, signal.Signals):
            terminal.process.send_signal(how)
        assert terminal.end(how if isinstance(how, str) else "") == (code, "")
        assert termios.tcgetattr(terminal.theirs) == terminal.modes
    assert written(drop) is None
    assert shown in terminal.shown
    assert "Traceback" not in terminal.shown


@pytest.mark.parametrize("env", [{"ACCESSIBLE": "1"}, {"TERM": "dumb"}])
def test_questions_that_are_not_drawn(project: Project, env: Mapping[str, str]) -> None:
    """With `ACCESSIBLE=1`, or on a terminal without escape sequences, the questions are plain
    lines.

    A wrong answer is asked for again. If there was nothing to offer, the last line says how to name
    the folder of archives.
    """
    with Terminal(project.root, "init", env={"NO_COLOR": "1", **env}) as terminal:
        terminal.press(
            "none\n\n\n\nfial\n", "When a hook script fails (default continue): continue reports it"
        )
        terminal.see("When a hook script fails: expected `continue` or `fail`, found `fial`")
        assert terminal.end("fail\n\n\n") == (0, f"{project.root}/tool.config.json\n")
    assert b"\x1b" not in terminal.raw
    assert "\nno archives in `.`: name their folder, as in `tool init drop`\n" in terminal.shown
    assert written(project) == {"schema": 1, "theme": "none", "hooks": {"onFailure": "fail"}}


def test_a_terminal_that_hangs_up(drop: Project) -> None:
    """A terminal that hangs up gives no more answers, and nothing is written."""
    with Terminal(drop.root, "init") as terminal:
        at(terminal, "Modules to leave out")
        with Path(os.devnull).open("r+b") as nothing:
            for descriptor in (terminal.ours, terminal.theirs):
                os.dup2(nothing.fileno(), descriptor)
        assert terminal.process.wait(DEADLINE) == 64
    assert written(drop) is None


def test_the_0x_file_is_prefilled(drop: Project) -> None:
    """The value of the 0.x file is the default for Enter, and the list begins at it."""
    drop.write(
        ".tool.json", {"themeName": "meadow", "excludeModules": ["a, b"], "failOnHookError": True}
    )
    with Terminal(drop.root, "init") as terminal:
        terminal.see(" » meadow")
        terminal.press(ENTER, '? Modules to leave out (default ["a, b"])')
        terminal.press(ENTER, "? Presets (")
        terminal.press(ENTER, "? Folders of")
        terminal.press(ENTER, " » fail")
        code, _ = terminal.end(ENTER * 4)
    (drop.root / ".tool.json.0x.bak").unlink()
    assert code == 0
    assert written(drop) == {
        "schema": 1,
        "theme": "meadow",
        "modules": {"exclude": ["a, b"]},
        "hooks": {"onFailure": "fail"},
    }


@pytest.mark.parametrize(("theme", "shown"), [("\u202eb", "\\u202eb"), ("  a ", "  a")])
def test_an_odd_default_is_taken_as_it_stands(drop: Project, theme: str, shown: str) -> None:
    """A default theme that no archive has, or that nobody would type, is shown escaped, and Enter
    accepts it unchanged.
    """
    drop.write(".tool.json", {"schema": 1, "theme": theme})
    with Terminal(drop.root, "init") as terminal:
        terminal.see(f" » {shown}")
        code, _ = terminal.end(ENTER * 9)
    (drop.root / ".tool.json.0x.bak").unlink()
    assert code == 0
    assert written(drop) == {"schema": 1, "theme": theme}
