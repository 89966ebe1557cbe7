"""Compare archives with the components on disk: a step for each component, or why there is none."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace
from returns.result import Success
from toolz import concat, unique

from pipeline.archives.archive import Component
from pipeline.building.draft import Draft
from pipeline.building.files_merge import changed_since
from pipeline.building.given import Given
from pipeline.building.names import about
from pipeline.building.patch_file import Patch
from pipeline.building.patching import content_as_recorded, contents_with_patches, is_as_recorded, warnings_on_patches
from pipeline.building.record import are_alike
from pipeline.building.replaced import Installed, replaced_edits, step_for, taken_over, with_version
from pipeline.building.state import bases
from pipeline.report.diagnostics.archives import ArchiveRejected
from pipeline.report.diagnostics.disk import FileSystemProblem
from pipeline.report.diagnostics.selection import ComponentAmbiguous
from pipeline.report.outcome import BuildOutcome, errors_of, value_of

_PASSABLE: Final = (ArchiveRejected, ComponentAmbiguous, FileSystemProblem)
"""Errors of single archives or components: the others can be built."""


def pick(draft: Draft) -> BuildOutcome[Draft]:
    """Take the selected archives that can be built. Errors: those of the selection, unless they are passed over."""
    options = draft.options
    selection = about(draft.selection, options.names, draft.record)
    is_passable = all(isinstance(each, _PASSABLE) for each in selection.errors)
    if options.preview:
        selection = replace(selection, errors=())
    elif options.keep_going and is_passable:
        draft = replace(draft, plan=replace(draft.plan, refused=selection.errors))
        selection = replace(selection, errors=())
    built = selection.selected.map(lambda chosen: tuple(each for each in chosen if each.is_built))
    return built.map(lambda choices: replace(draft, choices=choices))


def compare(draft: Draft) -> Draft:
    """Survey the components on disk, and compare them with the archives, the record and the state."""
    plan, options = draft.plan, draft.options
    places = draft.found.places(_looked_at(draft))
    before = bases(draft.record, draft.state, places)
    built = {path: each.files for path, each in before.components.items()}
    places = {path: each.with_bits_of(built.get(path, {})) for path, each in places.items()}
    draft = replace(draft, plan=replace(plan, places=places, before=before))
    installed = [
        each
        for each in _installed(draft)
        if not options.preview or _may_stop(each) or _has_patch(each, draft) or (options.judges and _is_update(each))
    ]
    given = _contents(installed, draft)
    is_alone = options.names is not None or sum(each.is_undecided for each in installed) == 1
    steps = tuple(
        step_for(each, gives, options.prefer, is_alone=is_alone)
        for number, each in enumerate(installed)
        if (gives := value_of(given[number])) is not None
    )
    by_path = {each.choice.path: gives for number, each in enumerate(installed) if (gives := value_of(given[number]))}
    warnings = (
        *(each.ahead for each in installed if each.is_ahead),
        *taken_over(steps, before),
        *replaced_edits(installed, steps if not options.preview else ()),
        *warnings_on_patches(steps, by_path, draft.record.components, draft.plan.patches),
    )
    refused = (*plan.refused, *concat(map(errors_of, given.values())))
    return replace(draft, plan=replace(draft.plan, steps=steps, refused=refused)).with_warnings(*warnings)


def _installed(draft: Draft) -> tuple[Installed, ...]:
    """Each component to build as it is on disk, with its version if it was replaced."""
    installed = tuple(
        Installed(
            choice=each,
            place=draft.plan.places[path],
            base=draft.plan.before.components.get(path),
            recorded=draft.record.components.get(path),
            last=draft.state.components.get(path),
        )
        for each in draft.choices
        if (path := each.path)
    )
    suspects = {each.choice.path: each.place.files for each in installed if each.is_suspect}
    found = draft.found.installed(suspects) if suspects else {}
    return tuple(_with_version(each, found.get(each.choice.path), draft) for each in installed)


def _with_version(installed: Installed, found: Component | None, draft: Draft) -> Installed:
    """As `with_version`; a file that is as the patch makes it counts as written."""
    known, patch = with_version(installed, found), draft.plan.patches.get(installed.choice.path)
    if known.version is None or known.base is None or not isinstance(patch, Patch):
        return known
    (outcome,) = contents_with_patches([known.choice], draft.found, draft.plan.patches)
    there, gives = known.place.files, value_of(outcome) or Given()
    patched = {name: there[name] for name in gives.texts if are_alike(there.get(name), gives.files[name])}
    base = replace(known.base, files={**known.base.files, **patched})
    return replace(known, version=with_version(replace(installed, base=base), found).version)


def _looked_at(draft: Draft) -> Sequence[str]:
    """The paths of the components that are looked at."""
    paths = [each.path for each in draft.choices]
    if not draft.options.preview:
        return paths
    names = draft.options.names
    return [path for path in unique((*draft.record.components, *paths)) if names is None or path in names]


def _may_stop(installed: Installed) -> bool:
    """Whether a run may stop at a component: something is in its way, or somebody changed or added something in it."""
    place, base = installed.place, installed.base
    is_in_the_way = place.occupancy in {"file", "link"} or installed.is_adopted or installed.is_replaced
    return is_in_the_way or installed.is_ahead or bool(changed_since(base.files if base else {}, place.files))


def _has_patch(installed: Installed, draft: Draft) -> bool:
    """Whether there is a patch for it, or was when it was built."""
    return installed.choice.path in draft.plan.patches or bool(installed.base and installed.base.patch)


def _is_update(installed: Installed) -> bool:
    """Whether the drop has another archive than the one that was built."""
    return installed.base is not None and not installed.base.comes_from(installed.choice.archive)


def _contents(installed: Sequence[Installed], draft: Draft) -> dict[int, BuildOutcome[Given]]:
    """The files that building components gives, or why an archive is refused, by the numbers of components.

    Nothing is read where nothing is there, unless a patch or a pattern may be about it; nor if what was built comes
    from the same archive. The others are asked for in the order of their archive files, so that each is opened once.
    """
    given: dict[int, BuildOutcome[Given]] = {}
    patches, prefer = draft.plan.patches, draft.options.prefer
    for number, each in enumerate(installed):
        same = [one for one in (each.recorded, each.base) if one and is_as_recorded(each.choice, one, patches)]
        is_unread = each.place.occupancy != "present" and not (each.choice.path in patches or prefer.patterns)
        if is_unread or (each.is_adopted and each.place.occupancy != "absent"):
            given[number] = Success(Given())
        elif same and each.place.occupancy == "present":
            given[number] = content_as_recorded(each.choice, same[0], each.place.files, draft)
    choices = [each.choice for each in installed]
    unread = [number for number in range(len(choices)) if number not in given]
    unread.sort(key=lambda number: choices[number].archive.file.zip_file)
    read = contents_with_patches([choices[number] for number in unread], draft.found, patches)
    return given | dict(zip(unread, read, strict=True))
