"""Init: the command that writes a configuration. Check for existing files, ask, write (`docs/configuration.md`)."""

import os
import shlex
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import PurePath
from typing import Annotated, Final

from cyclopts import Parameter
from msgspec import Struct

from io_edges.archives.find import drop_error, find_archives
from io_edges.building.store import load_state
from io_edges.cli.flags import ANSWERS, Drop, Flags, OutputFlags, Switch
from io_edges.cli.scope import CURRENT_FOLDER, Positionals, gone_drop, report_drop, without_drop
from io_edges.cli.session import RunConsole, start_folder
from io_edges.disk import real_disk
from io_edges.init.files import ConfigTarget, contents, current_files, write_files
from io_edges.init.prompts import Ask, answered, has_person, has_terminal, in_lines, offers_of
from io_edges.report.console import Console, print_path
from io_edges.system.folder import Folder
from io_edges.system.stop import Stop, os_errors_as_diagnostics, require
from pipeline.config.disk import Disk
from pipeline.config.flags import check_flags, read_flags
from pipeline.config.layers import Assignment, Layer
from pipeline.config.tree import ConfigFile
from pipeline.config.variables import forbids_exec, read_variables
from pipeline.init.config_text import Format
from pipeline.init.questions import (
    QUESTIONS,
    Question,
    initial_answers,
    set_by_presets,
    values_to_write,
    writable,
)
from pipeline.locate import Located, locate
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.configuration import shadowed_config
from pipeline.report.outcome import value_of
from pipeline.resolve import load
from pipeline.schema import AUTO, Setting, Value

_NOTHING: Final = "nothing was written"


class AnswerFlags(Flags, of=((question.setting, ANSWERS) for question in QUESTIONS)):
    """One field for each question of `tool init`, `None` where its flag is not given."""


class InitFlags(OutputFlags):
    """What `tool init` takes besides the answers, one of which is the log format."""

    yes: Switch = False
    """Ask nothing; take the default of every question that no flag answers."""
    format: Annotated[Format | None, Parameter(show_default="json")] = None
    """Write tool.config.json, .ts or .js."""
    force: Switch = False
    """Replace an existing configuration, and keep it as a backup."""
    no_exec: Switch = False
    """Do not evaluate presets that are scripts."""


class InitRun(Struct, frozen=True):
    """What a run starts from. `drop` is the folder as the user wrote it, `answers` the layer of the flags."""

    start: PurePath
    drop: str
    flags: InitFlags
    answers: Layer
    console: Console

    @property
    def target(self) -> ConfigTarget:
        """What is written, unless something else is chosen."""
        return ConfigTarget(self.start, self.flags.format or "json", self.flags.force)

    @property
    def asked(self) -> tuple[Question, ...]:
        """The questions that no flag answers."""
        return () if self.flags.yes else tuple(each for each in QUESTIONS if each.path not in self.answers.assignments)


def init(
    drop: Drop = None,
    /,
    *,
    flags: InitFlags = InitFlags(),
    answers: AnswerFlags = AnswerFlags(),
    console: RunConsole,
) -> None:
    """Ask seven questions and write a configuration into the current folder.

    Examples:
      Offer the themes and modules in drop/ as answers:
        tool init drop
      Ask nothing, and write tool.config.ts:
        tool init --yes --theme=none --format=ts

    Documentation: tool help configuration
    """
    console.listen(quiet=flags.quiet, verbose=flags.verbose)
    start = start_folder()
    with os_errors_as_diagnostics(start), Folder.at(str(start)) as project:
        words = Positionals(drop) if drop else without_drop((), start, start, load_state(project, console))
    if gone := drop_error(words.drop, start):
        raise Stop(gone_drop(gone, words))
    report_drop(words, console)
    run = InitRun(start, words.drop, flags, read_flags(vars(answers), start), console)
    no_exec = require(forbids_exec(os.environ)) or run.flags.no_exec
    disk = real_disk(run.start, run.console, no_exec=no_exec)
    run.console.warn(require(read_variables(os.environ, run.start)).warnings)
    require(check_flags(run.answers))
    current_files(run.target)
    located = require(locate(run.start, None, disk))
    try:
        values = _values(run, located, disk)
    except KeyboardInterrupt as interrupt:
        interrupt.args = (_NOTHING,)
        raise
    _write(run, values, located, disk)


def _write(run: InitRun, values: Mapping[Setting, Value], located: Located, disk: Disk) -> None:
    """Write the configuration, and say what it hides, what would put it elsewhere, and what to run next."""
    target = run.target
    current = current_files(target)
    written, kept = write_files(current, contents(target, values))
    run.console.warn((*_hidden(run, located.file, disk), *kept))
    run.console.print_text(*([f"wrote {name}" for name in written] or [f"{target.name} is unchanged"]))
    if run.asked and run.flags.format is None:
        run.console.print_text("to write it in TypeScript or JavaScript: `--format=ts` or `js`")
    drop = () if run.drop == CURRENT_FOLDER else (f"./{run.drop}" if run.drop.startswith("-") else run.drop,)
    run.console.print_text(f"next: `{shlex.join(('tool', 'create', *drop, '--dry-run'))}` shows what would be built")
    print_path(str(target.file.path))


def _hidden(run: InitRun, old: ConfigFile | None, disk: Disk) -> tuple[WarningDiagnostic, ...]:
    """Warnings about configurations that are not read: in this folder, above it, and of 0.x."""
    after, new = value_of(locate(run.start, None, disk)), run.target.file
    if after and after.file and old and (old.kind == "legacy" or old.path.parent != new.path.parent):
        return (*after.warnings, shadowed_config(after.file.display_path, (old.display_path,)))
    return after.warnings if after else ()


def _values(run: InitRun, located: Located, disk: Disk) -> dict[Setting, Value]:
    """Settle every setting (flag, else answer, else 0.x file, else default), and return the values to write."""
    from_flags = {question.setting: run.answers.assignments.get(question.path, ())[:1] for question in QUESTIONS}
    flags = {
        setting: require(writable(setting, assignment))
        for setting, assignments in from_flags.items()
        for assignment in assignments
    }
    answers = {**_before(run, located.file, disk), **flags}
    files = find_archives(run.drop, run.start, AUTO)
    if "presets" not in {question.path for question in run.asked}:
        require(set_by_presets(answers, run.start, disk))  # before anything is asked
    if run.asked:
        offers = offers_of(files)
        with _asking(run.console) as ask:
            for question in run.asked:
                default, known = answers[question.setting], offers.get(question.path, ())
                answers[question.setting] = answered(question, default, known, ask, run.console)
        if not files and has_person():
            run.console.print_text(f"no archives in `{run.drop}`: name their folder, as in `tool init drop`")
    return values_to_write(answers, require(set_by_presets(answers, run.start, disk)))


def _asking(console: Console) -> AbstractContextManager[Ask]:
    """Prepare to ask, on the terminal if there is one."""
    if not has_terminal():
        return nullcontext(in_lines(console))
    from io_edges.init.terminal import on_terminal  # prompt-toolkit costs much start-up time

    return on_terminal(console)


def _before(run: InitRun, file: ConfigFile | None, disk: Disk) -> dict[Setting, Assignment]:
    """The values before anything is asked: from the 0.x file if it is the configuration, else the defaults."""
    if file is None or file.kind != "legacy":
        return initial_answers(Layer(), run.start)
    layer = require(load(file, disk))
    run.console.warn(layer.warnings)
    return initial_answers(layer, run.start)
