"""Constraints: whether a component accepts a version of its system.

This follows Composer's own parser (`composer/semver`, compared with 3.3.2), by which Drupal and
Omeka S judge. Requirements of other systems are translated into its syntax where markers are read.
A version has four numbers, then its stage: `1.2.0.0-beta3`. A branch such as `1.2.x-dev` has a
number above those of all its releases.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from operator import eq, ge, gt, le, lt, ne
from typing import Final, TypeAlias

_Key: TypeAlias = tuple[tuple[int, int, int], ...]
_Limit: TypeAlias = tuple[str, str]
"""A comparison operator, and the version on its right."""

_FLAGS: Final = r"(?ai)"
_STAGES: Final = r"stable|RC|beta|alpha|dev"
_MODIFIER: Final = r"[._-]?(?:(stable|beta|b|RC|alpha|a|patch|pl|p)((?:[.-]?\d+)*+)?)?([.-]?dev)?"
_CLASSICAL: Final = rf"{_FLAGS}v?(\d{{1,5}})(\.\d++)?(\.\d++)?(\.\d++)?{_MODIFIER}"
_DATED: Final = rf"{_FLAGS}v?(\d{{4}}(?:[.:-]?\d{{2}}){{1,6}}(?:[.:-]?\d{{1,3}})?){_MODIFIER}"
_BRANCH: Final = rf"{_FLAGS}v?(\d++)(\.(?:\d++|[x*]))?(\.(?:\d++|[x*]))?(\.(?:\d++|[x*]))?"
_VERSION: Final = (
    rf"v?(\d++)(?:\.(\d++))?(?:\.(\d++))?(?:\.(\d++))?(?:{_MODIFIER}|\.([x*][.-]?dev))(?:\+\S+)?"
)
_ALIAS: Final = rf"{_FLAGS}([^,\s]++) ++as ++([^,\s]++)"
_AND: Final = r"(?<!^)(?<!as)(?<![=>< ,]) *(?<!-)[, ](?!-) *(?!,|as|$)"
_ANY: Final = rf"{_FLAGS}(v)?[x*](\.[x*])*"
_WILD: Final = r"(?a)v?(\d++)(?:\.(\d++))?(?:\.(\d++))?(?:\.[xX*])++"
_RANGE: Final = rf"{_FLAGS}(?P<low>{_VERSION}) +- +(?P<high>{_VERSION})"
_COMPARISON: Final = r"(?as)(<>|!=|>=?|<=?|==?)?\s*(.*)"
_LOWEST: Final = "0.0.0.0-dev"
_BLANKS: Final = " \t\n\r\0\x0b"
_TESTS: Final[Mapping[str, Callable[[_Key, _Key], bool]]] = {
    **{"=": eq, "==": eq, "!=": ne, "<>": ne},
    **{"<": lt, "<=": le, ">": gt, ">=": ge},
}
_EXPANDED: Final = {"a": "alpha", "b": "beta", "p": "patch", "pl": "patch", "rc": "RC"}
_STAGED: Final = r"-(?:alpha|beta|RC|dev)"
_ORDER: Final = {"dev": 0, "alpha": 1, "beta": 2, "rc": 3, "patch": 5}
_NO_STAGE: Final = 4
_PARTS: Final = 12
_NUMBERS: Final = r"(?a)v?(\d{1,5}(?:\.\d{1,9}){0,3})"


class _NoConstraintError(ValueError):
    """Composer refuses the text."""


def is_constraint(text: str) -> bool:
    """Whether Composer accepts a text as a constraint."""
    try:
        _parsed(text)
    except _NoConstraintError:
        return False
    return True


def satisfies(version: str, constraint: str) -> bool | None:
    """Whether a version satisfies a constraint; `None` if Composer refuses one of them.

    For a version that only its system understands, such as `6.5-alpha-58000`, the numbers count.
    """
    try:
        own = _normal(version)
    except _NoConstraintError:
        own = ""
        if numbers := re.match(_NUMBERS, version):
            own = _normal(numbers[1])
    try:
        groups = _parsed(constraint)
    except _NoConstraintError:
        return None
    if not own:
        return None
    return any(all(_holds(own, limit) for limit in group) for group in groups)


def is_beyond(
    version: str, constraint: str, accepts: Callable[[str, str], bool | None] = satisfies
) -> bool:
    """Whether a version that fails a constraint is too new for it, so that every later one fails
    as well.

    The later versions that are tried are those in the constraint, and those that follow them: for
    `6.8`, they are `6.8.1`, `6.9` and `7`. A version below all of those in the constraint is not
    too new, even if no version satisfies it.
    """
    versions = re.findall(r"(?a)\d+(?:\.\d+)*", constraint)
    if versions and all(satisfies(version, f"<{mentioned}") for mentioned in versions):
        return False
    for mentioned in versions:
        for other in (mentioned, *_following(mentioned)):
            if satisfies(version, f"<{other}") and accepts(other, constraint):
                return False
    return True


def _following(version: str) -> Iterator[str]:
    """The next patch of a version of plain numbers, and the next version at each position."""
    numbers = version.split(".")
    yield f"{version}.1"
    for place in reversed(range(len(numbers))):
        raised = int(numbers[place]) + 1
        yield ".".join((*numbers[:place], str(raised)))


def _holds(version: str, limit: _Limit) -> bool:
    """Whether a version satisfies a limit; a named branch equals only itself."""
    how, other = limit
    if "dev-" not in {version[:4], other[:4]}:
        return _TESTS[how](_key(version), _key(other))
    if how in {"=", "=="}:
        return version == other
    return how in {"!=", "<>"} and version != other


def _key(version: str) -> _Key:
    """What PHP's `version_compare` compares, part by part: a number, a stage, or nothing."""
    parts = [*map(_part_of_key, re.findall(r"(?a)\d+|[a-z]+", version.lower()))]
    return (*parts, *((_NO_STAGE, 0, 0),) * (_PARTS - len(parts)))


def _part_of_key(part: str) -> tuple[int, int, int]:
    if part.isdigit():
        return _NO_STAGE, 1, int(part)
    return _ORDER[part], 0, 0


def _parsed(constraint: str) -> list[list[_Limit]]:
    """The limits of each alternative, all of which a version must satisfy."""
    alternatives = re.split(r"(?a)\s*\|\|?\s*", constraint.strip(_BLANKS))
    return [
        [limit for term in re.split(_AND, each) for limit in _limits(term)] for each in alternatives
    ]


def _limits(term: str) -> Iterator[_Limit]:
    """The limits that a term stands for."""
    if alias := re.fullmatch(_ALIAS, term):
        term = alias[1]
    stage = ""
    if flag := re.fullmatch(rf"{_FLAGS}([^,\s]*?)@({_STAGES})", term):
        term = flag[1] or "*"
        stage = flag[2].lower().replace("stable", "")
    if reference := re.fullmatch(rf"{_FLAGS}(dev-[^,\s@]+?|[^,\s@]+?\.x-dev)#.+", term):
        term = reference[1]
    for pattern, limits in _SHAPES:
        if match := re.fullmatch(pattern, term):
            yield from limits(match)
            return
    yield _compared(term, stage)


def _any(match: re.Match[str]) -> Iterator[_Limit]:
    if match[1] or match[2]:
        yield ">=", _LOWEST


def _tilde(match: re.Match[str]) -> Iterator[_Limit]:
    """`~1.2` goes up to the next version of the last number but one."""
    if match[0].startswith("~>"):
        raise _NoConstraintError
    given = max((at for at in range(1, 5) if match[at]), default=1)
    position = max(given + bool(match[8]) - 1, 1)
    yield ">=", _normal(match[0][1:] + _dev_unless(match, 1))
    yield "<", f"{_moved(match.groups(), position, 1)}-dev"


def _caret(match: re.Match[str]) -> Iterator[_Limit]:
    """`^1.2` goes up to the next version of the first number that is not 0."""
    position = 3
    if match[1] != "0" or not match[2]:
        position = 1
    elif match[2] != "0" or not match[3]:
        position = 2
    yield ">=", _normal(match[0][1:] + _dev_unless(match, 1))
    yield "<", f"{_moved(match.groups(), position, 1)}-dev"


def _dev_unless(match: re.Match[str], first: int) -> str:
    """The suffix that includes pre-releases, unless the version, whose numbers begin with a group,
    names a stage.
    """
    if match[first + 4] or match[first + 6] or match[first + 7]:
        return ""
    return "-dev"


def _wild(match: re.Match[str]) -> Iterator[_Limit]:
    position = max(at for at in range(1, 4) if match[at])
    low = f"{_moved((*match.groups(), None), position)}-dev"
    if low != _LOWEST:
        yield ">=", low
    yield "<", f"{_moved((*match.groups(), None), position, 1)}-dev"


def _range(match: re.Match[str]) -> Iterator[_Limit]:
    """`1.0 - 2.0`: an upper end of two numbers includes all versions that begin with them; any
    other end is exact.
    """
    yield ">=", _normal(match["low"]) + _dev_unless(match, 2)
    numbers = match.groups()[10:14]
    high = _normal(match["high"])
    if (numbers[1] and numbers[2]) or match[15] or match[17] or match[18]:
        yield "<=", high
    elif numbers[1]:
        yield "<", f"{_moved(numbers, 2, 1)}-dev"
    else:
        yield "<", f"{_moved(numbers, 1, 1)}-dev"


def _compared(term: str, stage: str) -> _Limit:
    sign, text = re.findall(_COMPARISON, term)[0]
    how = sign or "="
    version = _of_branch_or_version(text)
    if how not in {"=", "=="} and stage and not re.search(_STAGED, version):
        return how, f"{version}-{stage}"
    has_stage = re.search(rf"-{_MODIFIER}$", text.lower())
    if how in {"<", ">="} and not has_stage:
        return how, f"{version}-dev"
    return how, version


def _of_branch_or_version(text: str) -> str:
    try:
        return _normal(text)
    except _NoConstraintError:
        if text.endswith("-dev") and re.fullmatch(r"[0-9a-zA-Z./-]+", text):
            return _normal(f"dev-{text.removesuffix('-dev')}")
        raise


def _moved(numbers: tuple[str | None, ...], position: int, by: int = 0) -> str:
    """The four numbers of a version, with one raised and those behind it set to 0."""
    ahead = [int(number or 0) for number in numbers[: position - 1]]
    raised = int(numbers[position - 1] or 0) + by
    return ".".join(map(str, (*ahead, raised, *(0,) * (4 - position))))


def _normal(version: str) -> str:
    """A version with four numbers and its stage, as Composer compares it."""
    version = version.strip(_BLANKS)
    if alias := re.fullmatch(_ALIAS, version):
        version = alias[1]
    version = re.sub(rf"{_FLAGS}@(?:{_STAGES})$", "", version)
    if version in {"master", "trunk", "default"}:
        return f"dev-{version}"
    if version[:4].lower() == "dev-":
        return f"dev-{version[4:]}"
    if build := re.fullmatch(r"(?a)([^,\s+]++)\+\S++", version):
        version = build[1]
    if match := re.fullmatch(_CLASSICAL, version):
        numbers = "".join((match[1], *(match[at] or ".0" for at in (2, 3, 4))))
        return numbers + _stage(match, 5)
    if match := re.fullmatch(_DATED, version):
        return re.sub(r"(?a)\D", ".", match[1]) + _stage(match, 2)
    branch = re.fullmatch(rf"{_FLAGS}(.*?)[.-]?dev", version)
    if branch is None:
        raise _NoConstraintError
    numbered = re.fullmatch(_BRANCH, branch[1].strip(_BLANKS))
    if numbered is None:
        raise _NoConstraintError
    parts = ((numbered[at] or ".x").lower().replace("*", "x") for at in (2, 3, 4))
    return "".join((numbered[1], *parts)).replace("x", "9999999") + "-dev"


def _stage(match: re.Match[str], first: int) -> str:
    """The stage that a version names; its groups begin at the one given."""
    stage = (match[first] or "").lower()
    if stage == "stable":
        return ""
    text = ""
    if stage:
        number = (match[first + 1] or "").lstrip(".-")
        text = f"-{_EXPANDED.get(stage, stage)}{number}"
    if match[first + 2]:
        text += "-dev"
    return text


_SHAPES: Final = (
    (_ANY, _any),
    (rf"{_FLAGS}~>?{_VERSION}", _tilde),
    (rf"{_FLAGS}\^{_VERSION}", _caret),
    (_WILD, _wild),
    (_RANGE, _range),
)
"""The shapes of a term that is no comparison, in the order in which they are tried."""
