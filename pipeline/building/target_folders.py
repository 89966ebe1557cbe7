"""Target folders: where themes and modules go: `themes/` and `modules/`, unless the
project has others.

Takes the folders that flags and variables name, those of the record, and the systems in the
project; returns one folder for each kind. The rules are in `docs/building.md`.
"""

import shlex
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Final

from msgspec import Struct
from returns.result import Failure, Success

from pipeline.archives.places import (
    KINDS,
    USUAL,
    FolderProbe,
    Places,
    fault_beside,
    folder_fault,
    is_in,
    joined,
)
from pipeline.config.variables import MODULES_DIR, THEMES_DIR
from pipeline.report.diagnostics.building import BadFolder
from pipeline.report.diagnostics.settings import UsageError
from pipeline.report.events import ComponentKind
from pipeline.report.location import Location
from pipeline.report.outcome import BuildOutcome
from pipeline.report.wording import listed
from pipeline.systems.residences import Residence, residences, roots_of
from pipeline.systems.system import HERE
from pipeline.systems.table import SYSTEMS

_WEB_ROOTS: Final = ("public", "htdocs", "www", "web", "docroot")
"""The folders below a project in which its system may be."""
_COMMAND: Final = "tool create"
_IN_DROP: Final = "it is the folder of the archives, or in it"
FLAGS: Final[Mapping[ComponentKind, str]] = {"theme": "--themes-dir", "module": "--modules-dir"}
_VARIABLES: Final[Mapping[ComponentKind, str]] = {"theme": THEMES_DIR, "module": MODULES_DIR}


class NamedFolder(Struct, frozen=True):
    """A target folder, and the flag or the variable that names it."""

    folder: str
    by: str


def named_folders(
    flags: Mapping[ComponentKind, str | None], environ: Mapping[str, str]
) -> dict[ComponentKind, NamedFolder]:
    """The target folders that a flag or else a variable names. An empty variable
    counts as unset.
    """
    named = dict[ComponentKind, NamedFolder]()
    texts = {"theme": environ.get(THEMES_DIR, ""), "module": environ.get(MODULES_DIR, "")}
    for kind in KINDS:
        by_flag = flags.get(kind)
        by_variable = texts[kind].strip()
        if by_flag:
            named[kind] = NamedFolder(by_flag, FLAGS[kind])
        elif by_variable:
            named[kind] = NamedFolder(by_variable, _VARIABLES[kind])
    return named


def choose_target_folders(
    named: Mapping[ComponentKind, NamedFolder],
    recorded: Places,
    components: Collection[str],
    drop: str,
    systems: Sequence[Residence] = (),
) -> BuildOutcome[Places]:
    """Choose the target folders of a project.

    A named folder counts before that of the record, and the record, if it has components, before
    the folders of the system. `components` are the paths of the recorded components; `drop` is
    relative to the project if it is in it, else absolute. Errors: `BadFolder`, `UsageError`.
    """
    if len(systems) > 1:
        return Failure((several_systems(systems),))
    before = USUAL
    if systems:
        before = systems[0].places
    if components:
        before = recorded
    wanted = dict[ComponentKind, NamedFolder]()
    folders = {kind: before.of(kind) for kind in KINDS}
    for kind, each in named.items():
        wanted[kind] = NamedFolder(joined(each.folder), each.by)
        folders[kind] = wanted[kind].folder
    places = Places(folders["theme"], folders["module"])
    bad = tuple(_bad_folders(wanted.values(), places, drop))
    if bad:
        return Failure(bad)
    kinds = set(map(recorded.kind_of, components))
    elsewhere = list[UsageError]()
    for kind, each in wanted.items():
        if kind in kinds and each.folder != before.of(kind):
            elsewhere.append(already_elsewhere(each, before.of(kind)))
    if elsewhere:
        return Failure(tuple(elsewhere))
    return Success(places)


def _bad_folders(wanted: Iterable[NamedFolder], places: Places, drop: str) -> Iterator[BadFolder]:
    """The errors of named folders that cannot hold components."""
    beside = fault_beside(places)
    for named in wanted:
        fault = folder_fault(named.folder)
        if not fault and is_in(named.folder, drop):
            fault = _IN_DROP
        if fault or beside:
            yield BadFolder(named.by, named.folder, fault or beside)


def several_systems(systems: Sequence[Residence]) -> UsageError:
    """The error of a project with several systems, each with its own folders."""
    message = (
        f"several systems are in the project, each with its own folders: "
        f"{listed(tuple(map(str, systems)), mark='')}"
    )
    return UsageError(
        message, _COMMAND, instead="name the folders: `--themes-dir=FOLDER --modules-dir=FOLDER`"
    )


def already_elsewhere(named: NamedFolder, recorded: str) -> UsageError:
    """The error of a named folder that is not the one with the components. No run
    moves components.
    """
    message = f"components are already in `{recorded}`; tool does not move them to `{named.folder}`"
    moves = (
        f"leave `{named.by}` out; or move the components from `{recorded}` to `{named.folder}`, "
        f"delete "
        "`.tool-manifest.json`, and run again; tool takes over what the archives of the drop are of"
    )
    return UsageError(message, _COMMAND, location=Location(named.by), instead=moves)


def is_on_the_web(probe: FolderProbe) -> bool:
    """Whether a web server may serve the files of a project."""
    return probe.is_there("index.php") or any(each.found_by.is_at(HERE, probe) for each in SYSTEMS)


def check_systems_below(
    probe: FolderProbe, wanted: Collection[str], project: str
) -> BuildOutcome[None]:
    """Refuse a project without a system if a system that takes the components is one
    folder below it.

    `wanted` has the names of those systems; `project` is the project's folder as
    `--output` names it.
    """
    named = {name for name in wanted if name}
    those = tuple(each for each in SYSTEMS if not named.isdisjoint((each.name, each.made_from)))
    if not those or any(residences(probe)):
        return Success(None)
    errors = list[UsageError]()
    for system in those:
        folders = roots_of(system, _WEB_ROOTS, probe)
        if folders:
            places = system.folders.at(folders[0], probe)
            outputs = [
                f"`{shlex.join((f'--output={PurePath(project, folder)}',))}`" for folder in folders
            ]
            dirs = shlex.join(f"{FLAGS[kind]}={places.of(kind)}" for kind in KINDS)
            message = (
                f"{system.name} is not in the project itself, but one folder down, in "
                f"{listed(folders)}"
            )
            errors.append(
                UsageError(message, _COMMAND, instead=f"pass {' or '.join(outputs)}; or `{dirs}`")
            )
    if errors:
        return Failure(tuple(errors))
    return Success(None)
