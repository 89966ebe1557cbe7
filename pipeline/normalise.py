"""Normalise: fold the shorthand `exclude` into `modules.exclude`.

Takes a tree and gives a tree. Total: if `modules` is not an object, or either list is not a list or
longer than one may be, it changes nothing and leaves the verdict to `validate`. The `exclude` of a
file in the 0.x shape is left to `migrate`. Law: normalise(normalise(t)) == normalise(t).

The element `"..."` may be in each of the two lists once, and is in the result once: where it stands
first. One that is repeated in its own list is kept, for `validate` to refuse.
"""

from collections.abc import Iterator
from operator import itemgetter
from typing import Any

from toolz import assoc_in, dissoc, unique

from pipeline.config.legacy_keys import is_flat
from pipeline.config.tree import KeyPath, Tree
from pipeline.schema import LIST_LIMIT, SHORTHAND, SPLICE, splice_at
from pipeline.values import replace

FOLDED: KeyPath = ("modules", "exclude")


def normalise(tree: Tree) -> Tree:
    """Append `exclude` to `modules.exclude`, drop duplicates, keep every
    position (`docs/configuration.md`).
    """
    data = tree.data
    if not isinstance(data, dict) or not isinstance(data.get(SHORTHAND), list) or is_flat(tree):
        return tree
    modules = data.get("modules", {})
    if not isinstance(modules, dict) or not isinstance(modules.get("exclude", []), list):
        return tree
    lists = (modules.get("exclude", []), data[SHORTHAND])
    if max(map(len, lists)) > LIST_LIMIT:
        return tree
    items = [*_items(lists[0], FOLDED), *_items(lists[1], (SHORTHAND,))]
    kept = list(unique(items, key=itemgetter(2)))
    folded = assoc_in(dissoc(data, SHORTHAND), FOLDED, [item for item, _, _ in kept])
    positions = {
        path: position
        for path, position in tree.positions.items()
        if path[:1] != (SHORTHAND,) and path[:2] != FOLDED
    }
    positions[FOLDED[:1]] = tree.position((SHORTHAND,))
    positions[FOLDED] = tree.position((SHORTHAND,))
    if "modules" in data:
        positions[FOLDED[:1]] = tree.position(FOLDED[:1])
    if "exclude" in modules:
        positions[FOLDED] = tree.position(FOLDED)
    for index, (_, path, _) in enumerate(kept):
        positions[*FOLDED, index] = tree.position(path)
    return replace(tree, data=folded, positions=positions)


def _items(items: list[Any], path: KeyPath) -> Iterator[tuple[Any, KeyPath, object]]:
    """Each item of a list with its path and an identity: equal strings are duplicates.

    Anything else is kept, and so is a repeated `"..."`: `validate` refuses each in its place.
    """
    first = splice_at(items)
    for index, item in enumerate(items):
        place = (*path, index)
        is_again = item == SPLICE and index > first
        if isinstance(item, str) and not is_again:
            yield item, place, item
        else:
            yield item, place, place
