"""Needs: what built components need from the drop.

Takes choices and gives warnings. `building` checks what the project itself has.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from operator import attrgetter, itemgetter
from typing import Final

from msgspec import Struct

from pipeline.archives.archive import Component
from pipeline.archives.entry_names import last_part
from pipeline.archives.naming import name_by_folder, suggested_by, without_version
from pipeline.report.diagnostic import ListsBelow, WarningDiagnostic
from pipeline.report.diagnostics.selection import bringing_in, needed_component
from pipeline.report.events import ComponentKind
from pipeline.schema import ARCHIVE_SUFFIX
from pipeline.selection.choices import Choice, Reason, SelectionRule
from pipeline.systems.table import system_called

_NEVER_BUILT: Final = frozenset[SelectionRule]({"not built", "other system"})
"""Why an archive is no component for the project's system."""


class MissingNeed(Struct, frozen=True):
    """A module or theme that built components need; `project` is the project that they name for it,
    or its own name.
    """

    kind: ComponentKind
    name: str
    project: str
    needed_by: tuple[str, ...]


def needs(
    choices: tuple[Choice, ...], lists_below: ListsBelow, remains: Callable[[Choice], bool]
) -> tuple[WarningDiagnostic, ...]:
    """Warn about components that are left out although a selected component needs them, unless the
    project keeps them.
    """
    chosen = tuple(filter(attrgetter("selected"), choices))
    modules = _left_out(choices, chosen, lists_below, remains)
    return (*modules, *_parents_left_out(choices, chosen, lists_below, remains))


def _left_out(
    choices: Iterable[Choice],
    chosen: tuple[Choice, ...],
    lists_below: ListsBelow,
    remains: Callable[[Choice], bool],
) -> Iterator[WarningDiagnostic]:
    """The modules of the drop that are left out although a selected component needs them or a
    module inside them.
    """
    by_name = _by_name(choices)
    reasons = dict[str, Reason]()
    dependents = defaultdict[str, set[str]](set)
    for choice in chosen:
        for names in choice.component.needs:
            needed = next(filter(None, map(by_name.get, names)), None)
            if needed is None or needed.selected or remains(needed):
                continue
            if needed.component.kind == "module":
                name = needed.component.name
                reasons.setdefault(name, needed.reason)
                dependents[name].add(choice.component.name)
    for name, reason in sorted(reasons.items(), key=itemgetter(0)):
        advice = bringing_in(name, reason.setting, reason.location, lists_below)
        yield needed_component(name, tuple(sorted(dependents[name])), advice, reason.location)


def _by_name(choices: Iterable[Choice]) -> dict[str, Choice]:
    """The components of the drop by their names and those of the modules inside them; a selected
    one comes first.
    """
    by_name = dict[str, Choice]()
    for choice in sorted(choices, key=lambda choice: not choice.selected):
        for name in (choice.component.name, *choice.component.provides):
            by_name.setdefault(name, choice)
    return by_name


def missing_needs(
    built: Iterable[Component], choices: tuple[Choice, ...]
) -> tuple[MissingNeed, ...]:
    """The needs of components that the drop does not satisfy, by name.

    Empty if an archive is refused before it is recognised, as it may hold any component.
    """
    if any(choice.reason.rule == "refused" for choice in choices):
        return ()
    usable = (choice for choice in choices if choice.reason.rule not in _NEVER_BUILT)
    in_drop = set(map(str.casefold, _by_name(usable)))
    wanted = defaultdict[tuple[ComponentKind, str, str], set[str]](set)
    for component in built:
        for kind, names in _wanted(component):
            if in_drop.isdisjoint(map(str.casefold, names)):
                wanted[kind, names[0], names[-1]].add(component.name)
    return tuple(
        MissingNeed(*need, tuple(sorted(dependents))) for need, dependents in sorted(wanted.items())
    )


def _wanted(component: Component) -> Iterator[tuple[ComponentKind, tuple[str, ...]]]:
    for names in component.needs:
        yield "module", names
    if component.parent:
        yield "theme", (component.parent,)


def archive_to_rename(kind: ComponentKind, name: str, choices: Iterable[Choice]) -> str:
    """The only archive that would provide a needed component under another file name; empty if
    there is none.

    A download made its folder, so its name is a guess: `rocket` for the contents
    of `wp-rocket-3.15`.
    """
    files = list[str]()
    for choice in choices:
        component = choice.component
        # A parent is left out as long as no theme builds on it.
        may_be_built = choice.selected or kind == "theme"
        if (
            component.is_guessed
            and component.kind == kind
            and may_be_built
            and _may_be_called(name, choice)
        ):
            files.append(choice.archive.file.display_path)
    if len(files) != 1:
        return ""
    return files[0]


def _may_be_called(name: str, choice: Choice) -> bool:
    """Whether a component's download suggests a name, which the component gets if the archive has
    that name.
    """
    file = choice.archive.file
    root = choice.component.root
    suggested = {*suggested_by(last_part(root.rstrip("/"))), without_version(file.stem)}
    if file.member or name not in suggested:
        return False
    rules = system_called(choice.component.system).naming
    called, is_guess = name_by_folder(root, name + ARCHIVE_SUFFIX, (), rules)
    return called.name == name and not is_guess


def _parents_left_out(
    choices: Iterable[Choice],
    chosen: tuple[Choice, ...],
    lists_below: ListsBelow,
    remains: Callable[[Choice], bool],
) -> Iterator[WarningDiagnostic]:
    """The themes of the drop that are left out although a built theme builds on them; unopened
    files go by name.
    """
    built = {choice.component.name for choice in chosen if choice.component.kind == "theme"}
    out = dict[str, Choice]()
    for choice in choices:
        may_be_theme = choice.component.kind == "theme" or choice.archive.component is None
        if may_be_theme and not choice.selected:
            out[choice.component.name] = choice
    for choice in chosen:
        left = out.get(choice.component.parent or "")
        if (
            left
            and left.reason.setting == "modules.exclude"
            and left.component.name not in built
            and not remains(left)
        ):
            file = left.archive.file
            called = file.names[bool(file.member)]
            reason = left.reason
            advice = bringing_in(called, reason.setting, reason.location, lists_below)
            yield needed_component(
                left.component.name, (choice.component.name,), advice, reason.location
            )
