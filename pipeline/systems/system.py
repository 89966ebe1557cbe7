"""System: what the tool knows about one system, as data and pure functions. Everything else
asks it.

A system states facts and never gives a diagnostic. Paths are relative to its root, the folder in
which it is installed.
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

- `old shape`: the shape of an earlier version; no marker of any system, nor a general
  one, is there.
- `file name`: the name of a file alone; not even a package says what it is.
- `folder`: the markers in a folder, and nothing else in the archive has one.
- `no marker`: a file or folder that only this system has, but no component of its own.
- `sources`: what a theme is built from.
"""
Happening: TypeAlias = Literal["updated", "removed", "brought back"]
"""What happens to a component that a system may know: an undo or a redo brings another
version back.
"""
FolderPair: TypeAlias = tuple[str, str]
"""A folder of a component, and the theme's folder with its versions of the files; `{}` is the
component's name.
"""


class Sign(Struct, frozen=True):
    """The evidence that a system is in a folder of a project, or in an archive."""

    marker: str
    """The file that shows it."""
    beside: tuple[str, ...] = ()
    """What else must exist: files, and folders, which end in `/`."""
    text: bytes = b""
    """Text that a file must contain."""
    text_in: str = ""
    """The file that must contain it, if not the marker."""

    @property
    def paths(self) -> tuple[str, ...]:
        """Every path that must exist."""
        return (self.marker, *self.beside)

    def is_at(self, folder: str, probe: FolderProbe) -> bool:
        """Whether a folder of a project shows this sign."""
        if not all(probe.is_there(joined(folder, path)) for path in self.paths):
            return False
        return not self.text or self.text in probe.content(
            joined(folder, self.text_in or self.marker)
        )

    def is_in(self, root: Root) -> bool:
        """Whether a root of an archive shows this sign."""
        if not all(map(root.holds, self.paths)):
            return False
        return not self.text or self.text in root.head(self.text_in or self.marker)


class VersionFile(Struct, frozen=True):
    """A file that may name the version of a system, and the constant or variable that holds it."""

    path: str
    constant: str


class Folders(Struct, frozen=True):
    """Where a system keeps themes and modules, and in which other folders it looks for them."""

    places: Places = USUAL
    inner: tuple[str, ...] = ()
    """Folders inside these in which it also looks; if the first exists, new components go there."""
    again: str = ""
    """A folder that has folders with the same names as the root."""
    beside: tuple[str, ...] = ()
    """Folders besides its own whose modules it runs without activation."""
    content: str = ""
    """The folder around those of themes and modules, if that folder may be the project
    by itself.
    """
    own: tuple[str, ...] = ()
    """Other folders in which it finds components: its own, and those of profiles and sites; `*`
    matches any folder.
    """

    def at(self, root: str, probe: FolderProbe) -> Places:
        """The folders in which components are built, given the root of the system."""
        return Places(
            *(
                self._in_use(joined(root, each), probe)
                for each in (self.places.themes, self.places.modules)
            )
        )

    def _in_use(self, folder: str, probe: FolderProbe) -> str:
        inner = joined(folder, *self.inner[:1])
        if self.inner and probe.is_there(inner):
            return inner
        return folder

    @property
    def in_content(self) -> Places:
        """The folders, relative to the content folder."""
        return Places(
            *(
                each.removeprefix(f"{self.content}/")
                for each in (self.places.themes, self.places.modules)
            )
        )


class Alteration(Struct, frozen=True):
    """A change of a component, as a system is asked about it. The path is relative to
    the project.
    """

    kind: ComponentKind
    path: str
    what: Happening
    previous: str | None = None
    version: str | None = None
    """The version before the change and the one after it, if known."""

    @property
    def is_raised(self) -> bool:
        """Whether its system considers the new version higher."""
        return self.version is not None and compare_as_php(self.version, self.previous or "") > 0


class NextStep(Struct, frozen=True, kw_only=True):
    """A step that a system does not do by itself when components change; in the texts, `{}` stands
    for these.
    """

    text: str
    """What is left to do after a run."""
    before: str = ""
    """What should be done before the run, if anything."""
    of: frozenset[Happening] = frozenset({"updated", "brought back"})
    kinds: frozenset[ComponentKind] = frozenset({"theme", "module"})
    only_raised: bool = False
    """Whether only a higher version needs it."""

    def concerns(self, alteration: Alteration) -> bool:
        """Whether a change of a component needs this step."""
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
    """The system's name with the versions that are supported."""
    theme: str = ""
    """The markers of a theme and of a module."""
    module: str = ""
    overrides: str = ""
    """The files that a theme overrides."""


def no_recogniser(_: Root) -> Iterator[Identification]:
    """Recognise nothing."""
    return iter(())


def no_folders(_: Component) -> tuple[FolderPair, ...]:
    """Find no folders: nothing of a component is overridden by its path."""
    return ()


class System(Struct, frozen=True, kw_only=True):
    """A system, and what is known about it. `name` appears in messages and in the record
    of archives.
    """

    name: str
    found_by: Sign
    """The signs that show it in a project."""
    roots: tuple[str, ...] = (HERE,)
    """The folders of a project that it may be in."""
    releases: tuple[Sign, ...] = ()
    """The signs of a release or a backup of it in an archive."""
    versions: tuple[VersionFile, ...] = ()
    """The files that name its own version."""
    made_from: str = ""
    """The system that it is made from, whose signs it also has."""
    kin: tuple[str, ...] = ()
    """Other systems that accept a component for it."""
    folders: Folders = Folders()

    recognise: Recogniser = no_recogniser
    """The recogniser of its markers, which reads them as the system does."""
    named_at: Callable[[Root], Iterator[tuple[ComponentKind, str]]] | None = None
    """The kinds and names of the components that it finds at a root, if full recognition
    is slow.
    """
    fallbacks: Mapping[Fallback, Recogniser] = {}
    """Other evidence of its components."""
    markers: tuple[str, ...] = ()
    """Markers with a fixed name, which are reported if they identify nothing."""
    endings: tuple[str, ...] = ()
    """The endings of markers that have the component's name."""
    hints: tuple[str, ...] = ()
    """Files that may be markers, or that lie beside one."""
    unpacked: frozenset[str] = frozenset()
    """Files that, together, show an unpacked component."""
    unread: Callable[[Root], Iterator[str]] = lambda _: iter(())
    """The files at a root that have the names of its markers but identify nothing."""
    packages: str = ""
    """The prefixes of its package types, without the hyphen."""
    other_packages: Mapping[str, Unbuilt] = {}
    """Its package types that are no components by themselves."""
    naming: FolderRules = FolderRules()
    """How a component's name follows from the name of its folder."""
    strict_kinds: frozenset[ComponentKind] = frozenset()
    """The kinds of components whose folders must have exactly the components' names."""
    title_in: Callable[[bytes, str], str] = lambda *_: ""
    """The title in a field of a marker, where the folder may have any name."""

    accepts: Callable[[str, str], bool | None] = satisfies
    """Whether a component accepts the system's version; `None` if its requirement cannot
    be judged.
    """
    is_nesting: bool = False
    """Whether it finds modules inside modules."""
    is_above: Callable[[str, str], bool] = lambda *_: False
    """Whether its version fails a requirement by nothing but an upper limit that it enforces by
    itself; modules often have limits that are out of date.
    """
    brings: str = ""
    """The folder of a theme that contains the theme's own modules."""
    demands: tuple[str, ...] = ()
    """Files of which a theme without a parent needs one, or the system's uploader refuses it."""
    adopts: Callable[[Component, str], bool] = lambda *_: False
    """Whether, at a version, it accepts as a theme something that other systems do not build."""
    holds_back: bool = False
    """Whether it disables a component with a higher version until a person upgrades it there."""
    next_steps: tuple[NextStep, ...] = (CHOOSE_ANOTHER,)
    """What it does not do by itself when components change."""
    is_main_file: Callable[[bytes], bool] | None = None
    """Whether a file, by its content, is the main file of a module, if the system identifies
    modules by its path.
    """
    rewrites: Callable[[Component, str], bool] = lambda *_: False
    """Whether it generates a file of a component, so that it holds nobody's work. The path is the
    file's there.
    """
    overrides: Callable[[Component], tuple[FolderPair, ...]] = no_folders
    """The folders of a component whose files a theme overrides by path, the preferred one first."""
    templates: str = ""
    """The suffix of the files that a theme overrides by name alone."""
    shown: Shown = Shown()

    def needs(
        self, alterations: Collection[Alteration], *, is_before: bool = False
    ) -> tuple[str, ...]:
        """What is left to do after components change, or should be done before."""
        lines = list[str]()
        for step in self.next_steps:
            text = step.text
            if is_before:
                text = step.before
            paths = [each.path for each in alterations if step.concerns(each)]
            if text and paths:
                lines.append(text.format(listed(paths)))
        return tuple(lines)
