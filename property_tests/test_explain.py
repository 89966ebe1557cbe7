"""Laws of explanations: they agree with what is resolved, and each change does exactly what is told of it."""

from pathlib import PurePath
from typing import Any

from hypothesis import event, given, settings
from hypothesis import strategies as st

from pipeline.archives.archive import Archive, ArchiveFile, Component
from pipeline.building.draft import Drop
from pipeline.config.layers import Settings
from pipeline.emit import decisions
from pipeline.explain.advice import Change
from pipeline.explain.archives import DropCase, explain_archives
from pipeline.explain.changes import Case
from pipeline.explain.document import SettingPart
from pipeline.explain.settings import explain_setting
from pipeline.plan import choose
from pipeline.schema import SETTINGS, Setting
from pipeline.selection.select import Selection
from property_tests.strategies import SETTING
from tests.support.sweep import law
from tests.support.users import Desk, follow

words = st.sampled_from(["a", "b", "a*", "b.zip", "x y", "p,q"])
lists = st.lists(words, max_size=3) | st.lists(words, max_size=2, unique=True).map(lambda items: ["...", *items])
folders = st.sampled_from(["d", "./d", "../d", "/d"])
presets = st.lists(st.sampled_from(["ci", "none", "./p.json", "team", "./lib/q.json"]), max_size=3)
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "theme": st.sampled_from(["auto", "none", "a", "x.zip", "d/x.zip"]),
    "modules.include": lists,
    "modules.exclude": lists,
    "modules.only": lists,
    "presets": presets | presets.map(lambda items: [*items, "..."]),
    "presetsSearchPath": st.sampled_from([["lib"], ["./lib", "."]]),
    "hooks.initScriptsDir": folders,
    "hooks.postScriptsDir": folders,
    "hooks.onFailure": st.sampled_from(["fail", "continue"]),
    "cache.file": folders,
    "cache.enabled": st.booleans(),
    "log.format": st.sampled_from(["text", "json"]),
}
IN_PRESET = {path: values for path, values in VALUES.items() if not path.startswith("presets")}
LEGACY = {
    "themeName": VALUES["theme"],
    "theme": VALUES["theme"],
    "excludeModules": st.lists(words, max_size=2),
    "exclude": st.lists(words, max_size=2),
    "modules": st.lists(words, max_size=2),
    "cache": st.sampled_from([True, False, "c"]),
    "noCache": st.booleans(),
    "onFailure": VALUES["hooks.onFailure"],
    "failOnHookError": st.booleans(),
    "preset": st.just("ci"),
}


@st.composite
def files(draw: st.DrawFn, values: dict[str, st.SearchStrategy[Any]]) -> dict[str, Any]:
    """A configuration or a preset, with the shorthand or without."""
    data: dict[str, Any] = {}
    for path, value in draw(st.fixed_dictionaries({}, optional=values)).items():
        *outer, last = path.split(".")
        (data.setdefault(outer[0], {}) if outer else data)[last] = value
    shorthand = draw(st.none() | st.lists(words, max_size=2))
    return data if shorthand is None else {"exclude": shorthand, **data}


@st.composite
def desks(draw: st.DrawFn) -> Desk:
    """Any five layers, in files of every form."""
    flags = draw(st.fixed_dictionaries({}, optional=VALUES))
    environ = draw(st.fixed_dictionaries({}, optional=VALUES))
    texts = {SETTING[path].variable: _in_variable(value) for path, value in environ.items()}
    config = {**draw(files(VALUES)), "presetsSearchPath": ["lib", "."]}
    legacy = draw(st.fixed_dictionaries({"presetsDir": st.just(["lib"])}, optional=LEGACY))
    form = draw(st.sampled_from(["tool.config.json", "tool.config.json", "package.json", ".tool.json"]))
    data = {"package.json": {"name": "x", "tool": config}, ".tool.json": legacy}.get(form, config)
    below = {name: draw(files(IN_PRESET)) for name in ("p.json", "lib/q.json", "lib/team.json", "team.json")}
    detected = draw(st.sampled_from([{}, {"lib/default.json": {"theme": "b"}}]))
    return Desk(
        {path: _as_flag(value) for path, value in flags.items()},
        {**texts, **draw(st.sampled_from([{}, {"CI": "1"}]))},
        {form: data, **below, **detected},
    )


def _as_flag(value: Any) -> Any:
    return (tuple(value) or ("",)) if isinstance(value, list) else value


def _in_variable(value: Any) -> str:
    if isinstance(value, list):
        return str(value).replace("'", '"')
    return str(value).lower() if isinstance(value, bool) else value


def holds(resolved: Settings, setting: Setting) -> tuple[Any, Any]:
    """What a setting amounts to: its value with absolute paths, and of presets those that were detected."""
    return getattr(resolved, setting.name), tuple(each.value for each in resolved.decision(setting.path).detected)


def keeps_to(change: Change, before: Desk) -> Case:
    """Do as a change says, and see that of all settings exactly those that it tells have another value, as it tells."""
    old, case = before.case().settings, follow(change.steps, before).case()
    new = case.settings
    moved = [setting.path for setting in SETTINGS if holds(old, setting) != holds(new, setting)]
    assert sorted(each.path for each in change.settings) == sorted(moved)
    for each in change.settings:
        decision = new.decision(each.path)
        value = tuple(element.value for element in decision.detected) or decision.value
        assert (each.value, each.layer) == (value, decision.winner.layer)
        assert each.source.split(":")[0] == decision.winner.location.name.split(":")[0]
    return case


def explained(case: Case) -> tuple[SettingPart, ...]:
    """The explanation of every setting."""
    return tuple(explain_setting(setting, case) for setting in SETTINGS)


@settings(max_examples=law(100))
@given(desks())
def test_an_explanation_says_what_the_log_says(desk: Desk) -> None:
    """Value, layers and places of each setting are those of the decision that every command reports."""
    case = desk.case()
    for part, decision in zip(explained(case), decisions(case.settings), strict=True):
        winner, *losers = part.layers
        assert (part.path, part.value, winner.layer, winner.source) == (
            decision.path,
            decision.value,
            decision.layer,
            decision.source,
        )
        assert [(each.layer, each.source, each.value, each.extended) for each in losers] == [
            (each.layer, each.source, each.value, each.extended) for each in decision.overridden
        ]
        assert part.detected == decision.detected


@settings(max_examples=law(100))
@given(desks(), st.sampled_from(SETTINGS))
def test_a_change_of_a_setting_does_exactly_what_is_told(desk: Desk, setting: Setting) -> None:
    """A user who does as told gets what is told, for the layer that was to win, and no other setting moves."""
    part = explain_setting(setting, desk.case())
    for layer in part.layers:
        event(f"{layer.layer}: {'change' if layer.change else 'none'}")
        if layer.change:
            keeps_to(layer.change, desk)
    for other in part.changes:
        keeps_to(other, desk)
        assert other.settings[0].path == setting.path


@settings(max_examples=law(100))
@given(desks(), st.sampled_from([setting for setting in SETTINGS if setting.type == "strings"]))
def test_a_change_takes_one_element_out(desk: Desk, setting: Setting) -> None:
    """The change at an element takes it out of the value, and leaves the others in their order."""
    case = desk.case()
    items = [each.value for each in case.settings.decision(setting.path).elements]
    for element in explain_setting(setting, case).elements:
        event(f"{element.layer}: {'change' if element.change else 'none'}")
        if element.change:
            after = keeps_to(element.change, desk).settings.decision(setting.path).elements
            assert [each.value for each in after] == [item for item in items if item != element.value]


@settings(max_examples=law(100))
@given(desks(), st.sampled_from(["hooks.onFailure", "cache.enabled", "log.format"]))
def test_every_value_that_lost_can_be_had(desk: Desk, path: str) -> None:
    """Where a flag can say every value, each that lost has a change that lets it hold."""
    part = explain_setting(SETTING[path], desk.case())
    told = {each.value for layer in part.layers if layer.change for each in layer.change.settings[:1]}
    assert {layer.value for layer in part.layers} - {part.value} == told


names = st.sampled_from(["a", "b", "ab", "x y"])


@st.composite
def drops(draw: st.DrawFn) -> tuple[Archive, ...]:
    """A few archives, some of one component, some members of a bundle, some with the same content."""
    count = draw(st.integers(1, 5))
    return tuple(_archive(draw, number) for number in range(count))


def _archive(draw: st.DrawFn, number: int) -> Archive:
    name = draw(names)
    file = ArchiveFile(path=PurePath(f"/drop/{name}{number}.zip"), display_path=f"{name}{number}.zip")
    component = Component(
        kind=draw(st.sampled_from(["module", "module", "theme"])),
        name=name,
        version=draw(st.sampled_from([None, "1.0", "2.0"])),
        parent=draw(st.sampled_from([None, "a"])),
        requires=draw(st.sampled_from([(), ("a",)])),
    )
    content = draw(st.sampled_from(["same", str(number)]))
    place = file.at(draw(st.sampled_from(["m", "n"]))) if draw(st.booleans()) else file
    return Archive(file=place, component=component, content=content, files=1)


def selected(case: Case, archives: tuple[Archive, ...]) -> DropCase:
    """Select among archives."""
    known = {each.file: each for each in archives}
    drop = Drop("drop", lambda _: tuple(known), lambda files: [(known[each],) for each in files])
    return DropCase(case, drop, choose(case.settings, drop))


def built(selection: Selection) -> set[str]:
    """The archives that are selected."""
    return {choice.archive.file.display_path for choice in selection.choices if choice.selected}


@settings(max_examples=law(100))
@given(desks(), drops())
def test_a_change_of_an_archive_does_exactly_what_is_told(desk: Desk, archives: tuple[Archive, ...]) -> None:
    """A user who does as told has the archive built, or left out, and no other moves but those that are told."""
    drop = selected(desk.case(), archives)
    for part in explain_archives(drop.selection.choices, drop):
        event(f"{part.rule}: {'change' if part.change else 'none'}")
        for change in filter(None, (part.change, part.alternative)):
            after = selected(keeps_to(change, desk), archives).selection
            moved = built(drop.selection) ^ built(after)
            assert {each.archive: each.selected for each in change.archives} == {
                name: name in built(after) for name in moved
            }
            assert change.archives[0].archive == part.archive
            assert change.archives[0].selected is not part.selected
