"""Archives: why an archive is built or not, and what would turn that round (`docs/explain.md`).

Why is read from the choice that `select` made. Each change is tried, by resolving and selecting once more.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePath
from typing import Final

from msgspec import Struct
from toolz import concat

from pipeline.archives.inspection import refusal_of
from pipeline.building.draft import Drop
from pipeline.building.steps import Plan
from pipeline.explain.advice import ArchiveEffect, Change
from pipeline.explain.changes import Act, Case, add, effects, pass_flag, silence
from pipeline.explain.document import ArchivePart, PatternRow
from pipeline.plan import choose
from pipeline.schema import NONE, SETTINGS, SPLICE, Setting
from pipeline.selection.choices import Choice, reason_text
from pipeline.selection.patterns import names_files, verdicts
from pipeline.selection.select import Selection

SETTING: Final = {setting.path: setting for setting in SETTINGS}
WORK_LIMIT: Final = 200_000
"""How often an archive is compared with a pattern in all that is tried, about: each change takes a whole selection."""


class DropCase(Struct, frozen=True):
    """What was resolved and selected, and from what."""

    case: Case
    drop: Drop
    selection: Selection
    preview: Plan = Plan(project=PurePath(), steps=())
    """What is in the project, of what is selected."""


def explain_archives(choices: Iterable[Choice], case: DropCase, *, tries: bool = True) -> tuple[ArchivePart, ...]:
    """Explain archives of a drop; if changes are tried, in a very large one that is for the first of them only."""
    patterns = sum(len(each.elements) for each in case.case.settings.decisions)
    limit = max(1, WORK_LIMIT // ((len(case.selection.choices) + 1) * (patterns + 1)))
    return tuple(_part(choice, case, tries=tries and number < limit) for number, choice in enumerate(choices))


def _part(choice: Choice, case: DropCase, *, tries: bool) -> ArchivePart:
    archive, component, reason = choice.archive, choice.component, choice.reason
    change, alternative, *_ = (*(_changes(choice, case) if tries else []), None, None)
    recorded, place = case.preview.before.components.get(choice.path), case.preview.places.get(choice.path)
    return ArchivePart(
        archive=archive.file.display_path,
        kind=component.kind,
        name=component.name,
        named_by=component.named_by or None,
        guessed=component.is_guessed,
        version=component.version,
        version_by=component.version_by or None,
        system=component.system or None,
        opened=archive.component is not None or bool(archive.refusals),
        evidence=component.evidence,
        field=component.field or None,
        selected=choice.selected,
        built=bool(recorded and recorded.comes_from(archive) and place and place.standing == "present"),
        rule=reason.rule,
        reason=reason_text(reason),
        patterns=tuple(_patterns(choice, case)),
        parent=component.parent,
        requires=component.requires,
        needed_by=_needed_by(choice, case.selection.choices),
        refusals=tuple(str(refusal_of(each)) for each in archive.refusals),
        change=change,
        alternative=alternative,
    )


def _patterns(choice: Choice, case: DropCase) -> Iterator[PatternRow]:
    """What the lists of patterns say about an archive; of a theme only those count that name files."""
    file, is_theme = choice.archive.file, choice.component.kind == "theme"
    names = file.names[file.is_theme_setting :] if is_theme else (choice.component.name, *file.names)
    for layer, is_in, reason in verdicts(case.case.settings, names, names_files if is_theme else bool):
        if reason.word or not is_theme:
            decides, source = reason == choice.reason, str(reason.location)
            yield PatternRow(reason.setting, reason.word, layer, source, "in" if is_in else "out", decides)


def _needed_by(choice: Choice, choices: Iterable[Choice]) -> tuple[str, ...]:
    """The components that declare that they need a module, or build on a theme."""
    name, is_theme = choice.component.name, choice.component.kind == "theme"
    components = (each.component for each in choices)
    users = {each.name for each in components if name in ((each.parent,) if is_theme else concat(each.needs))}
    return tuple(sorted(users - {name}))


def _changes(choice: Choice, case: DropCase) -> list[Change]:
    """The smallest changes that would build an archive, or leave it out, of those for this run and of those for good.

    If there is one, that is one that moves no other archive.
    """
    found: dict[bool, Change] = {}
    for acts in filter(None, _ways(choice, case.case)):
        known = found.get(acts[0].step.is_for_good)
        if (known is None or _extent(known) > (1, 1, 1)) and (change := _attempt(choice, acts, case)):
            found[acts[0].step.is_for_good] = min(filter(None, (known, change)), key=_extent)
    return sorted(found.values(), key=_extent)


def _extent(change: Change) -> tuple[int, int, int]:
    return len(change.archives), len(change.settings), len(change.steps)


def _attempt(choice: Choice, acts: tuple[Act, ...], case: DropCase) -> Change | None:
    """Resolve and select after a change; `None` if that is a new problem, or does not move the archive."""
    settings = case.case.after(acts)
    if settings is None:
        return None
    after, archive = choose(settings, case.drop), choice.archive.file.display_path
    moved = _moved(case.selection, after, archive)
    if set(after.problems) - set(case.selection.problems) or archive not in {each.archive for each in moved}:
        return None
    return Change(tuple(act.step for act in acts), effects(case.case.settings, settings), moved)


def _moved(before: Selection, after: Selection, first: str) -> tuple[ArchiveEffect, ...]:
    """The archives that are selected in one of two selections, one of them first.

    One that was not opened stands for every member that is in it.
    """
    old, new = ({each.archive.file.display_path for each in _.choices if each.selected} for _ in (before, after))
    closed = {choice.archive.file.display_path for choice in before.choices if choice.archive.component is None}
    new |= {name for name in closed if any(member.startswith(f"{name}!") for member in new)}
    return tuple(ArchiveEffect(name, name in new) for name in sorted(old ^ new, key=lambda name: (name != first, name)))


def _ways(choice: Choice, case: Case) -> Iterator[tuple[Act, ...]]:
    """What may turn the choice round, the most direct first."""
    wanted, reason = not choice.selected, choice.reason
    if wanted and (choice.archive.refusals or choice.component.what):
        return
    setting = SETTING.get(reason.setting)
    for element in case.decision(setting).elements if setting else ():
        if setting and (element.value, element.location) == (reason.word, reason.location):
            yield silence(setting, element.assignment, case, element.value)  # the pattern that decides
    if choice.component.kind == "theme" and choice.archive.component:
        yield (pass_flag(SETTING["theme"], choice.component.name if wanted else NONE),)
    if reason.rule in {"older", "same content"}:
        yield _more(SETTING["modules.exclude"], _literal(reason.word.rpartition("/")[2]), case)
    only = ("modules.only",) if case.settings.modules_only else ()
    lists = ("modules.include", *only) if wanted else ("modules.exclude",)
    for name in _names(choice):
        for path in lists:
            yield add(SETTING[path], name, case)
            yield _more(SETTING[path], name, case)


def _names(choice: Choice) -> tuple[str, ...]:
    """The patterns that match an archive, and as little else as possible: by its name, by its file."""
    file = choice.archive.file
    by_file = file.names[1] if file.member else file.name
    names = (by_file,) if choice.component.kind == "theme" else (choice.component.name, by_file)
    return tuple(map(_literal, names))


def _literal(name: str) -> str:
    """The pattern that matches a name and nothing else."""
    return re.sub(r"[*?[]", r"[\g<0>]", name)


def _more(setting: Setting, item: str, case: Case) -> tuple[Act, ...]:
    """To pass a flag once more, with the values that hold so far."""
    winner = case.decision(setting).winner
    kept = winner.strings if winner.layer == "flag" else (SPLICE,) if winner.strings else ()
    return (pass_flag(setting, (*kept, item)),)
