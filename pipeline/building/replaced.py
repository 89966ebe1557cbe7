"""Replaced: decide about a component of which another version is on disk than the one that was built.

A system updates a component by itself, or somebody does. Two versions are never mixed: such a component stays as it is
until somebody takes it over, or has the archive built. A marker that alone was changed is an edit. The rules are in
`docs/building.md`.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from pipeline.archives.archive import Component
from pipeline.archives.entry_names import is_junk, name_fault
from pipeline.building.files_merge import Merge, leave, replace_all
from pipeline.building.given import Given
from pipeline.building.preference import Preference
from pipeline.building.record import Files, FileState, Record, RecordedComponent, adopted, are_alike, as_recorded
from pipeline.building.state import LastBuild
from pipeline.building.steps import Step, Target, build_step, decided, kept_step
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.conflicts import ComponentReplaced, another_version, record_ahead
from pipeline.report.diagnostics.updates import PartialArchive, edits_replaced
from pipeline.selection.choices import Choice
from pipeline.selection.versions import compare_versions

_SEVERAL = 2
"""How many paths differ, at the least, of a component that was replaced."""


_MANY: Final = 10
"""From how many files on an update may leave too few of them."""


class Installed(Struct, frozen=True, kw_only=True):
    """A component to build as it is on disk, with its record and state."""

    choice: Choice
    place: Target
    base: RecordedComponent | None
    """The last build."""
    recorded: RecordedComponent | None
    last: LastBuild | None
    version: str | None = None
    """The version that is there, if the component was replaced."""
    unbuilt: str = ""
    """The version that is there, if it is not the archive's and nobody knows that anything was built."""

    @property
    def is_suspect(self) -> bool:
        """Whether so many files differ from the last build that it may be another version."""
        if self.base is None:
            return bool(self.place.files)
        return departs_widely(self.base, self.place.files)

    @property
    def is_replaced(self) -> bool:
        """Whether it is another version than the one that was built, and than the archive's."""
        return self.version is not None and self.version != self.choice.component.version

    @property
    def is_adopted(self) -> bool:
        """Whether it was taken over, against this very archive."""
        known = (self.recorded, self.last and self.last.component)
        return any(each and each.instead_of == self.choice.archive.digest for each in known)

    @property
    def is_ahead(self) -> bool:
        """Whether the record has a later version than both the archive and the disk, as after a pull."""
        if self.recorded is None or self.base is None or (self.last and self.last.component == self.recorded):
            return False
        others = (self.choice.component.version, self.version or self.base.version)
        return all(compare_versions(each, self.recorded.version) == "newer" for each in others)

    @property
    def is_undecided(self) -> bool:
        """Whether the user has not decided yet which version to use."""
        return self.is_replaced and not (self.is_adopted or self.is_ahead)

    @property
    def lost_edits(self) -> tuple[str, ...]:
        """The edited files, known from the state, that another version has replaced."""
        if self.version is None or self.last is None or self.last.component.instead_of:
            return ()
        written, left, there = self.last.component.files, self.last.tree.files, self.place.files
        edited = (name for name in written if name in left and not are_alike(written[name], left[name]))
        return tuple(name for name in edited if not are_alike(left[name], there.get(name)))

    @property
    def ahead(self) -> WarningDiagnostic:
        """The warning about such a record."""
        recorded, component = self.recorded, self.choice.component
        return record_ahead(self.choice.path, (recorded and recorded.version) or "", component.version or "")


def with_version(installed: Installed, found: Component | None) -> Installed:
    """The same with the version that it was replaced by, if its marker says so and a run has not left it like that.

    Where nothing was built, with the version that is there.
    """
    if installed.base is None and found and found.version != installed.choice.component.version:
        return replace(installed, unbuilt=found.version or "")
    if installed.base is None or found is None:
        return installed
    return replace(installed, version=other_version(installed.base, installed.place.files, installed.last, found))


def departs_widely(written: RecordedComponent, there: Files) -> bool:
    """Whether so much is not as it was written that it may be another version."""
    if written.files == there:
        return False  # nearly always: cheaper than to compare path by path
    return sum(not are_alike(there.get(name), state) for name, state in written.files.items()) >= _SEVERAL


def other_version(written: RecordedComponent, there: Files, last: LastBuild | None, found: Component) -> str | None:
    """The version that a component says it is, if it is not the one that was written.

    `None` if its marker is as it was written, or as the last run left it.
    """
    marker = found.evidence or ""
    state, left = there.get(marker), last.tree.files.get(marker) if last else None
    if state is None or are_alike(state, written.files.get(marker)) or are_alike(left, state):
        return None
    return None if found.version == written.version else found.version


def step_for(installed: Installed, given: Given, prefer: Preference, *, is_alone: bool) -> Step:
    """Decide what is done about a selected component, given what building it gives.

    Of several components that were replaced, none is taken over unless it `is_alone`, or named.
    """
    installed = replace(installed, place=installed.place.with_bits_of(given.files))
    choice, place, base = installed.choice, installed.place, installed.base
    if installed.is_ahead and installed.recorded:
        return kept_step(choice.component.built_kind, choice.path, installed.recorded)
    if installed.is_adopted and not (place.occupancy == "absent" and prefer.whole == "theirs"):
        return _left_as_it_is(installed)
    built = build_step(choice, place, given, None if installed.version else base, prefer)
    if not installed.is_replaced:
        is_there, partial = (
            installed.version is not None,
            None if prefer.whole == "theirs" else _partial(installed, built),
        )
        return replace(built, recorded=base, unbuilt=installed.unbuilt, is_there=is_there, partial=partial)
    if prefer.whole == "theirs":
        return decided(built, replace_all(place.files, given.files, installed.last.added if installed.last else ()))
    if prefer.whole == "mine" and is_alone:
        return _taken_over(installed)
    return replace(_kept(installed, None, Merge()), replaced=_error(installed, is_alone=is_alone))


def _partial(installed: Installed, built: Step) -> PartialArchive | None:
    """The error of an archive with less than half of a component's files, which would remove the others.

    If the record names this archive, there is no error.
    """
    base, recorded, archive = installed.base, installed.recorded, installed.choice.archive
    before = [name for name, state in base.files.items() if state.kind != "folder"] if base else []
    left = len(built.merge.files.keys() & set(before))
    is_less = max(left, built.files) * 2 < len(before) and len(before) >= _MANY
    if not is_less or (recorded and recorded.comes_from(archive)):
        return None
    return PartialArchive(built.path, built.archive, built.files, left, len(before))


def _kept(installed: Installed, component: RecordedComponent | None, merged: Merge) -> Step:
    """A step that leaves everything as it is."""
    return Step(
        kind=installed.choice.component.built_kind,
        path=installed.choice.path,
        action="keep",
        files=len(merged.outcomes),
        target=installed.place,
        merge=merged,
        recorded=installed.base,
        component=component,
    )


def _left_as_it_is(installed: Installed) -> Step:
    """The step for a component that was taken over.

    What a colleague recorded since stays in the record. Of one that was replaced again nothing is learnt, so that the
    next archive finds it as what it is.
    """
    base, place = installed.base, installed.place
    is_ours = (installed.recorded is None or installed.recorded == base) and installed.version is None
    step = _kept(installed, base if is_ours else None, leave(base.files if base else {}, place.files))
    return replace(step, replaced=_error(installed, is_missing=True)) if place.occupancy == "absent" else step


def _taken_over(installed: Installed) -> Step:
    """The step that takes a component over: what an archive could have given counts as written, unless it was added.

    It is an update of no file, so that it is in the log and can be undone.
    """
    added = installed.last.added if installed.last else ()
    there = installed.place.files.items()
    files = {name: state for name, state in there if name not in added and _can_be_given(name, state)}
    component = adopted(installed.version or "", files, installed.choice.archive)
    step = _kept(installed, component, leave(component.files, installed.place.files))
    return replace(step, action="update", choice=installed.choice)


def _can_be_given(name: str, state: FileState) -> bool:
    """Whether an archive can contain a file: no pipe or socket, no junk, nothing in `.git`."""
    return state.kind != "other" and not is_junk(name) and name_fault(name) is None


def taken_over(steps: Iterable[Step], before: Record) -> Iterator[WarningDiagnostic]:
    """Note the components that steps adopt, and those that they update although another version is on disk."""
    for step in steps:
        if step.unbuilt and not step.conflicts:
            yield another_version(step.path, step.unbuilt, step.archive, step.version or "")
        if step.component and step.component.instead_of and step.component != before.components.get(step.path):
            version, archive = step.component.version or "", step.component.archive
            yield another_version(step.path, version, archive, is_adopted=True)


def replaced_edits(installed: Iterable[Installed], steps: Iterable[Step]) -> Iterator[WarningDiagnostic]:
    """The edits that other versions have replaced, but where the conflict of a step says so."""
    said = {step.path for step in steps if step.replaced}
    for each in installed:
        if each.lost_edits and each.choice.path not in said:
            yield edits_replaced(each.choice.path, each.version or "", each.lost_edits)


def _error(installed: Installed, *, is_missing: bool = False, is_alone: bool = True) -> ComponentReplaced:
    built, choice = installed.base, installed.choice
    return ComponentReplaced(
        choice.path,
        version=installed.version or (built.version if built else "") or "",
        built=(built.version if built else "") or "",
        archive=as_recorded(choice.archive, {}).archive,
        available=choice.component.version or "",
        is_missing=is_missing,
        is_alone=is_alone,
        edits=installed.lost_edits,
    )
