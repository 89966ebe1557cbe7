"""A user who does what `tool explain` says, knowing no more than what it tells: files, variables, a command line."""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from toolz import assoc, assoc_in, dissoc, get_in, update_in

from pipeline.explain.advice import ChangeStep
from pipeline.explain.changes import Case
from pipeline.schema import SETTINGS
from tests.support.cases import case_of

_FLAGS = {name: setting for setting in SETTINGS for name in (setting.flag, setting.negative) if name}
_KEY = re.compile(r"\[(\d+)\]|([^.\[]+)")


class Desk(Struct, frozen=True):
    """What a user has written: the flags, by the path of their setting, the variables, and the data in each file."""

    flags: Mapping[str, Any] = {}
    environ: Mapping[str, str] = {}
    files: Mapping[str, Any] = {}

    def case(self) -> Case:
        """Resolve what is written."""
        files = {name: json.dumps(data) for name, data in self.files.items()}
        return case_of(files=files, environ=self.environ, flags=self.flags)


def follow(steps: Iterable[ChangeStep], desk: Desk) -> Desk:
    """Do one step after the other."""
    for step in steps:
        desk = _follow(step, desk)
    return desk


def _follow(step: ChangeStep, desk: Desk) -> Desk:
    match step.do:
        case "omit" if step.value is None:
            return replace(desk, flags=dissoc(desk.flags, _FLAGS[step.place].path))
        case "omit":
            path = _FLAGS[step.place].path
            rest = tuple(value for value in desk.flags[path] if value != step.value)
            return replace(desk, flags=assoc(desk.flags, path, rest) if rest else dissoc(desk.flags, path))
        case "pass":
            setting = _FLAGS[step.place]
            value = (step.value,) if setting.type == "strings" and isinstance(step.value, str) else step.value
            return replace(desk, flags=assoc(desk.flags, setting.path, ("",) if value == () else value))
        case "unset":
            return replace(desk, environ=dissoc(desk.environ, step.place))
        case "set":
            return replace(desk, environ=assoc(desk.environ, step.place, step.value))
        case "delete" | "add":
            return replace(desk, files=_edited(step, dict(desk.files)))


def _edited(step: ChangeStep, files: dict[str, Any]) -> dict[str, Any]:
    """The files after something was deleted or added where the step says."""
    file = step.place.rsplit(":", 2)[0]
    keys: list[Any] = [int(index) if index else key for index, key in _KEY.findall(step.path)]
    within = ["tool", *keys] if file == "package.json" else keys
    if step.do == "add":
        return {**files, file: update_in(files[file], within, lambda items: [*items, step.value])}
    *outer, last = within
    assert step.value is None or step.value == get_in(within, files[file])
    holder = get_in(outer, files[file])
    rest = [*holder[:last], *holder[last + 1 :]] if isinstance(last, int) else dissoc(holder, last)
    return {**files, file: assoc_in(files[file], outer, rest) if outer else rest}
