"""Archives: why an archive is built or not, and what would turn that round (`docs/explain.md`).

Why is read from the choice that `select` made. Each change is tried, by resolving and selecting once more.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeAlias

from msgspec import Struct

from pipeline.archives.archive import Archive
from pipeline.config.layers import Settings
from pipeline.explain.changes import Act, Case, add, effects, keys_of, pass_flag, tree_of
from pipeline.explain.document import ArchiveEffect, ArchivePart, Change, PatternRow
from pipeline.explain.settings import taking_out
from pipeline.report.build_problems import ArchiveRejected, FileSystemProblem
from pipeline.schema import LEAVES, NONE, SPLICE, Leaf
from pipeline.selection.choices import Choice, reason_text
from pipeline.selection.patterns import names_files, verdicts
from pipeline.selection.select import Selection, select

LEAF: Final = {leaf.path: leaf for leaf in LEAVES}
WORK_LIMIT: Final = 200_000
"""How often an archive is compared with a pattern in all that is tried, about: each change takes a whole selection."""
_SPECIAL: Final = re.compile(r"[*?[]")

FindArchives: TypeAlias = Callable[[Settings], tuple[Archive, ...]]
"""What is found in a drop, given the settings: these say which archives are opened, and may name one elsewhere."""


class DropCase(Struct, frozen=True):
    """What was resolved and selected, and from what. `drop` is the folder as the user wrote it."""

    case: Case
    drop: str
    find: FindArchives
    selection: Selection

    def after(self, acts: tuple[Act, ...]) -> tuple[Settings, Selection] | None:
        """What would be resolved and selected if all of this were done; `None` if that is a new problem."""
        resolution = self.case.after(acts)
        if resolution is None:
            return None
        selection = select(resolution.settings, self.find(resolution.settings), self.drop)
        is_worse = set(selection.problems) - set(self.selection.problems)
        return None if is_worse else (resolution.settings, selection)


def select_in(case: Case, drop: str, find: FindArchives) -> DropCase:
    """Select in a drop."""
    return DropCase(case, drop, find, select(case.settings, find(case.settings), drop))


def explain_archives(choices: Iterable[Choice], case: DropCase) -> tuple[ArchivePart, ...]:
    """Explain archives of a drop; in a very large one, changes are tried for the first of them only."""
    patterns = sum(len(each.elements) for each in case.case.settings.decisions)
    limit = max(1, WORK_LIMIT // ((len(case.selection.choices) + 1) * (patterns + 1)))
    return tuple(_part(choice, case, tries=number < limit) for number, choice in enumerate(choices))


def _part(choice: Choice, case: DropCase, *, tries: bool) -> ArchivePart:
    archive, component, reason = choice.archive, choice.component, choice.reason
    return ArchivePart(
        archive=archive.file.display_path,
        kind=component.kind,
        name=component.name,
        version=component.version,
        system=component.system or None,
        opened=archive.component is not None or bool(archive.refusals),
        evidence=component.evidence,
        field=component.field or None,
        selected=choice.selected,
        rule=reason.rule,
        reason=reason_text(reason),
        patterns=tuple(_patterns(choice, case.case.settings)),
        parent=component.parent,
        requires=component.requires,
        needed_by=_needed_by(choice, case.selection.choices),
        refusals=tuple(map(_refusal, archive.refusals)),
        change=_change(choice, case) if tries else None,
    )


def _patterns(choice: Choice, settings: Settings) -> Iterator[PatternRow]:
    """What the lists of patterns say about an archive; of a theme only those count that name files."""
    file, is_theme = choice.archive.file, choice.component.kind == "theme"
    names = file.names[file.is_theme_setting :] if is_theme else (choice.component.name, *file.names)
    for layer, is_in, reason in verdicts(settings, names, names_files if is_theme else bool):
        if reason.word or not is_theme:
            decides, source = reason == choice.reason, str(reason.source)
            yield PatternRow(reason.leaf, reason.word, layer, source, "in" if is_in else "out", decides)


def _needed_by(choice: Choice, choices: Iterable[Choice]) -> tuple[str, ...]:
    """The components that declare that they need a module, or build on a theme."""
    name = choice.component.name
    if choice.component.kind == "theme":
        users = (each.component.name for each in choices if each.component.parent == name)
    else:
        users = (each.component.name for each in choices if name in each.component.requires)
    return tuple(sorted(set(users) - {name}))


def _refusal(refusal: ArchiveRejected | FileSystemProblem) -> str:
    if isinstance(refusal, FileSystemProblem):
        return refusal.cause
    return f"{refusal.entry}: {refusal.reason}" if refusal.entry else refusal.reason


def _change(choice: Choice, case: DropCase) -> Change | None:
    """The smallest change that would build an archive, or leave it out: if there is one, one that moves no other."""
    tried = []
    for acts in _ways(choice, case.case):
        if acts and (change := _attempt(choice, acts, case)):
            tried.append(change)
            if _extent(change) == (1, 1, 1):
                break
    return min(tried, key=_extent, default=None)


def _extent(change: Change) -> tuple[int, int, int]:
    return len(change.archives), len(change.settings), len(change.steps)


def _attempt(choice: Choice, acts: tuple[Act, ...], case: DropCase) -> Change | None:
    after = case.after(acts)
    if after is None:
        return None
    settings, selection = after
    archive = choice.archive.file.display_path
    moved = _moved(case.selection, selection, archive)
    if all(each.archive != archive for each in moved):
        return None
    return Change(tuple(act.step for act in acts), effects(case.case.settings, settings), moved)


def _moved(before: Selection, after: Selection, first: str) -> tuple[ArchiveEffect, ...]:
    """The archives that are selected in one of two selections, one of them first.

    One that was not opened stands for every member that is in it.
    """
    old, new = (_selected(selection) for selection in (before, after))
    closed = {choice.archive.file.display_path for choice in before.choices if choice.archive.component is None}
    opened = {name for name in closed if any(member.startswith(f"{name}!") for member in new)}
    names = sorted({*(old ^ new), *opened}, key=lambda name: (name != first, name))
    return tuple(ArchiveEffect(name, name in new or name in opened) for name in names)


def _selected(selection: Selection) -> set[str]:
    return {choice.archive.file.display_path for choice in selection.choices if choice.selected}


def _ways(choice: Choice, case: Case) -> Iterator[tuple[Act, ...]]:
    """What may turn the choice round, the most direct first."""
    if choice.archive.refusals and not choice.selected:
        return
    wanted = not choice.selected
    yield from _without_deciding(choice, case)
    if choice.component.kind == "theme" and choice.archive.component:
        yield (pass_flag(LEAF["theme"], choice.component.name if wanted else NONE),)
    if choice.reason.rule in {"older", "same content"}:
        yield _more(LEAF["modules.exclude"], _literal(choice.reason.word.rpartition("/")[2]), case)
    only = ("modules.only",) if case.settings.modules_only else ()
    lists = ("modules.include", *only) if wanted else ("modules.exclude",)
    for name in _names(choice):
        for path in lists:
            yield _more_in_file(LEAF[path], name, case)
            yield _more(LEAF[path], name, case)


def _names(choice: Choice) -> tuple[str, ...]:
    """The patterns that match an archive, and as little else as possible: by its name, by its file."""
    file = choice.archive.file
    by_file = file.names[1] if file.member else file.name
    names = (by_file,) if choice.component.kind == "theme" else (choice.component.name, by_file)
    return tuple(map(_literal, names))


def _literal(name: str) -> str:
    """The pattern that matches a name and nothing else."""
    return _SPECIAL.sub(r"[\g<0>]", name)


def _without_deciding(choice: Choice, case: Case) -> Iterator[tuple[Act, ...]]:
    """To take out the pattern that decides."""
    leaf, reason = LEAF.get(choice.reason.leaf), choice.reason
    elements = case.decision(leaf).elements if leaf and leaf.type == "strings" else ()
    for element in elements:
        if leaf and (element.value, element.source) == (reason.word, reason.source):
            yield taking_out(leaf, element, case)


def _more(leaf: Leaf, item: str, case: Case) -> tuple[Act, ...]:
    """To pass a flag once more, with the values that hold so far."""
    winner = case.decision(leaf).winner
    own = winner.value if isinstance(winner.value, tuple) else ()
    kept = own if winner.layer == "flag" else (SPLICE,) if own else ()
    return (pass_flag(leaf, (*kept, item)),)


def _more_in_file(leaf: Leaf, item: str, case: Case) -> tuple[Act, ...]:
    """To add a pattern to the list in a file, if that decides."""
    winner = case.decision(leaf).winner
    tree = tree_of(winner, case) if winner.layer in {"config", "preset"} else None
    return (add(tree, keys_of(leaf, tree)[0], item),) if tree else ()
