"""Places: the folders in which a project has its components, and questions to the project."""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from pathlib import PurePath
from typing import Final

from msgspec import Struct
from toolz import unique

from pipeline.archives.entry_names import name_fault
from pipeline.report.events import ComponentKind

KINDS: Final[tuple[ComponentKind, ...]] = ("theme", "module")


class Places(Struct, frozen=True):
    """The folders of themes and of modules, relative to the project."""

    themes: str = "themes"
    modules: str = "modules"

    def of(self, kind: ComponentKind) -> str:
        """The folder for components of a kind."""
        if kind == "theme":
            return self.themes
        return self.modules

    def kind_of(self, path: str) -> ComponentKind:
        """The kind of the component at a path in one of the folders."""
        if path.rpartition("/")[0] == self.themes:
            return "theme"
        return "module"

    def holds(self, path: str) -> bool:
        """Whether a path is that of a component in one of the folders."""
        folder, _, name = path.rpartition("/")
        return folder in {self.themes, self.modules} and is_folder_name(name)

    @property
    def is_sound(self) -> bool:
        """Whether both folders are valid, and neither is inside the other."""
        return not (folder_fault(self.themes) or folder_fault(self.modules) or fault_beside(self))


USUAL: Final = Places()
"""The folders of a project unless its system has others."""


class FolderProbe(Struct, frozen=True):
    """Questions to a project; paths are relative to it."""

    name: str
    """The name of the project's folder."""
    is_there: Callable[[str], bool]
    real: Callable[[str], str]
    """The same path with links resolved, also relative to the project."""
    content: Callable[[str], bytes] = lambda _: b""
    """The content of a file, up to the limit for texts; empty if it cannot be read."""
    folders: Callable[[str], Sequence[str]] = lambda _: ()
    """The names of the folders in a folder."""
    names: Callable[[str], Sequence[str]] = lambda _: ()
    """The names of everything in a folder, if it can be read."""

    def each_once(self, folders: Iterable[str]) -> tuple[str, ...]:
        """Folders without duplicates; of two paths to the same folder, the one that is no
        link stays.
        """
        return tuple(
            unique(sorted(folders, key=lambda each: self.real(each) != each), key=self.real)
        )


def joined(*parts: str) -> str:
    """A path joined from others, without empty parts and `.`."""
    return PurePath(*parts).as_posix()


def is_component_path(path: str) -> bool:
    """Whether a component can have a path in a project, whatever the folders are."""
    folder, _, name = path.rpartition("/")
    return is_folder_name(name) and not folder_fault(folder)


def is_folder_name(name: str) -> bool:
    """Whether the folder of a component can have a name that a person gave it; blanks
    are allowed.
    """
    return not (name_fault(name) or name.startswith(".") or "/" in name)


@lru_cache(maxsize=16)
def folder_fault(folder: str) -> str:
    """Why a path cannot be the folder of components, as a clause; empty if it can. `.git` and
    `.tool` have a dot.
    """
    if folder in {"", "."}:
        return "it is the project itself"
    if fault := name_fault(folder):
        return fault
    if any(part.startswith(".") for part in folder.split("/")):
        return "a part of it begins with a dot"
    return ""


def fault_beside(places: Places) -> str:
    """Why one of two folders cannot be used together with the other."""
    if is_in(places.themes, places.modules) or is_in(places.modules, places.themes):
        return f"themes in `{places.themes}` and modules in `{places.modules}` cannot be told apart"
    return ""


def is_in(path: str, folder: str) -> bool:
    """Whether a path is a folder or below it; upper and lower case are the same."""
    return f"{path}/".casefold().startswith(f"{folder}/".casefold())
