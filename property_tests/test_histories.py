"""The law of saved patches: in a later release, an edit is where `git rebase` would carry it, or it
is not applied at all.

Releases and edits are random, of texts that are alike in many places. Git alone is the judge: it
merges the release with the edited file, and no code of the tool takes part.
"""

import shutil
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from random import Random
from subprocess import CompletedProcess, run
from typing import Final

import pytest

from io_edges.building.git import GIT
from pipeline.building.merging.lines import Unmerged, Version, file_diffs
from pipeline.building.patching.naming import with_names
from pipeline.building.patching.patch_file import read_patch
from pipeline.building.patching.patches import apply_patch
from pipeline.building.patching.widening import widen
from pipeline.building.planning.sure_merge import merge_surely
from tests.support.sweep import SWEEP

HISTORIES: Final = 1_500 if SWEEP else 60
Lines = list[str]
Triple = tuple[bytes, bytes, bytes]


def unique_lines(random: Random) -> Lines:
    """A text in which no line stands twice."""
    return [f"line {random.randrange(10**6)}" for _ in range(random.randint(12, 60))]


def functions(random: Random) -> Lines:
    """Functions that differ in their names alone."""
    body = ("{", "    if (!$a) {", "        return null;", "    }", "    return $a;", "}", "")
    return [
        "<?php",
        *(
            line
            for number in range(random.randint(2, 6))
            for line in (f"function f{number}($a)", *body)
        ),
    ]


def rules(random: Random) -> Lines:
    """Rules of a style sheet with the same body."""
    body = ("  border: 0;", "  margin: 0;", "  padding: 0;", "}")
    return [
        line for number in range(random.randint(2, 7)) for line in (f".rule-{number} {{", *body)
    ]


def translations(random: Random) -> Lines:
    """The lines of a language file, of which some values are the same."""
    return [
        f"$lang['{number}'] = '{random.choice('abc')}';" for number in range(random.randint(10, 40))
    ]


def changed(random: Random, lines: Lines, times: int) -> Lines:
    """Lines of which some were changed, put in, taken out, copied or moved."""
    lines = lines.copy()
    for _ in range(times):
        at = random.randrange(len(lines))
        match random.choice(("change", "insert", "insert", "remove", "copy", "move")):
            case "change":
                lines[at] += f" // {random.randrange(100)}"
            case "insert":
                lines[at:at] = [f"    call_{random.randrange(100)}();"] * random.randint(1, 2)
            case "remove":
                del lines[at : at + random.randint(1, 2)]
            case "copy":
                lines[at:at] = lines[: random.randint(1, 8)]
            case _:
                size = random.randint(3, 9)
                taken = lines[at : at + size]
                lines[at : at + size] = []
                lines[random.randrange(len(lines) + 1) : 0] = taken
        lines = lines or ["end"]
    return lines


def text(lines: Lines) -> bytes:
    """The bytes of lines."""
    return "".join(f"{line}\n" for line in lines).encode()


class Judge:
    """A repository with a branch for each text of each history, where git merges them."""

    def __init__(self, folder: Path, histories: Mapping[int, Triple]) -> None:
        self.folder = folder
        self._git("init", "--quiet", "--bare", ".")
        stream = b""
        for seed, texts in histories.items():
            for side, content in zip(("base", "mine", "theirs"), texts, strict=True):
                stream += (
                    f"commit refs/heads/{side}-{seed}\ncommitter a <a> 0 +0000\ndata 0\n".encode()
                )
                stream += b"" if side == "base" else f"from refs/heads/base-{seed}\n".encode()
                stream += f"M 100644 inline f\ndata {len(content)}\n".encode() + content + b"\n"
        self._git("fast-import", "--quiet", text=stream)

    def rebased(self, seed: int) -> bytes | None:
        """What git makes of the edit in the later release; `None` if it is a conflict."""
        done = self._git("merge-tree", "--write-tree", f"mine-{seed}", f"theirs-{seed}")
        tree = done.stdout.split()[0].decode()
        return None if done.returncode else self._git("cat-file", "blob", f"{tree}:f").stdout

    def _git(self, *command: str, text: bytes = b"") -> CompletedProcess[bytes]:
        return run(["git", *command], cwd=self.folder, input=text, capture_output=True, check=False)


def history(seed: int) -> Triple:
    """A text, what the user makes of it, and what the vendor does."""
    random = Random(seed)
    lines = random.choice((unique_lines, functions, rules, translations))(random)
    mine = changed(random, lines, random.randint(1, 2))
    return text(lines), text(mine), text(changed(random, lines, random.randint(1, 4)))


def as_patch(base: bytes, mine: bytes, theirs: bytes) -> bytes | None:
    """What the edit makes of the release as a patch that the tool saved; `None` if it
    does not fit.
    """
    (diff,) = file_diffs([("f", Version(base), Version(mine))], GIT, 0)
    done = apply_patch(
        with_names(read_patch(widen(diff.text, base), "modules/m"), ("f",)), {"f": theirs}
    )
    return None if done.misplaced else done.files.get("f", theirs)


def as_merge(base: bytes, mine: bytes, theirs: bytes) -> bytes | None:
    """What a merge by lines makes of it; `None` if it is a conflict."""
    merged = merge_surely(base, mine, theirs, GIT)
    return None if isinstance(merged, Unmerged) else merged


def verdict(ours: bytes | None, by_git: bytes | None) -> str:
    """What becomes of an edit, beside git."""
    if ours is None:
        return "conflict"
    if by_git is None:
        return "git conflicts"
    return "as git" if ours == by_git else "different"


@pytest.mark.sweep
def test_an_edit_is_where_git_would_carry_it_or_nowhere(tmp_path: Path) -> None:
    """A merge or a saved patch gives the same file as git, or a conflict."""
    if shutil.which("git") is None:
        pytest.skip("there is no git")
    histories = {seed: history(seed) for seed in range(HISTORIES)}
    judge = Judge(tmp_path, histories)
    patched = Counter[str]()
    merged = Counter[str]()
    for seed, texts in histories.items():
        by_git = judge.rebased(seed)
        one = verdict(as_patch(*texts), by_git)
        other = verdict(as_merge(*texts), by_git)
        assert "different" not in {one, other}, seed
        patched[one] += 1
        merged[other] += 1
    assert (patched["as git"] > HISTORIES / 5, merged["as git"] > HISTORIES / 5) == (True, True)
    assert (merged["git conflicts"], patched["git conflicts"] <= HISTORIES / 100) == (0, True)
