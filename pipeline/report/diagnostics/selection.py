"""Errors and warnings about the selection (`docs/archives.md`)."""

import re
import shlex
from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

from pipeline.report.diagnostic import (
    Diagnostic,
    ListsBelow,
    PathContext,
    Selectable,
    Sentence,
    WarningDiagnostic,
    excluding,
    with_advice,
)
from pipeline.report.location import BUILT_IN, Location
from pipeline.report.wording import adding, agreeing, did_you_mean, listed, shortened
from pipeline.schema import ARCHIVE_SUFFIX, LogFormat, is_archive_name

_ALTERNATIVES: Final = r"\{[^}]*,[^}]*\}"


class ThemeNotFound(Diagnostic, frozen=True):
    """The setting `theme` names a theme or an archive that the drop does not have, or an archive
    without a theme.
    """

    theme: str
    location: Location
    themes: tuple[str, ...] = ()
    suggestions: tuple[str, ...] = ()
    holds: str = ""
    """The content of the named archive, if it exists and is not a theme."""
    left_out: tuple[str, ...] = ()
    """Archives that a pattern excludes by file name and that hold the theme, or are not opened and
    have its name.
    """
    setting = "theme"

    @property
    def message(self) -> str:
        drop = "the drop has no theme"
        if self.themes:
            drop = f"the drop has {listed(self.themes)}"
        theme = shortened(self.theme)
        if self.holds:
            return f"`{theme}` holds {self.holds}, not a theme; {drop}"
        if self.left_out:
            return f"no theme `{theme}`; {drop}; excluded by file name: {listed(self.left_out)}"
        if is_archive_name(theme):
            return f"no file `{theme}`; {drop}"
        return f"no theme `{theme}`; {drop}"

    @property
    def advice(self) -> str:
        if self.left_out and not self.holds:
            return "remove its file from `modules.exclude`"
        if is_archive_name(self.theme) and not self.holds:
            return (
                did_you_mean(self.suggestions)
                or "check the path; in a file, it is relative to that file"
            )
        if self.suggestions:
            return did_you_mean(self.suggestions)
        if self.themes:
            return f"{agreeing(self.themes, 'name this one', 'name one of these')}, or write `none`"
        return "put its archive in the drop, or write `none`"


class ThemeAmbiguous(Diagnostic, frozen=True):
    """The drop has several themes, and the setting `theme` is `auto`. Only one theme is
    built; choose it.
    """

    themes: tuple[str, ...]
    location: Location
    setting = "theme"
    message = Sentence("the drop has several themes, and `--theme=NAME` chooses one: {themes}")

    @property
    def advice(self) -> str:
        flag = shlex.join((f"--theme={self.themes[0]}",))
        return (
            f"pass `{flag}`, or `--theme=none` for no theme; for every run, set `theme` in the "
            f"configuration"
        )


class ComponentAmbiguous(Selectable, frozen=True):
    """Archives of one component differ, and their versions do not say which is the newest."""

    kind: str
    name: str
    archives: tuple[str, ...]
    """The archives with the highest version, then those whose version cannot be compared."""
    copies: tuple[str, ...] = ()
    """Archives with the same content as one of `archives` except the first."""
    message = Sentence(
        "several archives contain the {kind} `{name}`, with different contents: {archives}"
    )

    @property
    def advice(self) -> str:
        best, other, *more = self.archives
        flags = [
            self.excluding(other),
            *(excluding(each, frozenset()) for each in (*more, *self.copies)),
        ]
        if excluding(best, frozenset()) in {excluding(other, frozenset()), *flags[1:]}:
            return "remove all but one of them from the drop"
        return (
            f"build `{best}` with `{' '.join(flags)}`; or remove all but one of them from the drop"
        )


def unmatched_pattern(
    path: str,
    pattern: str,
    location: Location,
    suggestions: tuple[str, ...] = (),
    instead: str = "",
) -> WarningDiagnostic:
    """A pattern matches no module of the drop. A pattern of a preset is not reported: it may be for
    another project.

    `path` is the setting; `instead` is what the pattern matches: `theme`, or the systems that the
    archives are for.
    """
    advice = (
        did_you_mean(suggestions) or _other_form(pattern, location) or "check the name and its case"
    )
    if pattern.startswith("!"):
        opposite = "modules.exclude"
        if path == opposite:
            opposite = "modules.include"
        advice = f"`!` does not negate a pattern: write `{shortened(pattern[1:])}` in `{opposite}`"
    elif re.search(_ALTERNATIVES, pattern):
        advice = "braces do not list alternatives: write a pattern for each"
    elif instead == "theme":
        advice = "that is a theme: choose it with the setting `theme`"
    elif instead:
        advice = f"it only matches archives for {instead}, which are not built here"
    elif "," in pattern and location.is_flag:
        advice = "repeat the flag for each pattern"
    return WarningDiagnostic(
        "unmatched-pattern", f"no module matches {listed((pattern,))} in {path}", advice, location
    )


def _other_form(pattern: str, location: Location) -> str:
    """The right form of a pattern that has a folder, or of several patterns in one string; empty
    for any other.
    """
    name = pattern.rstrip("/").rpartition("/")[2]
    if name and name != pattern:
        return (
            f"a pattern matches component names or archive file names, not paths: write "
            f"`{shortened(name)}`"
        )
    if not re.search(r"[\s;]", pattern):
        return ""
    if location.is_flag:
        return "if these are several patterns, repeat the flag for each"
    if location.line:
        return "if these are several patterns, write each as a string of its own"
    return "if these are several patterns, separate them with commas"


def left_out(name: str, reason: str, location: Location | None) -> WarningDiagnostic:
    """A version is named on the command line, but a setting leaves its archive out. It
    is not built.
    """
    return WarningDiagnostic(
        "left-out", f"`{name}` is left out: {reason}", "change that setting", location
    )


def needed_component(
    name: str, needed_by: tuple[str, ...], advice: str, location: Location | None = None
) -> WarningDiagnostic:
    """A module or theme of the drop is left out, although a component that is built needs it.

    `location` is the position of the pattern that leaves it out, if one does.
    """
    message = f"`{name}` is left out, but needed by {listed(needed_by)}"
    return WarningDiagnostic("needed-component", message, advice, location, needed_by)


def bringing_in(
    pattern: str, setting: str, location: Location | None, lists_below: ListsBelow
) -> str:
    """How to include a component that a pattern can match.

    `setting` is the list of patterns that leaves the component out; empty if none does.
    """
    if not (location and location.is_flag):
        return f"`{adding('--include', pattern, lists_below)}` includes it"
    if setting == "modules.only":
        return f"add `--only={pattern}`"
    return "remove it from `--exclude`"


def missing_need(
    kind: str, name: str, project: str, needed_by: tuple[str, ...], archive: str = ""
) -> WarningDiagnostic:
    """A component needs a module or theme that is neither in the drop nor in the project.

    It is reported once, and again when it changes, or with `--verbose`. `project` is the project
    that contains the module, or the module's own name if none is given. `archive` may have the
    component under a guessed name.
    """
    what = f"`{name}`"
    if kind == "theme":
        what = f"the theme {what}"
    if name != project:
        what += f" (of `{project}`)"
    needs = agreeing(needed_by, "needs", "need")
    message = f"{listed(needed_by)} {needs} {what}, which is neither in the drop nor in the project"
    advice = "add it to the drop"
    if archive:
        rename = (
            f"rename that archive to `{name}{ARCHIVE_SUFFIX}` (before building it, or after "
            f"`tool undo`)"
        )
        advice = f"if it is in `{archive}`, {rename}; otherwise {advice}"
    return WarningDiagnostic("missing-need", message, advice)


def problem_ahead(error: Diagnostic, place: Location | None, advice: str = "") -> WarningDiagnostic:
    """`tool create` would end with an error; `tool status` and `tool diff` report it in advance.

    `place` is relative to the current folder; without `advice`, the error's own is used.
    """
    message = f"`tool create` would leave it as it is: {error.message}"
    if error.stops:
        message = f"`tool create` would stop: {error.message}"
    location = place
    if place == BUILT_IN:
        location = None
    return WarningDiagnostic("problem-ahead", message, advice or error.advice, location)


def ahead(
    errors: Iterable[Diagnostic], context: PathContext, log_format: LogFormat
) -> Iterator[WarningDiagnostic]:
    """Warn of errors that would stop `tool create`; in text, errors of a kind share
    their advice.
    """
    for error, shared in with_advice(errors, context):
        advice = error.advice
        if log_format == "text":
            advice = shared
        yield problem_ahead(error, context.relativize(error), advice)


SelectionError: TypeAlias = ThemeNotFound | ThemeAmbiguous | ComponentAmbiguous
