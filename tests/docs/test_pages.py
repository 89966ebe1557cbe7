"""The documentation is true: its commands are run, and its reference is generated from the code."""

import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from types import ModuleType

import pytest
from cyclopts import MissingArgumentError

from io_edges.cli.app import app
from io_edges.cli.usage import refuse_values
from tests.support.examples import EXAMPLES, copy_example
from tests.support.forks import SHELLS, TOOL
from tests.support.installs import copy_repository
from tests.support.terminals import Terminal

ROOT = Path(__file__).parent.parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`tool ([^`|>]+)(?: \| [^`]*| \d?> [^`]*)?`")
"""A command in a sentence, without the pipe or redirection behind it."""
README = ROOT / "README.md"
FROM_NOTHING = {
    ROOT / "docs" / each
    for each in ("tutorial.md", "howto/deploy.md", "howto/updates.md", "howto/wordpress.md")
}
"""Pages that begin with nothing but a copy of the repository in the home folder."""
ON_A_TERMINAL = {
    *FROM_NOTHING,
    *(ROOT / "docs" / f"{each}.md" for each in ("configuration", "archives", "building")),
    *(ROOT / "docs" / "howto" / f"{each}.md" for each in ("git-and-ci", "teams-and-sites")),
}
"""Pages that show what a person sees; the others show what a pipe gets."""


def blocks(page: Path) -> list[tuple[str, str, str]]:
    """The language, file name and text of each block of a page."""
    return BLOCK.findall(page.read_text(encoding="utf-8"))


def name(page: Path) -> str:
    """A page by its path in the repository."""
    return page.relative_to(ROOT).as_posix()


def generator() -> ModuleType:
    """The program that writes the reference."""
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def steady(text: str, folder: Path) -> str:
    """Output without what differs from run to run: the folder and the times."""
    text = text.replace(str(folder), f"/{folder.name}")
    text = re.sub(r"\d{4}-\d\d-\d\dT[\d:]{8}Z", "2026-03-01T10:15:00Z", text)
    return re.sub(
        r"\d{8}-\d{6}(-\d+)?\b", "20260301-101500", re.sub(r"\d+\.\d\d s\b", "0.00 s", text)
    )


def commands(text: str) -> list[tuple[str, str]]:
    """Each command of a console block and the output that is shown for it."""
    parts = re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]
    return [(command, shown) for command, _, shown in (part.partition("\n") for part in parts)]


def script_of(page: Path) -> str:
    """A shell script that writes the files of a page and runs its commands, each announced as the
    page shows it.
    """
    script = ""
    for language, file, text in blocks(page):
        if file:
            script += f"mkdir -p $(dirname {file})\ncat > {file} <<'EOF'\n{text}EOF\n"
        elif language == "console":
            for command, _ in commands(text):
                script += (
                    f"status=$?; printf '%s\\n' {shlex.quote(f'$ {command}')}; (exit "
                    f"$status)\n{command}\n"
                )
    return script


def workplace(page: Path, parent: Path) -> Path:
    """Make the folder in which a page's commands run: a copy of the page's own example, or one with
    the sample drop.
    """
    if page in FROM_NOTHING:
        return parent
    if page == README:
        return clone(parent / "tool")
    if page.is_relative_to(EXAMPLES) and page.parent != EXAMPLES:
        return copy_example(page.parent.name, parent)
    folder = parent / "shop"
    folder.mkdir()
    shutil.copytree(ROOT / "docs" / "quickstart" / "drop", folder / "drop")
    return folder


def clone(folder: Path) -> Path:
    """Make a clone in which `make` has prepared the command already."""
    copy_repository(folder, "Makefile", "pyproject.toml", "docs/quickstart")
    venv = folder / ".venv"
    (venv / "bin").mkdir(parents=True)
    for name, program in (("python", Path(sys.executable)), ("tool", TOOL)):
        (venv / "bin" / name).symlink_to(program)
    (venv / ".tool").touch()
    return folder


def run_page(page: Path, parent: Path) -> str:
    """What a page's commands print, each in the folder that the one before it left; the repository
    is `~/tool`.
    """
    folder = workplace(page, parent)
    (parent / "tool").symlink_to(ROOT)
    environ = {
        "PATH": f"{SHELLS.folder}:{TOOL.parent}:{os.environ['PATH']}",
        "HOME": str(parent),
        "LC_ALL": "C.UTF-8",
        **{
            f"GIT_{who}_{what}": "you"
            for who in ("AUTHOR", "COMMITTER")
            for what in ("NAME", "EMAIL")
        },
    }
    if page in ON_A_TERMINAL:
        return steady(
            typed(script_of(page), folder, environ).replace(str(parent), "/home/you"), folder
        )
    return steady(play(script_of(page), folder, environ).stdout, folder)


def play(
    script: str, folder: Path, environ: dict[str, str], *options: str
) -> subprocess.CompletedProcess[str]:
    """Run a script of bash in a folder."""
    return subprocess.run(
        ["bash", "--norc", *options, "-s"],
        input=script,
        cwd=folder,
        env={**environ, "TERM": "dumb"},
        text=True,
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


def typed(script: str, folder: Path, environ: dict[str, str]) -> str:
    """What is on a terminal of 80 columns after the commands of a script; wider lines
    are not broken.
    """
    shell = ("bash", "--norc", "-c", f"shopt -u checkwinsize\n{script}")
    variables = {**environ, "COLUMNS": "80", "GIT_PAGER": "cat"}
    with Terminal(folder, shell=shell, env=variables, columns=200, lines=500) as terminal:
        terminal.end()
        return f"{terminal.shown}\n"


@pytest.mark.parametrize(
    "page", [page for page in PAGES if "```console" in page.read_text(encoding="utf-8")], ids=name
)
def test_every_command_does_what_is_shown(page: Path, tmp_path: Path) -> None:
    """The commands of a page, run in order in a folder with the sample drop, print exactly what the
    page shows.
    """
    shown = "".join(text for language, _, text in blocks(page) if language == "console")
    assert run_page(page, tmp_path) == steady(shown, tmp_path / "shop")


@pytest.mark.parametrize(
    "page", [page for page in PAGES if "```bash" in page.read_text(encoding="utf-8")], ids=name
)
def test_every_command_of_a_list_succeeds(page: Path, tmp_path: Path) -> None:
    """The commands of a bash block, which are shown without output, succeed one after the other."""
    script = "".join(text for language, _, text in blocks(page) if language == "bash")
    environ = {"PATH": f"{SHELLS.folder}:{TOOL.parent}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8"}
    done = play(script, workplace(page, tmp_path), environ, "-e")
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("page", [page for page in PAGES if page.name != "CHANGELOG.md"], ids=name)
def test_a_command_in_a_sentence_is_accepted(page: Path) -> None:
    """A command in a sentence of a page is one that the command line accepts; it may be named
    without its arguments.
    """
    for command in INLINE.findall(re.sub(r"\s+", " ", BLOCK.sub("", page.read_text("utf-8")))):
        words = shlex.split(command)
        if "--help" in words:
            continue
        with suppress(MissingArgumentError):
            _, bound, _ = app.parse_args(words, exit_on_error=False, print_error=False)
            refuse_values(words, bound)


def test_the_reference_is_made_from_the_code() -> None:
    """The reference, the tables about systems, and the declaration of the npm package are generated
    from the code.
    """
    made: dict[str, str] = generator().files()
    assert {path: (ROOT / path).read_text(encoding="utf-8") for path in made} == made
    assert {name(page) for page in (ROOT / "docs" / "reference").iterdir()} == {
        "docs/reference/errors.md",
        *(path for path in made if path.startswith("docs/reference/")),
    }


def test_the_stages_of_the_contributor_run_alone() -> None:
    """The Python code in `CONTRIBUTING.md` runs as it is written."""
    (code,) = (
        text for language, _, text in blocks(ROOT / "CONTRIBUTING.md") if language == "python"
    )
    exec(code, {})
