"""Init: the command that reads the old configuration, asks, and writes a new
one (`docs/configuration.md`).
"""

import os
import shlex
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import PurePath
from typing import Annotated, Final

from cyclopts import Parameter
from msgspec import Struct

from io_edges.archives.find import drop_error, find_archives
from io_edges.building.store import load_last_drop
from io_edges.cli.flags import ANSWERS, Drop, Flags, OutputFlags, Switch
from io_edges.cli.session import CURRENT_FOLDER, RunConsole, start_folder
from io_edges.cli.words import Positionals, gone_drop, report_drop, without_drop
from io_edges.disk import real_disk
from io_edges.init.files import current_content, current_types, move_aside, write_over
from io_edges.init.prompts import (
    INPUT,
    Ask,
    answered,
    has_person,
    has_terminal,
    in_lines,
    known_of,
    wrong_answer,
)
from io_edges.report.console import Console, print_path
from io_edges.system.folder import Folder
from io_edges.system.stop import Stop, os_errors_as_diagnostics, require
from pipeline.config.disk import Disk
from pipeline.config.flags import check_flags, read_flags
from pipeline.config.layers import Assignment, Layer
from pipeline.config.tree import PACKAGE, ConfigFile
from pipeline.config.variables import forbids_exec, read_variables
from pipeline.init.config_text import DECLARATION, FILES, Format, bounded, config_text
from pipeline.init.declaration import ambient_declaration
from pipeline.init.questions import (
    QUESTIONS,
    Known,
    Question,
    check_writable,
    initial_answers,
    names_presets,
    set_by_presets,
    values_to_write,
)
from pipeline.locate import Located, locate, locate_in
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics import ConfigError, Error
from pipeline.report.diagnostics.configuration import shadowed_config, unread_config
from pipeline.report.diagnostics.conflicts import OutputConflict
from pipeline.report.diagnostics.settings import PresetNotFound
from pipeline.report.outcome import errors_of, value_of
from pipeline.resolve import load
from pipeline.schema import AUTO, Setting, Value

_NOTHING: Final = "nothing was written"
_PAIR: Final = ("presets", "presetsSearchPath")
"""Two questions whose answers can be checked only together: presets are searched for in
the folders.
"""


class AnswerFlags(Flags, of=((question.setting, ANSWERS) for question in QUESTIONS)):
    """One field for each question of `tool init`, `None` where its flag is not given."""


class InitFlags(OutputFlags):
    """The flags of `tool init` besides the answers, one of which is the log format."""

    yes: Switch = False
    """Ask nothing; use the default for every question that no flag answers."""
    format: Annotated[Format | None, Parameter(show_default="json")] = None
    """Write tool.config.json, or tool.config.ts and its types."""
    force: Switch = False
    """Replace the configuration in this folder; keep its values and a backup."""
    no_exec: Switch = False
    """Do not evaluate a configuration or presets that are scripts."""


class InitRun(Struct, frozen=True):
    """The inputs of a run. `drop` is the folder as the user wrote it, `answers` the layer
    of the flags.
    """

    start: PurePath
    drop: str
    flags: InitFlags
    answers: Layer
    console: Console

    @property
    def name(self) -> str:
        """The name of the file that is written."""
        return FILES[self.flags.format or "json"]

    @property
    def asked(self) -> tuple[Question, ...]:
        """The questions that no flag answers."""
        if self.flags.yes:
            return ()
        return tuple(
            question for question in QUESTIONS if question.path not in self.answers.assignments
        )


def init(
    drop: Drop = None,
    /,
    *,
    flags: InitFlags = InitFlags(),
    answers: AnswerFlags = AnswerFlags(),
    console: RunConsole,
) -> None:
    """Ask seven questions and write a configuration into the current folder.

    If a flag under Answers is given, its question is not asked.

    Examples:
      Offer the themes and modules in drop/ as answers:
        tool init drop
      Ask nothing, and write tool.config.ts:
        tool init --yes --theme=none --format=ts
      Convert the configuration in this folder to TypeScript:
        tool init --yes --format=ts --force

    Documentation: docs/configuration.md
    """
    console.set_verbosity(quiet=flags.quiet, verbose=flags.verbose)
    start = start_folder()
    words = _words(drop, start)
    if gone := drop_error(words.drop, start):
        raise Stop(gone_drop(gone, words))
    report_drop(words, console)
    run = InitRun(start, words.drop, flags, read_flags(vars(answers), start), console)
    no_exec = require(forbids_exec(os.environ)) or run.flags.no_exec
    disk = real_disk(run.start, run.console, no_exec=no_exec)
    run.console.warn(require(read_variables(os.environ, run.start)).warnings)
    require(check_flags(run.answers))
    found = _found(run, disk)
    old = current_content(run.name)
    types = None
    if run.flags.format == "ts":
        types = current_types(force=run.flags.force)
    try:
        values = _values(run, _before(run, found.file, disk), disk)
    except KeyboardInterrupt as interrupt:
        interrupt.args = (_NOTHING,)
        raise
    content = require(bounded(config_text(values, run.flags.format or "json"), run.name)).encode()
    before = value_of(locate(run.start, None, disk))
    if run.flags.format == "ts":
        _write(run, DECLARATION, ambient_declaration().encode(), types)
    _write(run, run.name, content, old)
    run.console.warn(move_aside(_replaced(run, found)))
    run.console.warn(_hidden(run, before, disk))
    _say_what_is_next(run)
    print_path(str(run.start / run.name))


def _words(drop: str | None, start: PurePath) -> Positionals:
    """The drop, as named, or as a run without a drop finds it. Raises `Stop` if the folder
    cannot be read.
    """
    with os_errors_as_diagnostics(start), Folder.at(str(start)) as project:
        if drop:
            return Positionals(drop)
        return without_drop((), start, start, load_last_drop(project))


def _found(run: InitRun, disk: Disk) -> Located:
    """The configurations in this folder. Raises `Stop` if one must not be replaced."""
    outcome = locate_in(run.start, run.start, disk)
    found = value_of(outcome)
    if found is None and not run.flags.force:
        raise Stop(*errors_of(outcome))
    if found is None:
        run.console.warn((unread_config((PACKAGE,), cause=errors_of(outcome)[0].message),))
        return Located(None, ())
    if found.file and found.file.kind != "legacy" and not run.flags.force:
        if found.file.kind == "package":
            raise Stop(OutputConflict(found.file.display_path, reason="key"))
        raise Stop(OutputConflict(found.file.display_path, reason="config"))
    return found


def _before(run: InitRun, file: ConfigFile | None, disk: Disk) -> Layer:
    """The settings of the configuration in this folder. Raises `Stop` if it is invalid, unless it
    is replaced.
    """
    if file is None:
        return Layer()
    outcome = load(file, disk)
    errors = errors_of(outcome)
    is_forbidden = file.kind == "script" and disk.evaluate is None
    if errors and run.flags.force and not is_forbidden:
        run.console.warn((unread_config((file.display_path,), cause=errors[0].message),))
        return Layer()
    layer = require(outcome)
    run.console.warn(layer.warnings)
    if file.kind == "script":
        run.console.print_text(
            f"`{file.display_path}` is a script: each value is written as what it evaluates to"
        )
    return layer


def _write(run: InitRun, name: str, content: bytes, old: bytes | None) -> None:
    """Write a file, unless it has this content; report the backup of a file of the user."""
    if content == old:
        run.console.print_text(f"{name} is unchanged")
        return
    run.console.warn(write_over(name, content, old))
    run.console.print_text(f"wrote {name}")


def _replaced(run: InitRun, found: Located) -> tuple[str, ...]:
    """The other configurations in this folder, which the new one replaces."""
    names = (probe.file for probe in found.probes if probe.verdict in {"taken", "shadowed"})
    return tuple(name for name in names if name not in {run.name, PACKAGE})


def _hidden(run: InitRun, before: Located | None, disk: Disk) -> Iterator[WarningDiagnostic]:
    """Warn of configurations that the new one hides: a key in `package.json`, and a file in a
    folder above.
    """
    after = value_of(locate(run.start, None, disk))
    if after:
        yield from after.warnings
    if before and before.file and before.file.path.parent != run.start:
        yield shadowed_config(run.name, (before.file.display_path,))


def _say_what_is_next(run: InitRun) -> None:
    """Report how to write the other format, and which command to run next."""
    if run.asked and run.flags.format is None:
        run.console.print_text("to write it in TypeScript: `tool init --yes --force --format=ts`")
    words = ["tool", "create"]
    if run.drop.startswith("-"):
        words.append(f"./{run.drop}")
    elif run.drop != CURRENT_FOLDER:
        words.append(run.drop)
    words.append("--dry-run")
    run.console.print_text(f"next: `{shlex.join(words)}` shows what would be built")


def _values(run: InitRun, before: Layer, disk: Disk) -> dict[Setting, Value]:
    """Ask, and return every value to write: of the flag, the answer, the old configuration, or
    the default.
    """
    flags = dict[Setting, Assignment]()
    for question in QUESTIONS:
        if assignments := run.answers.assignments.get(question.path):
            flags[question.setting] = assignments[0]
    answers = {**initial_answers(before, run.start), **require(check_writable(flags))}
    files = find_archives(run.drop, run.start, AUTO)
    asked = {question.path for question in run.asked}
    if "presets" not in asked and not ("presetsSearchPath" in asked and names_presets(answers)):
        require(set_by_presets(answers, run.start, disk))  # before anything is asked
    if run.asked:
        known = known_of(files, run.start, disk)
        with _asking(run.console) as ask:
            _ask(run, answers, known, ask)
        if not files and has_person():
            run.console.print_text(
                f"no archives in `{run.drop}`: name their folder, as in `tool init drop`"
            )
    return values_to_write(answers, require(set_by_presets(answers, run.start, disk)))


def _ask(run: InitRun, answers: dict[Setting, Assignment], known: Known, ask: Ask) -> None:
    """Ask each question that no flag answers, and those about presets again until each
    preset is found.

    The answers are offered as defaults once, since only one of them may be wrong; then the old
    defaults are.
    """
    pair = [question for question in run.asked if question.path in _PAIR]
    defaults = dict(answers)
    refused: dict[Setting, Assignment] = {}
    for question in run.asked:
        answers[question.setting] = answered(
            question, answers[question.setting], known, ask, run.console
        )
        while question in pair[-1:] and (
            errors := errors_of(set_by_presets(answers, run.start, known.disk))
        ):
            if not has_person():
                raise Stop(*map(_as_answer, errors))
            run.console.prompt(*(f"{error.message}; {error.advice}" for error in errors))
            offered = dict(answers)
            if answers == refused:
                offered = defaults
            refused = dict(answers)
            for again in pair:
                answers[again.setting] = answered(
                    again, offered[again.setting], known, ask, run.console
                )


def _as_answer(error: ConfigError) -> Error:
    """The error of a preset; if an answer names a missing one, the error is about the answer."""
    if isinstance(error, PresetNotFound) and error.location.name == INPUT:
        question = next(question for question in QUESTIONS if question.path == "presets")
        return wrong_answer(question, error.message, error.location)
    return error


def _asking(console: Console) -> AbstractContextManager[Ask]:
    """Prepare to ask, on the terminal if there is one."""
    if not has_terminal():
        return nullcontext(in_lines(console))
    from io_edges.init.terminal import on_terminal  # prompt-toolkit costs much start-up time

    return on_terminal(console)
