"""Completion: what bash, zsh and fish offer, tried in the shells (`docs/reference/commands.md`)."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from io_edges.cli.completion import Shell, script_of
from tests.support.project import Project
from tests.support.terminals import CLEAR, TAB, Terminal

BASH_COMPLETION = Path("/usr/share/bash-completion/bash_completion")
TYPED = {
    "a command": ("cre", "tool create "),
    "a command in a group": ("config val", "tool config validate "),
    "a command to help with": ("help conf", "tool help config "),
    "a value": ("create --on-failure=f", "tool create --on-failure=fail "),
    "a value apart": (
        "create --no-cache --log-format js",
        "tool create --no-cache --log-format json ",
    ),
    "a path": ("create too", "tool create tool.config.js "),
    "a folder with a blank": ("create my", "tool create my\\ drop/"),
    "a file with a blank": ("inspect my\\ drop/har", "tool inspect my\\ drop/harbour\\ 2.zip "),
    "a folder after a flag": ("create --output mod", "tool create --output modules/"),
    "the path of a flag": ("create --config too", "tool create --config tool.config.js "),
}
"""What is typed after `tool`, and what is there after Tab."""


@pytest.fixture(scope="module")
def share(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder `share` of a user who has installed the printed scripts."""
    share = tmp_path_factory.mktemp("share")
    places: dict[Shell, str] = {
        "bash": "bash-completion/completions/tool",
        "zsh": "functions/_cyclopts_tool",
        "fish": "tool.fish",
    }
    for shell, place in places.items():
        (share / place).parent.mkdir(parents=True, exist_ok=True)
        (share / place).write_text(script_of(shell), encoding="utf-8")
    return share


@pytest.fixture
def drop(tmp_path: Path) -> Path:
    """A folder with a drop and a component, and a configuration that would be noticed if
    it was read.
    """
    for folder in ("my drop", "modules/ps_tides"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "my drop" / "harbour 2.zip").touch()
    (tmp_path / "tool.config.js").write_text("throw new Error('evaluated')", encoding="utf-8")
    return tmp_path


@pytest.fixture
def bash(share: Path, drop: Path) -> Iterator[Terminal]:
    """An interactive bash, in which bash-completion finds the script."""
    if not BASH_COMPLETION.exists() or shutil.which("bash") is None:
        pytest.skip("bash-completion is not installed")
    environ = {"XDG_DATA_DIRS": f"{share}:/usr/share", "HOME": str(drop)}
    with Terminal(drop, env=environ, shell=("bash", "--norc", "--noprofile", "-i")) as shell:
        shell.press(f"PS1='ready> '; source {BASH_COMPLETION}\r", "\nready>")
        yield shell


@pytest.fixture
def zsh(share: Path, drop: Path) -> Iterator[Terminal]:
    """An interactive zsh, which finds the script in its path of functions."""
    if shutil.which("zsh") is None:
        pytest.skip("zsh is not installed")
    functions = share / "functions"
    with Terminal(drop, env={"HOME": str(drop)}, shell=("zsh", "-f", "-i")) as shell:
        shell.press(
            f"PS1='ready> '; fpath=('{functions}' $fpath); autoload -Uz compinit; compinit -u -D\r",
            "\nready>",
        )
        yield shell


def complete_by_hand(shell: Terminal) -> None:
    """Type each beginning, press Tab, and see what the line has become."""
    for typed, completed in TYPED.values():
        shell.press(f"tool {typed}{TAB}", f"ready> {completed}".rstrip())
        shell.press(CLEAR, "ready>")


def test_bash(bash: Terminal) -> None:
    """In bash, Tab completes commands, flags and values."""
    complete_by_hand(bash)
    bash.press(f"tool config {TAB}{TAB}", "types")
    assert re.search(r"schema +show +types +validate", bash.shown)


def test_zsh(zsh: Terminal) -> None:
    """In zsh, Tab completes commands, flags and values, with descriptions."""
    complete_by_hand(zsh)
    zsh.press(f"tool create --dry{TAB}{CLEAR}tool create --no-{TAB}", "-- Do not run hook scripts")


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed")
def test_fish(share: Path, drop: Path) -> None:
    """In fish, the same is offered, with descriptions."""
    lines = "; ".join(
        f"echo '== tool {typed}'; complete -C 'tool {typed}'" for typed, _ in TYPED.values()
    )
    done = subprocess.run(
        ["fish", "--no-config", "-c", f"source '{share}/tool.fish'; {lines}"],
        cwd=drop,
        env={"PATH": "/usr/bin:/bin", "HOME": str(drop)},
        capture_output=True,
        text=True,
        check=True,
    )
    offers = [part.splitlines() for part in done.stdout.split("== ")[1:]]
    offered = [(head, *(line.partition("\t")[0] for line in lines)) for head, *lines in offers]
    assert offered == [
        (f"tool {typed}", re.split(r"(?<!\\) ", completed.rstrip())[-1].replace("\\", ""))
        for typed, completed in TYPED.values()
    ]
    assert (
        "create\tBuild themes/<name> and modules/<name> from the archives in a folder."
        in done.stdout
    )


def test_the_script_is_printed(project: Project) -> None:
    """`tool completion SHELL` prints the script, and reads no configuration."""
    project.write("tool.config.json", "{")
    ran = project.run("completion", "fish")
    assert (ran.code, ran.err, ran.out) == (0, "", script_of("fish").rstrip() + "\n")


@pytest.mark.parametrize("args", [(), ("powershell",)])
def test_another_shell(project: Project, args: tuple[str, ...]) -> None:
    """An unknown shell, or none, is a usage error."""
    ran = project.run("completion", *args)
    assert (ran.code, ran.out) == (64, "")
    assert ran.err.startswith("error: UsageError: ")
