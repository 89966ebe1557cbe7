"""The law of `.gitignore`: what the tool takes it to hide, git hides, by the same line."""

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.building.git import Hiding, hidden_files

NAMES = ("a", "b", "ab", "a.js", "b.min.js", "#a", "!b", "a b", "a*b", "[a]", "a" * 9 + "b")
FOLDERS = ("", "m/", "m/a/", "m/ab/", "m/a/ab/", "m/a/b/")
FILES = tuple(f"{folder}{name}" for folder in FOLDERS for name in NAMES if f"{folder}{name}/" not in FOLDERS)
pieces = st.sampled_from(
    (
        "a",
        "b",
        "m",
        "ab",
        "*",
        "**",
        "?",
        "/",
        "**/",
        "/**",
        "***",
        "*.js",
        "[ab]",
        "[!a]",
        "[^a]",
        "#",
        "!",
        " ",
        ".min",
    )
) | st.sampled_from(("\r", "a*a*a*b", "\\[a]", "\\*", "\\ "))
lines = st.lists(pieces, max_size=5).map("".join)
texts = st.lists(st.sampled_from(["", "!"]).flatmap(lambda start: lines.map(lambda line: start + line)), max_size=4)


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with all files."""
    root = tmp_path_factory.mktemp("ignore")
    subprocess.run(["git", "init", "--quiet", root], check=True)
    for name in FILES:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).touch()
    return root


def by_git(root: Path) -> dict[str, Hiding]:
    """What git hides, each with the line that says so."""
    environ = {"PATH": os.environ["PATH"], "GIT_CONFIG_NOSYSTEM": "1", "HOME": str(root)}
    command = ["git", "check-ignore", "--no-index", "--stdin", "-z", "--verbose"]
    ran = subprocess.run(
        command, cwd=root, env=environ, input="\0".join(FILES).encode(), capture_output=True, check=False
    )
    fields = os.fsdecode(ran.stdout).split("\0")
    found = zip(fields[::4], fields[1::4], fields[2::4], fields[3::4], strict=False)
    return {
        path: Hiding(source.removesuffix(".gitignore").rstrip("/"), int(line))
        for source, line, pattern, path in found
        if not pattern.startswith("!")
    }


@given(top=texts, module=texts, inner=texts)
def test_git_hides_the_same(repository: Path, top: list[str], module: list[str], inner: list[str]) -> None:
    """Whatever the lines of three nested files say, the same paths are hidden, each by the same line."""
    ignores = {folder: "\n".join(text) for folder, text in (("", top), ("m", module), ("m/a", inner))}
    for folder, text in ignores.items():
        (repository / folder / ".gitignore").write_text(text, encoding="utf-8", newline="")
    assert hidden_files(FILES, ignores) == by_git(repository)
