"""Questions: the seven prompts of `tool init`, and what an answer means.

An answer is read and checked like the text of a variable, so that a wrong one is the same error. Law: typing what
is shown as the default of a list gives that default (`docs/configuration.md`).
"""

from collections.abc import Collection, Iterator, Mapping
from pathlib import PurePath
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace
from returns.result import Failure, Success

from pipeline.config.disk import Disk
from pipeline.config.layers import Assignment, Layer, Settings, defaults, make_layer
from pipeline.config.variables import faults_of, read_text
from pipeline.locate import Located
from pipeline.merge import over
from pipeline.report.diagnostics.settings import InvalidValue
from pipeline.report.escape import escape, to_json
from pipeline.report.location import Location
from pipeline.report.outcome import Outcome
from pipeline.report.paths import display_path
from pipeline.resolve import Request, add_presets
from pipeline.schema import SETTINGS, SPLICE, Setting, Value, is_archive_name, is_preset_path


class Question(Struct, frozen=True):
    """One prompt: the setting that it is about, and what the user reads."""

    path: str
    text: str
    help: str

    @property
    def setting(self) -> Setting:
        """The setting that the answer sets."""
        return next(setting for setting in SETTINGS if setting.path == self.path)


QUESTIONS: Final = (
    Question("theme", "Theme", "auto takes the only one in the drop, none builds none; or a name, or a .zip file"),
    Question("modules.exclude", "Modules to leave out", "names, or patterns such as shop_*, separated by commas"),
    Question("presets", "Presets", "auto detects them; or none, ci, other names, paths, separated by commas"),
    Question("presetsSearchPath", "Folders of local presets", "where presets are found by name; separated by commas"),
    Question("hooks.onFailure", "When a hook script fails", "continue reports it and goes on, fail stops the run"),
    Question("cache.file", "Cache file", "a path, relative to the folder of the configuration"),
    Question("log.format", "Log format", "text for people, json for programs"),
)
"""Every prompt, in the order in which they are asked."""

Answers: TypeAlias = Mapping[Setting, Assignment]
"""The value of each setting, and where it came from; a setting without an answer has its default."""


def initial_answers(layer: Layer, start: PurePath) -> dict[Setting, Assignment]:
    """Each setting before anything is asked: as set by a layer, else its default. Paths become relative to `start`."""
    before = over(layer, defaults(start)).assignments
    assignments = {setting: before[setting.path][0] for setting in SETTINGS}
    return {
        setting: replace(assignment, value=_rebased(setting, assignment.value, assignment.base, start), base=start)
        for setting, assignment in assignments.items()
    }


def answer(setting: Setting, text: str, default: Assignment, location: Location) -> Outcome[Assignment]:
    """Read what was typed; an empty answer means the default.

    Typing a default that came from a file keeps its assignment. Errors: `InvalidValue`.
    """
    typed = text.strip()
    if not typed:
        return Success(default)
    value = read_text(setting, typed)
    if errors := tuple(faults_of(setting, typed, value, location)):
        return Failure(errors)
    return writable(setting, _assigned(default, tuple(value) if isinstance(value, list) else value, location))


def writable(setting: Setting, assignment: Assignment) -> Outcome[Assignment]:
    """Refuse text that a file in UTF-8 cannot hold. Errors: `InvalidValue`."""
    try:
        "".join(map(str, assignment.value if isinstance(assignment.value, tuple) else (assignment.value,))).encode()
    except UnicodeEncodeError:
        return Failure((InvalidValue(setting.path, assignment.location, "text in UTF-8", "bytes that are not"),))
    return Success(assignment)


def format_answer(setting: Setting, value: Value) -> str:
    """A value as it would be typed: a list separated by commas, or in JSON if that would mean something else."""
    if not isinstance(value, tuple):
        return str(value)
    joined = ", ".join(value)
    is_plain = value and escape(joined) == joined and read_text(setting, joined) == list(value)
    return joined if is_plain else to_json(value)


def values_to_write(answers: Answers, preset: Collection[str]) -> dict[Setting, Value]:
    """The values to write: those from a file, and the answers that would not hold if they were left out.

    Those are the answers that differ from the default, or whose setting is set by a chosen preset.
    """
    return {
        setting: assignment.value
        for setting, assignment in answers.items()
        if assignment.layer == "config"
        or assignment.value != setting.default
        or (assignment.layer != "default" and setting.path in preset)
    }


def set_by_presets(answers: Answers, start: PurePath, disk: Disk) -> Outcome[frozenset[str]]:
    """The settings set by the presets that a configuration in the folder `start` would name or detect.

    Errors: `PresetNotFound`, and those of the presets themselves.
    """
    layer = make_layer(answers, start)
    resolution = add_presets(Request(start=start), disk, Located(None, ()), (layer,))
    return resolution.map(lambda found: frozenset(_of_presets(found.settings)))


def _of_presets(settings: Settings) -> Iterator[str]:
    for decision in settings.decisions:
        if any(assignment.layer == "preset" for assignment in decision.assignments):
            yield decision.path


def _assigned(default: Assignment, value: Value, location: Location) -> Assignment:
    """The assignment of a value: that of the default if it came from a file and is unchanged, else the answer."""
    return default if default.layer != "default" and value == default.value else Assignment("flag", location, value)


def _rebased(setting: Setting, value: Value, base: PurePath, start: PurePath) -> Value:
    """A value with the paths in it, which are relative to the folder `base`, relative to `start`."""
    match setting.paths, value:
        case _ if base == start:
            return value
        case "path", str():
            return _moved(value, base, start)
        case "archive", str() if is_archive_name(value):
            return _moved(value, base, start)
        case "paths", tuple():
            return tuple(item if item == SPLICE else _moved(item, base, start) for item in value)
        case "presets", tuple():
            return tuple(_as_path(_moved(item, base, start)) if is_preset_path(item) else item for item in value)
        case _:
            return value


def _as_path(path: str) -> str:
    """Spell a path so that it is not taken for the name of a preset."""
    return path if is_preset_path(path) else f"./{path}"


def _moved(path: str, base: PurePath, start: PurePath) -> str:
    return path if PurePath(path).is_absolute() else display_path(base / path, start)
