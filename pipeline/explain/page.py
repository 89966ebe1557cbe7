"""Page: the explanation of a whole run as one page of HTML (`docs/explain.md`, One page for a bug report).

The page needs nothing but itself: no script, no font, no request. Nothing in it is absolute.
"""

from collections.abc import Iterable
from typing import Final
from xml.etree.ElementTree import Element

from pipeline.config.layers import LAYERS, LayerName
from pipeline.explain.document import (
    ArchivePart,
    Change,
    ConfigPart,
    Explanation,
    LayerValue,
    PlanPart,
    ProbeRow,
    SettingPart,
)
from pipeline.explain.markup import Node, code, element, marked, page_of, section, table
from pipeline.explain.words import (
    archive_facts,
    archive_goal,
    called,
    chosen_text,
    element_by,
    ended_text,
    fate,
    goals,
    preset_verdict,
    reading_text,
    state_text,
    to_do,
    verdict_text,
)
from pipeline.report.values import value_text, word

_CHANGES: Final = "What would change it"


def page(document: Explanation) -> str:
    """The page of a document that explains a whole run."""
    drop = f" for the drop `{document.drop}`" if document.drop else ""
    lead = f"Written by tool {document.tool}{drop}. Places are relative to the folder that the run starts in."
    return page_of(
        "What was decided, and why",
        element("p", *marked(lead)),
        *([_problems(document)] if document.problems else ()),
        _settings(document.settings),
        *([_config(document.config)] if document.config else ()),
        *([_archives(document.archives)] if document.archives else ()),
        *([_plan(document.plan)] if document.plan else ()),
    )


def _problems(document: Explanation) -> Element:
    items = (
        element("li", element("strong", each.error, css="problem"), ": ", *marked(each.message), *_at(each.source))
        for each in document.problems
    )
    return section("problems", "What would stop a run", element("ul", *items))


def _at(source: str | None) -> tuple[Node, ...]:
    return (" (", code(source), ")") if source else ()


def _settings(settings: Iterable[SettingPart]) -> Element:
    rows = (
        ((code(part.path),), _value(part), *(_cell(part, layer) for layer in LAYERS), _ways(goals(part), part.path))
        for part in settings
    )
    lead = element("p", "The highest layer that sets a leaf decides; flags are the highest, defaults the lowest.")
    return section("settings", "Settings", lead, table("Every setting", ("Setting", "Value", *LAYERS, _CHANGES), rows))


def _value(part: SettingPart) -> tuple[Node, ...]:
    """The value that holds; of a list also who wrote each element."""
    items = (
        element("li", code(word(each.value)), element("span", f"{element_by(each, part)}: {each.source}", css="place"))
        for each in part.elements
    )
    return code(value_text(part.value)), *([element("ul", *items)] if part.elements else ())


def _cell(part: SettingPart, layer: LayerName) -> tuple[Node, ...]:
    """What a layer says about a leaf; several presets one below the other."""
    return tuple(_layer_value(each) for each in part.layers if each.layer == layer)


def _layer_value(layer: LayerValue) -> Node:
    value = code(value_text(layer.value))
    tag = "strong" if layer.wins else "span" if layer.extended else "del"
    state = element("span", *marked(state_text(layer)), css="state")
    place = element("span", layer.source, css="place")
    return element("div", element(tag, value), state, place, css="layer holds" if layer.wins else "layer")


def _ways(changes: Iterable[tuple[str, Change]], path: str, about: str = "") -> tuple[Node, ...]:
    """What could be done, folded away behind the number of ways."""
    rows = tuple((element("dt", goal), element("dd", *marked(to_do(change, path)))) for goal, change in changes)
    if not rows:
        return ()
    label = f"{len(rows)} {'way' if len(rows) == 1 else 'ways'} to change {about or path}"
    summary = element("summary", f"{len(rows)} {'way' if len(rows) == 1 else 'ways'}", **{"aria-label": label})
    return (element("details", summary, element("dl", *(node for row in rows for node in row))),)


def _config(part: ConfigPart) -> Element:
    file = part.file
    what = f"The configuration is `{file}`{reading_text(file, part)}." if file else "There is none: the defaults hold."
    nodes: list[Node] = [element("p", *marked(what)), _probes("Where it was looked for", part.probes)]
    nodes.append(element("p", *marked(ended_text(part))))
    if part.presets:
        rows = (((code(each.name),), (code(each.file),), (chosen_text(each, part),)) for each in part.presets)
        nodes.append(table("Presets, the later over the earlier", ("Preset", "File", "Chosen"), rows))
    if part.preset_probes:
        probes = map(preset_verdict, part.preset_probes)
        cells = (((code(file),), (verdict,)) for file, verdict in probes)
        nodes.append(table("Where presets were looked for", ("Path", "What was there"), cells))
    return section("configuration", "Configuration", *nodes)


def _probes(caption: str, probes: Iterable[ProbeRow]) -> Node:
    cells = (((code(probe.file),), (verdict_text(probe),)) for probe in probes)
    return table(caption, ("Path", "What was there"), cells)


def _archives(archives: Iterable[ArchivePart]) -> Element:
    rows = (
        (
            (code(part.archive),),
            (called(part),),
            (element("strong", fate(part)),) if part.selected else (fate(part),),
            (_facts(part),),
            _archive_ways(part),
        )
        for part in archives
    )
    return section(
        "archives", "Archives", table("Every archive", ("Archive", "What it is", "State", "Why", _CHANGES), rows)
    )


def _facts(part: ArchivePart) -> Node:
    items = (element("li", f"{about}: ", *marked(text)) for about, text in archive_facts(part))
    return element("ul", *items)


def _archive_ways(part: ArchivePart) -> tuple[Node, ...]:
    if part.change is None:
        return ()
    path = part.change.settings[0].path if part.change.settings else ""
    return _ways([(archive_goal(part), part.change)], path, part.archive)


def _plan(plan: PlanPart) -> Element:
    components = ((each.action, each.path, each.version or "", f"{each.files}") for each in plan.components)
    hooks = (("run", f"{each.stage}/{each.script}", "", "") for each in plan.hooks)
    rows = [((code(path),), (action,), (version,), (files,)) for action, path, version, files in (*components, *hooks)]
    nothing = element("p", "Nothing would be done.")
    head = ("What", "Action", "Version", "Files")
    return section("plan", "What a run would do", table("Every step", head, rows) if rows else nothing)
