"""System: what the tool knows of one system: data and pure functions, from which everything else is asked.

A system says facts, never a diagnostic. Paths are relative to its root, the folder in which it is installed.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from pipeline.archives.archive import Component
from pipeline.archives.constraints import satisfies
from pipeline.archives.markers import Identification, Recogniser, Root
from pipeline.archives.naming import FolderRules
from pipeline.archives.php_versions import compare_as_php
from pipeline.archives.places import USUAL, FolderProbe, Places, joined
from pipeline.report.diagnostics.archives import Unbuilt
from pipeline.report.events import ComponentKind
from pipeline.report.wording import listed

HERE: Final = "."
"""The project itself, as one of its folders."""
Fallback: TypeAlias = Literal["old shape", "file name", "folder", "no marker", "sources"]
"""What shows a component where no marker does, in the order in which the systems are asked for it.

- `old shape`: the shape of an earlier version; no marker of any system, nor a general one, is there.
- `file name`: the name of a file alone; not even a package says what it is.
- `folder`: the markers in a folder, and nothing else in the archive has one.
- `no marker`: a file or folder that only this system has, but no component of its own.
- `sources`: what a theme is built from.
"""
Happening: TypeAlias = Literal["updated", "removed", "brought back"]
"""What becomes of a component that a system may know: an undo, or the undo of one, brings another version back."""
FolderPair: TypeAlias = tuple[str, str]
"""A folder of a component, and that of a theme with its versions of the files; `{}` is the component's name."""


class Sign(Struct, frozen=True):
    """What shows that a system is in a folder of a project, or in an archive."""

    marker: str
    """The file that shows it."""
    beside: tuple[str, ...] = ()
    """What else has to be there: files, and folders, which end in `/`."""
    text: bytes = b""
    """What a file contains."""
    text_in: str = ""
    """The file that contains it, if it is not the marker."""

    @property
    def paths(self) -> tuple[str, ...]:
        """Every path that has to be there."""
        return (self.marker, *self.beside)

    def is_at(self, folder: str, probe: FolderProbe) -> bool:
        """Whether it holds in a folder of a project."""
        if not all(probe.is_there(joined(folder, path)) for path in self.paths):
            return False
        return not self.text or self.text in probe.content(joined(folder, self.text_in or self.marker))

    def is_in(self, root: Root) -> bool:
        """Whether it holds at a root of an archive."""
        if not all(map(root.holds, self.paths)):
            return False
        return not self.text or self.text in root.head(self.text_in or self.marker)


class VersionFile(Struct, frozen=True):
    """A file that may have the version of a system, and the constant or variable that it is in."""

    path: str
    constant: str


class Folders(Struct, frozen=True):
    """Where a system keeps themes and modules, and in which other folders it looks for them."""

    places: Places = USUAL
    inner: tuple[str, ...] = ()
    """Folders in these in which it looks, too; if there is the first, new components go there."""
    again: str = ""
    """A folder with folders of the same names, beside those at its root."""
    beside: tuple[str, ...] = ()
    """Folders beside its own whose modules it runs without being asked."""
    content: str = ""
    """The folder around those of themes and modules, if it may be the project by itself."""
    own: tuple[str, ...] = ()
    """Others in which it finds components: its own, and those of profiles and sites; `*` stands for any folder."""

    def at(self, root: str, probe: FolderProbe) -> Places:
        """The folders in which components are built, given the root of the system."""
        return Places(*(self._in_use(joined(root, each), probe) for each in (self.places.themes, self.places.modules)))

    def _in_use(self, folder: str, probe: FolderProbe) -> str:
        inner = joined(folder, *self.inner[:1])
        if self.inner and probe.is_there(inner):
            return inner
        return folder

    @property
    def in_content(self) -> Places:
        """The folders, relative to the one around them."""
        return Places(*(each.removeprefix(f"{self.content}/") for each in (self.places.themes, self.places.modules)))


class Alteration(Struct, frozen=True):
    """What a run does to a component, as a system is asked about it. The path is relative to the project."""

    kind: ComponentKind
    path: str
    what: Happening
    previous: str | None = None
    version: str | None = None
    """The versions before and after it, as far as they are known."""

    @property
    def is_raised(self) -> bool:
        """Whether its system takes the new version for a higher one."""
        return self.version is not None and compare_as_php(self.version, self.previous or "") > 0


class NextStep(Struct, frozen=True, kw_only=True):
    """What a system does not do by itself when components change; in the texts, `{}` stands for these."""

    text: str
    """What is left to do after a run."""
    before: str = ""
    """What is better done before it, if anything."""
    of: frozenset[Happening] = frozenset({"updated", "brought back"})
    kinds: frozenset[ComponentKind] = frozenset({"theme", "module"})
    only_raised: bool = False
    """Whether only a higher version needs it."""

    def concerns(self, alteration: Alteration) -> bool:
        """Whether it is needed when this happens to a component."""
        is_meant = alteration.what in self.of and alteration.kind in self.kinds
        return is_meant and (alteration.is_raised or not self.only_raised)


CHOOSE_ANOTHER: Final = NextStep(
    text="if {} was active, choose another theme",
    before="if {} is active, choose another theme",
    of=frozenset({"removed"}),
    kinds=frozenset({"theme"}),
)


class Shown(Struct, frozen=True):
    """How the documentation describes a system."""

    name: str = ""
    """Its name with the versions that are meant."""
    theme: str = ""
    """The marker of a theme, and of a module."""
    module: str = ""
    overrides: str = ""
    """The files that a theme overrides."""


def no_recogniser(_: Root) -> Iterator[Identification]:
    """Recognise nothing."""
    return iter(())


def no_folders(_: Component) -> tuple[FolderPair, ...]:
    """Nothing of a component is overridden by its path."""
    return ()


class System(Struct, frozen=True, kw_only=True):
    """A system, and what is known of it. `name` is what messages and the record of archives call it."""

    name: str
    found_by: Sign
    """What shows it in a project."""
    roots: tuple[str, ...] = (HERE,)
    """The folders of a project that it may be in."""
    releases: tuple[Sign, ...] = ()
    """What shows a release or a backup of it in an archive."""
    versions: tuple[VersionFile, ...] = ()
    """Where it has its own version."""
    made_from: str = ""
    """The system that it has been made from, whose signs it has as well."""
    kin: tuple[str, ...] = ()
    """Other systems that a component for it may be in."""
    folders: Folders = Folders()

    recognise: Recogniser = no_recogniser
    """Its markers, read as it reads them."""
    named_at: Callable[[Root], Iterator[tuple[ComponentKind, str]]] | None = None
    """The kinds and names of the components that it finds at a root, where reading their markers in full takes long."""
    fallbacks: Mapping[Fallback, Recogniser] = {}
    """What else shows its components."""
    markers: tuple[str, ...] = ()
    """Markers with a fixed name, which are reported if they identify nothing."""
    endings: tuple[str, ...] = ()
    """How markers end whose name is the component's."""
    hints: tuple[str, ...] = ()
    """Files that may be markers, or lie beside one."""
    unpacked: frozenset[str] = frozenset()
    """Files that together show an unpacked component."""
    unread: Callable[[Root], Iterator[str]] = lambda _: iter(())
    """The files at a root that are called like its markers and identify nothing."""
    packages: str = ""
    """How the types of its packages begin, without the hyphen."""
    other_packages: Mapping[str, Unbuilt] = {}
    """The types of its packages that are no component by themselves."""
    naming: FolderRules = FolderRules()
    """How the name of a folder becomes that of a component."""
    is_strict: frozenset[ComponentKind] = frozenset()
    """The kinds of components whose folders have to have their very names."""
    title_in: Callable[[bytes, str], str] = lambda *_: ""
    """The title that a field of a marker gives, where a folder may have any name."""

    accepts: Callable[[str, str], bool | None] = satisfies
    """Whether its version is one that a component says it runs on; `None` if what it says cannot be judged."""
    is_nesting: bool = False
    """Whether it finds modules in modules."""
    is_limiting: bool = False
    """Whether it enforces the upper limit by itself, and so often that modules do not keep it up to date."""
    brings: str = ""
    """The folder of a theme in which it has modules of its own."""
    demands: tuple[str, ...] = ()
    """Files of which it demands one from a theme without a parent, or its uploader refuses it."""
    adopts: Callable[[Component, str], bool] = lambda *_: False
    """Whether it takes for a theme what others take for neither theme nor module, given its version."""
    holds_back: bool = False
    """Whether it leaves a component out that says a higher version, until somebody has upgraded it there."""
    next_steps: tuple[NextStep, ...] = (CHOOSE_ANOTHER,)
    """What it does not do by itself when components change."""
    is_main_file: Callable[[bytes], bool] | None = None
    """Whether a file is the main file of a module, given its content, where it knows a module by the path of that."""
    rewrites: Callable[[Component, str], bool] = lambda *_: False
    """Whether it writes a file of a component anew, given its path there, so that nobody's work is in it."""
    overrides: Callable[[Component], tuple[FolderPair, ...]] = no_folders
    """The folders of a component whose files a theme overrides by their paths, the preferred one first."""
    templates: str = ""
    """The suffix of the files that a theme overrides by their names alone."""
    shown: Shown = Shown()

    def needs(self, alterations: Collection[Alteration], *, is_before: bool = False) -> tuple[str, ...]:
        """What is left to do after changes of components, or is better done before them."""
        lines = list[str]()
        for step in self.next_steps:
            text = step.text
            if is_before:
                text = step.before
            paths = [each.path for each in alterations if step.concerns(each)]
            if text and paths:
                lines.append(text.format(listed(paths)))
        return tuple(lines)
