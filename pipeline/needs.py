"""Needs: what the components that are built say they need of the drop, and what the system is that they are for.

Takes choices and gives notes. What a system has itself is no archive of the drop, so that nothing is said of it.
"""

from collections.abc import Iterable, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from typing import Final

from toolz import frequencies, groupby

from pipeline.choices import Choice
from pipeline.events import Kind
from pipeline.notes import CircularNeeds, MixedSystems, NeededModule, NeededTheme, Note

CYCLE_LIMIT: Final = 10
"""How many circles are told."""


def needs(choices: tuple[Choice, ...], by_flag: frozenset[str]) -> tuple[Note, ...]:
    """Say what is needed and left out, what needs itself, and whether systems are mixed.

    `by_flag` are the lists of patterns that were given as flags.
    """
    chosen = tuple(choice for choice in choices if choice.selected)
    parents = {each.component.name: (each.component.parent,) for each in chosen if each.component.kind == "theme"}
    modules = {each.component.name: each.component.requires for each in chosen if each.component.kind == "module"}
    return (
        *_left_out(choices, chosen, by_flag),
        *_parents_left_out(choices, chosen, by_flag),
        *circles("theme", parents),
        *circles("module", modules),
        *_mixed(chosen),
    )


def _left_out(choices: Iterable[Choice], chosen: tuple[Choice, ...], by_flag: frozenset[str]) -> Iterator[NeededModule]:
    """Modules of the drop that are left out and that what is built needs."""
    modules = [choice for choice in choices if choice.component.kind == "module"]
    built = {choice.component.name for choice in modules if choice.selected}
    out = {choice.component.name: choice.reason for choice in modules if choice.component.name not in built}
    wanted: dict[str, list[tuple[str, str]]] = groupby(
        0, ((need, choice.component.name) for choice in chosen for need in choice.component.requires if need in out)
    )
    for module, pairs in sorted(wanted.items()):
        reason = out[module]
        users = tuple(sorted({name for _, name in pairs}))
        yield NeededModule(module, users, reason.leaf, reason.source, by_flag=reason.leaf in by_flag)


def _parents_left_out(
    choices: Iterable[Choice], chosen: tuple[Choice, ...], by_flag: frozenset[str]
) -> Iterator[NeededTheme]:
    """Themes of the drop that are left out and that what is built builds on; the name of a closed file tells."""
    built = {choice.component.name for choice in chosen if choice.component.kind == "theme"}
    out = {choice.component.name: choice for choice in choices if _may_be_theme(choice) and not choice.selected}
    for choice in chosen:
        left = out.get(choice.component.parent or "")
        if left and left.reason.leaf == "modules.exclude" and left.component.name not in built:
            file, reason = left.archive.file, left.reason
            called = file.names[bool(file.member)]
            by_a_flag = reason.leaf in by_flag
            yield NeededTheme(left.component.name, choice.component.name, called, reason.source, by_flag=by_a_flag)


def _may_be_theme(choice: Choice) -> bool:
    return choice.component.kind == "theme" or choice.archive.component is None


def circles(kind: Kind, needs: Mapping[str, Iterable[str | None]]) -> Iterator[CircularNeeds]:
    """Name the circles among components of a kind, given what each needs: `CYCLE_LIMIT` at most."""
    graph = {name: [need for need in wanted if need is not None and need in needs] for name, wanted in needs.items()}
    for _ in range(CYCLE_LIMIT):
        circle = _circle(graph)
        if not circle:
            break
        yield CircularNeeds(kind, circle)
        graph[circle[0]] = [need for need in graph[circle[0]] if need != circle[1 % len(circle)]]


def _circle(graph: dict[str, list[str]]) -> tuple[str, ...]:
    """Names of which each needs the next, and the last the first; it begins with the first by name."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        names = list(error.args[1][:0:-1])  # each is needed by the one before, and the first is the last
        first = names.index(min(names))
        return (*names[first:], *names[:first])
    return ()


def _mixed(chosen: Iterable[Choice]) -> Iterator[MixedSystems]:
    counts: dict[str, int] = frequencies(choice.component.system for choice in chosen if choice.component.system)
    if len(counts) > 1:
        yield MixedSystems(tuple(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))))
