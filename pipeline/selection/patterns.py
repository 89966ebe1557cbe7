"""Patterns: what the module lists of each layer decide about a module.

The highest layer that mentions the module decides; within one layer, the first rule of `_RULES`
that applies (`docs/archives.md`).
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from fnmatch import translate
from functools import lru_cache
from itertools import islice, pairwise
from typing import Final

from toolz import concat

from pipeline.config.layers import LAYERS, Element, LayerName, Settings
from pipeline.report.escape import escape
from pipeline.schema import is_archive_name
from pipeline.selection.choices import Reason

PATTERN_SETTINGS: Final = ("modules.include", "modules.exclude", "modules.only")
_RULES: Final = (
    ("modules.only", "misses", False),
    ("modules.include", "matches", True),
    ("modules.exclude", "matches", False),
    ("modules.only", "matches", True),
)
"""A list, whether it matches or misses, and the verdict; within one layer the first that
applies decides.
"""


def judge(settings: Settings, names: tuple[str, ...]) -> tuple[bool, Reason]:
    """Whether a module with these names is in, and why: the highest layer that
    mentions it decides.
    """
    for _, is_in, reason in verdicts(settings, names):
        return is_in, reason
    return True, Reason("unmentioned")


def judge_unopened(settings: Settings, names: tuple[str, ...]) -> tuple[bool, Reason]:
    """Whether a module is selected if only the names of its file are known, and why.

    An `only` that misses these names may match the content of the file, but an `exclude` of the
    same layer still leaves it out.
    """
    for (layer, _, reason), (next_layer, is_in, next_reason) in pairwise(
        islice(verdicts(settings, names), 2)
    ):
        if (
            reason.rule == "no pattern"
            and next_reason.setting == "modules.exclude"
            and next_layer == layer
        ):
            return is_in, next_reason
    return judge(settings, names)


def may_be_overruled(settings: Settings, pattern: str) -> bool:
    """Whether a list may select, by a module's name, what an `exclude` pattern leaves out by
    the file's.

    An `include` of the same layer or a higher one may, and so may an `only` of a higher one.
    """
    include, exclude, only = (settings.decision(setting).elements for setting in PATTERN_SETTINGS)
    rank = min(_rank(element) for element in exclude if element.value == pattern)
    return any(_rank(element) <= rank for element in include) or any(
        _rank(element) < rank for element in only
    )


def calls(settings: Settings, names: tuple[str, ...]) -> bool:
    """Whether `include` or `only` contains one of some names literally, which shows that the user
    means a module.
    """
    written = concat(
        settings.decision(leaf).elements for leaf in ("modules.include", "modules.only")
    )
    return not spellings(names).isdisjoint(element.value for element in written)


def names_files(pattern: str) -> bool:
    """Whether a pattern matches archives or members by file, regardless of their content."""
    return "!" in pattern or is_archive_name(pattern)


def leaves_out(settings: Settings, names: tuple[str, ...]) -> Reason | None:
    """Why a theme whose file has these names is left out: an `exclude` that names files, and no
    `include` that does.
    """
    for _, is_in, reason in verdicts(settings, names, names_files):
        if reason.word:
            if is_in:
                return None
            return reason
    return None


def matches(pattern: str, names: Iterable[str]) -> bool:
    """Whether a pattern matches one of some names, with their `spellings`."""
    return any(map(_any_of((pattern,)).match, names))


def spellings(names: Iterable[str]) -> set[str]:
    """Names, and the escaped form of those that are displayed with escapes."""
    known = set(names)
    return known.union(map(escape, known))


def verdicts(
    settings: Settings, names: tuple[str, ...], counts: Callable[[str], bool] = bool
) -> Iterator[tuple[LayerName, bool, Reason]]:
    """The verdict of each list of each layer on a module with these names, the deciding one first.

    `counts` says whether a pattern is considered.
    """
    lists = {setting: settings.decision(setting).by_layer for setting in PATTERN_SETTINGS}
    mentioned = set(concat(lists.values()))
    if not mentioned:
        return
    known = spellings(names)
    for layer in filter(mentioned.__contains__, LAYERS):
        for setting, applies, is_in in _RULES:
            own = lists[setting].get(layer, {})
            is_highest = layer == next(iter(lists[setting]), None)
            if applies == "matches":
                hit = _hit(own, known, counts)
                if hit:
                    yield layer, is_in, Reason("pattern", setting, hit.value, hit.location)
            elif is_highest and not any(
                _hit(patterns, known, counts) for patterns in lists[setting].values()
            ):
                yield (
                    layer,
                    is_in,
                    Reason(
                        "no pattern", setting, location=next(iter(own.values())).assignment.location
                    ),
                )


def _hit(
    own: Mapping[str, Element], names: set[str], counts: Callable[[str], bool]
) -> Element | None:
    """The first considered pattern that matches one of some names."""
    patterns = tuple(filter(counts, own))
    if not patterns:
        return None
    found = filter(None, map(_any_of(patterns).match, names))
    first = min((match.lastindex or 0 for match in found), default=0)
    if not first:
        return None
    return own[patterns[first - 1]]


@lru_cache(maxsize=4096)
def _any_of(patterns: tuple[str, ...]) -> re.Pattern[str]:
    """One expression for several patterns, with a group for each; testing them one by one takes
    many times as long.
    """
    return re.compile("|".join(f"({translate(pattern)})" for pattern in patterns))


def _rank(element: Element) -> int:
    return LAYERS.index(element.layer)
