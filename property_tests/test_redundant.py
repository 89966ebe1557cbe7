"""Laws of what changes nothing: all of it taken out at once, the settings and the selection are the same."""

import json
import re
from typing import Any

from hypothesis import event, given, settings
from hypothesis import strategies as st
from toolz import dissoc

from pipeline.config.disk import Disk
from pipeline.config.layers import Settings
from pipeline.explain.redundant import redundancies
from pipeline.report.outcome import fold
from pipeline.report.redundancies import EqualSetting
from pipeline.resolve import Request, Resolution, resolve
from pipeline.schema import LEAVES
from pipeline.selection.patterns import judge, leaves_out
from property_tests.printing import unexpected
from property_tests.strategies import perhaps_spliced
from tests.support.disks import START, disk_of
from tests.support.sweep import examples

CONFIG, PRESETS = "tool.config.json", ("sub/a.json", "sub/b.json")
MODULES = [("a", "a.zip"), ("ab", "ab.zip"), ("b", "x.zip"), ("", "[a].zip")]
patterns = perhaps_spliced(st.lists(st.sampled_from(["a", "b", "a*", "*", "?", "[ab]", "*.zip", "a.zip"]), max_size=3))
values: dict[str, st.SearchStrategy[Any]] = {
    "theme": st.sampled_from(["auto", "x", "x.zip"]),
    "exclude": patterns,
    "modules": st.fixed_dictionaries({}, optional=dict.fromkeys(("include", "exclude", "only"), patterns)),
    "hooks": st.fixed_dictionaries(
        {}, optional={"onFailure": st.sampled_from(["continue", "fail"]), "initScriptsDir": st.just("./init-scripts")}
    ),
    "cache": st.fixed_dictionaries({}, optional={"enabled": st.booleans(), "file": st.sampled_from(["c", "../c"])}),
}
presets = perhaps_spliced(st.lists(st.sampled_from(["none", "ci", *map("./{}".format, PRESETS)]), max_size=4))
folders = perhaps_spliced(st.lists(st.sampled_from(["lib", "./lib", "sub"]), max_size=3))
Files = dict[str, dict[str, Any]]
files: st.SearchStrategy[Files] = st.fixed_dictionaries(
    {
        CONFIG: st.fixed_dictionaries({"presets": presets}, optional={**values, "presetsSearchPath": folders}),
        **dict.fromkeys(PRESETS, st.fixed_dictionaries({}, optional=values)),
    }
)


def disk_with(contents: Files) -> Disk:
    """A disk with these files."""
    return disk_of({str(START / name): json.dumps(content) for name, content in contents.items()})


def resolved(contents: Files) -> Resolution:
    """What a run in the folder decides."""
    return fold(resolve(Request(start=START), disk_with(contents)), lambda resolution: resolution, unexpected)


def without(data: Any, path: str, item: bool) -> Any:
    """Data without the value at a path such as `modules.exclude[1]`; a list goes with its shorthand."""
    step, rest = re.fullmatch(r"(\w+|\[\d+\])\.?(.*)", path, re.DOTALL).groups()  # type: ignore[union-attr]
    if step.startswith("["):
        return [None if index == int(step[1:-1]) else each for index, each in enumerate(data)]
    if rest:
        data = {**data, step: without(data[step], rest, item)}
        return dissoc(data, "exclude") if path == "modules.exclude" and not item else data
    return dissoc(data, step)


def cleaned(data: Any) -> Any:
    """Data without the items that were taken out of lists."""
    if isinstance(data, dict):
        return {key: cleaned(value) for key, value in data.items()}
    return [each for each in data if each is not None] if isinstance(data, list) else data


@settings(max_examples=examples(300))
@given(files)
def test_what_changes_nothing_can_be_taken_out_together(contents: Files) -> None:
    """After everything that is found was taken out, nothing more is, and settings and selection are as they were."""
    before = resolved(contents)
    left = dict(contents)
    found = redundancies(before, START, disk_with(contents))
    for problem in sorted(found, key=lambda each: isinstance(each, EqualSetting)):
        name = problem.source.name
        event(type(problem).__name__)
        left[name] = without(left[name], problem.path, not isinstance(problem, EqualSetting))
    after = resolved({name: cleaned(data) for name, data in left.items()})
    assert values_of(after.settings) == values_of(before.settings)
    assert verdicts(after.settings) == verdicts(before.settings)


def values_of(decided: Settings) -> dict[str, Any]:
    """The value of each leaf that is no list, and the folders that are searched."""
    single = {leaf.name: getattr(decided, leaf.name) for leaf in LEAVES if leaf.type != "strings"}
    return {**single, "folders": [*dict.fromkeys(decided.presets_search_path)]}


def verdicts(decided: Settings) -> list[tuple[bool, bool]]:
    """Which modules are in, and which theme files are left out."""
    return [(judge(decided, names)[0], leaves_out(decided, names[1:]) is None) for names in MODULES]
