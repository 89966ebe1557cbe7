"""Hooks: which files of a hook folder are scripts, their order, and what runs each.

Takes the files of a folder; returns the hooks, a warning for each file that cannot be run, and one
for the backups. The rules are in `docs/scripts.md`.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import dropwhile
from pathlib import PurePath
from typing import Final, Literal, TypeAlias

from msgspec import Struct
from returns.result import Success

from pipeline.config.layers import Decision, Settings
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.runs import missing_hook_folder, skipped_backups, skipped_hook
from pipeline.report.outcome import BuildOutcome, collect, value_of

Stage: TypeAlias = Literal["init", "post"]
Runner: TypeAlias = Literal["itself", "interpreter", "sh", "python"]

BEGINNING: Final = 256
"""How many bytes of a script Linux reads to find its first line."""
_RUNNERS: Final[dict[str, Runner]] = {".sh": "sh", ".py": "python"}
_BACKUP: Final = r"(?is).*~|#.*#|.*\.(orig|rej|bak|sample|disabled|dpkg-[^.]*)|.* \(\d+\)(\.[^.]*)?"
"""Names of copies that editors, patches, packages and downloads leave beside a script."""
_PYTHON: Final = rb"python[\d.]*"


class Script(Struct, frozen=True):
    """A regular file, or a link to one, in a hook folder."""

    path: PurePath
    display_path: str
    """The path relative to the current folder."""
    executable: bool
    digest: str = ""
    """SHA-256 of the script's content; empty if it cannot be read."""
    beginning: bytes = b""
    """The first `BEGINNING` bytes of the script."""

    @property
    def is_hidden(self) -> bool:
        """Whether the script's name begins with a dot."""
        return self.path.name.startswith(".")

    @property
    def is_backup(self) -> bool:
        """Whether the script's name looks like that of a backup copy."""
        return re.fullmatch(_BACKUP, self.path.name) is not None


class Hook(Struct, frozen=True):
    """A script, and what runs it."""

    stage: Stage
    path: PurePath
    display_path: str
    runner: Runner
    digest: str = ""
    words: tuple[bytes, ...] = ()
    """The program and argument in the first line; for `python`, the arguments of the
    interpreter alone.
    """


class HookFolder(Struct, frozen=True):
    """A folder of scripts: when they run, and the setting that names it."""

    stage: Stage
    path: PurePath
    decision: Decision


class Hooks(Struct, frozen=True):
    """The scripts of both folders, in order. None of them runs if a flag or variable forbids it."""

    scripts: tuple[Hook, ...] = ()
    forbidden_by: str = ""
    warnings: tuple[WarningDiagnostic, ...] = ()
    """Warnings about the folders; none if no script may run."""

    @property
    def running(self) -> tuple[Hook, ...]:
        """The scripts that run."""
        if self.forbidden_by:
            return ()
        return self.scripts

    @property
    def digests(self) -> dict[str, str]:
        """The digest of each script that runs, by its path."""
        return {str(hook.path): hook.digest for hook in self.running}

    def new_since(self, known: Mapping[str, str]) -> tuple[str, ...]:
        """The scripts that run and are new or changed, given the digests of those that ran here."""
        return tuple(
            hook.display_path for hook in self.running if known.get(str(hook.path)) != hook.digest
        )

    def at(self, stage: Stage) -> tuple[Hook, ...]:
        """The scripts that run at a stage."""
        return tuple(hook for hook in self.running if hook.stage == stage)


def first_line(beginning: bytes) -> tuple[bytes, ...]:
    """The program and the argument in the first line of a script, as Linux reads them; empty if
    it names none.

    Everything after the program is one argument. A carriage return at the end of the
    line is ignored.
    """
    line, end, _ = beginning[:BEGINNING].partition(b"\n")
    if not line.startswith(b"#!"):
        return ()
    text = line.removeprefix(b"#!").partition(b"\0")[0].removesuffix(b"\r").strip(b" \t")
    words = tuple(filter(None, re.split(rb"[ \t]+", text, maxsplit=1)))
    is_cut = not end and len(beginning) >= BEGINNING
    if is_cut and len(words) < 2:  # noqa: PLR2004 - the program may have a longer name
        return ()
    return words


def missing_program(beginning: bytes, runner: Runner = "itself") -> str | None:
    """Why the operating system cannot start a script, judging by its first line; `None` if that
    names no program.
    """
    words = first_line(beginning)
    if not words:
        return None
    if runner == "itself" and beginning.partition(b"\n")[0].endswith(b"\r"):
        return "its lines end in CR LF, as on Windows"
    program = words[0].decode(errors="surrogateescape")
    return f"its first line names `{program}`, which is not there"


def hook_folders(settings: Settings) -> tuple[HookFolder, ...]:
    """The folders of scripts, in the order in which they run."""
    return (
        HookFolder(
            "init", settings.hooks_init_scripts_dir, settings.decision("hooks.initScriptsDir")
        ),
        HookFolder(
            "post", settings.hooks_post_scripts_dir, settings.decision("hooks.postScriptsDir")
        ),
    )


def plan_hooks(
    folders: Sequence[HookFolder],
    forbidden_by: str,
    scripts: Callable[[PurePath], BuildOutcome[tuple[Script, ...] | None]],
) -> BuildOutcome[Hooks]:
    """Plan the scripts of the hook folders.

    If scripts are forbidden, there are no warnings, and a folder that cannot be read
    counts as empty.
    """
    listed = collect(scripts(folder.path) for folder in folders)
    if not forbidden_by:
        return listed.map(partial(_planned, folders))
    would = _planned(folders, value_of(listed) or (None,) * len(folders))
    return Success(Hooks(would.scripts, forbidden_by))


def _planned(folders: Sequence[HookFolder], listed: tuple[tuple[Script, ...] | None, ...]) -> Hooks:
    """The hooks in the byte order of their names, without backups and dot-files.

    Warns of each file that nothing runs, of the backups in a folder, and of each missing folder
    that a setting names.
    """
    hooks = list[Hook]()
    warnings = list[WarningDiagnostic]()
    for folder, scripts in zip(folders, listed, strict=True):
        winner = folder.decision.winner
        if scripts is None and winner.layer != "default":
            warnings.append(
                missing_hook_folder(folder.decision.path, str(winner.value), winner.location)
            )
        in_order = sorted(
            scripts or (), key=lambda each: each.path.name.encode(errors="surrogateescape")
        )
        shown = [script for script in in_order if not script.is_hidden]
        backups = tuple(script.display_path for script in shown if script.is_backup)
        if backups:
            warnings.append(skipped_backups(folder.stage, backups))
        for script in shown:
            hook = _hook_of(folder.stage, script)
            if hook and not script.is_backup:
                hooks.append(hook)
            elif not script.is_backup:
                warnings.append(
                    skipped_hook(folder.stage, script.display_path, script.path.suffix.lower())
                )
    return Hooks(tuple(hooks), warnings=tuple(warnings))


def _hook_of(stage: Stage, script: Script) -> Hook | None:
    """The hook of a script; `None` if nothing can run it."""
    suffix = script.path.suffix.lower()
    words = first_line(script.beginning)
    runner = _RUNNERS.get(suffix)
    if script.executable:
        runner = "itself"
        words = ()
    elif suffix == ".py" and (arguments := _of_python(words)) is not None:
        words = arguments
    elif words:
        runner = "interpreter"
        words = (_in_folder(words[0]), *words[1:])
    return runner and Hook(stage, script.path, script.display_path, runner, script.digest, words)


def _in_folder(program: bytes) -> bytes:
    """The path of a program: Linux takes a name without a slash as a file in the working folder."""
    if b"/" in program:
        return program
    return b"./" + program


def _of_python(words: tuple[bytes, ...]) -> tuple[bytes, ...] | None:
    """The arguments for Python in a first line that names it, directly or with `env`; `None` if
    it does not.
    """
    if words and words[0].rpartition(b"/")[2] == b"env":
        named = b" ".join(words[1:]).removeprefix(b"-S").split()
        words = tuple(dropwhile(lambda word: b"=" in word, named))
    if words and re.fullmatch(_PYTHON, words[0].rpartition(b"/")[2]):
        return words[1:]
    return None
