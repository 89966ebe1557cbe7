"""Errors and warnings about the selection (`docs/archives.md`)."""

import shlex
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final, TypeAlias

from msgspec.structs import replace

from pipeline.report.diagnostic import Diagnostic, PathContext, Selectable, Sentence, WarningDiagnostic, code
from pipeline.report.location import BUILT_IN, Location
from pipeline.report.wording import adding, did_you_mean, listed, shortened
from pipeline.schema import is_archive_name


class ThemeNotFound(Diagnostic, frozen=True):
    """The setting `theme` names a theme or an archive that the drop does not have, or an archive without a theme."""

    theme: str
    location: Location
    themes: tuple[str, ...] = ()
    suggestions: tuple[str, ...] = ()
    holds: str = ""
    """What the named archive holds, if it exists: a module, or what else is no theme."""
    left_out: tuple[str, ...] = ()
    """Archives that a pattern leaves out by file and that hold it, or that are not opened and are named like it."""
    setting = "theme"

    @property
    def message(self) -> str:
        there = f"the drop has {listed(self.themes)}" if self.themes else "the drop has no theme"
        theme = shortened(self.theme)
        if self.holds:
            return f"`{theme}` holds {self.holds}, not a theme; {there}"
        if self.left_out:
            return f"no theme `{theme}`; {there}; excluded by file name: {listed(self.left_out)}"
        return f"no {'file' if is_archive_name(theme) else 'theme'} `{theme}`; {there}"

    @property
    def advice(self) -> str:
        if self.left_out and not self.holds:
            return "remove its file from `modules.exclude`"
        if is_archive_name(self.theme) and not self.holds:
            return did_you_mean(self.suggestions) or "check the path; in a file, it is relative to that file"
        name_it = "name one of these" if len(self.themes) > 1 else "name this one"
        others = f"{name_it}, or write `none`" if self.themes else "put its archive in the drop, or write `none`"
        return did_you_mean(self.suggestions) or others


class ThemeAmbiguous(Diagnostic, frozen=True):
    """The drop has several themes, and the setting `theme` is `auto`. Only one theme is built; choose it."""

    themes: tuple[str, ...]
    location: Location
    setting = "theme"
    message = Sentence("the drop has several themes, and `--theme=NAME` chooses one: {themes}")

    @property
    def advice(self) -> str:
        flag = shlex.join((f"--theme={self.themes[0]}",))
        return f"pass `{flag}`, or `--theme=none` for no theme; for every run, set `theme` in the configuration"


class ComponentAmbiguous(Selectable, frozen=True):
    """Archives of one component differ, and their versions do not say which is the newest."""

    kind: str
    name: str
    archives: tuple[str, ...]
    message = Sentence("several archives contain the {kind} `{name}`, with different contents: {archives}")

    @property
    def advice(self) -> str:
        flags = self.excluding(self.archives[0])
        return f"leave all but one out, for example with `{flags}`; or remove them from the drop"


class UnmatchedPattern(WarningDiagnostic, frozen=True):
    """A pattern matches no module of the drop. A pattern of a shared preset may be for another project."""

    path: str
    pattern: str
    location: Location
    suggestions: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    """More patterns of the same list in the same file, if they are reported together; see `together`."""

    @property
    def message(self) -> str:
        return f"no module matches {listed((self.pattern, *self.others))} of {self.path}"

    @property
    def advice(self) -> str:
        if "," in self.pattern and self.location.is_flag:
            return "repeat the flag for each pattern"
        return did_you_mean(self.suggestions) or "check the name and its case"


class NeededComponent(Selectable, WarningDiagnostic, frozen=True, tag=code):
    """A module or theme of the drop is left out, although a component that is built needs it."""

    name: str
    needed_by: tuple[str, ...]
    pattern: str
    """The name that a pattern can match it by: of a theme, that of its file."""
    list: str
    """The list of patterns that leaves it out; empty if it is left out for another reason."""
    location: Location | None

    message = Sentence("`{name}` is left out, but needed by {needed_by}")

    @property
    def advice(self) -> str:
        if not (self.location and self.location.is_flag):
            return f"`{adding('--include', self.pattern, self.lists_below)}` brings it in"
        return f"add `--only={self.pattern}`" if self.list == "modules.only" else "remove it from `--exclude`"


class MissingNeed(WarningDiagnostic, frozen=True, tag=code):
    """A component needs a module or theme that is neither in the drop nor in the project.

    It is reported once, and again when it changes, or with `--verbose`.
    """

    kind: str
    name: str
    project: str
    """What the module is said to be in; its own name if it is not said."""
    needed_by: tuple[str, ...]
    advice = "add it to the drop, unless your system provides it"

    @property
    def message(self) -> str:
        what = f"`{self.name}`" if self.name == self.project else f"`{self.name}` (of `{self.project}`)"
        theme, verb = "the theme " * (self.kind == "theme"), "needs" if len(self.needed_by) == 1 else "need"
        return f"{listed(self.needed_by)} {verb} {theme}{what}, which is neither in the drop nor in the project"


class ProblemAhead(WarningDiagnostic, frozen=True):
    """`tool create` would stop; `tool status` and `tool diff` report it in advance."""

    error: Diagnostic
    place: Location | None
    """Where it is, from the current folder."""

    @property
    def message(self) -> str:
        return f"`tool create` would stop: {self.error.message}"

    @property
    def advice(self) -> str:
        return self.error.advice

    @property
    def location(self) -> Location | None:
        return self.place if self.place != BUILT_IN else None


def ahead(errors: Iterable[Diagnostic], context: PathContext) -> Iterator[ProblemAhead]:
    """Warn of errors that would stop `tool create`."""
    return (ProblemAhead(context.with_lists(each), context.relativize(each)) for each in errors)


def together(warnings: Iterable[WarningDiagnostic]) -> Iterator[WarningDiagnostic]:
    """Report neighbouring patterns of one list in one file together, unless a similar name is known of one.

    A preset that several projects share has patterns for each of them, of which most match nothing in any.
    """
    for shared, group in groupby(warnings, _list_of):
        first, *others = group
        if shared:
            yield replace(first, others=tuple(each.pattern for each in others if isinstance(each, UnmatchedPattern)))
        else:
            yield from (first, *others)


def _list_of(warning: WarningDiagnostic) -> tuple[str, str] | None:
    """The list and the file of a pattern that can be reported with others; `None` for anything else."""
    if isinstance(warning, UnmatchedPattern) and warning.location.line and not warning.suggestions:
        return warning.path, warning.location.name
    return None


SelectionError: TypeAlias = ThemeNotFound | ThemeAmbiguous | ComponentAmbiguous

_AT: Final = Location("tool.config.json", 3, 5)

EXAMPLES: Final = (
    ThemeNotFound("Harbor", _AT, ("harbour",), ("harbour",)),
    ThemeAmbiguous(("bay", "harbour"), BUILT_IN),
    ComponentAmbiguous("module", "m", ("m-1.zip", "m (2).zip")),
    UnmatchedPattern("modules.exclude", "shpo", _AT, ("shop",)),
    NeededComponent("b", ("a",), "b", "modules.exclude", _AT),
    MissingNeed("module", "b", "b", ("a",)),
    ProblemAhead(ThemeAmbiguous(("bay", "harbour"), BUILT_IN), BUILT_IN),
)
