"""Versions: which of two is higher, as the systems write them: `1.2.0-beta.1`, `8.x-2.20`, `7.x-2.0-rc1`, `v3.1`.

A Drupal version that names its core, `7.x-3.5`, is compared by the core first; one that names none is for Drupal 8 or
later. A development snapshot is lower than any release of its number: it does not say which release it follows.
"""

import re
from typing import Final, Literal, TypeAlias

Rank: TypeAlias = tuple[int, tuple[int, ...], int, int]

_VERSION: Final = (
    r"(?ia)v?(?:(\d{1,9})\.x-)?(\d{1,18}(?:\.\d{1,18}){0,9})(\.x)?"
    r"(?:[-._]?(dev|snapshot|alpha|a|beta|b|rc|c|patch|pl|p)[-._]?(\d{0,9}))?(?:\+.*)?"
)
_CORE: Final = 8
"""The core of a Drupal version that names none."""
_RELEASE: Final = 4
_STAGES: Final = {
    **dict.fromkeys(("dev", "snapshot"), 0),
    **dict.fromkeys(("a", "alpha"), 1),
    **dict.fromkeys(("b", "beta"), 2),
    **dict.fromkeys(("c", "rc"), 3),
    **dict.fromkeys(("p", "pl", "patch"), 5),
}


def rank(version: str | None) -> Rank | None:
    """The key that versions are compared by; `None` if a version cannot be compared."""
    match = re.fullmatch(_VERSION, version.strip()) if version else None
    if match is None:
        return None
    core, numbers, branch, stage, count = match.groups()
    parts = [int(part) for part in numbers.split(".")]
    while len(parts) > 1 and parts[-1] == 0:
        parts.pop()
    level = _STAGES["dev"] if branch else _STAGES[stage.lower()] if stage else _RELEASE
    return int(core or _CORE), tuple(parts), level, int(count or 0)


def compare_versions(version: str | None, other: str | None) -> Literal["newer", "older", "changed"]:
    """How another version stands to a version; `changed` if they cannot be compared, or are equal."""
    one, two = rank(version), rank(other)
    if one is None or two is None or one == two:
        return "changed"
    return "newer" if two > one else "older"


def are_equal(version: str | None, other: str | None) -> bool:
    """Whether two versions are one, perhaps written differently: `v1.0` and `1.0.0`."""
    one, two = rank(version), rank(other)
    return bool(version and other) and (version == other or (one is not None and one == two))
