"""Normalise: fold the shorthand `exclude` into `modules.exclude`.

Takes a tree and gives a tree. Total: if `modules` is not an object, or either list is not a list, it
changes nothing and leaves the verdict to `validate`. The `exclude` of a file in the 0.x shape is left to `migrate`.
Law: normalise(normalise(t)) == normalise(t).
"""

from typing import Any

from msgspec.structs import replace
from toolz import assoc_in, dissoc, unique

from pipeline.config.legacy_keys import is_flat
from pipeline.config.tree import KeyPath, Tree
from pipeline.schema import SHORTHAND

FOLDED: KeyPath = ("modules", "exclude")


def normalise(tree: Tree) -> Tree:
    """Append `exclude` to `modules.exclude`, drop duplicates, keep every mark (`docs/configuration.md`)."""
    data = tree.data
    if not isinstance(data, dict) or not isinstance(data.get(SHORTHAND), list) or is_flat(tree):
        return tree
    modules = data.get("modules", {})
    if not isinstance(modules, dict) or not isinstance(modules.get("exclude", []), list):
        return tree
    items = [
        *((item, (*FOLDED, index)) for index, item in enumerate(modules.get("exclude", []))),
        *((item, (SHORTHAND, index)) for index, item in enumerate(data[SHORTHAND])),
    ]
    kept = tuple(unique(items, key=_identity))
    folded = assoc_in(dissoc(data, SHORTHAND), FOLDED, [item for item, _ in kept])
    marks = {
        **{path: mark for path, mark in tree.marks.items() if path[:1] != (SHORTHAND,) and path[:2] != FOLDED},
        FOLDED[:1]: tree.mark(FOLDED[:1] if "modules" in data else (SHORTHAND,)),
        FOLDED: tree.mark(FOLDED if "exclude" in modules else (SHORTHAND,)),
        **{(*FOLDED, index): tree.mark(path) for index, (_, path) in enumerate(kept)},
    }
    return replace(tree, data=folded, marks=marks)


def _identity(item: tuple[Any, KeyPath]) -> object:
    """Equal strings are duplicates; anything else is kept, for `validate` to refuse each in its place."""
    value, path = item
    return value if isinstance(value, str) else path
