"""Needs: what components that are built need from the drop.

Takes choices and gives warnings. What the project has of it is for `building` to say.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct
from toolz import groupby

from pipeline.archives.archive import Component
from pipeline.archives.entry_names import last_part
from pipeline.archives.naming import name_by_folder, suggested_by, without_version
from pipeline.report.diagnostic import ListsBelow, WarningDiagnostic
from pipeline.report.diagnostics.selection import bringing_in, needed_component
from pipeline.report.events import ComponentKind
from pipeline.schema import ARCHIVE_SUFFIX
from pipeline.selection.choices import Choice, SelectionRule
from pipeline.systems.table import system_called

_NEVER_BUILT: Final = frozenset[SelectionRule]({"not built", "other system"})
"""Why an archive is no component for the system in the project."""


class MissingNeed(Struct, frozen=True):
    """A module or theme that built components need; `project` is the project that they name for it, else its name."""

    kind: ComponentKind
    name: str
    project: str
    needed_by: tuple[str, ...]


def needs(choices: tuple[Choice, ...], lists_below: ListsBelow = None) -> tuple[WarningDiagnostic, ...]:
    """Note components that are left out although a selected component needs them."""
    chosen = tuple(choice for choice in choices if choice.selected)
    return (*_left_out(choices, chosen, lists_below), *_parents_left_out(choices, chosen, lists_below))


def _left_out(
    choices: Iterable[Choice], chosen: tuple[Choice, ...], lists_below: ListsBelow
) -> Iterator[WarningDiagnostic]:
    """The modules of the drop that are left out although a selected component needs them or a module in them."""
    there = _by_name(choices)
    needs_of = ((each, need) for each in chosen for need in each.component.needs)
    first = ((next((there[name] for name in need if name in there), each), each) for each, need in needs_of)
    left_out = ((found, user) for found, user in first if not found.selected and found.component.kind == "module")
    wanted: dict[str, list[tuple[Choice, Choice]]] = groupby(lambda pair: pair[0].component.name, left_out)
    for module, pairs in sorted(wanted.items()):
        reason = pairs[0][0].reason
        dependents = tuple(sorted({user.component.name for _, user in pairs}))
        advice = bringing_in(module, reason.setting, reason.location, lists_below)
        yield needed_component(module, dependents, advice, reason.location)


def _by_name(choices: Iterable[Choice]) -> dict[str, Choice]:
    """The components of the drop by their names and the names of the modules in them; a selected one comes first."""
    there: dict[str, Choice] = {}
    for choice in sorted(choices, key=lambda each: not each.selected):
        for name in (choice.component.name, *choice.component.provides):
            there.setdefault(name, choice)
    return there


def missing_needs(built: Iterable[Component], choices: tuple[Choice, ...]) -> tuple[MissingNeed, ...]:
    """The needs of components that the drop does not satisfy, by name.

    None if an archive is refused before it is recognised, as it may hold any component.
    """
    there = {name.casefold() for name in _by_name(each for each in choices if each.reason.rule not in _NEVER_BUILT)}
    if any(choice.reason.rule == "refused" for choice in choices):
        return ()
    wanted: dict[tuple[ComponentKind, str, str], set[str]] = {}
    for each in built:
        for kind, names in _wanted(each):
            if there.isdisjoint(name.casefold() for name in names):
                wanted.setdefault((kind, names[0], names[-1]), set()).add(each.name)
    return tuple(MissingNeed(*what, tuple(sorted(dependents))) for what, dependents in sorted(wanted.items()))


def _wanted(component: Component) -> Iterator[tuple[ComponentKind, tuple[str, ...]]]:
    yield from (("module", need) for need in component.needs)
    if component.parent:
        yield "theme", (component.parent,)


def archive_to_rename(kind: ComponentKind, name: str, choices: Iterable[Choice]) -> str:
    """The only archive that would give a needed component, if it were called like that; empty if there is none.

    A download made its folder, so its name is a guess: `rocket` for what is in `wp-rocket-3.15`.
    """
    guessed = [each for each in choices if each.component.is_guessed and each.component.kind == kind]
    left_out = kind == "theme"  # a parent is left out as long as no theme builds on it
    found = [each.archive.file for each in guessed if (each.selected or left_out) and _may_be_called(name, each)]
    return found[0].display_path if len(found) == 1 else ""


def _may_be_called(name: str, choice: Choice) -> bool:
    """Whether the download of a component suggests a name, which it has if the archive is called so."""
    file = choice.archive.file
    root = choice.component.root
    suggested = {*suggested_by(last_part(root.rstrip("/"))), without_version(file.stem)}
    if file.member or name not in suggested:
        return False
    rules = system_called(choice.component.system).naming
    called, is_guess = name_by_folder(root, name + ARCHIVE_SUFFIX, (), rules)
    return called.name == name and not is_guess


def _parents_left_out(
    choices: Iterable[Choice], chosen: tuple[Choice, ...], lists_below: ListsBelow
) -> Iterator[WarningDiagnostic]:
    """The themes of the drop that are left out although one that is built builds on them; unopened files go by name."""
    built = {choice.component.name for choice in chosen if choice.component.kind == "theme"}
    maybe = (choice for choice in choices if choice.component.kind == "theme" or choice.archive.component is None)
    out = {choice.component.name: choice for choice in maybe if not choice.selected}
    for choice in chosen:
        left = out.get(choice.component.parent or "")
        if left and left.reason.setting == "modules.exclude" and left.component.name not in built:
            file = left.archive.file
            called = file.names[bool(file.member)]
            reason = left.reason
            advice = bringing_in(called, reason.setting, reason.location, lists_below)
            yield needed_component(left.component.name, (choice.component.name,), advice, reason.location)
