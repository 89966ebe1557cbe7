"""Choices: whether an archive is built, and why."""

from typing import Final, Literal, TypeAlias

from msgspec import Struct

from pipeline.archives.archive import Archive, Component
from pipeline.report.location import Location

ModuleRule: TypeAlias = Literal[
    "unmentioned",
    "pattern",
    "no pattern",
    "bundled",
    "passed over",
    "refused",
    "not built",
    "other system",
]
ThemeRule: TypeAlias = Literal[
    "only theme",
    "last child",
    "named theme",
    "parent theme",
    "no parent",
    "theme",
    "other theme",
    "no theme",
]
KeptThemeRule: TypeAlias = Literal["theme here", "not here"]
VersionRule: TypeAlias = Literal[
    "same content", "older", "other version", "not recorded", "named version", "another version"
]
SelectionRule: TypeAlias = Literal[
    ModuleRule, ThemeRule, KeptThemeRule, VersionRule, "undecided theme"
]
DUPLICATES: Final = frozenset[SelectionRule]({"same content", "older", "another version"})
"""Rules by which another archive of the component is built; one warning per component lists
them all.
"""
_RULES: Final[dict[SelectionRule, str]] = {
    "unmentioned": "no setting leaves it out",
    "pattern": "matches `{word}` in {by}",
    "no pattern": "matches no pattern in {by}",
    "bundled": "bundled with the theme `{word}`, and no setting leaves it out",
    "passed over": "no marker, and no setting asks for it",
    "not built": "not built: {word}",
    "other system": "for {word}, which is not the system in the project",
    "refused": "refused before it was recognised: the error says why",
    "only theme": "the only theme in the drop",
    "last child": "the only theme in the drop that no other theme builds on",
    "named theme": "named on the command line; {by} is `{word}`",
    "parent theme": "the theme `{word}` builds on it",
    "no parent": "the theme `{word}` is built, but does not build on it",
    "theme": "{by} is `{word}`",
    "other theme": "{by} names another theme, `{word}`",
    "no theme": "{by} is `none`",
    "theme here": "the project has it",
    "not here": "the project has another theme from the drop",
    "undecided theme": "no theme could be chosen",
    "same content": "same content as {word}",
    "older": "{word} has a higher version",
    "other version": "for another version of the project's system than {word}",
    "not recorded": "the record names {word}",
    "named version": "its version is named on the command line",
    "another version": "the version of {word} is named on the command line",
}
"""The reason that belongs to each rule."""


class Reason(Struct, frozen=True):
    """Why an archive is selected or left out: the rule, and what it was applied to."""

    rule: SelectionRule
    setting: str = ""
    word: str = ""
    """The pattern, theme or archive."""
    location: Location | None = None


class Choice(Struct, frozen=True):
    """One archive, whether it is built, and why."""

    archive: Archive
    component: Component
    selected: bool
    reason: Reason
    folder: str = ""
    """The folder of the project for components of this kind; empty for `themes` or `modules`."""
    name: str = ""
    """The name of its folder, if it has another name in the project."""
    copies: tuple[str, ...] = ()
    """The paths of other folders of the project that may contain it, if that is uncertain."""
    is_ambiguous: bool = False
    """Whether several archives of this component are selected, and nothing decides between them."""

    @property
    def path(self) -> str:
        """Where the component goes, relative to the project."""
        return f"{self.folder or f'{self.component.kind}s'}/{self.name or self.component.name}"

    @property
    def is_built(self) -> bool:
        """Whether a run builds it: it is selected, it has files, and no error concerns it."""
        return self.selected and bool(self.archive.file_count) and not self.is_refused

    @property
    def is_refused(self) -> bool:
        """Whether an error concerns it: it is selected, or may have to be, and cannot be built."""
        in_question = self.selected or self.reason.rule == "refused"
        return self.is_ambiguous or (bool(self.archive.refusals) and in_question)


def reason_text(reason: Reason) -> str:
    """The reason in one clause, with the pattern or theme and where it was written."""
    return _RULES[reason.rule].format(word=reason.word, by=f"{reason.setting} ({reason.location})")
