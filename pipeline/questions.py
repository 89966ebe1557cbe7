"""Questions: the seven prompts of `tool init`, and what an answer means.

An answer is read and checked as the text of a variable is, so that a wrong one is the same problem. Law: what is
shown as the default of a list, typed, gives that default (`docs/init.md`).
"""

from collections.abc import Mapping
from pathlib import PurePath
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace
from returns.result import Failure, Success

from pipeline.disk import Disk
from pipeline.escape import to_json
from pipeline.layers import Layer, Origin, make_layer
from pipeline.merge import merge
from pipeline.outcome import Outcome, alone
from pipeline.paths import shown
from pipeline.presets import choose_presets
from pipeline.problems import WrongType
from pipeline.schema import LEAVES, Leaf, Value, is_preset_path, is_theme_archive
from pipeline.source import BUILT_IN, Source
from pipeline.tree import Candidate
from pipeline.variables import faults_of, read_text


class Question(Struct, frozen=True):
    """One prompt: the leaf that it is about, and what the user reads."""

    path: str
    text: str
    help: str

    @property
    def leaf(self) -> Leaf:
        """The leaf that the answer is the value of."""
        return next(leaf for leaf in LEAVES if leaf.path == self.path)


QUESTIONS: Final = (
    Question("theme", "Theme", "auto takes the only one in the drop, none builds none; or a name, or a .zip file"),
    Question("modules.exclude", "Modules to leave out", "names, or patterns such as shop_*, separated by commas"),
    Question("presets", "Presets", "auto detects them; or none, ci, other names, paths, separated by commas"),
    Question(
        "presetsSearchPath",
        "Folders of local presets",
        "where presets are found by name; separated by commas",
    ),
    Question("hooks.onFailure", "When a hook script fails", "continue reports it and goes on, fail stops the run"),
    Question("cache.file", "Cache file", "its path, from the folder of the configuration"),
    Question("log.format", "Log format", "of what is told on standard error: text for people, json for programs"),
)
"""Every prompt, in the order in which they are asked."""

PRESETS: Final = ("presets", "presetsSearchPath")
"""The questions whose answers must fit one another."""

Answers: TypeAlias = Mapping[Leaf, Origin]
"""What each leaf is to be, and who said so; a leaf that nobody spoke about is its default."""


def starting(layer: Layer, base: PurePath, start: PurePath) -> dict[Leaf, Origin]:
    """What each leaf is before anything is asked: what a layer written in the folder `base` says, or the default."""
    said = {leaf: layer.origins.get(leaf.path) for leaf in LEAVES}
    return {
        leaf: replace(origins[0], value=_seen_from(start, base, leaf, origins[0].value))
        if origins
        else Origin("default", BUILT_IN, leaf.default)
        for leaf, origins in said.items()
    }


def answer(leaf: Leaf, text: str, default: Origin, source: Source) -> Outcome[Origin]:
    """Read what was typed; nothing takes the default. Problems: `WrongType`, `BadChoice`, `EmptyPath`."""
    typed = text.strip()
    if not typed:
        return Success(default)
    if typed == leaf.default:
        return Success(Origin("flag", source, typed))
    value = read_text(leaf, typed)
    problems = tuple(faults_of(leaf, typed, value, source))
    if problems:
        return Failure(problems)
    return writable(leaf, Origin("flag", source, tuple(value) if isinstance(value, list) else value))


def writable(leaf: Leaf, origin: Origin) -> Outcome[Origin]:
    """Refuse text that no file in UTF-8 can hold. Problems: `WrongType`."""
    try:
        "".join(map(str, origin.value if isinstance(origin.value, tuple) else (origin.value,))).encode()
    except UnicodeEncodeError:
        return Failure(alone(WrongType(leaf.path, origin.source, "text in UTF-8", "bytes that are not")))
    return Success(origin)


def spelled(leaf: Leaf, value: Value) -> str:
    """Show a value as it would be typed: a list separated by commas, or in JSON where that would say something else."""
    if not isinstance(value, tuple):
        return str(value)
    joined = ", ".join(value)
    is_plain = value and joined != leaf.default and read_text(leaf, joined) == list(value)
    return joined if is_plain else to_json(value)


def chosen(answers: Answers) -> dict[Leaf, Value]:
    """What is written: the answers that differ from the defaults, and all that a file said that was not asked about."""
    asked = {question.path for question in QUESTIONS}
    return {
        leaf: origin.value
        for leaf, origin in answers.items()
        if (origin.value != leaf.default if leaf.path in asked else origin.layer != "default")
    }


def find_presets(answers: Answers, start: PurePath, disk: Disk) -> Outcome[tuple[Candidate, ...]]:
    """Find the presets that a configuration in the folder `start` would name. Problems: `PresetNotFound`."""
    return choose_presets(merge((make_layer(answers, start),)), {}, start, disk)


def _seen_from(start: PurePath, base: PurePath, leaf: Leaf, value: Value) -> Value:
    """Spell the paths of a value, which are relative to one folder, relative to another."""
    if base == start:
        return value
    match leaf.located, value:
        case "path", str():
            return _moved(value, base, start)
        case "archive", str() if is_theme_archive(value):
            return _moved(value, base, start)
        case "paths", tuple():
            return tuple(_moved(item, base, start) for item in value)
        case "presets", tuple():
            return tuple(_moved(item, base, start) if is_preset_path(item) else item for item in value)
        case _:
            return value


def _moved(path: str, base: PurePath, start: PurePath) -> str:
    return path if PurePath(path).is_absolute() else shown(base / path, start)
