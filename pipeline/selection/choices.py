"""Choices: whether an archive is built, and why."""

from typing import Literal, TypeAlias, assert_never

from msgspec import Struct

from pipeline.archives.archive import Archive, Component
from pipeline.report.source import Source

SelectionRule: TypeAlias = Literal[
    "unmentioned",
    "pattern",
    "no pattern",
    "bundled",
    "passed over",
    "refused",
    "only theme",
    "last child",
    "parent theme",
    "no parent",
    "theme",
    "other theme",
    "no theme",
    "undecided theme",
    "same content",
    "older",
]


class Reason(Struct, frozen=True):
    """Why an archive is in or out: the rule, and what the rule was applied to."""

    rule: SelectionRule
    leaf: str = ""
    word: str = ""
    """The pattern, theme or archive."""
    source: Source | None = None


class Choice(Struct, frozen=True):
    """One archive, whether it is built, and why."""

    archive: Archive
    component: Component
    selected: bool
    reason: Reason


def reason_text(reason: Reason) -> str:
    """The reason in one clause, with the pattern or theme and where it was written."""
    by = f"{reason.leaf} ({reason.source})"
    match reason.rule:
        case "unmentioned":
            return "no setting leaves it out"
        case "pattern":
            return f"matches `{reason.word}` of {by}"
        case "no pattern":
            return f"matches no pattern of {by}"
        case "bundled":
            return f"bundled with the theme `{reason.word}`, and no setting leaves it out"
        case "passed over":
            return "no marker in it, and no setting asks for it"
        case "refused":
            return "refused before it was recognised: the error says why"
        case "only theme":
            return "the only theme of the drop"
        case "last child":
            return "the only theme of the drop that no other builds on"
        case "parent theme":
            return f"the theme `{reason.word}` builds on it"
        case "no parent":
            return f"the theme `{reason.word}` is built, and does not build on it"
        case "theme":
            return f"{by} is `{reason.word}`"
        case "other theme":
            return f"{by} names another theme, `{reason.word}`"
        case "no theme":
            return f"{by} is `none`"
        case "undecided theme":
            return "no theme could be chosen"
        case "same content":
            return f"same content as {reason.word}"
        case "older":
            return f"{reason.word} has a higher version"
        case _:
            assert_never(reason.rule)
