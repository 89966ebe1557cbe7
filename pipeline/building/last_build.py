"""Last build: what the tool last wrote here, where the record has come from elsewhere since.

A record that is committed without the components that it describes arrives with a pull: it then says what was built
somewhere else. What the previous run wrote here is known from the cache. Without the cache, files of that run count as
edited. The rules are in `docs/building.md`.
"""

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from pipeline.building.cache import KnownFiles, LastBuild
from pipeline.building.plan import Step, Target
from pipeline.building.record import Files, FileState, RecordedComponent


def last_builds(steps: Iterable[Step], files: Mapping[str, KnownFiles]) -> dict[str, LastBuild]:
    """What a run has built, by paths; `files` has the files of each component after the run."""
    return {
        step.path: LastBuild(step.component.digest, step.component.version, _foreign(step, files.get(step.path, {})))
        for step in steps
        if step.component
    }


def _foreign(step: Step, known: KnownFiles) -> tuple[str, ...]:
    """The files that are not the tool's; of a component that is new, all are as they were extracted."""
    if step.component is None or step.target.standing == "absent":
        return ()
    if step.action == "keep" and step.target.files == step.component.files:  # nearly always
        return ()
    written, there = step.component.files, step.outcome
    return tuple(sorted(name for name in known if not _is_written(name, known[name][1], written, there)))


def _is_written(name: str, digest: str, written: Files, there: Files) -> bool:
    """Whether a file is as the archive has it: when it was planned, and afterwards."""
    state = written.get(name)
    return state is not None and state.digest == digest and state == there.get(name)


def as_built_here(
    recorded: RecordedComponent, target: Target, last: LastBuild | None, known: KnownFiles
) -> RecordedComponent:
    """What the record would say of a component if it had not come from elsewhere.

    `known` has the files that the previous run left, which built `last`. If files came along with the record, or that
    run was in another project that has the same cache, the record is right as it stands.
    """
    if last is None or last.digest == recorded.digest:
        return recorded
    if not _is_left_here(target, known) or _came_along(recorded, target, known):
        return recorded
    unsure = {name: state for name, state in recorded.files.items() if name in last.foreign or state.kind == "link"}
    left = {name: _state(digest, target.files.get(name)) for name, (_, digest) in known.items()}
    files = {**unsure, **{name: state for name, state in left.items() if name not in last.foreign}}
    return replace(recorded, digest=last.digest, content="", version=last.version, files=files)


def _state(digest: str, there: FileState | None) -> FileState:
    """What the previous run wrote; its executable bit is taken to be as it is."""
    return FileState(digest=digest, executable=there is not None and there.executable)


def _is_left_here(target: Target, known: KnownFiles) -> bool:
    """Whether a file is the very one that the previous run left, which its stamp says."""
    return any(known.get(name) == each for name, each in target.known.items())


def _came_along(recorded: RecordedComponent, target: Target, known: KnownFiles) -> bool:
    """Whether a file is as the record says, and is not what the previous run left."""
    return any(
        state.digest and state == target.files.get(name) and (name not in known or known[name][1] != state.digest)
        for name, state in recorded.files.items()
    )
