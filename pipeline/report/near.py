"""Near names: what may have been meant."""

from collections.abc import Iterable
from typing import Final

NEAR_LIMIT: Final = 3
"""How many names are suggested at most."""


def near_names(name: str, known: Iterable[str], cutoff: float = 0.6) -> tuple[str, ...]:
    """The known names that are most similar to a name, without itself, at most `NEAR_LIMIT`, the nearest first."""
    from difflib import get_close_matches  # costs start-up time, and only a mistake needs it

    by_lower = {candidate.lower(): candidate for candidate in known if candidate != name}
    return tuple(by_lower[match] for match in get_close_matches(name.lower()[:100], by_lower, NEAR_LIMIT, cutoff))
