"""Changes: the diff of each file of components, between two of the versions that a plan compares.

What a run does, what was changed here since it was built, and what an archive changes against that. Contents are asked
for where they differ alone. `docs/building.md` tells how to look at them.
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
    Version,
    becomes,
    file_diffs,
    turned,
    unkept_diff,
)
from pipeline.building.patching.given import Given
from pipeline.building.planning.contents import built_texts
from pipeline.building.steps import Plan
from pipeline.building.stores.record import Files, FileState, RecordedComponent
from pipeline.report.diagnostics.bases import Command, UnknownBase, UnknownComponent
from pipeline.selection.choices import Choice

_Known: TypeAlias = Mapping[tuple[str, str], bytes]
"""Contents by the paths of files and their digests."""


class Compared(Struct, frozen=True, kw_only=True):
    """A component between two versions, and where the contents of its files are."""

    path: str
    old: Files
    new: Files
    disk: Files = {}
    archive: Files = {}
    """Its files on disk, and those that building the archive in the drop gives."""
    texts: Mapping[str, bytes] = {}
    """The contents of merged and patched files, which no archive has."""
    base: RecordedComponent | None = None
    """The component that was built."""
    choice: Choice | None = None


def next_run(plan: Plan, archives: Mapping[str, Given]) -> Iterator[Compared]:
    """The components that a run changes, given what building gives of those that it adds.

    Of those with an unknown base, given likewise, what `--force` with their names would do to them.
    """
    added = {path: each.files for path, each in archives.items()}
    for step in plan.steps:
        archive = added.get(step.path) or (step.component.files if step.component else {})
        if step.action != "keep":
            yield Compared(
                path=step.path,
                old=step.target.files,
                new=archive if step.action == "add" else step.merge.files,
                disk=step.target.files,
                archive=archive,
                texts={**step.given.texts, **step.texts},
                choice=step.choice,
            )
    for step in plan.passed_over:
        if step.forced and step.path in archives:
            yield Compared(
                path=step.path,
                old=step.target.files,
                new=step.forced.files,
                disk=step.target.files,
                archive=archives[step.path].files,
                texts=archives[step.path].texts,
                choice=step.survey.choice,
            )


def unknown_bases(plan: Plan, command: Command) -> tuple[UnknownBase, ...]:
    """The error of all components of which nobody knows what they were made from, and thus what is an edit of them."""
    errors = [each for each in plan.refused if isinstance(each, UnknownBase)]
    said = {component.path for each in errors for component in each.components}
    there = {path: step for path, step in sorted(plan.surveyed.items()) if step.target.occupancy == "present"}
    others = [
        UnknownComponent(path, step.there, step.kind)
        for path, step in there.items()
        if step.survey.is_replaced and not (step.base or step.wrong or path in said)
    ]
    components = (*concat(each.components for each in errors), *others)
    return (UnknownBase(components, command),) if components else ()


def since_built(preview: Plan, archives: Mapping[str, tuple[Choice, Given]], *, is_mine: bool) -> Iterator[Compared]:
    """The components as built, beside those on disk; or without `is_mine`, beside those of the drop's archives.

    Takes what building the archives of the drop gives, by the paths of components.
    """
    for path, step in sorted(preview.surveyed.items()):
        choice, given = archives.get(path, (None, Given()))
        base = step.base
        if base and (step.target.occupancy == "present" if is_mine else choice):
            yield Compared(
                path=path,
                old=base.files,
                new=step.disk if is_mine else given.files,
                disk=step.disk,
                archive=given.files,
                texts=given.texts,
                base=base,
                choice=choice,
            )


def differences(compared: Iterable[Compared], contents: Contents, drop: Collection[Choice] = ()) -> Iterator[FileDiff]:
    """The diff of each file or link that differs, given what is in the drop. Empty folders are in none."""
    for each in compared:
        old, new = (
            {name: state for name, state in files.items() if state.kind in {"file", "link"}}
            for files in (each.old, each.new)
        )
        both = {name: (old.get(name), new.get(name)) for name in sorted({*old, *new})}
        differing = {name: pair for name, pair in both.items() if pair[0] != pair[1]}
        digests = {(name, state.digest) for name, pair in differing.items() for state in pair if state and state.digest}
        known = _read(each, digests, contents, drop)
        folders = {above for name in differing for above in folders_above(name)}
        kept = {name: pair for name, pair in differing.items() if all(_is_kept(name, state, known) for state in pair)}
        changes = [
            (f"{each.path}/{name}", _version(name, before, known), _version(name, after, known))
            for name, (before, after) in kept.items()
        ]
        diffs = dict(zip(kept, file_diffs(changes, contents.git), strict=True))
        for name, pair in differing.items():
            diff = diffs.get(name) or unkept_diff(f"{each.path}/{name}", becomes(*pair))
            yield turned(diff) if name in folders else diff


def _is_kept(name: str, state: FileState | None, known: _Known) -> bool:
    """Whether the content of a file is known, if it is one."""
    return state is None or state.kind != "file" or (name, state.digest) in known


def _version(name: str, state: FileState | None, known: _Known) -> Version | None:
    if state is None:
        return None
    if state.kind == "link":
        return Version((state.target or "").encode(errors="surrogateescape"), LINK)
    return Version(known[name, state.digest], EXECUTABLE if state.executable else FILE)


def _read(each: Compared, digests: set[tuple[str, str]], contents: Contents, drop: Collection[Choice]) -> _Known:
    """Contents by path and digest: from disk, else from the archive in the drop, else from the kept one."""
    known = {(name, sha256(text).hexdigest()): text for name, text in each.texts.items()}

    def look(files: Files, read: Callable[[Collection[str]], Mapping[str, bytes]]) -> None:
        names = [name for name, digest in digests - known.keys() if name in files and files[name].digest == digest]
        if names:
            known.update({(name, files[name].digest): content for name, content in read(names).items()})

    look(each.disk, partial(contents.there, each.path))
    if each.choice:
        look(each.archive, partial(contents.given, each.choice))
    if each.base:
        look(each.base.files, partial(built_texts, each.path, each.base, choices=drop, contents=contents))
    return known
