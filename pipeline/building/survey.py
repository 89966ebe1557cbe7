"""Survey: what is on disk where a component goes, and what record, state and archive say of it (`docs/building.md`).

Occupancy   whether something is there at all
Target      what is there, or in the way
Survey      that, with what the stores and the drop have of the component
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
    """What is already where a component goes, or on the way there."""

    occupancy: Occupancy = "absent"
    obstacle: str = ""
    """The path of the `file` or `link` that is in the way."""
    leads_to: str = ""
    """The absolute path that the target folder leads to, if that is the link."""
    tree: Tree = Tree()
    """What is in a component that is `present`."""
    mounts: tuple[str, ...] = ()
    """The paths in it at which something is mounted; an empty one is the component itself."""
    is_closed: bool = False
    """Whether this user may not look into a component that is `present`."""
    has_modes: bool = True
    """Whether its disk keeps the executable bits of files."""

    @property
    def files(self) -> Files:
        """Every file of a component that is `present`."""
        return self.tree.files

    def with_bits_of(self, others: Files) -> "Target":
        """The same with the executable bits of other files of the same paths, if its disk keeps none."""
        if self.has_modes:
            return self
        files = {name: _with_bit_of(state, others.get(name)) for name, state in self.files.items()}
        return replace(self, tree=replace(self.tree, files=files))


def _with_bit_of(state: FileState, other: FileState | None) -> FileState:
    """What is at a path, with the executable bit of what is there elsewhere, if that is of the same kind."""
    if other is None or other.kind != state.kind:
        return state
    return replace(state, executable=other.executable)


class Survey(Struct, frozen=True, kw_only=True):
    """A component as it is on disk, with what record and state say of it."""

    kind: ComponentKind
    path: str
    """Where it goes, relative to the project."""
    target: Target = Target()
    written: RecordedComponent | None = None
    """What the tool wrote here, as the record or the state says."""
    recorded: RecordedComponent | None = None
    last: LastBuild | None = None
    choice: Choice | None = None
    """The archive that is to be built; `None` if the component is only recorded."""
    found: Component | None = None
    """What the component on disk says that it is, if it may be another than the one that was written."""
    is_replaced: bool = False
    """Whether another version is on disk than the one that was written."""

    @property
    def files(self) -> Files:
        """Every file that is on disk."""
        return self.target.files

    @property
    def last_built(self) -> RecordedComponent | None:
        """What the last run here built of it, as the state says."""
        if self.last is None:
            return None
        return self.last.component

    @property
    def built(self) -> tuple[RecordedComponent, ...]:
        """What the tool has built of it, as record and state say."""
        return tuple(filter(None, (self.written, self.recorded, self.last_built)))

    @property
    def is_there(self) -> bool:
        """Whether anything of it is on disk."""
        return self.target.occupancy == "present"

    @property
    def is_foreign(self) -> bool:
        """Whether something is on disk that the tool did not write."""
        return self.is_there and (self.is_replaced or self.written is None)

    @property
    def version(self) -> str | None:
        """The version on disk, as far as it is known."""
        if self.written and not self.is_replaced:
            return self.written.version
        if self.found:
            return self.found.version
        return None

    @property
    def may_be_replaced(self) -> bool:
        """Whether a file is there that is not as it was written, so that it may be of another version."""
        if self.written is None:
            return bool(self.files)
        if self.written.files == self.files:
            return False  # nearly always: cheaper than to compare path by path
        return any(not are_alike(self.files.get(name), state) for name, state in self.written.files.items())

    @property
    def is_pulled_back(self) -> bool:
        """Whether the record names the archive, and what was built here is another."""
        if not (self.recorded and self.choice) or self.is_replaced:
            return False
        is_built = self.last is not None and self.last.component == self.recorded
        return self.recorded.comes_from(self.choice.archive) and not is_built
