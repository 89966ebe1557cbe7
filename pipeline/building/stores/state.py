"""State: what the tool last wrote in this copy of the project. The record says what the project
consists of.

The two differ after a pull brought a record, or files without their record. If the state is lost,
the record replaces it. The rules are in `docs/building.md`.
"""

from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from typing import Final, Generic, TypeAlias, TypeVar

import msgspec
from msgspec import Raw, Struct

from pipeline.archives.places import is_component_path
from pipeline.building.stores.record import (
    Files,
    FileState,
    Record,
    RecordedComponent,
    are_alike,
    are_inside,
)
from pipeline.building.stores.sealed import seal, shortest, unseal
from pipeline.building.stores.tree import StatSignature, Tree, shows_changes
from pipeline.values import replace


class LastBuild(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the last build of a component on this machine wrote, and what it left on disk."""

    component: RecordedComponent
    tree: Tree = Tree()
    """The component on disk after the build, with the user's edits and additions."""
    shown: str = ""
    """The version that an edited marker states, if it is not the archive's; else empty."""
    dropped: tuple[str, ...] = ()
    """The files that the patch changes and the archive lacks, which a flag accepted."""

    @property
    def added(self) -> frozenset[str]:
        """The files on disk after the build that the build did not write: somebody
        had added them.
        """
        return frozenset(self.tree.files.keys() - self.component.files.keys())


class RunState(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the last complete run on this machine left to know, besides its components."""

    patches: str = ""
    """The folder that `patches/` is in, relative to the project if it is in it; empty if it is
    the project.
    """
    warned: tuple[str, ...] = ()
    """The identities of the warnings that the run gave before it changed anything."""
    hooks: dict[str, str] = {}
    """The digests of the hook scripts of the last run that ran any, by their absolute paths."""


class State(RunState, frozen=True):
    """What the tool last wrote in this copy of the project, by the project paths of components."""

    components: dict[str, LastBuild] = {}


_Component = TypeVar("_Component", Raw, RecordedComponent)
_Signature: TypeAlias = tuple[int, int, int, int]
"""A `StatSignature` of fixed length, which is decoded in half the time."""
_NUMBERS: Final = 4


class _Build(Struct, Generic[_Component], frozen=True, kw_only=True, omit_defaults=True):
    """A `LastBuild` as the file has it, with each path once."""

    component: _Component
    files: dict[str, FileState] = {}
    """The files on disk after the build that differ from what was written."""
    gone: tuple[str, ...] = ()
    """The written files that were not on disk after the build."""
    signatures: list[_Signature | None] = []
    """The stat signatures of all files after the build, in order; `None` for one that would not
    show a change.
    """
    shown: str = ""
    dropped: tuple[str, ...] = ()


class _File(RunState, Generic[_Component], frozen=True):
    """A `State` as its file has it. `Raw` components are decoded one by one, and only if needed."""

    components: dict[str, _Build[_Component]] = {}


_KIND: Final = "state"


def read_state(data: bytes, record: Record) -> State | None:
    """Decode a state; `None` if it is damaged, or has an impossible path of a component or a file.

    Components that equal those of the record share their objects, which saves time and memory.
    """
    raw = unseal(data, _File[Raw], _KIND)
    whole = raw or unseal(data, _File[RecordedComponent], _KIND)  # lone surrogates
    if whole is None:
        return None
    components: dict[str, LastBuild] = {}
    for path, build in whole.components.items():
        last = _last_build(build, record.components.get(path))
        if last is None or not is_component_path(path):
            return None
        components[path] = last
    return State(components, patches=whole.patches, warned=whole.warned, hooks=whole.hooks)


def _last_build(
    build: _Build[Raw] | _Build[RecordedComponent], recorded: RecordedComponent | None
) -> LastBuild | None:
    """The last build of a component, with all files on disk after it; `None` if it is not sound."""
    component = _component(build.component, recorded)
    if component is None or not are_inside(build.files):
        return None
    is_known = component is recorded  # and was found sound
    files = _there(component.files, build.files, build.gone)
    if len(build.signatures) > len(files) or not (is_known or are_inside(component.files)):
        return None
    signatures = dict[str, StatSignature]()
    for name, signature in zip(files, build.signatures, strict=False):
        if signature:
            signatures[name] = signature
    return LastBuild(
        component=component, tree=Tree(files, signatures), shown=build.shown, dropped=build.dropped
    )


def _component(
    written: Raw | RecordedComponent, recorded: RecordedComponent | None
) -> RecordedComponent | None:
    """Decode a component, or take the recorded one if it is equal; `None` if it is damaged."""
    if isinstance(written, RecordedComponent):
        return written
    if recorded and bytes(written) == shortest(recorded):
        return recorded
    with suppress(msgspec.DecodeError):
        return msgspec.json.decode(written, type=RecordedComponent)
    return None


def _there(
    written: dict[str, FileState], others: Files, gone: Collection[str]
) -> dict[str, FileState]:
    """The files on disk after a build: the written files with `others`, and without
    those in `gone`.
    """
    if not (others or gone):
        return written
    return {name: state for name, state in {**written, **others}.items() if name not in gone}


def write_state(state: State, now: int) -> bytes:
    """Encode a state at a time in nanoseconds, without stat signatures that would not show a
    later change.
    """
    components = {path: _build(last, now) for path, last in sorted(state.components.items())}
    return seal(
        _File[RecordedComponent](
            components, patches=state.patches, warned=state.warned, hooks=state.hooks
        ),
        _KIND,
    )


def _build(last: LastBuild, now: int) -> _Build[RecordedComponent]:
    """A last build as the file has it: only files that differ from what was written are listed."""
    written = last.component.files
    tree = last.tree
    files = {
        name: state for name, state in sorted(tree.files.items()) if state != written.get(name)
    }
    gone = tuple(name for name in written if name not in tree.files)
    signatures = [
        _shown(tree.signatures.get(name, ()), now) for name in _there(written, files, gone)
    ]
    return _Build(
        component=last.component,
        files=files,
        gone=gone,
        signatures=signatures,
        shown=last.shown,
        dropped=last.dropped,
    )


def _shown(signature: StatSignature, now: int) -> _Signature | None:
    """The stat signature if it shows changes after a time; else `None`."""
    if len(signature) == _NUMBERS and shows_changes(signature, now):
        return signature
    return None


def is_sound_build(last: LastBuild) -> bool:
    """Whether all paths of a last build stay within its component."""
    files = last.tree.files
    return (
        are_inside({**last.component.files, **files})
        and last.tree.signatures.keys() <= files.keys()
    )


def written_in(
    recorded: RecordedComponent | None, last: LastBuild | None, disk: Files
) -> RecordedComponent | None:
    """What the tool wrote of a component: the record's or the state's entry, whichever more files
    on disk match.

    On a tie, the state is used. Added files do not count. A component that is not on disk matches
    neither, so the state is used.
    """
    if last is None:
        return recorded
    if recorded is None or recorded == last.component or not disk:
        return last.component
    names = {*last.component.files, *recorded.files}
    of_record = _agreement(disk, recorded.files, names)
    of_state = _agreement(disk, last.component.files, names)
    if of_record > of_state:
        return recorded
    return last.component


def _agreement(disk: Files, built: Files, names: Iterable[str]) -> int:
    """How many of the paths are on disk as they were built."""
    return sum(are_alike(disk.get(name), built.get(name)) for name in names)


def last_build_with(last: LastBuild, tree: Tree) -> LastBuild:
    """The last build with the files and stat signatures that are on disk after the run.

    A file is left out if it differs both from what was written and from what the run
    meant to leave.
    """
    written = last.component.files
    after_run = last.tree.files
    files = dict[str, FileState]()
    signatures = dict[str, StatSignature]()
    for name, state in tree.files.items():
        is_added = name in after_run and name not in written
        if is_added or are_alike(state, written.get(name)) or are_alike(state, after_run.get(name)):
            files[name] = state
            if name in tree.signatures:
                signatures[name] = tree.signatures[name]
    return replace(last, tree=Tree(files, signatures))


def state_with(state: State, changes: Mapping[str, LastBuild | None]) -> State:
    """The state with other entries of some components; `None` removes an entry."""
    components = {**state.components, **changes}
    return replace(state, components={path: last for path, last in components.items() if last})
