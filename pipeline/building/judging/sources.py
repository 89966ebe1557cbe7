"""Sources: distinguish the sources of a theme from a theme, by what the project has.

An archive with a theme's sources, but without a file that the system demands, is not built. If the
project was built from such an archive before, the theme is built, because a hook makes the rest.
The rules are in `docs/archives.md`.
"""

from collections.abc import Callable, Mapping

from pipeline.archives.archive import Archive, Component
from pipeline.archives.places import FolderProbe
from pipeline.building.judging.copies import Home
from pipeline.building.stores.record import Record
from pipeline.config.layers import Settings
from pipeline.recognition.recognise import called_kind
from pipeline.report.diagnostics.archives import not_built
from pipeline.report.wording import either
from pipeline.selection.patterns import calls
from pipeline.systems.residences import Host
from pipeline.values import replace


def as_sources(
    archive: Archive,
    settings: Settings,
    host: Host | None,
    is_built_from: Callable[[Component], bool],
) -> Archive:
    """The archive, marked as not built if it has only the sources of a theme and nobody
    asks for it.

    `is_built_from` says whether the project's theme was built from such sources.
    """
    component = archive.component
    if component is None or not component.has_sources or (host and not host.takes(component)):
        return archive
    if _is_called(archive, component, settings) or is_built_from(component):
        return archive
    component = replace(component, kind="other", what="unbuilt theme", data=either(component.lacks))
    warning = not_built(archive.file.display_path, "unbuilt theme", component.which)
    return replace(archive, component=component, warnings=(*archive.warnings, warning))


def _is_called(archive: Archive, component: Component, settings: Settings) -> bool:
    """Whether the user calls the archive a theme, by its folder in the drop or by a setting."""
    is_named = settings.theme == component.name or calls(
        settings, (component.name, *archive.file.names)
    )
    return is_named or called_kind(archive.file) is not None


def is_built_from_sources(
    component: Component,
    homes: Mapping[tuple[str, str], Home],
    record: Record,
    project: FolderProbe,
) -> bool:
    """Whether the project has the theme built from sources: recorded, or without the files that the
    system demands.

    If an update of a recorded theme would remove such a file, the plan refuses it later.
    """
    home = homes[component.built_kind, component.name].folder
    path = f"{record.places.themes}/{home}"
    if not home or path in record.components:
        return bool(home)
    return not any(project.is_there(f"{path}/{name}") for name in component.lacks)
