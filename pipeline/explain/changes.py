"""Changes: what a user can do about a setting, each a pure function on what a run starts from.

An act is a step as it is told, and what it does to a request: it leaves out a flag, unsets a variable, takes a value
out of a file. Whether it helps is not worked out here: `attempt` resolves the changed request, by the same chain, and
tells every leaf whose value differs.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import PurePath
from typing import Final

from msgspec import UNSET, Struct
from msgspec.structs import replace
from toolz import assoc, dissoc, get_in

from pipeline.config.disk import Disk
from pipeline.config.edits import Edit
from pipeline.config.flags import read_flags
from pipeline.config.layers import Decision, Layer, Origin, Settings, absolute_item
from pipeline.config.legacy_keys import MOVES, is_flat
from pipeline.config.tree import KeyPath, Tree, spell
from pipeline.explain.document import SettingEffect, Step
from pipeline.merge import over
from pipeline.parse import parse
from pipeline.read import read
from pipeline.report.outcome import value_of
from pipeline.report.paths import without_detours
from pipeline.resolve import Request, Resolution, resolve
from pipeline.schema import LEAVES, SHORTHAND, Leaf, Value

_INSTALLED: Final = "node_modules"


class Case(Struct, frozen=True):
    """What was resolved, and from what."""

    request: Request
    disk: Disk
    resolution: Resolution
    tries: bool = True
    """Whether changes are tried at all: an overview has none."""

    @property
    def settings(self) -> Settings:
        """What holds."""
        return self.resolution.settings

    def decision(self, leaf: Leaf) -> Decision:
        """What was decided about a leaf."""
        return self.settings.decision(leaf.path)

    def after(self, acts: Iterable["Act"]) -> Resolution | None:
        """What would be resolved if all of this were done; `None` if that is a problem, or not tried."""
        if not self.tries:
            return None
        request = self.request
        for act in acts:
            request = act.apply(request)
        return value_of(resolve(request, self.disk))


class Act(Struct, frozen=True):
    """One thing that a user can do: how it is told, and what it does."""

    step: Step
    apply: Callable[[Request], Request]


def omit_flag(leaf: Leaf, origin: Origin) -> Act:
    """Leave out the flag of a leaf, however often it is passed."""
    return Act(Step("omit", origin.source.name), lambda request: _with_flag(request, leaf, None))


def omit_value(leaf: Leaf, origin: Origin, item: str) -> Act:
    """Leave out the flag of a leaf where it has a value."""
    rest = _without(origin, item)
    return Act(Step("omit", leaf.flag, value=item), lambda request: _with_flag(request, leaf, rest or None))


def pass_flag(leaf: Leaf, value: Value) -> Act:
    """Pass the flag of a leaf, in the place of any that is passed."""
    spelled = leaf.negative if value is False else leaf.flag
    values = (value,) if leaf.type == "strings" and isinstance(value, str) else value
    return Act(Step("pass", spelled, value=value), lambda request: _with_flag(request, leaf, values))


def unset(variable: str) -> Act:
    """Unset a variable."""
    return Act(Step("unset", variable), lambda request: _with_environ(request, dissoc(request.environ, variable)))


def unset_value(leaf: Leaf, origin: Origin, item: str) -> Act:
    """Take a value out of the list in a variable."""
    rest = _without(origin, item)
    if not rest:
        return unset(leaf.variable)
    plain = all(each and each == each.strip() and "," not in each and not each.startswith("[") for each in rest)
    text = ",".join(rest) if plain else json.dumps(rest)
    step = Step("set", leaf.variable, value=text)
    return Act(step, lambda request: _with_environ(request, assoc(request.environ, leaf.variable, text)))


def delete(tree: Tree, path: KeyPath) -> Act:
    """Delete a key or an element from a file."""
    mark = tree.mark(path)
    value = get_in(path, tree.data) if isinstance(path[-1], int) else None
    step = Step("delete", str(mark.value), spell(mark.written), value)
    return Act(step, lambda request: _with_edit(request, Edit(tree.candidate.display_path, path)))


def add(tree: Tree, path: KeyPath, item: str) -> Act:
    """Add an element at the end of a list in a file."""
    mark = tree.mark(path)
    step = Step("add", str(mark.value), spell(mark.written), item)
    return Act(step, lambda request: _with_edit(request, Edit(tree.candidate.display_path, path, item)))


def tree_of(origin: Origin, case: Case) -> Tree | None:
    """The plain data of the file that an origin is in; `None` if it is in none that the user can change.

    Those are bundled presets, and what is in an installed package.
    """
    files = (case.resolution.located.candidate, *case.resolution.presets)
    own = (file for file in files if file and file.bundled is None and file.display_path == origin.source.name)
    candidate = next((file for file in own if _INSTALLED not in file.path.parts), None)
    return value_of(read(candidate, case.disk).bind(parse)) if candidate else None


def keys_of(leaf: Leaf, tree: Tree) -> tuple[KeyPath, ...]:
    """The paths in a file that set a leaf; there are two where the shorthand is folded in, or two legacy keys."""
    if is_flat(tree):
        keys = (move.key for move in MOVES if move.leaf == leaf.path and _fits(tree, move.key, move.conversion.of))
        return tuple((key,) for key in dict.fromkeys(keys))
    paths: tuple[KeyPath, ...] = (leaf.keys, (SHORTHAND,)) if leaf.path == "modules.exclude" else (leaf.keys,)
    return tuple(path for path in paths if get_in(path, tree.data) is not None)


def _fits(tree: Tree, key: str, convert: Callable[[object], object]) -> bool:
    """Whether a key of the 0.x file is there, with a value that can be read so."""
    value = get_in((key,), tree.data)
    return value is not None and convert(value) is not UNSET


def items_of(leaf: Leaf, tree: Tree, item: str) -> Iterator[KeyPath]:
    """The paths of each element of a file's lists that equals an item; the last first, so that they can be deleted."""
    for path in reversed(keys_of(leaf, tree)):
        values = get_in(path, tree.data)
        for index in reversed(range(len(values) if isinstance(values, list) else 0)):
            if values[index] == item:
                yield (*path, index)


def comparable_value(settings: Settings, leaf: Leaf) -> object:
    """The value that holds, to compare it by: paths absolute and without detours, and for presets those that apply."""
    if leaf.type == "strings":
        items = (absolute_item(leaf, element) for element in settings.decision(leaf.path).elements)
        return tuple(items) if leaf.paths == "no" else tuple(map(_plain, items))
    value = getattr(settings, leaf.name)
    return value if leaf.paths == "no" else _plain(value)


def _plain(path: str) -> str:
    return str(without_detours(PurePath(path)))


def changed_leaves(before: Settings, after: Settings) -> tuple[Leaf, ...]:
    """The leaves whose values differ, in the order of the schema."""
    return tuple(leaf for leaf in LEAVES if comparable_value(before, leaf) != comparable_value(after, leaf))


def effects(before: Settings, after: Settings, first: str = "") -> tuple[SettingEffect, ...]:
    """Every leaf whose value differs, one of them first."""
    changed = sorted(changed_leaves(before, after), key=lambda leaf: leaf.path != first)
    return tuple(_effect(after.decision(leaf.path)) for leaf in changed)


def _effect(decision: Decision) -> SettingEffect:
    return SettingEffect(decision.path, decision.effective, decision.winner.layer, str(decision.winner.source))


def _without(origin: Origin, item: str) -> tuple[str, ...]:
    values = origin.value if isinstance(origin.value, tuple) else ()
    return tuple(value for value in values if value != item)


def _with_flag(request: Request, leaf: Leaf, value: Value | None) -> Request:
    others = Layer(dissoc(request.flags.origins, leaf.path), request.flags.notes)
    passed = read_flags({leaf.name: ("",) if value == () else value}, request.start)
    return replace(request, flags=over(passed, others))


def _with_environ(request: Request, environ: Mapping[str, str]) -> Request:
    return replace(request, environ=environ)


def _with_edit(request: Request, edit: Edit) -> Request:
    return replace(request, edits=(*request.edits, edit))
