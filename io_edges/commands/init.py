"""Init: the command that writes a configuration. Check what is in the way, ask, show, write (`docs/init.md`)."""

import os
import shlex
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from pathlib import Path, PurePath
from typing import Literal

from msgspec import Struct

from io_edges.archives.find import find_archives
from io_edges.disk import real_disk, why
from io_edges.flags import InitFlags
from io_edges.init.prompts import Offers, asking, has_terminal, offers_of
from io_edges.report.console import Console, print_line
from io_edges.system.atomic import backed_up, replace_file
from io_edges.system.stop import Stop, require
from pipeline.config.disk import Disk
from pipeline.config.json_places import PACKAGE_LIMIT, has_key
from pipeline.config.layers import Layer, Origin
from pipeline.config.tree import Candidate
from pipeline.config.variables import read_variables
from pipeline.init.config_text import DECLARATION, FILES, bounded, config_data, config_text
from pipeline.init.declaration import ambient_declaration
from pipeline.init.package_json import with_config
from pipeline.init.questions import QUESTIONS, Question, chosen, mending, set_by_presets, spelled, starting, writable
from pipeline.init.shadows import shadows
from pipeline.locate import NAMES, Located, locate
from pipeline.report.notes import ConfigKept, Note
from pipeline.report.outcome import Outcome, fold
from pipeline.report.problems import ConfigProblem, ConfigUnreadable, LimitExceeded, OutputConflict, UsageError
from pipeline.report.source import Source
from pipeline.resolve import load
from pipeline.schema import AUTO, PACKAGE_KEY, Leaf, Value


class Run(Struct, frozen=True):
    """What one run of the command starts from. `drop` is the folder as the user wrote it, `given` what flags answer."""

    start: PurePath
    drop: str
    flags: InitFlags
    given: Layer
    console: Console

    @property
    def target(self) -> Candidate:
        """The file that is written."""
        name = FILES[self.flags.format]
        return Candidate(path=self.start / name, shown=name, form=dict(NAMES)[name])


def init(run: Run) -> None:
    """Write a configuration into the current folder. Raises `Stop`."""
    disk = real_disk(run.start, run.console.tell)
    run.console.warn(require(read_variables(os.environ, run.start)).notes)
    there = _there(run)
    located = require(locate(run.start, None, disk))
    values = _values(run, located, disk)
    files = _files(run, values, there)
    if has_terminal():
        _show(run, values)
    hidden = require(shadows(located, run.target, files[run.target.shown], run.start, disk))
    _write(run, values, hidden)
    drop = () if run.drop == "." else (f"./{run.drop}" if run.drop.startswith("-") else run.drop,)
    run.console.say(f"next: `{shlex.join(('tool', 'create', *drop, '--dry-run'))}` shows what would be built")
    print_line(str(run.target.path))


def _values(run: Run, located: Located, disk: Disk) -> dict[Leaf, Value]:
    """Settle every leaf (flag, else answer, else 0.x file, else default), and return the values to write."""
    given = {question.leaf: run.given.origins.get(question.path, ())[:1] for question in QUESTIONS}
    flags = {leaf: require(writable(leaf, origin)) for leaf, origins in given.items() for origin in origins}
    answers = {**_before(run, located.candidate, disk), **flags}
    files = find_archives(run.drop, run.start, AUTO)
    asked = tuple(question for question in QUESTIONS if question.leaf not in flags and not run.flags.yes)
    preset = set_by_presets(answers, run.start, disk)
    wrong = _problems(preset)
    if wrong and not mending(asked, wrong):
        raise Stop(*wrong)
    if asked:
        preset = _ask(run, asked, answers, offers_of(files), disk)
        if not files and has_terminal():
            run.console.say(f"no archives in `{run.drop}`: name their folder, as in `tool init drop`")
    return chosen(answers, require(preset))


def _ask(
    run: Run, asked: tuple[Question, ...], answers: dict[Leaf, Origin], offers: Mapping[str, Offers], disk: Disk
) -> Outcome[frozenset[str]]:
    """Ask; on a terminal, ask again what can fix wrong presets. Return the leaves that the presets set."""
    again, before = asked, dict(answers)
    with asking(run.console) as ask:
        while True:
            for question in again:
                default, last = before[question.leaf], answers[question.leaf]
                typed = spelled(question.leaf, last.value) if last != default else ""
                answers[question.leaf] = ask(question, default, offers.get(question.path, ()), typed)
            preset = set_by_presets(answers, run.start, disk)
            wrong = _problems(preset) if has_terminal() else ()
            again = mending(asked, wrong) if wrong else ()
            if not again:
                return preset
            run.console.correct(wrong)
            run.console.prompt(
                *("  = help: the answer `none` does without presets" for each in again if each.path == "presets")
            )


def _problems(preset: Outcome[frozenset[str]]) -> tuple[ConfigProblem, ...]:
    return fold(preset, lambda _: (), lambda problems: problems)


def _before(run: Run, candidate: Candidate | None, disk: Disk) -> dict[Leaf, Origin]:
    """The values before anything is asked: those of the 0.x file if it is the configuration, else the defaults."""
    if candidate is None or candidate.form != "legacy":
        return starting(Layer(), run.start, run.start)
    layer = require(load(candidate, disk))
    run.console.warn(layer.notes)
    return starting(layer, candidate.base, run.start)


def _there(run: Run) -> dict[str, bytes | None]:
    """What is in the folder of what is written. Raises `Stop` if it must not be overwritten, or cannot hold the key."""
    name = run.target.shown
    there = {each: _load(run, each) for each in ((DECLARATION, name) if run.flags.format == "ts" else (name,))}
    if run.flags.format == "package":
        require(with_config(_package(there[name], name), {}, name))
    found = {each: _lost(run, each, content) for each, content in there.items()}
    if not run.flags.force and any(found.values()):
        raise Stop(*(OutputConflict(each, found=lost) for each, lost in found.items() if lost))
    return there


def _lost(run: Run, name: str, there: bytes | None) -> Literal["config", "key"] | None:
    """What of a user's file would be overwritten."""
    if there is None or (name == DECLARATION and there == ambient_declaration().encode()):
        return None
    if run.flags.format != "package":
        return "config"
    return "key" if has_key(there, PACKAGE_KEY).value_or(False) else None


def _files(run: Run, values: Mapping[Leaf, Value], there: Mapping[str, bytes | None]) -> dict[str, bytes]:
    """The name and content of every file that is written."""
    name = run.target.shown
    if run.flags.format == "package":
        return {name: require(with_config(_package(there[name], name), config_data(values), name))}
    files = {name: require(bounded(config_text(values, run.flags.format), name)).encode()}
    return {DECLARATION: ambient_declaration().encode(), **files} if run.flags.format == "ts" else files


def _package(content: bytes | None, name: str) -> bytes:
    """The content of the `package.json` that is to hold the key. Raises `Stop` if there is none, or it is too long."""
    if content is None:
        message = f"There is no {name} in this folder to write to: choose another --format"
        raise Stop(UsageError(message, "tool init", source=Source("--format")))
    if len(content) > PACKAGE_LIMIT:
        raise Stop(LimitExceeded(Source(name), "bytes", PACKAGE_LIMIT))
    return content


def _load(run: Run, name: str) -> bytes | None:
    """The content of a file in the folder; `None` if it does not exist. Raises `Stop`."""
    path = Path(run.start / name)
    try:
        if path.exists() and not path.is_file():
            raise Stop(OutputConflict(name, found="other"))
        return path.read_bytes()
    except FileNotFoundError as error:
        if path.is_symlink() and not run.flags.force:
            raise Stop(OutputConflict(name, found="dangling")) from error
        return None
    except OSError as error:
        raise Stop(ConfigUnreadable(name, why(error))) from error


def _show(run: Run, values: Mapping[Leaf, Value]) -> None:
    """Show what is about to be written."""
    form = run.flags.format
    title = f"{run.target.shown}, the key `{PACKAGE_KEY}`" if form == "package" else run.target.shown
    text = config_text(values, "json" if form == "package" else form)
    run.console.say("", f"{title}:", *(f"  {line}" for line in text.rstrip().split("\n")), "")


def _write(run: Run, values: Mapping[Leaf, Value], hidden: tuple[Note, ...]) -> None:
    """Write every file, or leave all as they were. What is overwritten is backed up."""
    there = _there(run)
    files = _files(run, values, there)
    with ExitStack() as stack:
        changed = [name for name in files if files[name] != there[name]]
        kept = [note for name in changed for note in stack.enter_context(_written(run, name, files[name], there[name]))]
    run.console.warn((*hidden, *kept))
    run.console.say(*([f"wrote {name}" for name in changed] or [f"{run.target.shown} is unchanged"]))


def _publish(run: Run, name: str, content: bytes, there: bytes | None) -> bytes | None:
    """Write a file where nothing is, and give what is to be replaced instead, which may have appeared meanwhile."""
    if there is not None:
        return there
    try:
        replace_file(PurePath(name), content, follow=True, over="nothing")
    except FileExistsError as error:
        found = _load(run, name)
        if found is None:
            raise Stop(OutputConflict(name, found="changed")) from error
        if found != content and not run.flags.force:
            raise Stop(OutputConflict(name, found="config")) from error
        return found
    return None


@contextmanager
def _written(run: Run, name: str, content: bytes, there: bytes | None) -> Iterator[tuple[Note, ...]]:
    """Write one file and give the notes about it; if the body fails, the file is restored."""
    old = _publish(run, name, content, there)
    lost = _lost(run, name, old) if old != content else None
    with backed_up(PurePath(name), old, name) if old is not None and lost else nullcontext() as backup:
        if old is not None and old != content:
            _replace(name, content, old)
        try:
            yield (ConfigKept(name, backup.name, lost),) if backup and lost else ()
        except BaseException:
            _restore(name, content, old)
            raise


def _replace(name: str, content: bytes, old: bytes) -> None:
    try:
        replace_file(PurePath(name), content, follow=True, over=old)
    except FileExistsError as error:
        raise Stop(OutputConflict(name, found="changed")) from error


def _restore(name: str, content: bytes, old: bytes | None) -> None:
    """Undo a write, unless the file has been changed since."""
    with suppress(OSError, Stop):
        target = Path(os.path.realpath(name))
        if old is None and target.read_bytes() == content:
            target.unlink()
        elif old is not None:
            replace_file(target, old, over=content)
