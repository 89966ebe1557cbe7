"""Choices: whether an archive is built, and why."""

from typing import Final, Literal, TypeAlias

from msgspec import Struct

from pipeline.archives.archive import Archive, Component
from pipeline.report.location import Location

ModuleRule: TypeAlias = Literal[
    "unmentioned", "pattern", "no pattern", "bundled", "passed over", "refused", "not built"
]
ThemeRule: TypeAlias = Literal[
    "only theme", "last child", "named theme", "parent theme", "no parent", "theme", "other theme", "no theme"
]
KeptThemeRule: TypeAlias = Literal["theme here", "not here"]
SelectionRule: TypeAlias = Literal[ModuleRule, ThemeRule, KeptThemeRule, "undecided theme", "same content", "older"]
DUPLICATES: Final = frozenset[SelectionRule]({"same content", "older"})
"""Rules by which another archive of the component is built; one warning names all of a component."""
_OUT, _THEME, _NONE = "add `{name}` to `modules.exclude`", "set `theme` to `{name}`", "set `theme` to `none`"
_RULES: Final[dict[SelectionRule, tuple[str, str]]] = {
    "unmentioned": ("no setting leaves it out", _OUT),
    "pattern": (
        "matches `{word}` of {by}",
        "edit the list at {source}, or add `{name}` to `{other}` in a higher layer",
    ),
    "no pattern": ("matches no pattern of {by}", "add `{name}` to the list at {source}"),
    "bundled": ("bundled with the theme `{word}`, and no setting leaves it out", _OUT),
    "passed over": ("no marker, and no setting asks for it", "add `{name}` to `modules.include`"),
    "not built": ("{word}: neither theme nor module", "to build it as a module, put it in `modules/` of the drop"),
    "refused": (
        "refused before it was recognised: the error says why",
        "download it again, or add its file name to `modules.exclude`",
    ),
    "only theme": ("the only theme of the drop", _NONE),
    "last child": ("the only theme of the drop that no other builds on", _NONE),
    "named theme": ("named on the command line; {by} is `{word}`", "name another theme"),
    "parent theme": ("the theme `{word}` builds on it", "set `theme` to a theme that does not build on it"),
    "no parent": ("the theme `{word}` is built, and does not build on it", _THEME),
    "theme": ("{by} is `{word}`", "set `theme` to another theme, or to `none`"),
    "other theme": ("{by} names another theme, `{word}`", _THEME),
    "no theme": ("{by} is `none`", _THEME),
    "theme here": ("the project has it", _NONE),
    "not here": ("the project has another theme of the drop", _THEME),
    "undecided theme": ("no theme could be chosen", _THEME),
    "same content": ("same content as {word}", "remove one of the two archives"),
    "older": ("{word} has a higher version", "remove {word}, or add its file name to `modules.exclude`"),
}
"""The reason that each rule gives, and the advice to get another result."""


class Reason(Struct, frozen=True):
    """Why an archive is in or out: the rule, and what the rule was applied to."""

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
    """The folder of the project that components of this kind go into; empty for `themes` or `modules`."""
    name: str = ""
    """The name of its folder, if the project has it under another name."""
    is_ambiguous: bool = False
    """Whether another archive is selected that is this component, and nothing says which is to be built."""

    @property
    def path(self) -> str:
        """Where the component goes, relative to the project."""
        return f"{self.folder or f'{self.component.kind}s'}/{self.name or self.component.name}"

    @property
    def is_built(self) -> bool:
        """Whether a run builds it: it is selected, no error is about it, and it has files."""
        return self.selected and bool(self.archive.files) and not self.is_refused

    @property
    def is_refused(self) -> bool:
        """Whether an error is about it: it is selected, or may have to be, and cannot be built."""
        in_question = self.selected or self.reason.rule == "refused"
        return self.is_ambiguous or (bool(self.archive.refusals) and in_question)


def reason_text(reason: Reason) -> str:
    """The reason in one clause, with the pattern or theme and where it was written."""
    return _RULES[reason.rule][0].format(word=reason.word, by=f"{reason.setting} ({reason.location})")


def advice_text(choice: Choice) -> str:
    """The advice to get the other result, in one sentence."""
    reason, name = choice.reason, choice.component.name
    rule, other = "refused" if choice.is_refused else reason.rule, "exclude" if choice.selected else "include"
    return _RULES[rule][1].format(word=reason.word, source=reason.location, name=name, other=f"modules.{other}")
