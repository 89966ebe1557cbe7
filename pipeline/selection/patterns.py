"""Patterns: what the module lists of each layer say about a module.

The highest layer that mentions the module decides; within one layer, out beats in (`docs/selection.md`).
"""

from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase
from operator import itemgetter
from typing import Final

from pipeline.config.layers import LayerName, Origin, Settings
from pipeline.report.source import Source
from pipeline.schema import is_theme_archive
from pipeline.selection.choices import Reason

LAYERS: Final[tuple[LayerName, ...]] = ("flag", "env", "config", "preset", "default")
"""The layers, highest first."""


def judge(settings: Settings, names: tuple[str, ...]) -> tuple[bool, Reason]:
    """Whether a module with these names is in, and why: the highest layer that mentions it decides."""
    for layer in LAYERS:
        if verdicts := tuple(_verdicts(settings, layer, names)):
            return min(verdicts, key=itemgetter(0))  # within one layer, out (False) beats in
    return True, Reason("unmentioned")


def may_be_overruled(settings: Settings) -> bool:
    """Whether an `include` of a higher layer may bring in what `exclude` leaves out."""
    include, exclude = (settings.decision(leaf).winner for leaf in ("modules.include", "modules.exclude"))
    return bool(include.value) and LAYERS.index(include.layer) < LAYERS.index(exclude.layer)


def names_files(pattern: str) -> bool:
    """Whether a pattern matches archives or members by file, whatever is in them."""
    return "!" in pattern or is_theme_archive(pattern)


def leaves_out(settings: Settings, names: tuple[str, ...]) -> Reason | None:
    """Why a theme whose file has these names is left out: an `exclude` that names files, with no `include` above it."""
    for layer in LAYERS:
        by_file = {says: reason for says, reason in _verdicts(settings, layer, names, names_files) if reason.word}
        if by_file:
            return by_file.get(False)
    return None


def _verdicts(
    settings: Settings, layer: LayerName, names: tuple[str, ...], counts: Callable[[str], bool] = bool
) -> Iterator[tuple[bool, Reason]]:
    for leaf, says in (("modules.exclude", False), ("modules.include", True), ("modules.only", True)):
        origin = settings.decision(leaf).winner
        if origin.layer != layer:
            continue
        patterns = (hit for hit in patterns_of(origin) if counts(hit[0]))
        hit = next((hit for hit in patterns if any(fnmatchcase(name, hit[0]) for name in names)), None)
        if hit:
            yield says, Reason("pattern", leaf, *hit)
        elif leaf == "modules.only" and origin.value:
            yield False, Reason("no pattern", leaf, source=origin.source)


def patterns_of(origin: Origin) -> Iterator[tuple[str, Source]]:
    """The patterns of a module list, each with its place."""
    patterns = origin.value if isinstance(origin.value, tuple) else ()
    yield from ((pattern, origin.item(index)) for index, pattern in enumerate(patterns))
