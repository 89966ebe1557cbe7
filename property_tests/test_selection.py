"""Laws of selection: the selected modules are those of a naive reading of the rules; opening an
archive changes nothing.
"""

from typing import Any

from hypothesis import event, given, settings
from hypothesis import strategies as st

from pipeline.archives.archive import ArchiveFile
from pipeline.config.layers import Assignment, Layer, Settings, make_layer
from pipeline.merge import merge
from pipeline.report.location import Location
from pipeline.selection.patterns import judge
from pipeline.selection.select import stays_closed
from property_tests.strategies import LAYERS, SETTING, perhaps_spliced
from tests.support.disks import START
from tests.support.sweep import law

EXCLUDE, INCLUDE, ONLY = "modules.exclude", "modules.include", "modules.only"
patterns = st.lists(
    st.sampled_from(["a", "b", "*", "?", "*b", "a*", "[ab]", "[!a]*", "A"]), min_size=1, max_size=3
)
globs = patterns.map("".join)
names = st.tuples(
    st.text("ab", min_size=1, max_size=3),
    st.text("ab", min_size=1, max_size=3).map(lambda n: f"{n}.zip"),
)
lists = perhaps_spliced(st.lists(globs, max_size=2)).map(tuple)
stacks = st.fixed_dictionaries(
    dict.fromkeys(
        LAYERS[:4], st.dictionaries(st.sampled_from([EXCLUDE, INCLUDE, ONLY]), lists, max_size=3)
    )
)
Stack = dict[str, dict[str, tuple[str, ...]]]


def settle(stack: Stack) -> Settings:
    """Merge layers that say this."""
    layers = [_layer(name, stack[name]) for name in LAYERS[:4]]
    return merge(layers, START)


def _layer(name: Any, said: dict[str, tuple[str, ...]]) -> Layer:
    return make_layer(
        {SETTING[path]: Assignment(name, Location(name), value) for path, value in said.items()},
        START,
    )


def chosen(stack: Stack, module: tuple[str, str]) -> bool:
    """Whether a module is in."""
    return judge(settle(stack), module)[0]


def matches(name: str, pattern: str) -> bool:
    """Match a shell glob, one character after the other."""
    if not pattern:
        return not name
    if pattern[0] == "*":
        return matches(name, pattern[1:]) or (bool(name) and matches(name[1:], pattern))
    if pattern[0] == "[" and "]" in pattern[2:]:
        within, rest = pattern[1:].split("]", 1)
        fits = bool(name) and (
            (name[0] not in within[1:]) if within[0] == "!" else (name[0] in within)
        )
        return fits and matches(name[1:], rest)
    return bool(name) and pattern[0] in {"?", name[0]} and matches(name[1:], pattern[1:])


def naive(stack: Stack, module: tuple[str, str]) -> bool:
    """Read the rules aloud: the highest layer that speaks decides, by the first of four rules."""

    def hits(path: str, *layers: str) -> bool:
        return any(
            matches(name, each)
            for layer, each in holding(stack, path)
            if layer in layers
            for name in module
        )

    layers_of_only = [layer for layer, _ in holding(stack, ONLY)]
    for layer in LAYERS[:4]:
        if layer == min(layers_of_only, key=LAYERS.index, default="") and not hits(ONLY, *LAYERS):
            return False
        if hits(INCLUDE, layer):
            return True
        if hits(EXCLUDE, layer):
            return False
        if hits(ONLY, layer):
            return True
    return True


def holding(stack: Stack, path: str) -> list[tuple[str, str]]:
    """The patterns of a list that hold, each with the layer that wrote it."""
    patterns: list[tuple[str, str]] = []
    for layer in reversed(LAYERS[:4]):
        if path in stack[layer]:
            said = [(layer, each) for each in stack[layer][path]]
            at = stack[layer][path].index("...") if "..." in stack[layer][path] else None
            patterns = said if at is None else [*said[:at], *patterns, *said[at + 1 :]]
            texts = [each for _, each in patterns]
            if at is not None and len(said) > 1:
                patterns = [
                    each for index, each in enumerate(patterns) if each[1] not in texts[:index]
                ]
    return patterns


@settings(max_examples=law(400))
@given(stacks, names)
def test_judge_agrees_with_a_naive_reading_of_the_rules(
    stack: Stack, module: tuple[str, str]
) -> None:
    """For any lists in any layers, a module is selected exactly if a naive reading of the rules
    selects it.
    """
    verdict, reason = judge(settle(stack), module)
    event(f"{verdict}: {reason.rule}")
    assert verdict == naive(stack, module)


@given(stacks, names)
def test_the_reason_is_a_pattern_that_is_there_and_fits(
    stack: Stack, module: tuple[str, str]
) -> None:
    """The reason names a pattern that matches the module and is in a list that applies, and the
    layer that wrote it.
    """
    reason = judge(settle(stack), module)[1]
    if reason.rule == "pattern":
        assert any(matches(name, reason.word) for name in module)
        assert (str(reason.location), reason.word) in holding(stack, reason.setting)
    elif reason.rule == "no pattern":
        assert reason.setting == ONLY and str(reason.location) in {
            layer for layer, _ in holding(stack, ONLY)
        }
    else:
        assert reason.rule == "unmentioned"


@settings(max_examples=law(300))
@given(stacks, names, st.sampled_from(LAYERS[:4]), st.sampled_from(LAYERS[:4]))
def test_to_open_an_archive_never_changes_the_selection(
    stack: Stack, module: tuple[str, str], one: str, other: str
) -> None:
    """A module in an archive that is left unopened would be left out if it were opened."""
    said = {layer: dict(stack[layer]) for layer in stack}
    said[one][EXCLUDE], said[other][INCLUDE] = (module[1],), (module[0],)
    closed = stays_closed(settle(said), ArchiveFile(path=START / module[1], display_path=module[1]))
    event(f"closed: {closed}")
    assert not (closed and chosen(said, module))
