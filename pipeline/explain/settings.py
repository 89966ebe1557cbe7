"""Settings: why a leaf has its value, and what would give it another (`docs/explain.md`).

Who won and who lost is read from the decision that `merge` made. Each change is tried before it is told.
"""

from collections.abc import Iterator
from typing import Final

from pipeline.config.layers import Element, Layer, Origin, Settings, absolute_item
from pipeline.explain.changes import (
    Act,
    Case,
    comparable_value,
    delete,
    effects,
    items_of,
    keys_of,
    omit_flag,
    omit_value,
    pass_flag,
    tree_of,
    unset,
    unset_value,
)
from pipeline.explain.document import Change, ElementRow, LayerValue, SettingPart
from pipeline.merge import merge
from pipeline.schema import Leaf, Value

TRIED_LIMIT: Final = 100
"""For how many elements of a list a change is tried: each of them takes a resolution."""


def explain_setting(leaf: Leaf, case: Case) -> SettingPart:
    """Explain the value of one leaf; of a very long list, changes are tried for the first elements only."""
    decision = case.decision(leaf)
    elements = enumerate(decision.elements)
    return SettingPart(
        path=leaf.path,
        value=decision.value,
        meaning=leaf.meaning,
        flag=leaf.flag,
        variable=leaf.variable,
        layers=tuple(_layers(leaf, case)),
        elements=tuple(_element(leaf, each, case, tries=number < TRIED_LIMIT) for number, each in elements),
        detected=tuple(each.value for each in decision.detected),
        changes=tuple(_others(leaf, case)),
    )


def _layers(leaf: Leaf, case: Case) -> Iterator[LayerValue]:
    """The winner, then every layer below it."""
    decision = case.decision(leaf)
    winner, kept = decision.winner, len(decision.extended)
    yield LayerValue(winner.layer, str(winner.source), winner.value, wins=True)
    for number, loser in enumerate(decision.overridden):
        yield LayerValue(
            loser.layer,
            str(loser.source),
            loser.value,
            wins=False,
            extended=number < kept,
            because="" if number < kept else _because(winner, loser),
            change=_change_to(leaf, number + 1, case),
        )


def _because(winner: Origin, loser: Origin) -> str:
    """Why a layer lost."""
    if winner.layer == loser.layer:
        return f"a later preset overrides an earlier one, and `{winner.source.name}` comes later"
    return f"`{winner.layer}` overrides `{loser.layer}`"


def _change_to(leaf: Leaf, rank: int, case: Case) -> Change | None:
    """The smallest change by which a layer decides, given how many are above it.

    It is to take away what is above, or if that is less, to pass the value that would then hold as a flag.
    """
    decision = case.decision(leaf)
    stack = decision.origins
    removals = [_removal(leaf, origin, case) for origin in stack[:rank]]
    acts = tuple(act for removal in removals for act in removal) if all(removals) else ()
    after = case.after(acts) if acts else None
    settled = after.settings if after else merge((Layer({leaf.path: stack[rank:]}),), case.request.start)
    wanted = comparable_value(settled, leaf)
    if wanted == comparable_value(case.settings, leaf) or settled.decision(leaf.path).winner != stack[rank]:
        return None
    tried = (_change(leaf, acts, after.settings, case) if after else None), _passing(leaf, settled, case)
    return min(filter(None, tried), key=lambda change: len(change.steps), default=None)


def _passing(leaf: Leaf, settled: Settings, case: Case) -> Change | None:
    """To pass as a flag what holds in other settings; `None` if a flag cannot say it."""
    return attempt(leaf, (pass_flag(leaf, settled.decision(leaf.path).value),), comparable_value(settled, leaf), case)


def _removal(leaf: Leaf, origin: Origin, case: Case) -> tuple[Act, ...]:
    """What makes a layer silent about a leaf; empty if nothing does."""
    if origin.layer == "flag":
        return (omit_flag(leaf, origin),)
    if origin.layer == "env":
        return (unset(leaf.variable),)
    tree = tree_of(origin, case)
    return tuple(delete(tree, path) for path in keys_of(leaf, tree)) if tree else ()


def attempt(leaf: Leaf, acts: tuple[Act, ...], wanted: object, case: Case) -> Change | None:
    """Resolve after a change; `None` if that fails, or if another value than is wanted would hold."""
    after = case.after(acts)
    if after is None or comparable_value(after.settings, leaf) != wanted:
        return None
    return _change(leaf, acts, after.settings, case)


def _change(leaf: Leaf, acts: tuple[Act, ...], after: Settings, case: Case) -> Change:
    return Change(tuple(act.step for act in acts), effects(case.settings, after, leaf.path))


def _element(leaf: Leaf, element: Element, case: Case, *, tries: bool) -> ElementRow:
    """One element of a list, with the change that takes it out and no other."""
    others = [each for each in case.decision(leaf).elements if _item(leaf, each) != _item(leaf, element)]
    wanted = tuple(_item(leaf, each) for each in others)
    ways = (taking_out(leaf, element, case), (pass_flag(leaf, tuple(each.value for each in others)),))
    tried = (attempt(leaf, acts, wanted, case) for acts in ways if acts and tries)
    return ElementRow(element.value, element.layer, str(element.source), next(filter(None, tried), None))


def _item(leaf: Leaf, element: Element) -> object:
    return absolute_item(leaf, element)


def taking_out(leaf: Leaf, element: Element, case: Case) -> tuple[Act, ...]:
    """What takes an element out of the list that it is written in; empty if nothing does."""
    if element.layer == "flag":
        return (omit_value(leaf, element.origin, element.value),)
    if element.layer == "env":
        return (unset_value(leaf, element.origin, element.value),)
    if element.layer == "default":
        return (unset(element.source.name),)
    tree = tree_of(element.origin, case)
    return tuple(delete(tree, path) for path in items_of(leaf, tree, element.value)) if tree else ()


def _others(leaf: Leaf, case: Case) -> Iterator[Change]:
    """What gives a leaf a value that no layer has, where there are only a few values."""
    decision = case.decision(leaf)
    known = {origin.value for origin in decision.origins}
    values: tuple[Value, ...] = (True, False) if leaf.type == "boolean" else leaf.choices
    for value in values:
        if value not in known and (change := attempt(leaf, (pass_flag(leaf, value),), value, case)):
            yield change
