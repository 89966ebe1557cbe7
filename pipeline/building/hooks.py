"""Hooks: which files of a hook folder are scripts, their order, and what runs each.

Takes the files of a folder; gives the hooks and a warning for each file that cannot be run. The rules are in
`docs/scripts.md`.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import PurePath
from typing import Final, Literal, TypeAlias

from msgspec import Struct
from returns.result import Success

from pipeline.config.layers import Decision, Settings
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.runs import missing_hook_folder, skipped_hook
from pipeline.report.outcome import BuildOutcome, collect, value_of

Stage: TypeAlias = Literal["init", "post"]
Runner: TypeAlias = Literal["itself", "sh", "python"]

_RUNNERS: Final[dict[str, Runner]] = {".sh": "sh", ".py": "python"}


class Script(Struct, frozen=True):
    """A regular file, or a link to one, in a hook folder."""

    path: PurePath
    display_path: str
    """The path relative to the current folder."""
    executable: bool
    digest: str = ""
    """SHA-256 of its content; empty if it cannot be read."""


class Hook(Struct, frozen=True):
    """A script, and what runs it."""

    stage: Stage
    path: PurePath
    display_path: str
    runner: Runner
    digest: str = ""


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
    """What there is to warn of their folders, if they run."""

    @property
    def running(self) -> tuple[Hook, ...]:
        """The scripts that run."""
        return () if self.forbidden_by else self.scripts

    @property
    def digests(self) -> dict[str, str]:
        """The digest of each script that runs, by its path."""
        return {str(each.path): each.digest for each in self.running}

    def new_since(self, known: Mapping[str, str]) -> tuple[str, ...]:
        """The scripts that run and are new or changed, given the digests of those that ran here."""
        return tuple(each.display_path for each in self.running if known.get(str(each.path)) != each.digest)

    def at(self, stage: Stage) -> tuple[Hook, ...]:
        """The scripts that run at a stage."""
        return tuple(each for each in self.running if each.stage == stage)


def missing_program(beginning: bytes) -> str | None:
    """Why the system does not find a script that exists, from its first line; `None` if that names no program."""
    line, _, _ = beginning.partition(b"\n")
    if not line.startswith(b"#!"):
        return None
    if line.endswith(b"\r"):
        return "its lines end in CR LF, as on Windows"
    program = line.removeprefix(b"#!").strip().decode(errors="surrogateescape").partition(" ")[0]
    return f"its first line names `{program}`, which is not there"


def hook_folders(settings: Settings) -> tuple[HookFolder, ...]:
    """The folders of scripts, in the order in which they run."""
    return (
        HookFolder("init", settings.hooks_init_scripts_dir, settings.decision("hooks.initScriptsDir")),
        HookFolder("post", settings.hooks_post_scripts_dir, settings.decision("hooks.postScriptsDir")),
    )


def plan_hooks(
    folders: Sequence[HookFolder],
    forbidden_by: str,
    scripts: Callable[[PurePath], BuildOutcome[tuple[Script, ...] | None]],
) -> BuildOutcome[Hooks]:
    """Plan the scripts of folders; if none may run, nothing is noted, and a folder that cannot be read is empty."""
    listed = collect(scripts(folder.path) for folder in folders)
    if not forbidden_by:
        return listed.map(partial(_planned, folders))
    would = _planned(folders, value_of(listed) or (None,) * len(folders))
    return Success(Hooks(would.scripts, forbidden_by))


def _planned(folders: Sequence[HookFolder], listed: tuple[tuple[Script, ...] | None, ...]) -> Hooks:
    """The scripts of folders in the order of the bytes of their names, without backups and dot-files.

    With a warning for each script that nothing runs, and for each folder that is missing though a setting names it.
    """
    hooks = list[Hook]()
    warnings = list[WarningDiagnostic]()
    for folder, scripts in zip(folders, listed, strict=True):
        winner = folder.decision.winner
        if scripts is None and winner.layer != "default":
            warnings.append(missing_hook_folder(folder.decision.path, str(winner.value), winner.location))
        for script in sorted(scripts or (), key=lambda each: each.path.name.encode(errors="surrogateescape")):
            suffix = script.path.suffix.lower()
            runner: Runner | None = "itself" if script.executable else _RUNNERS.get(suffix)
            if script.path.name.startswith(".") or script.path.name.endswith("~"):
                continue
            if runner:
                hooks.append(Hook(folder.stage, script.path, script.display_path, runner, script.digest))
            else:
                warnings.append(skipped_hook(folder.stage, script.display_path, suffix))
    return Hooks(tuple(hooks), warnings=tuple(warnings))
