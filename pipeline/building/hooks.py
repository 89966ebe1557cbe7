"""Hooks: which files of a hook folder are scripts, their order, and what runs each.

Takes the files of a folder; gives the hooks and a note for each file that cannot be run. The rules are in
`docs/hooks.md`.
"""

from collections.abc import Iterable
from pathlib import PurePath
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from pipeline.report.notes import Note
from pipeline.report.run_notes import SkippedHook

Stage: TypeAlias = Literal["init", "post"]
Runner: TypeAlias = Literal["itself", "sh", "python"]

_RUNNERS: Final[dict[str, Runner]] = {".sh": "sh", ".py": "python"}


class Script(Struct, frozen=True):
    """A regular file, or a link to one, in a hook folder."""

    path: PurePath
    display_path: str
    """The path relative to the current folder."""
    executable: bool


class Hook(Struct, frozen=True):
    """A script that will be run."""

    stage: Stage
    script: str
    path: PurePath
    display_path: str
    runner: Runner


class Hooks(Struct, frozen=True):
    """The scripts of both folders: those that run, or those that do not because a flag or variable forbids it."""

    init: tuple[Hook, ...] = ()
    post: tuple[Hook, ...] = ()
    skipped: tuple[Hook, ...] = ()
    forbidden_by: str = ""


def missing_program(beginning: bytes) -> str | None:
    """Why the system says of a script that it is not there: what its first line says; `None` if that names nothing."""
    line, _, _ = beginning.partition(b"\n")
    if not line.startswith(b"#!"):
        return None
    if line.endswith(b"\r"):
        return "its lines end in CR LF, as on Windows"
    program = line.removeprefix(b"#!").strip().decode(errors="surrogateescape").partition(" ")[0]
    return f"its first line names `{program}`, which is not there"


def plan_hooks(stage: Stage, scripts: Iterable[Script]) -> tuple[tuple[Hook, ...], tuple[Note, ...]]:
    """Order scripts by the bytes of their names and decide what runs each; backups and dot-files are skipped."""
    hooks: tuple[Hook, ...] = ()
    notes: tuple[Note, ...] = ()
    for script in sorted(scripts, key=lambda script: script.path.name.encode(errors="surrogateescape")):
        name, suffix = script.path.name, script.path.suffix.lower()
        if name.startswith(".") or name.endswith("~"):
            continue
        runner: Runner | None = "itself" if script.executable else _RUNNERS.get(suffix)
        if runner:
            hooks += (Hook(stage, name, script.path, script.display_path, runner),)
        else:
            notes += (SkippedHook(stage, script.display_path, suffix),)
    return hooks, notes
