"""Survey: a component on disk, with what the record, the state and the drop say about
it (`docs/building.md`).

Occupancy   whether anything is at the path of the component
Target      what is at the path, or in the way
Survey      the target, with the component's entries in the stores and its archive in the drop
"""

from typing import Literal, TypeAlias

from msgspec import Struct

from pipeline.archives.archive import Component
from pipeline.building.stores.record import Files, FileState, RecordedComponent, are_alike
from pipeline.building.stores.state import LastBuild
from pipeline.building.stores.tree import Tree
from pipeline.report.events import ComponentKind
from pipeline.selection.choices import Choice
from pipeline.values import replace

Occupancy: TypeAlias = Literal["absent", "present", "file", "link"]


class Target(Struct, frozen=True, kw_only=True):
    """What is on disk at the path of a component, or in the way of it."""

    occupancy: Occupancy = "absent"
    obstacle: str = ""
    """The path of the `file` or `link` that is in the way."""
    leads_to: str = ""
    """The absolute path that the target folder leads to, if the target folder is the link."""
    tree: Tree = Tree()
    """The files of a component that is `present`, with their stat signatures."""
    mounts: tuple[str, ...] = ()
    """The mount points in the component, as paths in it; an empty path is the component itself."""
    is_closed: bool = False
    """Whether the user lacks permission to list a component that is `present`."""
    has_modes: bool = True
    """Whether the disk keeps the executable bits of files."""

    @property
    def files(self) -> Files:
        """The files, links and empty folders of a component that is `present`."""
        return self.tree.files

    def with_bits_of(self, others: Files) -> "Target":
        """The target with the executable bits of `others`, by path, if the disk keeps none."""
        if self.has_modes:
            return self
        files = {name: _with_bit_of(state, others.get(name)) for name, state in self.files.items()}
        return replace(self, tree=replace(self.tree, files=files))


def _with_bit_of(state: FileState, other: FileState | None) -> FileState:
    """A file with the executable bit of its other version, if both are of the same kind."""
    if other is None or other.kind != state.kind:
        return state
    return replace(state, executable=other.executable)


class Survey(Struct, frozen=True, kw_only=True):
    """A component as it is on disk, with what the record, the state and the drop say about it."""

    kind: ComponentKind
    path: str
    """The path of the component, relative to the project."""
    target: Target = Target()
    written: RecordedComponent | None = None
    """What the tool wrote, as the record or the state says, whichever matches the disk better."""
    recorded: RecordedComponent | None = None
    last: LastBuild | None = None
    choice: Choice | None = None
    """The selected archive; `None` if the component is only recorded."""
    found: Component | None = None
    """The component that the marker on disk describes; only read if the files are
    not as written.
    """
    is_replaced: bool = False
    """Whether somebody or the system has replaced the written version with another one."""

    @property
    def files(self) -> Files:
        """The files, links and empty folders of the component on disk."""
        return self.target.files

    @property
    def last_built(self) -> RecordedComponent | None:
        """What the last build on this machine wrote, as the state says."""
        if self.last is None:
            return None
        return self.last.component

    @property
    def built(self) -> tuple[RecordedComponent, ...]:
        """Everything that the tool has built of the component, as the record and the state say."""
        return tuple(filter(None, (self.written, self.recorded, self.last_built)))

    @property
    def is_there(self) -> bool:
        """Whether the component is on disk."""
        return self.target.occupancy == "present"

    @property
    def is_foreign(self) -> bool:
        """Whether the component on disk is not the one that the tool wrote."""
        return self.is_there and (self.is_replaced or self.written is None)

    @property
    def version(self) -> str | None:
        """The version on disk; `None` if it is unknown."""
        if self.written and not self.is_replaced:
            return self.written.version
        if self.found:
            return self.found.version
        return None

    @property
    def may_be_replaced(self) -> bool:
        """Whether the files are not as written, so that they may be of another version."""
        if self.written is None:
            return bool(self.files)
        if self.written.files == self.files:
            return False  # nearly always: cheaper than to compare path by path
        return any(
            not are_alike(self.files.get(name), state) for name, state in self.written.files.items()
        )

    @property
    def is_pulled_back(self) -> bool:
        """Whether the record names the selected archive, but another one was last built on
        this machine.
        """
        if not (self.recorded and self.choice) or self.is_replaced:
            return False
        is_built = self.last is not None and self.last.component == self.recorded
        return self.recorded.comes_from(self.choice.archive) and not is_built
