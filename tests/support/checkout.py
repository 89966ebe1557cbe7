"""The repository as others get it: a copy of what git knows of it, with a history of one commit."""

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
_AUTHOR: Final = {
    f"GIT_{who}_{what}": "tests@example.com"
    for who in ("AUTHOR", "COMMITTER")
    for what in ("NAME", "EMAIL")
}
NO_GIT_CONFIG: Final = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
"""The variables without which git reads what the user and the system configure."""


def git(folder: Path, *args: str) -> str:
    """Run git in a folder, whoever the user is, and give what it prints."""
    environ = {**os.environ, **_AUTHOR, **NO_GIT_CONFIG}
    done = subprocess.run(
        ["git", *args], cwd=folder, env=environ, check=True, capture_output=True, text=True
    )
    return done.stdout


def repository(folder: Path, files: Mapping[str, str]) -> str:
    """Make a repository of files with one commit; give its hash."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    git(folder, "init", "--quiet", "--initial-branch=main")
    git(folder, "add", "--all", "--force")
    git(folder, "commit", "--quiet", "--message=Begin")
    return git(folder, "rev-parse", "HEAD").strip()


def copy_of_this(folder: Path) -> str:
    """Make a repository of the files of this one as they are; give the hash of its commit."""
    return copy_of(ROOT, folder)


def copy_of(source: Path, folder: Path) -> str:
    """Make a repository of what git has of a folder, or would add, as it is; give the hash
    of its commit.
    """
    for name in git(source, "ls-files", "-z", "--cached", "--others", "--exclude-standard").split(
        "\0"
    ):
        target = folder / name
        if (source / name).is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source / name, target)
    return repository(folder, {})
