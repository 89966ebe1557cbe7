"""Advice: what to do to change what a run does, and what would come of it, with its words.

A part of the document that `tool explain` prints; `docs/reference/explanation.md` lists the fields.
"""

import shlex
from typing import Final, Literal, TypeAlias

from msgspec import Struct
from toolz import groupby

from pipeline.config.layers import LayerName
from pipeline.report.values import value_text
from pipeline.report.wording import listed
from pipeline.schema import Value

StepKind: TypeAlias = Literal["delete", "add", "omit", "pass", "unset", "set"]
"""What one does: delete a value from a file, add one to it, leave out a flag, pass one, unset or set a variable."""
_STEPS: Final[dict[StepKind, str]] = {
    "delete": "delete {what} at {place}",
    "add": "add {value} to `{path}` at {place}",
    "omit": "leave out `{typed}`",
    "pass": "pass `{typed}`",
    "unset": "unset the variable `{place}`",
    "set": "set the variable `{assigned}`",
}


class ChangeStep(Struct, frozen=True):
    """One thing to do to what a run starts from. `place` is where: `file:line:column`, a flag or a variable.

    `path` is the key in the file, as it is written there. `value` is null for a whole setting that is deleted,
    left out or unset.
    """

    do: StepKind
    place: str
    path: str = ""
    value: Value | None = None

    @property
    def is_for_good(self) -> bool:
        """Whether it edits a file, and is not about what a run is called with."""
        return self.do in {"add", "delete"}

    def __str__(self) -> str:
        """What to do, with what is to be typed in backquotes."""
        value = "" if self.value is None else value_text(self.value)
        return _STEPS[self.do].format(
            place=self.place,
            path=self.path,
            value=value,
            what=f"{value} (`{self.path}`)" if value else f"`{self.path}`",
            typed=_typed(self.place, self.value),
            assigned=shlex.quote(f"{self.place}={self.value}"),
        )


class SettingEffect(Struct, frozen=True):
    """The value that a setting would have, who would set it, and where."""

    path: str
    value: Value
    layer: LayerName
    source: str


class ArchiveEffect(Struct, frozen=True):
    """Whether an archive would be built that is not, or the other way round."""

    archive: str
    selected: bool


class Change(Struct, frozen=True):
    """Steps, all of them needed, and what would come of them, which was tried by resolving once more in memory.

    That is every setting whose value would differ, and of a change of an archive every one that would be built or left
    out instead; that of the part comes first.
    """

    steps: tuple[ChangeStep, ...]
    settings: tuple[SettingEffect, ...]
    archives: tuple[ArchiveEffect, ...] = ()

    def __str__(self) -> str:
        """What is to be done, and what else would come of it."""
        steps = " and ".join(map(str, self.steps))
        also = [f"`{each.path}` would be {value_text(each.value)}" for each in self.settings[1:]]
        for fate, group in groupby(lambda each: "built" if each.selected else "left out", self.archives[1:]).items():
            also.append(f"{listed([each.archive for each in group], mark='')} would be {fate}")
        return f"{steps}; also, {', '.join(also)}" if also else steps


def _typed(flag: str, value: Value | None) -> str:
    """A flag with its value, as it is typed in a shell."""
    if value is None or isinstance(value, bool):
        return flag
    values = (value,) if isinstance(value, str) else value or ("",)
    return shlex.join(f"{flag}={each}" for each in values)
