"""Questions: the seven prompts of `tool init`, and what an answer means.

An answer is read like the text of a variable, and checked at its question, against the
drop and the disk as well. Law: typing what is shown as the default of a list gives that
default (`docs/configuration.md`).
"""

from collections.abc import Collection, Iterator, Mapping
from pathlib import PurePath
from typing import Any, Final, TypeAlias

from msgspec import Struct
from returns.result import Failure, Success

from pipeline.config.disk import Disk
from pipeline.config.layers import Assignment, Layer, defaults, make_layer
from pipeline.config.variables import faults_of, read_text, without_list
from pipeline.locate import Located
from pipeline.merge import over
from pipeline.report.diagnostics.settings import InvalidValue
from pipeline.report.escape import escape, to_json
from pipeline.report.location import Location
from pipeline.report.outcome import Outcome
from pipeline.report.wording import listed, shortened
from pipeline.resolve import Request, add_presets
from pipeline.schema import (
    AUTO,
    BUNDLED,
    NONE,
    SETTINGS,
    Setting,
    Value,
    is_archive_name,
    is_preset_path,
)


class Question(Struct, frozen=True):
    """One prompt: its setting, and the words that the user reads."""

    path: str
    text: str
    help: str

    @property
    def setting(self) -> Setting:
        """The setting that the answer sets."""
        return next(setting for setting in SETTINGS if setting.path == self.path)


QUESTIONS: Final = (
    Question(
        "theme",
        "Theme",
        "auto takes the only one in the drop, none builds none; --theme names any other",
    ),
    Question(
        "modules.exclude",
        "Modules to leave out",
        "names, or patterns such as shop_*, separated by commas",
    ),
    Question(
        "presets",
        "Presets",
        "auto detects them; or none, ci, other names, paths, separated by commas",
    ),
    Question(
        "presetsSearchPath",
        "Folders of local presets",
        "where presets are found by name; separated by commas",
    ),
    Question(
        "hooks.onFailure",
        "When a hook script fails",
        "continue reports it and goes on, fail stops the run",
    ),
    Question("cache.file", "Cache file", "a path, relative to the folder of the configuration"),
    Question("log.format", "Log format", "text for people, json for programs"),
)
"""Every prompt, in the order in which they are asked."""

Answers: TypeAlias = Mapping[Setting, Assignment]
"""The value of each setting, and where it came from; a setting without an answer has
its default.
"""


class Known(Struct, frozen=True):
    """What answers are checked against: the current folder, the disk, and the components of
    the drop.
    """

    start: PurePath
    disk: Disk
    has_archives: bool = False
    themes: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()

    def offers(self, path: str) -> tuple[str, ...]:
        """What the drop offers for a setting."""
        return {"theme": self.themes, "modules.exclude": self.modules}.get(path, ())

    def is_file(self, path: str) -> bool:
        """Whether a path leads to a file."""
        return self.disk.presence(self.disk.plain(self.start / path)) in {"file", "other", "denied"}


def initial_answers(layer: Layer, start: PurePath) -> dict[Setting, Assignment]:
    """Each setting before the first question: as the configuration in the folder `start` sets it,
    or its default.
    """
    before = over(layer, defaults(start)).assignments
    return {setting: before[setting.path][0] for setting in SETTINGS}


def fault_of(setting: Setting, known: Known, text: str) -> str:
    """The fault of an answer, in words that follow its question; empty if there is none."""
    typed = text.strip()
    if not typed:
        return ""
    return next(_faults(setting, typed, read_text(setting, typed), known), "")


def answer(setting: Setting, text: str, default: Assignment, location: Location) -> Assignment:
    """Read an answer without faults. An empty one means the default; typing a default that came
    from a file keeps its assignment.
    """
    typed = text.strip()
    if not typed:
        return default
    value = without_list(read_text(setting, typed))
    if default.layer != "default" and value == default.value:
        return default
    return Assignment("flag", location, value)


def _faults(setting: Setting, typed: str, value: Any, known: Known) -> Iterator[str]:
    for error in faults_of(setting, typed, value, Location("")):
        yield error.message
    if not is_utf8(value):
        yield "expected text in UTF-8, found bytes that are not"
    if setting.path == "theme":
        yield from _theme_faults(value, known)
    if setting.path == "presets" and isinstance(value, list):
        yield from (
            f"there is no file `{shortened(each)}`"
            for each in value
            if is_preset_path(each) and not known.is_file(each)
        )


def _theme_faults(theme: str, known: Known) -> Iterator[str]:
    if is_archive_name(theme):
        if not known.is_file(theme):
            yield f"there is no file `{shortened(theme)}`"
    elif known.has_archives and theme not in {AUTO, NONE, *known.themes}:
        in_drop = "the drop has no theme"
        if known.themes:
            in_drop = f"the drop has {listed(known.themes)}"
        yield f"no theme `{shortened(theme)}`; {in_drop}"


def is_utf8(value: Value | list[str]) -> bool:
    """Whether a file in UTF-8 can hold a value."""
    if isinstance(value, bool):
        return True
    try:
        "".join(value).encode()
    except UnicodeEncodeError:
        return False
    return True


def check_writable(
    assignments: Mapping[Setting, Assignment],
) -> Outcome[Mapping[Setting, Assignment]]:
    """Refuse text that a file in UTF-8 cannot hold. Errors: `InvalidValue`."""
    errors = tuple(
        InvalidValue(setting.path, each.location, "text in UTF-8", "bytes that are not")
        for setting, each in assignments.items()
        if not is_utf8(each.value)
    )
    if errors:
        return Failure(errors)
    return Success(assignments)


def format_answer(setting: Setting, value: Value) -> str:
    """A value as it would be typed: a list separated by commas, or in JSON if that would mean
    something else.
    """
    if not isinstance(value, tuple):
        return str(value)
    joined = ", ".join(value)
    if value and escape(joined) == joined and read_text(setting, joined) == list(value):
        return joined
    return to_json(value)


def values_to_write(answers: Answers, preset: Collection[str]) -> dict[Setting, Value]:
    """The values to write: those from a file, and the answers that would not apply if they were
    left out.

    The latter differ from the default, or a chosen preset sets their setting.
    """
    return {
        setting: assignment.value
        for setting, assignment in answers.items()
        if assignment.layer == "config"
        or assignment.value != setting.default
        or (assignment.layer != "default" and setting.path in preset)
    }


def names_presets(answers: Answers) -> bool:
    """Whether one of the presets is given by a name that must be searched for."""
    presets = next(each.strings for setting, each in answers.items() if setting.path == "presets")
    return any(each not in BUNDLED and not is_preset_path(each) for each in presets)


def set_by_presets(answers: Answers, start: PurePath, disk: Disk) -> Outcome[frozenset[str]]:
    """The settings set by the presets that a configuration in the folder `start` would
    name or detect.

    Errors: `PresetNotFound`, and those of the presets themselves.
    """
    layer = make_layer(answers, start)
    resolution = add_presets(Request(start=start), disk, Located(None, ()), (layer,))
    return resolution.map(
        lambda found: frozenset(
            each.path
            for each in found.settings.decisions
            if "preset" in {by.layer for by in each.assignments}
        )
    )
