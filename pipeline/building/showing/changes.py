"""Changes: the diffs of components between two of the versions that a plan compares.

They show what a run does, what was edited since the last build, or what a new archive changes. Only
contents that differ are read. `docs/building.md` shows the commands.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from hashlib import sha256
from typing import TypeAlias

from msgspec import Struct
from toolz import concat

from pipeline.archives.entry_names import folders_above
from pipeline.building.draft import Contents
from pipeline.building.merging.lines import (
    EXECUTABLE,
    FILE,
    LINK,
    FileDiff,
    FileVersions,
    Version,
    becomes,
    file_diffs,
    unkept_diff,
    with_type_note,
)
from pipeline.building.patching.payload import Payload
from pipeline.building.planning.contents import built_texts
from pipeline.building.steps import Plan, Step
from pipeline.building.stores.record import Files, FileState, RecordedComponent
from pipeline.report.diagnostics.bases import UnknownBase, UnknownComponent
from pipeline.selection.choices import Choice
from pipeline.values import replace

_Known: TypeAlias = Mapping[tuple[str, str], bytes]
"""Contents by file path and digest."""
_Pair: TypeAlias = tuple[FileState | None, FileState | None]
"""The states of a file before and after."""


class Comparison(Struct, frozen=True, kw_only=True):
    """Two versions of a component to compare, and where the contents of its files are."""

    path: str
    old: Files
    new: Files
    disk: Files = {}
    archive: Files = {}
    """The files that building the archive in the drop gives."""
    texts: Mapping[str, bytes] = {}
    """The contents of merged and patched files, which no archive has."""
    base: RecordedComponent | None = None
    """The component as it was built."""
    choice: Choice | None = None


def next_run(plan: Plan, archives: Mapping[str, Payload]) -> Iterator[Comparison]:
    """The components that a run changes, given the payloads of the new ones by path.

    Components with an unknown base are compared with what `--force` would make of them, if
    `archives` has them.
    """
    for step in plan.changes:
        archive = _archive_files(step, archives)
        new: Files = step.merge.files
        if step.action == "add":
            new = archive
        yield Comparison(
            path=step.path,
            old=step.target.files,
            new=new,
            disk=step.target.files,
            archive=archive,
            texts={**step.payload.texts, **step.texts},
            choice=step.choice,
        )
    for step in plan.skipped:
        if step.forced and step.path in archives:
            yield Comparison(
                path=step.path,
                old=step.target.files,
                new=step.forced.files,
                disk=step.target.files,
                archive=archives[step.path].files,
                texts=archives[step.path].texts,
                choice=step.survey.choice,
            )


def _archive_files(step: Step, archives: Mapping[str, Payload]) -> Files:
    """The files of the payload of a component if its archive was read, or else as recorded."""
    payload = archives.get(step.path, Payload()).files
    if payload or step.component is None:
        return payload
    return step.component.files


def unknown_bases(plan: Plan) -> tuple[UnknownBase, ...]:
    """An error for each component on disk with an unknown base, so that its edits are
    unknown as well.
    """
    errors = [error for error in plan.refused if isinstance(error, UnknownBase)]
    said = {error.path for error in errors}
    for path, step in sorted(plan.surveyed.items()):
        is_replaced = step.survey.is_there and step.survey.is_replaced
        if is_replaced and not (step.base or step.errors or path in said):
            errors.append(UnknownBase(UnknownComponent(path, step.version_on_disk, step.kind)))
    return tuple(errors)


def since_built(
    preview: Plan, archives: Mapping[str, tuple[Choice, Payload]], *, is_mine: bool
) -> Iterator[Comparison]:
    """The components as built, compared with the disk; without `is_mine`, compared with the
    archives in the drop.

    `archives` has each choice with its payload, by the path of the component.
    """
    for path, step in sorted(preview.surveyed.items()):
        choice, payload = archives.get(path, (None, Payload()))
        if step.base is None:
            continue
        compared = Comparison(
            path=path,
            old=step.base.files,
            new=payload.files,
            disk=step.disk,
            archive=payload.files,
            texts=payload.texts,
            base=step.base,
            choice=choice,
        )
        if is_mine and step.survey.is_there:
            yield replace(compared, new=step.disk)
        elif choice and not is_mine:
            yield compared


def differences(
    compared: Iterable[Comparison], contents: Contents, drop: Collection[Choice] = ()
) -> Iterator[FileDiff]:
    """The diff of each file or link that differs, without empty folders. `drop` has the archives
    in the drop.
    """
    for component in compared:
        differing = _differing(component.old, component.new)
        known = _read(component, _digests(differing), contents, drop)
        kept = list[str]()
        changes = list[FileVersions]()
        for name, (before, after) in differing.items():
            if _is_kept(name, before, known) and _is_kept(name, after, known):
                kept.append(name)
                path = f"{component.path}/{name}"
                changes.append((path, _version(name, before, known), _version(name, after, known)))
        diffs = dict(zip(kept, file_diffs(changes, contents.git), strict=True))
        folders = set(concat(map(folders_above, differing)))
        for name, pair in differing.items():
            diff = diffs.get(name) or unkept_diff(f"{component.path}/{name}", becomes(*pair))
            if name in folders:
                diff = with_type_note(diff)
            yield diff


def _differing(old: Files, new: Files) -> dict[str, _Pair]:
    """The files and links that differ between two versions, with both states."""
    differing = dict[str, _Pair]()
    for name in sorted({*old, *new}):
        before = _shown(old.get(name))
        after = _shown(new.get(name))
        if before != after:
            differing[name] = (before, after)
    return differing


def _shown(state: FileState | None) -> FileState | None:
    """The state if a diff shows it, which is true of files and links; else `None`."""
    if state and state.kind in {"file", "link"}:
        return state
    return None


def _digests(differing: Mapping[str, _Pair]) -> set[tuple[str, str]]:
    """The paths and digests of the contents that the diffs need."""
    digests = set[tuple[str, str]]()
    for name, pair in differing.items():
        digests |= {(name, state.digest) for state in pair if state and state.digest}
    return digests


def _is_kept(name: str, state: FileState | None, known: _Known) -> bool:
    """Whether a file's content is known; links and missing files need none."""
    return state is None or state.kind != "file" or (name, state.digest) in known


def _version(name: str, state: FileState | None, known: _Known) -> Version | None:
    if state is None:
        return None
    if state.kind == "link":
        return Version((state.target or "").encode(errors="surrogateescape"), LINK)
    if state.executable:
        return Version(known[name, state.digest], EXECUTABLE)
    return Version(known[name, state.digest], FILE)


def _read(
    component: Comparison,
    digests: set[tuple[str, str]],
    contents: Contents,
    drop: Collection[Choice],
) -> _Known:
    """Contents by path and digest: from disk, else from the archive in the drop, else from a
    kept archive.
    """
    known = {(name, sha256(text).hexdigest()): text for name, text in component.texts.items()}

    def look(files: Files, read: Callable[[Collection[str]], Mapping[str, bytes]]) -> None:
        names = [
            name
            for name, digest in digests - known.keys()
            if name in files and files[name].digest == digest
        ]
        if names:
            known.update(
                {(name, files[name].digest): content for name, content in read(names).items()}
            )

    look(component.disk, partial(contents.read_disk, component.path))
    if component.choice:
        look(component.archive, partial(contents.read_archive, component.choice))
    base = component.base
    if base:
        look(
            base.files, partial(built_texts, component.path, base, choices=drop, contents=contents)
        )
    return known
