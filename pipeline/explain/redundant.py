"""Redundant: what in the configuration and its presets changes nothing, for `tool config validate --strict`.

Three things are looked for: a setting that is equal to what it overrides, a pattern that another of the same list
covers or repeats, and a preset that wins no setting. What flags and variables say is left out of account: it is not
the same in each run (`docs/ci.md`, What changes nothing).
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import PurePath, PurePosixPath
from typing import Final

from msgspec import Struct
from toolz import get_in, unique, valfilter

from pipeline.config.disk import Disk
from pipeline.config.layers import Decision, Element, Layer, Origin, Settings, absolute_value
from pipeline.config.legacy_keys import is_flat
from pipeline.config.tree import Mark, Tree, spell
from pipeline.explain.globs import covers
from pipeline.merge import merge
from pipeline.migrate import migrate
from pipeline.normalise import normalise
from pipeline.parse import parse
from pipeline.read import read
from pipeline.report.outcome import value_of
from pipeline.report.redundancies import EqualSetting, IdlePreset, Redundancy, RedundantItem
from pipeline.resolve import Resolution
from pipeline.schema import LEAVES, NONE, SHORTHAND, SPLICE, Leaf
from pipeline.selection.patterns import PATTERN_LEAVES, names_files

COMPARED_LIMIT: Final = 500
"""How many items of a list are compared with one another."""


class _File(Struct, frozen=True):
    """A configuration or a preset that someone wrote: as written, and in the shape of version 1."""

    written: Tree
    lifted: Tree

    @property
    def name(self) -> str:
        """The file as the user knows it."""
        return self.written.candidate.display_path


def redundancies(resolution: Resolution, start: PurePath, disk: Disk) -> tuple[Redundancy, ...]:
    """Find what changes nothing, in the order of the files."""
    candidates = unique((resolution.located.candidate, *resolution.presets))
    trees = (value_of(read(each, disk).bind(parse)) for each in candidates if each and each.bundled is None)
    files = {tree.candidate.display_path: _File(tree, migrate(normalise(tree))) for tree in trees if tree}
    settings = _settings(resolution.settings, start, lambda origin: origin.layer in {"config", "preset"})
    pairs = tuple(_equal(settings, files, start))
    equal = [here for here, _ in pairs]
    rest = _settings(settings, start, lambda origin: origin not in equal and origin.layer != "default")
    found = (
        *(problem for _, problem in pairs),
        *(problem for file in files.values() for problem in _items(file, settings)),
        *_idle(resolution, rest, files),
    )
    order = {name: rank for rank, name in enumerate(files)}
    return tuple(sorted(unique(found), key=lambda each: _place(each, order)))


def _place(problem: Redundancy, order: dict[str, int]) -> tuple[int, int, int]:
    source = problem.source
    return order.get(source.name, -1), source.line, source.column


def _settings(settings: Settings, start: PurePath, counts: Callable[[Origin], bool]) -> Settings:
    """The settings that some of the origins give."""
    stacks = {each.path: tuple(filter(counts, each.origins)) for each in settings.decisions}
    return merge((Layer(valfilter(bool, stacks)),), start, settings.decision("presets").detected)


def _equal(settings: Settings, files: dict[str, _File], start: PurePath) -> Iterator[tuple[Origin, EqualSetting]]:
    """The settings of files that are what they override; of a file that is listed twice, both times."""
    for leaf in LEAVES:
        steps = tuple(_steps(leaf, settings, start))
        needed = [here.winner for here, below in steps if not _is_equal(leaf, here, below, settings)]
        for here, below in steps:
            origin, low, file = here.winner, below.winner, files.get(here.winner.source.name)
            if file and origin not in needed and origin != low:
                path = spell(file.lifted.mark(leaf.keys).written)
                yield origin, EqualSetting(path, origin.source, low.layer, low.source)


def _steps(leaf: Leaf, settings: Settings, start: PurePath) -> Iterator[tuple[Decision, Decision]]:
    """What is decided about a leaf, and what would be without its winner; the same for each layer down."""
    here, detected = settings.decision(leaf.path), settings.decision("presets").detected
    while here.overridden:
        stack = valfilter(bool, {leaf.path: here.overridden[:-1]})
        below = merge((Layer(stack),), start, detected).decision(leaf.path)
        yield here, below
        here = below


def _is_equal(leaf: Leaf, here: Decision, below: Decision, settings: Settings) -> bool:
    """Whether a leaf would be the same without its winner.

    Beside the default a path is not: that is relative to another folder, and only who names a folder is warned if it
    is missing. Nor is a list of patterns if another list speaks too: the layer counts then, which would be a lower one.
    """
    if here.winner.value == (SPLICE,) or (leaf.type == "strings" and here.elements == below.elements != ()):
        return True
    if leaf.paths == "path" and below.winner.layer == "default":
        return False
    others = (each for each in PATTERN_LEAVES if each != leaf.path and settings.decision(each).elements)
    speaks_alone = leaf.path not in PATTERN_LEAVES or not here.elements or not any(others)
    return speaks_alone and absolute_value(leaf, here) == absolute_value(leaf, below)


def _items(file: _File, settings: Settings) -> Iterator[RedundantItem]:
    """The items of lists that repeat others or are covered by them."""
    for leaf in LEAVES:
        if leaf.type == "strings" and leaf.path != "presets":
            items = tuple(_items_of(leaf, file))[:COMPARED_LIMIT]
            shared = _shared(file, settings.decision(leaf.path))
            for index, (item, mark) in enumerate(items):
                others = (
                    each
                    for rank, (each, _) in enumerate(items)
                    if (each == item or shared.isdisjoint((each, item))) and _covers(leaf, (rank, each), (index, item))
                )
                yield from (RedundantItem(spell(mark.written), mark.value, item, by) for by in islice(others, 1))


def _shared(file: _File, decision: Decision) -> set[str]:
    """The items that other files write too, if lists are put together: in the end one of them speaks for its layer."""
    others = (each.strings for each in decision.origins if each.source.name != file.name)
    is_joint = any(each.splices for each in decision.origins)
    return {item for strings in others for item in strings} if is_joint else set()


def _items_of(leaf: Leaf, file: _File) -> Iterator[tuple[str, Mark]]:
    """The strings of a list and of its shorthand, with their marks."""
    flat = is_flat(file.written)
    tree = file.lifted if flat else file.written
    paths = (leaf.keys, (SHORTHAND,)) if leaf.path == "modules.exclude" and not flat else (leaf.keys,)
    for path in paths:
        for index, item in enumerate(get_in(path, tree.data) or ()):
            if isinstance(item, str) and item != SPLICE:
                yield item, tree.mark((*path, index))


def _covers(leaf: Leaf, wide: tuple[int, str], narrow: tuple[int, str]) -> bool:
    """Whether one item of a list, given with its index, makes another superfluous; of equal ones the first stays."""
    (rank, other), (index, item) = wide, narrow
    if rank == index:
        return False
    if other == item or leaf.path not in PATTERN_LEAVES:
        return rank < index and PurePosixPath(other) == PurePosixPath(item)
    speaks_of_themes_too = names_files(other) or not names_files(item)
    return speaks_of_themes_too and covers(other, item) and (rank < index or not covers(item, other))


def _idle(resolution: Resolution, settings: Settings, files: dict[str, _File]) -> Iterator[IdlePreset]:
    """The presets that someone lists and that win nothing; `none` alone says that there are none.

    `settings` are without what is equal to what it overrides, so that both kinds can be taken out together.
    """
    winners = {name for decision in settings.decisions for name in _winners(decision)}
    presets = [candidate.display_path for candidate in resolution.presets]
    elements = resolution.settings.decision("presets").elements
    for index, (element, name) in enumerate(zip(elements, presets, strict=True)):
        is_idle = name not in winners or name in presets[index + 1 :]
        if is_idle and not _stays(element, presets):
            yield IdlePreset(_spelled(element, files), element.source, element.value)


def _stays(element: Element, presets: list[str]) -> bool:
    """Whether an entry is not to be taken out: it is detected, or is `none` alone, or stands in for one like it."""
    is_doubled = element.origin.splices and element.origin.strings.count(element.value) > 1
    return element.layer == "default" or is_doubled or (element.value == NONE and not presets[1:])


def _winners(decision: Decision) -> Iterable[str]:
    """The files that have a part in what was decided."""
    if decision.winner.splices:
        return (each.source.name for each in decision.elements)
    return (decision.winner.source.name,)


def _spelled(element: Element, files: dict[str, _File]) -> str:
    """The path of a preset as it is written: with the index, in a file."""
    file = files.get(element.source.name)
    return spell(file.lifted.mark(("presets", element.index)).written) if file else "presets"
