"""Hosting: which archives are for the system in the project, and which of several run on
it (`docs/archives.md`).

The system decides before anything is selected. If the project has no system, the first marker
counts, and nothing is judged.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping
from typing import Final

from msgspec import Struct

from pipeline.archives.archive import Archive, ArchiveFile, Component
from pipeline.archives.markers import BY_FILE_NAME
from pipeline.config.layers import Settings
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.drop import other_system
from pipeline.report.wording import either
from pipeline.selection.choices import Choice, Reason
from pipeline.selection.duplicates import NOT_RECORDED
from pipeline.selection.patterns import calls
from pipeline.systems.residences import Host
from pipeline.values import replace

_RUNS: Final = 0
_IS_BEYOND: Final = 1
_RUNS_ELSEWHERE: Final = 2
"""How an archive suits the version of the system, the best first."""
_RECORDED: Final = "the record has"


class Asked(Struct, frozen=True):
    """What a command asks the selection for."""

    names: Collection[str] = ()
    """The names of components, or their canonical paths."""
    is_forced: bool = False
    """Whether these are built in spite of objections."""
    by_record: bool = False
    """Whether only the record decides which of several archives of a component is chosen."""
    prunes: bool = False
    """Whether recorded components that are left out are removed."""


NOTHING_ASKED: Final = Asked()


class Hosting(Struct, frozen=True):
    """The system that decides, if there is one, and what the record says about the archives."""

    host: Host | None = None
    asked: Asked = NOTHING_ASKED
    recorded: frozenset[ArchiveFile] = frozenset()
    """The archives that the record names."""
    as_recorded: frozenset[ArchiveFile] = frozenset()
    """These archives, and others of recorded components that have the same marker."""
    folders: Mapping[tuple[str, str], str] = {}
    """The names of the folders in which the project has components, by the components' kinds
    and names.
    """
    may_be_from: Callable[[Choice], bool] = lambda _: False
    """Whether the component on disk may have been built from an archive."""
    remains: Callable[[Choice], bool] = lambda _: False
    """Whether the project has a choice's component on disk and still has it after the run."""

    @property
    def themes(self) -> frozenset[str]:
        """The names of the themes that the project has."""
        return frozenset(name for kind, name in self.folders if kind == "theme")

    def forces(self, component: Component) -> bool:
        """Whether a component is built in spite of objections."""
        return self.asked.is_forced and not {component.name, component.path}.isdisjoint(
            self.asked.names
        )

    def standing(self, archive: Archive) -> int:
        """How an archive suits the version of the system; among several, the lowest
        is preferred.
        """
        if archive.file in self.recorded:
            return _RUNS
        if self.asked.by_record:
            return NOT_RECORDED
        component = archive.component
        if self.host is None or component is None or self.host.runs(component) is not False:
            return _RUNS
        if self.host.system.is_above(self.host.version, component.runs_on):
            return _IS_BEYOND
        return _RUNS_ELSEWHERE


NO_HOSTING: Final = Hosting()
"""The hosting of a project without a system."""


class Hosted(Struct, frozen=True):
    """The archives of a drop that may be selected, and the others."""

    archives: tuple[Archive, ...]
    left_out: tuple[Choice, ...] = ()
    """The archives for other systems."""
    warnings: tuple[WarningDiagnostic, ...] = ()
    once: tuple[WarningDiagnostic, ...] = ()
    """Warnings about recorded archives, which are not repeated."""


def as_read_by(host: Host | None, archive: Archive) -> Archive:
    """An archive with its component as the project's system reads it, if it has a marker of
    that system.
    """
    component = archive.component
    if host is None or component is None:
        return archive
    taken = filter(host.takes, (component, *archive.others))
    own = min(taken, key=lambda reading: reading.system != host.name, default=component)
    return replace(archive, component=host.as_taken(own))


def hosted(archives: tuple[Archive, ...], hosting: Hosting, settings: Settings) -> Hosted:
    """Find the archives for other systems, which are not built; one warning per system lists them.

    Archives that are recorded, or that a user names, are built all the same.
    """
    host = hosting.host
    if host is None:
        return Hosted(archives)
    own = list[Archive]()
    left_out = list[Choice]()
    files = defaultdict[tuple[str, str], list[str]](list)
    names = defaultdict[tuple[str, str], list[str]](list)
    for archive in archives:
        component = archive.component
        if component is None or not is_of_another(host, component):
            own.append(archive)
            continue
        why = _why_built_anyway(archive, component, hosting, settings)
        files[component.system, why].append(archive.file.display_path)
        names[component.system, why].append(component.name)
        if why:
            own.append(archive)
        else:
            left_out.append(
                Choice(archive, component, False, Reason("other system", word=component.system))
            )
    often = list[WarningDiagnostic]()
    once = list[WarningDiagnostic]()
    for system, why in sorted(files):
        warning = other_system(
            system, host.name, tuple(files[system, why]), tuple(names[system, why]), why
        )
        if why == _RECORDED:
            once.append(warning)
        else:
            often.append(warning)
    return Hosted(tuple(own), tuple(left_out), tuple(often), tuple(once))


def unusable_parts(
    component: Component, host: Host | None
) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The system that would not use all of a component, and which parts and why, as clauses."""
    facts = [(f"`{part.what}`", part.why) for part in component.unusable]
    system = component.system
    if host and host.takes(component) and component.lacks:
        facts.append((either(component.lacks), "its uploader refuses a theme without it"))
    if host and (not component.system or component.field == BY_FILE_NAME):
        system = host.name
        facts.append(("no marker of the system", "it would not see it"))
    return system, tuple(facts)


def is_of_another(host: Host, component: Component) -> bool:
    """Whether a component's marker belongs to another system. Without a system's marker, there is
    nothing to judge.
    """
    is_judged = bool(component.system) and component.field != BY_FILE_NAME and not component.what
    return is_judged and not host.takes(component)


def _why_built_anyway(
    archive: Archive, component: Component, hosting: Hosting, settings: Settings
) -> str:
    """Why an archive for another system is built anyway, as subject and verb; empty if it
    is not built.
    """
    file = archive.file
    if file in hosting.as_recorded:
        return _RECORDED
    if hosting.forces(component):
        return "`--force` names"
    if component.kind == "theme":
        if file.is_theme_setting or settings.theme == component.name:
            return "the setting `theme` names"
        return ""
    if calls(settings, (component.name, *file.names)):
        return "a list of modules names"
    return ""
