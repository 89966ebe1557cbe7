"""Select: choose the theme and the modules of a drop, each with its reason.

Takes settings and the archives that were found; gives a selection, with every error that stops it.
The rules are in `docs/archives.md`.
"""

from collections.abc import Collection, Iterable, Iterator
from typing import Final

from msgspec import Struct
from returns.result import Failure, Result, Success
from toolz import concat, unique

from pipeline.archives.archive import Archive, ArchiveFile, Component
from pipeline.config.layers import Settings
from pipeline.recognition.unmarked import kind_of, unmarked
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics import BuildError
from pipeline.report.diagnostics.archives import (
    ArchiveRejected,
    Flaw,
    damaged_archive,
    guessed_name,
    unbuilt_text,
    unusable,
)
from pipeline.report.diagnostics.disk import FileSystemProblem
from pipeline.report.diagnostics.drop import nothing_to_build
from pipeline.report.diagnostics.selection import unmatched_pattern
from pipeline.report.wording import SUGGESTION_LIMIT, listed, suggest
from pipeline.schema import NONE, is_archive_name
from pipeline.selection.choices import Choice, Reason
from pipeline.selection.duplicates import by_place, drop_duplicates
from pipeline.selection.hosting import NO_HOSTING, Hosting, hosted, unusable_parts
from pipeline.selection.needs import needs
from pipeline.selection.patterns import (
    PATTERN_SETTINGS,
    calls,
    judge,
    judge_unopened,
    matches,
    may_be_overruled,
    names_files,
    spellings,
)
from pipeline.selection.themes import choose_theme
from pipeline.values import replace

_OF_USE: Final = ("left-alone", "guessed-names")
"""The warnings that matter only if a part of the archive is built."""


class Selection(Struct, frozen=True):
    """The archives that are built or left out, and the errors that stop the build."""

    choices: tuple[Choice, ...]
    warnings: tuple[WarningDiagnostic, ...] = ()
    errors: tuple[BuildError, ...] = ()
    once: tuple[WarningDiagnostic, ...] = ()
    """Warnings that are not repeated while they stay the same."""

    @property
    def selected(self) -> Result[tuple[Choice, ...], tuple[BuildError, ...]]:
        """The choices to build (the theme, the themes it builds on, the modules by name), or
        every error.
        """
        if self.errors:
            return Failure(self.errors)
        chosen = [choice for choice in self.choices if choice.selected]
        return Success(tuple(sorted(chosen, key=_in_order)))


def _in_order(choice: Choice) -> tuple[bool, bool, str]:
    return (
        choice.component.kind != "theme",
        choice.reason.rule == "parent theme",
        choice.component.name,
    )


def stays_closed(settings: Settings, file: ArchiveFile) -> bool:
    """Whether an archive is not even opened.

    `exclude` must leave it out by its file name, and no `include` or `only` may select its content.
    Also, the pattern must name files, or no theme in the archive could be wanted.
    """
    verdict, reason = judge_unopened(settings, (file.name,))
    theme = str(settings.decision("theme").winner.value)
    no_theme = theme == NONE or is_archive_name(theme) or is_archive_name(reason.word)
    by_file = (
        not verdict
        and reason.setting == "modules.exclude"
        and no_theme
        and not file.is_theme_setting
    )
    return by_file and not may_be_overruled(settings, reason.word)


def select(
    settings: Settings,
    archives: tuple[Archive, ...],
    drop: str,
    names: Collection[str] = (),
    hosting: Hosting = NO_HOSTING,
) -> Selection:
    """Choose what is built.

    `drop` is the folder as the user wrote it; `names` are the components that a run is about.
    Archives for another system than the project's are already left out. Errors: `ThemeNotFound`,
    `ThemeAmbiguous`, `ComponentAmbiguous`, `ArchiveRejected`; all those of a drop at once.
    """
    known = hosted(archives, hosting, settings)
    foreign = known.left_out
    modules = tuple(_modules(settings, known.archives))
    themes, undecided = choose_theme(settings, known.archives, drop, names, hosting)
    decided, duplicates, ambiguous = drop_duplicates(
        (*themes, *modules),
        settings.lists_below,
        hosting.may_be_from,
        hosting.folders,
        hosting.standing,
    )
    chosen = (*decided, *foreign)
    out = set[ArchiveFile]()
    built = set[ArchiveFile]()
    by_setting = set[ArchiveFile]()
    for choice in chosen:
        file = choice.archive.file
        if choice.selected:
            built.add(file)
        else:
            out.add(file)
        if choice.reason.setting:
            by_setting.add(file)
    unknown = tuple(_unknown(archive) for archive in archives if archive.file not in out | built)
    refusals = unique(concat(archive.refusals for archive in archives if archive.file not in out))
    errors = (*undecided, *refusals, *ambiguous)
    warnings = [*_warnings(archives, out, built, by_setting), *duplicates]
    warnings += _guessed(chosen)
    warnings += known.warnings
    warnings += _unusable(decided, hosting)
    warnings += _unmatched(settings, (*modules, *unknown), themes, foreign)
    if not undecided and not ambiguous:
        warnings += needs(decided, settings.lists_below, hosting.remains)
    if not built and not errors:
        warnings.append(nothing_to_build(drop, len(archives)))
    return Selection(
        tuple(sorted((*chosen, *unknown), key=by_place)), tuple(warnings), errors, known.once
    )


def _modules(settings: Settings, archives: Iterable[Archive]) -> Iterator[Choice]:
    """Choices for modules, for kinds other than themes, and for archives that a pattern leaves out
    by file name.
    """
    for archive in archives:
        file = archive.file
        component = archive.component
        if component and component.kind != "theme":
            yield _module(settings, archive, component)
        elif not component and not file.is_theme_setting:
            verdict, reason = judge_unopened(settings, file.names)
            # The file's name is enough, whatever is in it.
            if reason.setting == "modules.exclude" and not verdict:
                yield Choice(archive, unmarked("module", file), verdict, reason)


def _module(settings: Settings, archive: Archive, component: Component) -> Choice:
    verdict, reason = judge(settings, (component.name, *archive.file.names))
    if component.what and verdict and calls(settings, (component.name, *archive.file.names)):
        component = replace(component, kind="module", what=None)
    elif component.what and not (reason.rule == "pattern" and not verdict):
        what = unbuilt_text(component.what, component.which)
        return Choice(archive, component, False, Reason("not built", word=what))
    if reason.rule == "unmentioned":
        if archive.file.inner and component.evidence is None:
            return Choice(archive, component, False, Reason("passed over"))
        if component.bundled_in:
            return Choice(archive, component, True, Reason("bundled", word=component.bundled_in))
    return Choice(archive, component, verdict, reason)


def _guessed(choices: Iterable[Choice]) -> Iterator[WarningDiagnostic]:
    """Warn about components that are built under a guessed name."""
    for choice in choices:
        component = choice.component
        if choice.selected and component.is_guessed:
            yield guessed_name(choice.archive.file.display_path, component.name, component.named_by)


def _unusable(choices: Iterable[Choice], hosting: Hosting) -> Iterator[WarningDiagnostic]:
    """Warn about components that are built although the system would not use them fully."""
    for choice in choices:
        system, facts = unusable_parts(choice.component, hosting.host)
        if choice.selected and facts:
            yield unusable(choice.archive.file.display_path, choice.component.name, system, facts)


def _unknown(archive: Archive) -> Choice:
    """A choice for an archive that is refused before it is recognised; its name suggests
    the kind.
    """
    return Choice(archive, unmarked(kind_of(archive.file), archive.file), False, Reason("refused"))


def _warnings(
    archives: tuple[Archive, ...],
    out: set[ArchiveFile],
    built: set[ArchiveFile],
    excluded: set[ArchiveFile],
) -> Iterator[WarningDiagnostic]:
    """The warnings about archives, without those that explain why an archive with files is not
    built if a pattern leaves it out.

    A refused archive has only its refusal.
    """
    used = {archive.file.whole for archive in archives if archive.file in built}
    damages = list[WarningDiagnostic]()
    for archive in archives:
        if archive.refusals:
            if archive.file in out:
                damages.append(_damage(archive.refusals[0]))
            continue
        for warning in archive.warnings:
            is_unused = warning.code in _OF_USE and archive.file.whole not in used
            is_decided = (
                warning.code == "not-built"
                and archive.file_count
                and archive.file in excluded | built
            )
            if not (is_unused or is_decided):
                yield warning
    yield from unique(damages)


def _damage(refusal: ArchiveRejected | FileSystemProblem) -> WarningDiagnostic:
    if isinstance(refusal, ArchiveRejected):
        return damaged_archive(refusal.archive, refusal.flaw)
    return damaged_archive(refusal.path, Flaw(refusal.cause))


def _unmatched(
    settings: Settings,
    modules: tuple[Choice, ...],
    themes: tuple[Choice, ...],
    foreign: tuple[Choice, ...],
) -> Iterator[WarningDiagnostic]:
    names = spellings(
        concat((choice.component.name, *choice.archive.file.names) for choice in modules)
    )
    files = spellings(concat(choice.archive.file.names for choice in themes))
    known = {choice.component.name for choice in modules if choice.reason.rule != "refused"}
    called = spellings(choice.component.name for choice in themes)
    count = 0
    for setting in PATTERN_SETTINGS:
        for element in settings.decision(setting).elements:
            pattern = element.value
            counted = names
            if setting != "modules.only" and names_files(pattern):
                counted = names | files
            if element.layer == "preset" or matches(pattern, counted):
                continue
            count += 1
            suggestions: tuple[str, ...] = ()
            if count <= SUGGESTION_LIMIT:
                suggestions = suggest(pattern, known)
            instead = _systems_of(pattern, foreign)
            if matches(pattern, called):
                instead = "theme"
            yield unmatched_pattern(setting, pattern, element.location, suggestions, instead)


def _systems_of(pattern: str, foreign: Iterable[Choice]) -> str:
    """The systems whose unbuilt archives a pattern matches."""
    systems = dict[str, None]()
    for choice in foreign:
        if matches(pattern, spellings((choice.component.name, *choice.archive.file.names))):
            systems[choice.component.system] = None
    return listed(tuple(systems), mark="")
