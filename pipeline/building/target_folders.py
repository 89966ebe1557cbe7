"""Target folders: where themes and modules go: `themes/` and `modules/`, unless the project has others.

Takes the folders that flags and variables name, what the record says, and a look at the project; gives one folder for
each kind. The rules are in `docs/building.md`.
"""

import shlex
from collections.abc import Collection, Mapping, Sequence
from pathlib import PurePath
from typing import Final

from msgspec import Struct
from returns.result import Failure, Success

from pipeline.archives.places import KINDS, USUAL, FolderProbe, Places, fault_beside, folder_fault, is_in, joined
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
"""The folders in which a system is looked for that is not in the project itself."""
_COMMAND: Final = "tool create"
_IN_DROP: Final = "it is the folder of the archives, or in it"
FLAGS: Final[Mapping[ComponentKind, str]] = {"theme": "--themes-dir", "module": "--modules-dir"}


class Named(Struct, frozen=True):
    """A folder, and the flag or the variable that names it."""

    folder: str
    by: str


def named_by(flags: Mapping[ComponentKind, str | None], environ: Mapping[str, str]) -> dict[ComponentKind, Named]:
    """The folders that are named: by a flag or else by a variable, of which an empty one is unset."""
    variables: dict[ComponentKind, Named] = {
        "theme": Named(environ.get(THEMES_DIR, "").strip(), THEMES_DIR),
        "module": Named(environ.get(MODULES_DIR, "").strip(), MODULES_DIR),
    }
    given = {kind: Named(flags.get(kind) or "", FLAGS[kind]) for kind in KINDS}
    named = {kind: given[kind] if given[kind].folder else variables[kind] for kind in KINDS}
    return {kind: each for kind, each in named.items() if each.folder}


def decide(
    named: Mapping[ComponentKind, Named],
    recorded: Places,
    components: Collection[str],
    drop: str,
    systems: Sequence[Residence] = (),
) -> BuildOutcome[Places]:
    """The folders of a project, given those that its record has, and the paths of its recorded components.

    What is named counts before the record, and the record before what the system keeps there. `drop` is the folder of
    archives: relative to the project if it is in it, else absolute. Errors: `BadFolder`,
    `UsageError`.
    """
    wanted = {kind: Named(joined(each.folder), each.by) for kind, each in named.items()}
    if len(systems) > 1:
        return Failure((ambiguous(systems),))
    places = recorded if components else next((each.places for each in systems), USUAL)
    elsewhere = tuple(
        in_another(each, places.of(kind))
        for kind, each in wanted.items()
        if each.folder != places.of(kind) and any(recorded.kind_of(path) == kind for path in components)
    )
    places = Places(*(wanted[kind].folder if kind in wanted else places.of(kind) for kind in KINDS))
    beside = fault_beside(places)
    faults = [
        (each, folder_fault(each.folder) or (_IN_DROP if is_in(each.folder, drop) else beside))
        for each in wanted.values()
    ]
    bad = tuple(BadFolder(each.by, each.folder, fault) for each, fault in faults if fault)
    return Failure(bad or elsewhere) if bad or elsewhere else Success(places)


def ambiguous(systems: Sequence[Residence]) -> UsageError:
    """The project has several systems, each with its own folders."""
    message = (
        f"several systems are in the project, each with its own folders: {listed(tuple(map(str, systems)), mark='')}"
    )
    return UsageError(message, _COMMAND, instead="name the folders: `--themes-dir=FOLDER --modules-dir=FOLDER`")


def in_another(named: Named, recorded: str) -> UsageError:
    """A flag or variable names another folder than that of the components. No run moves components."""
    message = f"components are already in `{recorded}`; tool does not move them to `{named.folder}`"
    moves = (
        f"leave `{named.by}` out; or move the components from `{recorded}` to `{named.folder}`, delete "
        "`.tool-manifest.json`, and run again; tool takes over what the archives of the drop are of"
    )
    return UsageError(message, _COMMAND, location=Location(named.by), instead=moves)


def is_on_the_web(probe: FolderProbe) -> bool:
    """Whether a web server may hand out the files of a project."""
    return probe.is_there("index.php") or any(each.found_by.is_at(HERE, probe) for each in SYSTEMS)


def check_systems_below(probe: FolderProbe, wanted: Collection[str], project: str) -> BuildOutcome[None]:
    """Refuse to look into a project that has no system, if one that takes the components is one folder below it.

    `wanted` has the names of the systems, `project` is the project's folder as `--output` names it.
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
            outputs = [f"`{shlex.join((f'--output={PurePath(project, each)}',))}`" for each in folders]
            dirs = shlex.join(f"{FLAGS[kind]}={places.of(kind)}" for kind in KINDS)
            message = f"{system.name} is not in the project itself, but one folder down, in {listed(folders)}"
            errors.append(UsageError(message, _COMMAND, instead=f"pass {' or '.join(outputs)}; or `{dirs}`"))
    return Failure(tuple(errors)) if errors else Success(None)
