"""Archives: why an archive is built or not, read from the choice that `select` made (`docs/configuration.md`)."""

from collections.abc import Iterable, Iterator

from toolz import concat

from pipeline.archives.inspection import refusal_of
from pipeline.building.steps import Plan
from pipeline.config.layers import Settings
from pipeline.explain.document import ArchivePart, PatternRow
from pipeline.selection.choices import Choice, advice_text, reason_text
from pipeline.selection.patterns import names_files, verdicts


def explain_archive(choice: Choice, choices: Iterable[Choice], settings: Settings, preview: Plan) -> ArchivePart:
    """Explain one archive of the choices of a drop; `preview` has what the project has of it."""
    archive, component, reason = choice.archive, choice.component, choice.reason
    recorded, place = preview.before.components.get(choice.path), preview.places.get(choice.path)
    return ArchivePart(
        archive=archive.file.display_path,
        kind=component.kind,
        name=component.name,
        named_by=component.named_by or None,
        guessed=component.is_guessed,
        version=component.version,
        version_by=component.version_by or None,
        system=component.system or None,
        opened=archive.component is not None or bool(archive.refusals),
        evidence=component.evidence,
        field=component.field or None,
        selected=choice.selected,
        built=bool(recorded and recorded.comes_from(archive) and place and place.occupancy == "present"),
        rule=reason.rule,
        reason=reason_text(reason),
        patterns=tuple(_patterns(choice, settings)),
        parent=component.parent,
        requires=component.requires,
        needed_by=_needed_by(choice, choices),
        refusals=tuple(str(refusal_of(each)) for each in archive.refusals),
        advice=advice_text(choice),
    )


def _patterns(choice: Choice, settings: Settings) -> Iterator[PatternRow]:
    """The patterns that match an archive; of a theme only those count that name files."""
    file, is_theme = choice.archive.file, choice.component.kind == "theme"
    names = file.names[file.is_theme_setting :] if is_theme else (choice.component.name, *file.names)
    for layer, is_in, reason in verdicts(settings, names, names_files if is_theme else bool):
        if reason.word or not is_theme:
            decides, source = reason == choice.reason, str(reason.location)
            yield PatternRow(reason.setting, reason.word, layer, source, "in" if is_in else "out", decides)


def _needed_by(choice: Choice, choices: Iterable[Choice]) -> tuple[str, ...]:
    """The components that declare that they need a module, or build on a theme."""
    name, is_theme = choice.component.name, choice.component.kind == "theme"
    components = (each.component for each in choices)
    users = {each.name for each in components if name in ((each.parent,) if is_theme else concat(each.needs))}
    return tuple(sorted(users - {name}))
