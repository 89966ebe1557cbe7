"""State: what the tool last wrote here, in this copy of the project. The record says what the project consists of.

They differ where a record has come with a pull, or files without their record. What is lost of the state, the record
stands in for. The rules are in `docs/building.md`.
"""

from collections.abc import Mapping

from msgspec import Struct

from pipeline.building.stores.record import Files, RecordedComponent, are_alike, are_inside
from pipeline.building.stores.sealed import seal, unseal
from pipeline.building.stores.tree import Tree
from pipeline.building.target_folders import is_component_path
from pipeline.values import replace


class LastBuild(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the last run here that built a component wrote, and what it left."""

    component: RecordedComponent
    tree: Tree = Tree()
    """What was there then."""
    shown: str = ""
    """The version that its marker says, if that was edited and says another than the archive."""
    gone: tuple[str, ...] = ()
    """In the file of the state alone: what was written and was not there then. Its tree has only what else differs."""

    @property
    def added(self) -> frozenset[str]:
        """The paths of files that were there and that the run did not write: somebody had added them."""
        return frozenset(self.tree.files.keys() - self.component.files.keys())


class State(Struct, frozen=True, omit_defaults=True):
    """What the tool last wrote here, by the paths of components in the project."""

    components: dict[str, LastBuild] = {}
    drop: str = ""
    """The folder of archives of the last whole run: relative to the project if it is in it; empty if there is none."""
    patches: str = ""
    """The folder that `patches/` is in, likewise; empty if it is the project."""
    warned: tuple[str, ...] = ()
    """The identities of what that run warned about, before it changed anything."""
    hooks: dict[str, str] = {}
    """The digests of the hook scripts of the last run that ran any, by their absolute paths."""


def read_state(data: bytes) -> State | None:
    """Decode a state; `None` if it is damaged, or has a path that no component or file of one can have."""
    if (state := unseal(data, State)) is None:
        return None
    components = {path: _in_full(each) for path, each in state.components.items()}
    sound = all(is_component_path(path) and is_sound_build(each) for path, each in components.items())
    return replace(state, components=components) if sound else None


def _in_full(last: LastBuild) -> LastBuild:
    """What was built, with all that was there then."""
    files = {**last.component.files, **last.tree.files}
    for name in last.gone:
        files.pop(name, None)
    return replace(last, tree=replace(last.tree, files=files), gone=())


def is_sound_build(last: LastBuild) -> bool:
    """Whether no path of what was built leads out of its component."""
    files = last.tree.files
    return are_inside({**last.component.files, **files}) and last.tree.signatures.keys() <= files.keys()


def write_state(state: State, now: int) -> bytes:
    """Encode a state at a time in nanoseconds; stat signatures that do not show a change from then on are left out."""
    components = {path: _in_short(each, now) for path, each in sorted(state.components.items())}
    return seal(replace(state, components=components))


def _in_short(last: LastBuild, now: int) -> LastBuild:
    """What was built, with what was there then as far as it is not what was written."""
    written = last.component.files
    tree = last.tree.dependable(now)
    files = {name: state for name, state in tree.files.items() if state != written.get(name)}
    gone = tuple(name for name in sorted(written) if name not in tree.files)
    return replace(last, tree=replace(tree, files=files), gone=gone)


def written_in(recorded: RecordedComponent | None, last: LastBuild | None, disk: Files) -> RecordedComponent | None:
    """What the tool wrote of a component: as the record says or the state, whichever more files on disk match.

    On a tie it is the state. Added files do not count.

    A component that is missing on disk matches neither, so the state is used.
    """
    if recorded is None or last is None or recorded == last.component:
        return last.component if last else recorded
    if not disk:
        return last.component

    def agreement(built: Files) -> int:
        return sum(are_alike(disk.get(name), built.get(name)) for name in {*last.component.files, *recorded.files})

    return recorded if agreement(recorded.files) > agreement(last.component.files) else last.component


def last_build_with(last: LastBuild, tree: Tree) -> LastBuild:
    """The files of a component after a run, with the stat signatures of the files on disk.

    What departs from what was written, and was not to be left like that, may be another version.
    """
    written = last.component.files
    after_run = last.tree.files
    kept = {
        name: state
        for name, state in tree.files.items()
        if are_alike(state, written.get(name, state if name in after_run else None))
        or are_alike(state, after_run.get(name))
    }
    return replace(last, tree=Tree(kept, {name: each for name, each in tree.signatures.items() if name in kept}))


def state_with(state: State, changes: Mapping[str, LastBuild | None]) -> State:
    """A state with what it says of some components; `None` for those that are not there."""
    components = {**state.components, **changes}
    return replace(state, components={path: last for path, last in components.items() if last})
