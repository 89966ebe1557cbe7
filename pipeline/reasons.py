"""Reasons in words: why an archive is in or out."""

from typing import assert_never

from pipeline.patterns import Reason


def because(reason: Reason) -> str:
    """Say why, in one clause, naming the pattern or theme and where it was written."""
    by = f"{reason.leaf} ({reason.source})"
    match reason.rule:
        case "unmentioned":
            return "no pattern speaks about it"
        case "pattern":
            return f"matches `{reason.word}` of {by}"
        case "no pattern":
            return f"matches no pattern of {by}"
        case "only theme":
            return "the only theme of the drop"
        case "theme":
            return f"{by} is `{reason.word}`"
        case "other theme":
            return f"not the theme that {by} names, `{reason.word}`"
        case "no theme":
            return f"{by} is `none`"
        case "same content":
            return f"same content as {reason.word}"
        case _:
            assert_never(reason.rule)
