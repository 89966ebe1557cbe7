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
        """The folder of a kind of components."""
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
        """Whether both folders are ones that can be, and neither is in the other."""
        return not (folder_fault(self.themes) or folder_fault(self.modules) or fault_beside(self))


USUAL: Final = Places()
"""The folders of a project without a system that has others."""


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
    names: Callable[[str], Sequence[str]] = lambda _: ()
    """The names of all that is in a folder, as far as it can be read."""

    def each_once(self, folders: Iterable[str]) -> tuple[str, ...]:
        """Folders without duplicates; of two paths to one folder, the one that is no link."""
        return tuple(unique(sorted(folders, key=lambda each: self.real(each) != each), key=self.real))


def joined(*parts: str) -> str:
    """A path made of others, without empty parts and `.`."""
    return PurePath(*parts).as_posix()


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
    if fault := name_fault(folder):
        return fault
    if any(part.startswith(".") for part in folder.split("/")):
        return "a part of it begins with a dot"
    return ""


def fault_beside(places: Places) -> str:
    """Why one of two folders cannot be beside the other."""
    if is_in(places.themes, places.modules) or is_in(places.modules, places.themes):
        return f"themes in `{places.themes}` and modules in `{places.modules}` cannot be told apart"
    return ""


def is_in(path: str, folder: str) -> bool:
    """Whether a path is a folder or below it, on a disk that ignores case, too."""
    return f"{path}/".casefold().startswith(f"{folder}/".casefold())
