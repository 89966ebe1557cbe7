"""Patterns: what the module lists of each layer say about a module.

The highest layer that speaks about it decides; within one layer, out beats in (`docs/selection.md`).
"""

from collections.abc import Iterator
from fnmatch import fnmatchcase
from typing import Final

from pipeline.choices import Reason
from pipeline.layers import LayerName, Origin, Settings
from pipeline.source import Source

LAYERS: Final[tuple[LayerName, ...]] = ("flag", "env", "config", "preset", "default")
"""The layers, highest first."""


def judge(settings: Settings, names: tuple[str, ...]) -> tuple[bool, Reason]:
    """Say whether a module with these names is in: the highest layer that speaks about it decides."""
    for layer in LAYERS:
        verdicts = tuple(_verdicts(settings, layer, names))
        for wanted in (False, True):  # within one layer, out beats in
            for verdict, reason in verdicts:
                if verdict == wanted:
                    return verdict, reason
    return True, Reason("unmentioned")


def _verdicts(settings: Settings, layer: LayerName, names: tuple[str, ...]) -> Iterator[tuple[bool, Reason]]:
    for leaf, says in (("modules.exclude", False), ("modules.include", True), ("modules.only", True)):
        origin = settings.decision(leaf).winner
        if origin.layer != layer:
            continue
        hit = next((hit for hit in patterns_of(origin) if any(fnmatchcase(name, hit[0]) for name in names)), None)
        if hit:
            yield says, Reason("pattern", leaf, *hit)
        elif leaf == "modules.only" and origin.value:
            yield False, Reason("no pattern", leaf, source=origin.source)


def patterns_of(origin: Origin) -> Iterator[tuple[str, Source]]:
    """The patterns of a module list, each with the place where it stands."""
    patterns = origin.value if isinstance(origin.value, tuple) else ()
    yield from ((pattern, origin.item(index)) for index, pattern in enumerate(patterns))
