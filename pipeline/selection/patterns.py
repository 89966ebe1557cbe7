"""Patterns: what the module lists of each layer say about a module.

The highest layer that mentions the module decides; within one layer, the first rule of `_RULES` that applies
(`docs/selection.md`).
"""

from collections.abc import Callable, Iterable, Iterator
from fnmatch import fnmatchcase
from typing import Final

from pipeline.config.layers import LAYERS, Element, LayerName, Settings
from pipeline.schema import is_theme_archive
from pipeline.selection.choices import Reason

_RULES: Final = (
    ("modules.only", "misses", False),
    ("modules.include", "matches", True),
    ("modules.exclude", "matches", False),
    ("modules.only", "matches", True),
)
"""What a list of one layer says about a module that it matches or misses; the first that applies decides."""


def judge(settings: Settings, names: tuple[str, ...]) -> tuple[bool, Reason]:
    """Whether a module with these names is in, and why: the highest layer that mentions it decides."""
    for _, is_in, reason in verdicts(settings, names):
        return is_in, reason
    return True, Reason("unmentioned")


def may_be_overruled(settings: Settings) -> bool:
    """Whether an `include` of the same layer, or of a higher one, may bring in what `exclude` leaves out."""
    include, exclude = (settings.decision(leaf).elements for leaf in ("modules.include", "modules.exclude"))
    return bool(include) and min(map(_rank, include)) <= max(map(_rank, exclude), default=len(LAYERS))


def names_files(pattern: str) -> bool:
    """Whether a pattern matches archives or members by file, whatever is in them."""
    return "!" in pattern or is_theme_archive(pattern)


def leaves_out(settings: Settings, names: tuple[str, ...]) -> Reason | None:
    """Why a theme whose file has these names is left out: an `exclude` that names files, and no `include` that does."""
    for _, is_in, reason in verdicts(settings, names, names_files):
        if reason.word:
            return None if is_in else reason
    return None


def verdicts(
    settings: Settings, names: tuple[str, ...], counts: Callable[[str], bool] = bool
) -> Iterator[tuple[LayerName, bool, Reason]]:
    """What each list of each layer says about a module with these names, if anything; the one that decides first.

    `counts` says of a pattern whether it is considered.
    """
    for layer in LAYERS:
        yield from ((layer, is_in, reason) for is_in, reason in _verdicts(settings, layer, names, counts))


def _verdicts(
    settings: Settings, layer: LayerName, names: tuple[str, ...], counts: Callable[[str], bool]
) -> Iterator[tuple[bool, Reason]]:
    """Each rule of a layer that applies to a module, the deciding one first."""
    for leaf, applies, is_in in _RULES:
        elements = settings.decision(leaf).elements
        own = tuple(each for each in elements if each.layer == layer)
        if not own:
            continue
        if applies == "matches":
            if hit := _hit(own, names, counts):
                yield is_in, Reason("pattern", leaf, hit.value, hit.source)
        elif layer == LAYERS[min(map(_rank, elements))] and not _hit(elements, names, counts):
            yield is_in, Reason("no pattern", leaf, source=own[0].origin.source)


def _hit(elements: Iterable[Element], names: tuple[str, ...], counts: Callable[[str], bool]) -> Element | None:
    """The first pattern that counts and matches one of some names."""
    patterns = (each for each in elements if counts(each.value))
    return next((each for each in patterns if any(fnmatchcase(name, each.value) for name in names)), None)


def _rank(element: Element) -> int:
    return LAYERS.index(element.layer)
