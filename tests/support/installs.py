"""What `make package` has built, and installations of it in environments of their own."""

import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from tests.support.checkout import ROOT

PROGRAMS: Final = Path(sys.executable).parent
"""Where build, pipx and uv are."""
PACKAGES: Final = ("pipeline", "io_edges")
PROJECT: Final[Mapping[str, Any]] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))[
    "project"
]
VERSIONS: Final = [
    each.rpartition(" ")[2] for each in PROJECT["classifiers"] if " :: Python :: 3." in each
]
"""The versions of Python that the classifiers name."""
WITHOUT_DENO: Final = "deno\n"
"""What has no wheel on Alpine."""


class Installed(Struct, frozen=True):
    """An installation: the folder of its environment, and the command that it put on `PATH`."""

    environment: Path
    command: Path


def artifact(suffix: str) -> Path:
    """The wheel or the source distribution that `make package` has built."""
    (path,) = (ROOT / "dist").glob(f"*{suffix}")
    return path


def tracked(*folders: str) -> list[str]:
    """The files that git keeps in the folders, or in the whole repository."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", *folders], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return listed.stdout.split("\0")[:-1]


def copy_repository(target: Path, *folders: str) -> None:
    """Copy the files that git keeps in the folders, or in the whole repository."""
    for name in tracked(*folders):
        path = target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, path)


def python(version: str) -> str | None:
    """The Python of a version, from `PATH` or from pyenv, which has more than it puts there."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")
    folders = [*map(str, pyenv.glob(f"{version}.*/bin")), *os.environ["PATH"].split(os.pathsep)]
    return shutil.which(f"python{version}", path=os.pathsep.join(folders))


def succeed(command: list[str | Path], answers: str | None = None, **variables: str) -> str:
    """Run a command, which has to succeed, and return its standard output; what it printed is shown
    if it fails.
    """
    ended = subprocess.run(
        command,
        input=answers,
        capture_output=True,
        text=True,
        env={**os.environ, **variables},
        check=False,
    )
    assert ended.returncode == 0, f"{command}: {ended.stdout}{ended.stderr}"
    return ended.stdout


def with_uv(folder: Path, interpreter: str, *options: str, answers: str | None = None) -> Installed:
    """Install the wheel as `uv tool install --compile-bytecode` does."""
    places = {"UV_TOOL_DIR": str(folder / "tools"), "UV_TOOL_BIN_DIR": str(folder / "bin")}
    install: list[str | Path] = [
        PROGRAMS / "uv",
        "tool",
        "install",
        "--compile-bytecode",
        "--python",
        interpreter,
        *options,
    ]
    succeed([*install, artifact(".whl")], answers, **places)
    return Installed(folder / "tools" / "tool", folder / "bin" / "tool")


def with_pipx(folder: Path, interpreter: str) -> Installed:
    """Install the wheel as `pipx install` does."""
    places = {
        "PIPX_HOME": str(folder / "pipx"),
        "PIPX_BIN_DIR": str(folder / "bin"),
        "PIPX_MAN_DIR": str(folder / "man"),
        "PIPX_COMPLETION_DIR": str(folder / "share"),
    }
    install: list[str | Path] = [
        PROGRAMS / "pipx",
        "install",
        "--backend",
        "pip",
        "--python",
        interpreter,
    ]
    succeed([*install, artifact(".whl")], **places)
    return Installed(folder / "pipx" / "venvs" / "tool", folder / "bin" / "tool")
