"""Init: the command that writes a configuration. Check what is in the way, ask, show, write (`docs/init.md`)."""

import os
import shlex
from collections.abc import Mapping
from contextlib import AbstractContextManager
from pathlib import PurePath
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from io_edges.archives.find import find_archives
from io_edges.disk import real_disk
from io_edges.init.files import ConfigTarget, contents, current_files, write_files
from io_edges.init.flags import InitFlags
from io_edges.init.prompts import Ask, Offers, has_person, has_terminal, in_lines, offers_of, where_in_lines
from io_edges.report.console import Console, print_path
from io_edges.system.stop import Stop, require
from pipeline.config.disk import Disk
from pipeline.config.flags import check_flags
from pipeline.config.layers import Layer, Origin
from pipeline.config.tree import Candidate
from pipeline.config.variables import forbids_exec, read_variables
from pipeline.init.config_text import FILES, Format, config_text
from pipeline.init.questions import (
    QUESTIONS,
    Question,
    initial_answers,
    questions_to_repeat,
    set_by_presets,
    spelled,
    unmatched_patterns,
    values_to_write,
    writable,
)
from pipeline.init.shadows import shadows
from pipeline.locate import Located, locate
from pipeline.report.outcome import Outcome, problems_of
from pipeline.resolve import load
from pipeline.schema import AUTO, PACKAGE_KEY, Leaf, Value

_NOTHING: Final = "nothing was written"


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
        return () if self.flags.yes else tuple(each for each in QUESTIONS if each.path not in self.answers.origins)


def init(run: InitRun) -> None:
    """Write a configuration into the current folder. Raises `Stop`."""
    no_exec = require(forbids_exec(os.environ)) or run.flags.no_exec
    disk = real_disk(run.start, run.console, no_exec=no_exec)
    run.console.warn(require(read_variables(os.environ, run.start)).notes)
    require(check_flags(run.answers))
    current_files(run.target)
    located = require(locate(run.start, None, disk))
    try:
        values = _values(run, located, disk)
        if has_person():
            _show(run, values)
        target = _where(run) if run.asked and has_person() else run.target
    except KeyboardInterrupt as interrupt:
        interrupt.args = (_NOTHING,)
        raise
    if target is None:
        run.console.say(_NOTHING)
    else:
        _write(run, target, values, located, disk)


def _write(run: InitRun, target: ConfigTarget, values: Mapping[Leaf, Value], located: Located, disk: Disk) -> None:
    """Write the configuration, and say what it hides and what to run next."""
    files = contents(target, values, current_files(target))
    hidden = require(shadows(located, target.candidate, files[target.name], run.start, disk))
    written = write_files(target, values)
    run.console.warn((*hidden, *written.notes))
    run.console.say(*([f"wrote {name}" for name in written.names] or [f"{target.name} is unchanged"]))
    drop = () if run.drop == "." else (f"./{run.drop}" if run.drop.startswith("-") else run.drop,)
    run.console.say(f"next: `{shlex.join(('tool', 'create', *drop, '--dry-run'))}` shows what would be built")
    print_path(str(target.candidate.path))


def _where(run: InitRun) -> ConfigTarget | None:
    """Ask a person who has seen the text whether to write it; also into a `package.json` that can hold it."""
    names: dict[Format, str] = {run.target.format: run.target.name}
    if run.flags.format is None and _can_hold(ConfigTarget(run.start, "package", run.flags.force)):
        names["package"] = f"{FILES['package']}, its key `{PACKAGE_KEY}`"
    if has_terminal():
        from io_edges.init.terminal import where_on_terminal  # costs start-up time, and only a person needs it

        chosen_format = where_on_terminal(names)
    else:
        chosen_format = where_in_lines(run.console, names)
    return replace(run.target, format=chosen_format) if chosen_format else None


def _can_hold(target: ConfigTarget) -> bool:
    """Whether there is a file in which the key can be set without losing anything."""
    try:
        return current_files(replace(target, force=False))[target.name] is not None
    except Stop:
        return False


def _values(run: InitRun, located: Located, disk: Disk) -> dict[Leaf, Value]:
    """Settle every leaf (flag, else answer, else 0.x file, else default), and return the values to write."""
    from_flags = {question.leaf: run.answers.origins.get(question.path, ())[:1] for question in QUESTIONS}
    flags = {leaf: require(writable(leaf, origin)) for leaf, origins in from_flags.items() for origin in origins}
    answers = {**_before(run, located.candidate, disk), **flags}
    files = find_archives(run.drop, run.start, AUTO)
    asked = run.asked
    preset = set_by_presets(answers, run.start, disk)
    wrong = problems_of(preset)
    if wrong and not questions_to_repeat(asked, wrong):
        raise Stop(*wrong)
    if asked:
        offers = offers_of(files)
        preset = _ask(run, asked, answers, offers, disk)
        names = (name for file in files for name in file.names)
        run.console.warn(unmatched_patterns(answers, offers["modules.exclude"], names))
        if not files and has_person():
            run.console.say(f"no archives in `{run.drop}`: name their folder, as in `tool init drop`")
    return values_to_write(answers, require(preset))


def _ask(
    run: InitRun, asked: tuple[Question, ...], answers: dict[Leaf, Origin], offers: Mapping[str, Offers], disk: Disk
) -> Outcome[frozenset[str]]:
    """Ask; on a terminal, ask again what can fix wrong presets. Return the leaves that the presets set."""
    again, before = asked, dict(answers)
    with _asking(run.console) as ask:
        while True:
            for question in again:
                default, last = before[question.leaf], answers[question.leaf]
                typed = spelled(question.leaf, last.value) if last != default else ""
                answers[question.leaf] = ask(question, default, offers.get(question.path, ()), typed)
            preset = set_by_presets(answers, run.start, disk)
            wrong = problems_of(preset) if has_person() else ()
            again = questions_to_repeat(asked, wrong) if wrong else ()
            if not again:
                return preset
            run.console.correct(wrong)
            run.console.prompt(
                *("  = help: the answer `none` does without presets" for each in again if each.path == "presets")
            )


def _asking(console: Console) -> AbstractContextManager[Ask]:
    """Prepare to ask, on the terminal if there is one."""
    if not has_terminal():
        return in_lines(console)
    from io_edges.init.terminal import on_terminal  # costs start-up time, and only a person needs it

    return on_terminal(console)


def _before(run: InitRun, candidate: Candidate | None, disk: Disk) -> dict[Leaf, Origin]:
    """The values before anything is asked: those of the 0.x file if it is the configuration, else the defaults."""
    if candidate is None or candidate.form != "legacy":
        return initial_answers(Layer(), run.start)
    layer = require(load(candidate, disk))
    run.console.warn(layer.notes)
    return initial_answers(layer, run.start)


def _show(run: InitRun, values: Mapping[Leaf, Value]) -> None:
    """Show what is about to be written; if a question follows, whatever else is shown."""
    form = run.target.format
    title = f"{run.target.name}, the key `{PACKAGE_KEY}`" if form == "package" else run.target.name
    text = config_text(values, "json" if form == "package" else form)
    show = run.console.prompt if run.asked else run.console.say
    show("", f"{title}:", *(f"  {line}" for line in text.rstrip().split("\n")), "")
