"""Init: the command that writes a configuration. Check what is in the way, ask, show, write (`docs/init.md`)."""

import os
import shlex
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from pathlib import Path, PurePath
from typing import Literal

from msgspec import Struct

from io_edges.atomic import backed_up, replace_file
from io_edges.console import Console, print_line
from io_edges.disk import real_disk, why
from io_edges.drop import find_archives, look_into
from io_edges.flags import InitFlags
from io_edges.prompts import Offers, asking, has_terminal
from io_edges.stop import Stop, filesystem, require
from pipeline.archives import ArchiveFile, Component
from pipeline.config_text import DECLARATION, FILES, bounded, config_data, config_text
from pipeline.declaration import ambient_declaration
from pipeline.disk import Disk
from pipeline.json_text import PACKAGE_LIMIT, has_key
from pipeline.layers import Layer, Origin
from pipeline.locate import NAMES, Located, locate
from pipeline.notes import ConfigKept, Note
from pipeline.outcome import Outcome, fold
from pipeline.package_json import with_config
from pipeline.problems import ConfigProblem, ConfigUnreadable, LimitExceeded, OutputConflict, UsageError
from pipeline.questions import QUESTIONS, Question, chosen, mending, set_by_presets, starting, writable
from pipeline.resolve import load
from pipeline.schema import AUTO, PACKAGE_KEY, Leaf, Value
from pipeline.shadow import shadows
from pipeline.source import Source
from pipeline.tree import Candidate
from pipeline.variables import read_variables


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
    _refuse(run)
    located = require(locate(run.start, None, disk))
    values = _values(run, located, disk)
    files = _files(run, values)
    if has_terminal():
        _show(run, values)
    hidden = require(shadows(located, run.target, files[run.target.shown], run.start, disk))
    with held(Path(run.target.path)):
        _refuse(run)
        _write(run, _files(run, values), hidden)
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
        preset = _ask(run, asked, answers, _offers(files), disk)
    return chosen(answers, require(preset))


def _ask(
    run: Run, asked: tuple[Question, ...], answers: dict[Leaf, Origin], offers: Mapping[str, Offers], disk: Disk
) -> Outcome[frozenset[str]]:
    """Ask; on a terminal, ask again what can fix wrong presets. Return the leaves that the presets set."""
    again = asked
    with asking(run.console) as ask:
        while True:
            for question in again:
                answers[question.leaf] = ask(question, answers[question.leaf], offers.get(question.path, ()))
            preset = set_by_presets(answers, run.start, disk)
            wrong = _problems(preset) if has_terminal() else ()
            again = mending(asked, wrong) if wrong else ()
            if not again:
                return preset
            run.console.correct(wrong)


def _problems(preset: Outcome[frozenset[str]]) -> tuple[ConfigProblem, ...]:
    return fold(preset, lambda _: (), lambda problems: problems)


def _before(run: Run, candidate: Candidate | None, disk: Disk) -> dict[Leaf, Origin]:
    """The values before anything is asked: those of the 0.x file if it is the configuration, else the defaults."""
    if candidate is None or candidate.form != "legacy":
        return starting(Layer(), run.start, run.start)
    layer = require(load(candidate, disk))
    run.console.warn(layer.notes)
    return starting(layer, candidate.base, run.start)


def _offers(files: tuple[ArchiveFile, ...]) -> dict[str, Offers]:
    """What there is to choose from, by the path of the question."""
    components = sorted({(each.kind, each.name) for file in files for each in _components(file)})
    return {
        "theme": tuple(name for kind, name in components if kind == "theme"),
        "modules.exclude": tuple(name for kind, name in components if kind == "module"),
    }


def _components(file: ArchiveFile) -> tuple[Component, ...]:
    """The components in an archive; in a damaged one there may be none that can be recognised."""
    return tuple(each.component for each in look_into(file) if each.component)


def _refuse(run: Run) -> None:
    """Stop if what is in the folder must not be overwritten, or cannot hold what is written."""
    name = run.target.shown
    if run.flags.format == "package":
        require(with_config(_package(run, name), {}, name))
    names = (DECLARATION, name) if run.flags.format == "ts" else (name,)
    found = {each: _lost(run, each, _load(run, each)) for each in names}
    if not run.flags.force and any(found.values()):
        raise Stop(*(OutputConflict(each, found=lost) for each, lost in found.items() if lost))


def _lost(run: Run, name: str, there: bytes | None) -> Literal["config", "key"] | None:
    """What of a user's file would be overwritten."""
    if there is None or (name == DECLARATION and there == ambient_declaration().encode()):
        return None
    if run.flags.format != "package":
        return "config"
    return "key" if has_key(there, PACKAGE_KEY).value_or(False) else None


def _files(run: Run, values: Mapping[Leaf, Value]) -> dict[str, bytes]:
    """The name and content of every file that is written."""
    name = run.target.shown
    if run.flags.format == "package":
        return {name: require(with_config(_package(run, name), config_data(values), name))}
    files = {name: require(bounded(config_text(values, run.flags.format), name)).encode()}
    return {DECLARATION: ambient_declaration().encode(), **files} if run.flags.format == "ts" else files


def _package(run: Run, name: str) -> bytes:
    """The content of the `package.json` that is to hold the key."""
    content = _load(run, name)
    if content is None:
        message = f"There is no {name} in this folder to write to: choose another --format"
        raise Stop(UsageError(message, "tool init", source=Source("--format")))
    if len(content) > PACKAGE_LIMIT:
        raise Stop(LimitExceeded(Source(name), "bytes", PACKAGE_LIMIT))
    return content


def _load(run: Run, name: str) -> bytes | None:
    """The content of a file in the folder; `None` if it does not exist, empty if it is a dangling link."""
    path = Path(run.start / name)
    try:
        if path.exists() and not path.is_file():
            raise Stop(OutputConflict(name, found="other"))
        return path.read_bytes()
    except FileNotFoundError:
        return b"" if os.path.lexists(path) else None
    except OSError as error:
        raise Stop(ConfigUnreadable(name, why(error))) from error


def _show(run: Run, values: Mapping[Leaf, Value]) -> None:
    """Show what is about to be written."""
    form = run.flags.format
    title = f"{run.target.shown}, the key `{PACKAGE_KEY}`" if form == "package" else run.target.shown
    text = config_text(values, "json" if form == "package" else form)
    run.console.say("", f"{title}:", *(f"  {line}" for line in text.rstrip().split("\n")), "")


def _write(run: Run, files: Mapping[str, bytes], hidden: tuple[Note, ...]) -> None:
    """Write every file, or leave all as they were. What is overwritten is backed up."""
    with ExitStack() as stack:
        there = {name: _load(run, name) for name in files}
        changed = [name for name in files if files[name] != there[name]]
        kept = [note for name in changed for note in stack.enter_context(_written(run, name, files[name], there[name]))]
    run.console.warn((*hidden, *kept))
    run.console.say(*(f"wrote {name}" for name in changed))


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Make other runs that would overwrite a file wait; without the file, or without locks, none waits."""
    import fcntl  # only on POSIX systems

    with ExitStack() as stack:
        while path.exists():
            with filesystem(path):
                file = stack.enter_context(path.open("rb"))
            with suppress(OSError):
                fcntl.flock(file, fcntl.LOCK_EX)
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(file.fileno()), path.stat()):
                    break
        yield


@contextmanager
def _written(run: Run, name: str, content: bytes, there: bytes | None) -> Iterator[tuple[Note, ...]]:
    """Write one file and give the notes about it; if the body fails, the file is restored."""
    path, lost = run.start / name, _lost(run, name, there) if there else None
    with backed_up(path, there, name) if there and lost else nullcontext() as backup:
        try:
            replace_file(path, content, follow=True, new=there is None)
        except FileExistsError as error:
            raise Stop(OutputConflict(name, found="config")) from error
        try:
            yield (ConfigKept(name, backup.name, lost),) if backup and lost else ()
        except BaseException:
            _restore(path, there)
            raise


def _restore(path: PurePath, there: bytes | None) -> None:
    with suppress(OSError, Stop):
        if there is None:
            Path(path).unlink()
        else:
            replace_file(path, there, follow=True)
