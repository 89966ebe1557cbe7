"""Near names: what may have been meant."""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

SUGGESTED: Final = 3
"""How many names are suggested at most."""
SUGGESTION_LIMIT: Final = 50
"""For how many patterns without a match, or presets that are not found, something is suggested."""


def suggest(name: str, known: Iterable[str], cutoff: float = 0.6) -> tuple[str, ...]:
    """The known names that are most similar to a name, without itself, at most `SUGGESTED`, the nearest first."""
    by_lower = {candidate.lower(): candidate for candidate in known if candidate != name}
    return tuple(by_lower[match] for match in get_close_matches(name.lower()[:100], by_lower, SUGGESTED, cutoff))
