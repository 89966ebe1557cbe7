"""Target folders: where themes and modules go: `themes/` and `modules/`, unless the project has others.

Takes the folders that flags and variables name, what the record says, and a look at the project; gives one folder for
each kind. The rules are in `docs/building.md`.
"""

import shlex
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import PurePath
from typing import Final

from msgspec import Struct
from returns.result import Failure, Success
from toolz import unique

from pipeline.archives.entry_names import name_fault
from pipeline.config.variables import MODULES_DIR, THEMES_DIR
from pipeline.report.diagnostics.building import BadFolder
from pipeline.report.diagnostics.settings import UsageError
from pipeline.report.events import ComponentKind
from pipeline.report.location import Location
from pipeline.report.outcome import BuildOutcome
from pipeline.report.wording import listed

_WORDPRESS: Final = "wp-includes/version.php"
WP_CONTENT: Final = "wp-content"
"""The folder of WordPress that may be the project, with the rest of WordPress around it."""
_HERE: Final = "."
_WEB_ROOTS: Final = ("public", "htdocs", "www", "web", "docroot")
"""The folders in which a system is looked for that is not in the project itself."""
CONTRIB: Final = "contrib"
"""The folder in those of Drupal for components that others made, if it exists."""
_SITES: Final = PurePath("sites/all")
"""The folder in which Drupal has folders of themes and modules, beside those at its root."""
_COMMAND: Final = "tool create"
_IN_DROP: Final = "it is the folder of the archives, or in it"
KINDS: Final[tuple[ComponentKind, ...]] = ("theme", "module")
FLAGS: Final[Mapping[ComponentKind, str]] = {"theme": "--themes-dir", "module": "--modules-dir"}


class Places(Struct, frozen=True):
    """The folders of themes and of modules, relative to the project."""

    themes: str = "themes"
    modules: str = "modules"

    def of(self, kind: ComponentKind) -> str:
        """The folder of a kind of components."""
        return self.themes if kind == "theme" else self.modules

    def kind_of(self, path: str) -> ComponentKind:
        """The kind of the component at a path in one of the folders."""
        return "theme" if path.rpartition("/")[0] == self.themes else "module"

    def holds(self, path: str) -> bool:
        """Whether a path is that of a component in one of the folders."""
        folder, _, name = path.rpartition("/")
        return folder in {self.themes, self.modules} and is_folder_name(name)

    @property
    def is_sound(self) -> bool:
        """Whether both folders are ones that can be, and neither is in the other."""
        return not (folder_fault(self.themes) or folder_fault(self.modules) or _fault_beside(self))


USUAL: Final = Places()
"""The folders of a project without a system that has others."""


class Named(Struct, frozen=True):
    """A folder, and the flag or the variable that names it."""

    folder: str
    by: str


class KnownSystem(Struct, frozen=True):
    """A system of which it is known where it keeps components."""

    name: str
    marker: str
    """The file that shows it."""
    places: Places
    text: bytes = b""
    """What the marker contains."""
    roots: tuple[str, ...] = (_HERE,)
    """The folders of the project that it may be in."""
    has_contrib: bool = True


KNOWN_SYSTEMS: Final = (
    KnownSystem("WordPress", _WORDPRESS, Places("wp-content/themes", "wp-content/plugins"), has_contrib=False),
    KnownSystem("Drupal", "core/lib/Drupal.php", USUAL, roots=(_HERE, "web", "docroot")),
    KnownSystem("Backdrop", "core/includes/bootstrap.inc", USUAL, b"BACKDROP_VERSION"),
    KnownSystem("Drupal 7", "includes/bootstrap.inc", Places("sites/all/themes", "sites/all/modules")),
)


class System(Struct, frozen=True):
    """A system that lives in a project, the file that shows it, and the folders in which it keeps its components."""

    name: str
    marker: str
    places: Places

    def __str__(self) -> str:
        return f"{self.name} ({self.marker})"


class FolderProbe(Struct, frozen=True):
    """Questions to a project, by paths relative to it."""

    name: str
    """The name of the project's folder."""
    is_there: Callable[[str], bool]
    real: Callable[[str], str]
    """The same path without links in it, relative to the project as well."""
    content: Callable[[str], bytes] = lambda _: b""
    """The content of a file, as far as texts are read; nothing if it cannot be read."""
    folders: Callable[[str], Sequence[str]] = lambda _: ()
    """The names of the folders in a folder."""

    def has(self, known: KnownSystem, root: str) -> bool:
        """Whether a folder of the project has a system."""
        marker = _in(root, known.marker)
        return self.is_there(marker) and known.text in self.content(marker)

    def each_once(self, folders: Iterable[str]) -> tuple[str, ...]:
        """Folders without duplicates; of two paths to one folder, the one that is no link."""
        return tuple(unique(sorted(folders, key=lambda each: self.real(each) != each), key=self.real))


def named_by(flags: Mapping[ComponentKind, str | None], environ: Mapping[str, str]) -> dict[ComponentKind, Named]:
    """The folders that are named: by a flag or else by a variable, of which an empty one is unset."""
    variables: dict[ComponentKind, Named] = {
        "theme": Named(environ.get(THEMES_DIR, ""), THEMES_DIR),
        "module": Named(environ.get(MODULES_DIR, ""), MODULES_DIR),
    }
    given = {kind: Named(flags.get(kind) or "", FLAGS[kind]) for kind in KINDS}
    named = {kind: given[kind] if given[kind].folder else variables[kind] for kind in KINDS}
    return {kind: each for kind, each in named.items() if each.folder}


def decide(
    named: Mapping[ComponentKind, Named],
    recorded: Places,
    components: Collection[str],
    drop: str,
    systems: Sequence[System] = (),
) -> BuildOutcome[Places]:
    """The folders of a project, given those that its record has, and the paths of its recorded components.

    What is named counts before the record, and the record before what the system keeps there. `drop` is the folder of
    archives: relative to the project if it is in it, else absolute. Errors: `BadFolder`,
    `UsageError`.
    """
    wanted = {kind: Named(_in(each.folder), each.by) for kind, each in named.items()}
    if len(systems) > 1:
        return Failure((ambiguous(systems),))
    places = recorded if components else next((each.places for each in systems), USUAL)
    elsewhere = tuple(
        in_another(each, places.of(kind))
        for kind, each in wanted.items()
        if each.folder != places.of(kind) and any(recorded.kind_of(path) == kind for path in components)
    )
    places = Places(*(wanted[kind].folder if kind in wanted else places.of(kind) for kind in KINDS))
    beside = _fault_beside(places)
    faults = [
        (each, folder_fault(each.folder) or (_IN_DROP if _is_in(each.folder, drop) else beside))
        for each in wanted.values()
    ]
    bad = tuple(BadFolder(each.by, each.folder, fault) for each, fault in faults if fault)
    return Failure(bad or elsewhere) if bad or elsewhere else Success(places)


def ambiguous(systems: Sequence[System]) -> UsageError:
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


@cache
def folders_around(target: str) -> tuple[str, ...]:
    """The folders in which a system may have components of the same kind as in a target folder."""
    folder = PurePath(target)
    top = folder.parent if folder.name == CONTRIB else folder
    root = top.parent
    of_drupal = root.parent.parent if root.parts[-2:] == _SITES.parts else root / _SITES
    return tuple(path.as_posix() for path in (top, root / "mu-plugins", of_drupal / top.name))


@lru_cache(maxsize=16)
def with_inner_folders(folders: tuple[str, ...]) -> tuple[str, ...]:
    """Folders, each with those in it that Drupal has for components of others and for those of the site."""
    return tuple(_in(each, inner) for each in folders for inner in ("", CONTRIB, "custom"))


def is_component_path(path: str) -> bool:
    """Whether a path in a project is one that a component can have, whatever the folders are."""
    folder, _, name = path.rpartition("/")
    return is_folder_name(name) and not folder_fault(folder)


def is_folder_name(name: str) -> bool:
    """Whether a name can be that of the folder of a component, as somebody may have called it: blanks are fine."""
    return not (name_fault(name) or name.startswith(".") or "/" in name)


@lru_cache(maxsize=16)
def folder_fault(folder: str) -> str:
    """Why a path cannot be the folder of components, as a clause; empty if it can. `.git` and `.tool` have a dot."""
    if folder in {"", "."}:
        return "it is the project itself"
    is_hidden = any(part.startswith(".") for part in folder.split("/"))
    return name_fault(folder) or ("a part of it begins with a dot" if is_hidden else "")


def _fault_beside(places: Places) -> str:
    """Why one of two folders cannot be beside the other."""
    if _is_in(places.themes, places.modules) or _is_in(places.modules, places.themes):
        return f"themes in `{places.themes}` and modules in `{places.modules}` cannot be told apart"
    return ""


def _is_in(path: str, folder: str) -> bool:
    """Whether a path is a folder or below it, on a disk that ignores case, too."""
    return f"{path}/".casefold().startswith(f"{folder}/".casefold())


def systems_in(probe: FolderProbe) -> Iterator[System]:
    """The systems that live in a project, each once: of two folders that are the same, that which is no link."""
    for known in KNOWN_SYSTEMS:
        for root in probe.each_once(root for root in known.roots if probe.has(known, root)):
            yield System(known.name, _in(root, known.marker), _places(probe, known, root))
    if probe.name == WP_CONTENT and probe.is_there(f"../{_WORDPRESS}"):
        yield System("WordPress", f"../{_WORDPRESS}", Places("themes", "plugins"))


def _places(probe: FolderProbe, known: KnownSystem, root: str) -> Places:
    """The folders of a system at a root."""
    folders = [_in(root, known.places.of(kind)) for kind in KINDS]
    if known.has_contrib:
        folders = [_in(each, CONTRIB) if probe.is_there(_in(each, CONTRIB)) else each for each in folders]
    return Places(*folders)


def is_on_the_web(probe: FolderProbe) -> bool:
    """Whether a web server may hand out the files of a project."""
    return probe.is_there("index.php") or any(probe.has(each, _HERE) for each in KNOWN_SYSTEMS)


def check_systems_below(probe: FolderProbe, wanted: Collection[str], project: str) -> BuildOutcome[None]:
    """Refuse to look into a project that has no system, if one that components are for is one folder below it.

    `wanted` has the names of the systems, `project` is the project's folder as `--output` names it.
    """
    those = tuple(each for each in KNOWN_SYSTEMS if each.name in wanted)
    if not those or any(systems_in(probe)):
        return Success(None)
    errors = list[UsageError]()
    for system in those:
        folders = probe.each_once(root for root in _WEB_ROOTS if probe.has(system, root))
        if folders:
            places = _places(probe, system, folders[0])
            outputs = [f"`{shlex.join((f'--output={PurePath(project, each)}',))}`" for each in folders]
            dirs = shlex.join(f"{FLAGS[kind]}={places.of(kind)}" for kind in KINDS)
            message = f"{system.name} is not in the project itself, but one folder down, in {listed(folders)}"
            errors.append(UsageError(message, _COMMAND, instead=f"pass {' or '.join(outputs)}; or `{dirs}`"))
    return Failure(tuple(errors)) if errors else Success(None)


def _in(*parts: str) -> str:
    return PurePath(*parts).as_posix()
