"""Changes: what a user can do about a setting, each a pure function on what a run starts from.

An act is a step as it is told, and what it does to a case: it leaves out a flag, unsets a variable, lets the disk
suppose that a file holds something else. Whether it helps is not worked out: the changed case is resolved once more, by
the same chain, and every setting whose value differs is told.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from msgspec import UNSET, Struct
from msgspec.structs import replace
from toolz import assoc, dissoc, get_in, unique

from pipeline.config.disk import Disk
from pipeline.config.edits import added, deleted
from pipeline.config.flags import read_flags
from pipeline.config.layers import Assignment, Decision, Settings, absolute_item
from pipeline.config.legacy_keys import MOVES, is_flat
from pipeline.config.tree import KeyPath, Tree, spell
from pipeline.explain.advice import ChangeStep, SettingEffect, StepKind
from pipeline.parse import parse
from pipeline.read import read
from pipeline.report.outcome import value_of
from pipeline.resolve import Request, Resolution, resolve
from pipeline.schema import SETTINGS, SHORTHAND, Setting, Value

_INSTALLED: Final = "node_modules"


class Case(Struct, frozen=True):
    """What was resolved, and from what."""

    request: Request
    disk: Disk
    resolution: Resolution

    @property
    def settings(self) -> Settings:
        """What holds."""
        return self.resolution.settings

    def decision(self, setting: Setting) -> Decision:
        """What was decided about a setting."""
        return self.settings.decision(setting.path)

    def after(self, acts: Iterable["Act"]) -> Settings | None:
        """What would hold if all of this were done; `None` if that is a problem."""
        case = self
        for act in acts:
            case = act.apply(case)
        resolution = value_of(resolve(case.request, case.disk))
        return resolution.settings if resolution else None


class Act(Struct, frozen=True):
    """One thing that a user can do: how it is told, and what it does."""

    step: ChangeStep
    apply: Callable[[Case], Case]


def pass_flag(setting: Setting, value: Value) -> Act:
    """Pass the flag of a setting, in the place of any that is passed."""
    values = (value,) if setting.type == "strings" and isinstance(value, str) else value
    return _flag(ChangeStep("pass", setting.negative if value is False else setting.flag, value=value), setting, values)


def silence(setting: Setting, assignment: Assignment, case: Case, item: str | None = None) -> tuple[Act, ...]:
    """What takes away what an assignment says about a setting, or one item of its list; empty if nothing does."""
    rest = tuple(each for each in assignment.strings if each != item) if item is not None else ()
    if assignment.layer == "flag":
        return (_flag(ChangeStep("omit", assignment.location.name, value=item), setting, rest or None),)
    if assignment.layer == "env":
        return (_variable(setting.variable, rest),)
    if assignment.layer == "default":  # what a preset is detected by
        return (_variable(assignment.location.name, ()),)
    tree = _tree_of(assignment, case)
    return tuple(_delete(tree, path) for path in _paths(setting, tree, item)) if tree else ()


def add(setting: Setting, item: str, case: Case) -> tuple[Act, ...]:
    """Add an element to the list in a file, if that decides."""
    tree = _tree_of(case.decision(setting).winner, case)
    if tree is None:
        return ()
    path = _keys_of(setting, tree)[0]
    return (_edit("add", tree, path, item, lambda found: added(found, path, item)),)


def _tree_of(assignment: Assignment, case: Case) -> Tree | None:
    """The plain data of the file that an assignment is in; `None` if it is in none that the user can change.

    Those are bundled presets, and what is in an installed package.
    """
    files = (case.resolution.located.file, *case.resolution.presets)
    own = (file for file in files if file and file.bundled is None and file.display_path == assignment.location.name)
    file = next((file for file in own if _INSTALLED not in file.path.parts), None)
    return value_of(read(file, case.disk).bind(parse)) if file else None


def _keys_of(setting: Setting, tree: Tree) -> tuple[KeyPath, ...]:
    """The paths in a file that set a setting; there are two where the shorthand is folded in, or two legacy keys."""
    if not is_flat(tree):
        paths: tuple[KeyPath, ...] = (
            (setting.keys, (SHORTHAND,)) if setting.path == "modules.exclude" else (setting.keys,)
        )
        return tuple(path for path in paths if get_in(path, tree.data) is not None)
    moves = ((move, get_in((move.key,), tree.data)) for move in MOVES if move.setting == setting.path)
    known = (move.key for move, value in moves if value is not None and move.conversion.of(value) is not UNSET)
    return tuple((key,) for key in unique(known))


def _paths(setting: Setting, tree: Tree, item: str | None) -> Iterator[KeyPath]:
    """The paths of a setting in a file, or of each element that equals an item, the last first, as they are deleted."""
    for path in _keys_of(setting, tree):
        if item is None:
            yield path
        elif isinstance(values := get_in(path, tree.data), list):
            yield from ((*path, index) for index in reversed(range(len(values))) if values[index] == item)


def comparable(settings: Settings, setting: Setting) -> Any:
    """The value that holds, to compare it by: paths absolute, and for presets those that apply."""
    elements = settings.decision(setting.path).elements
    is_list = setting.type == "strings"
    return tuple(absolute_item(setting, each) for each in elements) if is_list else getattr(settings, setting.name)


def effects(before: Settings, after: Settings, first: str = "") -> tuple[SettingEffect, ...]:
    """Every setting whose value differs, one of them first."""
    changed = [setting for setting in SETTINGS if comparable(before, setting) != comparable(after, setting)]
    decisions = (after.decision(setting.path) for setting in sorted(changed, key=lambda setting: setting.path != first))
    return tuple(
        SettingEffect(each.path, each.effective, each.winner.layer, str(each.winner.location)) for each in decisions
    )


def _flag(step: ChangeStep, setting: Setting, value: Value | None) -> Act:
    """Give the flag of a setting a value, or none."""

    def apply(case: Case) -> Case:
        request = case.request
        passed = read_flags({setting.name: ("",) if value == () else value}, request.start)
        assignments = {**dissoc(request.flags.assignments, setting.path), **passed.assignments}
        return replace(case, request=replace(request, flags=replace(request.flags, assignments=assignments)))

    return Act(step, apply)


def _variable(name: str, values: tuple[str, ...]) -> Act:
    """Set a variable to a list, or unset it if that is empty."""
    plain = all(each and each == each.strip() and "," not in each and not each.startswith("[") for each in values)
    text = ",".join(values) if plain else json.dumps(values)
    step = ChangeStep("set", name, value=text) if values else ChangeStep("unset", name)

    def apply(case: Case) -> Case:
        environ = case.request.environ
        changed = assoc(environ, name, text) if values else dissoc(environ, name)
        return replace(case, request=replace(case.request, environ=changed))

    return Act(step, apply)


def _delete(tree: Tree, path: KeyPath) -> Act:
    """Delete a key or an element from a file."""
    value = get_in(path, tree.data) if isinstance(path[-1], int) else None
    return _edit("delete", tree, path, value, lambda found: deleted(found, path))


def _edit(do: StepKind, tree: Tree, path: KeyPath, value: Value | None, change: Callable[[Tree], Tree]) -> Act:
    """Change a file, which the disk is to suppose after what it supposes already."""
    position, name = tree.position(path), tree.file.display_path

    def apply(case: Case) -> Case:
        before = case.disk.suppose

        def suppose(found: Tree) -> Tree:
            tree = before(found)
            return change(tree) if found.file.display_path == name else tree

        return replace(case, disk=replace(case.disk, suppose=suppose))

    return Act(ChangeStep(do, str(position.value), spell(position.written), value), apply)
