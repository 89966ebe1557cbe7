"""Completion: what bash, zsh and fish offer once the wheel is installed, driven in the shells (`docs/manual.md`)."""

import re
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline.schema import SETTINGS
from tests.support.project import Project
from tests.support.terminals import CLEAR, TAB, Terminal

ROOT = Path(__file__).parents[2]
SHARED: dict[str, str] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"][
    "targets"
]["wheel"]["shared-data"]
"""Where the files of the manual are in an installation, below its prefix."""
BASH_COMPLETION = Path("/usr/share/bash-completion/bash_completion")
TYPED = {
    "a command": ("cre", "tool create "),
    "a command in a group": ("config val", "tool config validate "),
    "a flag": ("create --on-f", "tool create --on-failure"),
    "a value": ("create --on-failure=f", "tool create --on-failure=fail "),
    "a value apart": ("create --no-cache --log-format js", "tool create --no-cache --log-format json "),
    "a bundled preset": ("status --preset c", "tool status --preset ci "),
    "a folder, not the file beside it": ("create dr", "tool create drop/"),
    "the folder of a flag": ("create --output=dr", "tool create --output=drop/"),
    "a file": ("inspect drop/h", "tool inspect drop/harbour.zip "),
    "a component to explain": ("explain ps_t", "tool explain ps_tides "),
    "a file of a component to explain": ("explain modules/ps_tides/ps", "tool explain modules/ps_tides/ps_tides.php "),
    "a component of WordPress": ("explain hello-d", "tool explain hello-dolly "),
    "a component of Drupal": ("explain path", "tool explain pathauto "),
    "a component in the log": ("log ps", "tool log ps_tides "),
    "a component behind the drop": ("diff drop ps", "tool diff drop ps_tides "),
    "a setting to explain": ("explain hooks.onF", "tool explain hooks.onFailure "),
    "an error to explain": ("explain PresetN", "tool explain PresetNotFound "),
    "a command to help with": ("help stat", "tool help status "),
    "a command of a group to help with": ("help config sch", "tool help config schema "),
}
"""What is typed after `tool`, and what is there after Tab."""
SUBJECTS = ("ps_tides", "presets", "passed-over")


@pytest.fixture(scope="module")
def share(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder `share` of an installation."""
    prefix = tmp_path_factory.mktemp("prefix")
    for source, target in SHARED.items():
        (prefix / target).parent.mkdir(parents=True)
        shutil.copy(ROOT / source, prefix / target)
    return prefix / "share"


@pytest.fixture
def drop(tmp_path: Path) -> Path:
    """A folder with a drop, a file that is called like it, and a configuration that would be noticed if it was read."""
    for folder in ("drop", "modules/ps_tides", "wp-content/plugins/hello-dolly", "web/modules/contrib/pathauto"):
        (tmp_path / folder).mkdir(parents=True)
    for name in ("drop/harbour.zip", "dropped.txt", "modules/ps_tides/ps_tides.php"):
        (tmp_path / name).touch()
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
    """An interactive zsh, which has the folder of the script in its path of functions."""
    if shutil.which("zsh") is None:
        pytest.skip("zsh is not installed")
    with Terminal(drop, env={"HOME": str(drop)}, shell=("zsh", "-f", "-i")) as shell:
        functions = share / "zsh" / "site-functions"
        setup = f"PS1='ready> '; fpath=({functions} $fpath); autoload -Uz compinit; compinit -u -D"
        shell.press(f"{setup}\r", "\nready>")
        yield shell


def complete_by_hand(shell: Terminal) -> None:
    """Type each beginning, press Tab, and see what the line has become."""
    for typed, completed in TYPED.values():
        shell.press(f"tool {typed}{TAB}", f"ready> {completed}".rstrip())
        shell.press(CLEAR, "ready>")


def offers_in_order(shell: Terminal) -> None:
    """Look at what is offered after `explain`: components, settings, and the codes of warnings last."""
    shell.press(f"tool explain p{TAB}{TAB}", "passed-over")
    assert sorted(SUBJECTS, key=shell.shown.index) == list(SUBJECTS)


def test_bash(bash: Terminal) -> None:
    """In bash, Tab completes commands, flags, values and paths."""
    complete_by_hand(bash)
    bash.press(f"tool config {TAB}{TAB}", "migrate")
    assert re.search(r"migrate +schema +show +types +validate", bash.shown)
    bash.press(CLEAR, "ready>")
    offers_in_order(bash)


def test_zsh(zsh: Terminal) -> None:
    """In zsh, Tab completes commands, flags, values and paths, and says what they are."""
    complete_by_hand(zsh)
    zsh.press(f"tool create --dry{TAB}{CLEAR}tool create --no-{TAB}", "-- Run no hook script")
    zsh.press(CLEAR, "ready>")
    offers_in_order(zsh)


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed")
def test_fish(share: Path, drop: Path) -> None:
    """In fish, the same is offered, with what it is."""
    lines = "; ".join(f"echo '== tool {typed}'; complete -C 'tool {typed}'" for typed, _ in TYPED.values())
    done = subprocess.run(
        ["fish", "--no-config", "-c", f"source {share}/fish/vendor_completions.d/tool.fish; {lines}"],
        cwd=drop,
        env={"PATH": "/usr/bin:/bin", "HOME": str(drop)},
        capture_output=True,
        text=True,
        check=True,
    )
    offers = [part.splitlines() for part in done.stdout.split("== ")[1:]]
    offered = [(head, *(line.partition("\t")[0] for line in lines)) for head, *lines in offers]
    assert offered == [(f"tool {typed}", completed.split()[-1]) for typed, completed in TYPED.values()]
    assert "create\tBuild the project: themes/<name> and modules/<name> from the archives in a folder" in done.stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_is_printed(project: Project, shell: str) -> None:
    """`tool completion SHELL` prints the script that is installed, and reads no configuration."""
    project.write("tool.config.json", "{")
    ran = project.run("completion", shell)
    assert (ran.code, ran.err) == (0, "")
    installed = [ROOT / source for source, target in SHARED.items() if f"/{shell}" in target]
    assert [ran.out] == [path.read_text(encoding="utf-8") for path in installed]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ((), "Expected bash, zsh or fish"),
        (("powershell",), "Invalid value for SHELL: expected `bash`, `zsh` or `fish`, found `powershell`"),
    ],
)
def test_another_shell(project: Project, args: tuple[str, ...], message: str) -> None:
    """A shell that there is no script for is a usage error that names those that there are."""
    ran = project.run("completion", *args)
    assert (ran.code, ran.out) == (64, "")
    assert ran.err.splitlines()[0] == f"error: UsageError: {message}"


@pytest.mark.skipif(shutil.which("man") is None, reason="man is not installed")
def test_the_man_page(share: Path) -> None:
    """`man` finds no mistake in the page, which has every setting once, and every exit code."""
    done = subprocess.run(
        ["man", "--warnings", "--local-file", str(share / "man" / "man1" / "tool.1")],
        env={"PATH": "/usr/bin:/bin", "MANWIDTH": "100", "LC_ALL": "C.UTF-8", "MAN_KEEP_FORMATTING": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    page = " ".join(done.stdout.split())
    assert [
        setting.path for setting in SETTINGS if page.count(f"[env: {setting.variable}] [key: {setting.path}]") != 1
    ] == []
    assert "64 The command line is wrong, or tool init has no answer to a question (UsageError)." in page
