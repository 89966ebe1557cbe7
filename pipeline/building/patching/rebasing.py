"""Rebasing: merge a patch that does not fit an archive with it, and write it anew, with `--merge`.

The base is the archive that was built; `mine` is the same with the patch, `theirs` the new archive. Without `--merge`,
only whether that could be tried is told.
"""

from collections.abc import Collection, Mapping

from msgspec import Struct
from msgspec.structs import replace

from pipeline.building.draft import Draft
from pipeline.building.merging.lines import Unmerged, merge_lines
from pipeline.building.patching.base_texts import bare_texts
from pipeline.building.patching.given import Given, with_patch
from pipeline.building.patching.patch_file import Patch, read_patch
from pipeline.building.patching.patch_making import Edits, rewritten
from pipeline.building.patching.patches import apply_patch, with_names
from pipeline.building.stores.record import RecordedComponent
from pipeline.report.diagnostics.patches import Misfit
from pipeline.selection.choices import Choice


class Rebased(Struct, frozen=True):
    """What building a component gives, and its patch if that is written anew."""

    given: Given
    patch: Patch | None = None


def rebase(choice: Choice, given: Given, base: RecordedComponent | None, draft: Draft) -> Rebased:
    """Merge a patch with an archive where it does not fit, given what the component on disk was made from."""
    patch, contents, prefer = draft.plan.patches.get(choice.path), draft.found.texts, draft.options.prefer
    wanted = [each.name for each in given.conflicts if prefer.named(each.file) == "nobody"]
    if not (wanted and base and isinstance(patch, Patch)) or base.comes_from(choice.archive):
        return Rebased(given)
    old = bare_texts(base, patch.names, draft.selection.choices, contents) or {}
    theirs = contents.given(choice, patch.names)
    mine = _patched(patch, old)
    names = [name for name in dict.fromkeys(wanted) if name in old and name in theirs and mine.get(name) is not None]
    if not draft.options.merge:
        return Rebased(_with_conflicts(given, names, None))
    merged = {name: merge_lines(old[name], mine[name] or b"", theirs[name], contents.git) for name in names}
    touching = [name for name, each in merged.items() if isinstance(each, Unmerged)]
    texts = {name: each for name, each in merged.items() if isinstance(each, bytes)}
    named = with_names(patch, theirs)
    edits = Edits(path=choice.path, bare=theirs)
    text = rewritten(named, edits, texts, contents.git) if texts and isinstance(named, Patch) else None
    read = read_patch(text, choice.path) if text else None
    if not isinstance(read, Patch):
        return Rebased(_with_conflicts(given, touching, "touching"))
    again = with_patch(choice, given.unpatched, read, contents.given(choice, read.names))
    return Rebased(_with_conflicts(again, touching, "touching"), read)


def _patched(patch: Patch, old: Mapping[str, bytes]) -> Mapping[str, bytes | None]:
    """What a patch makes of the archive that was built."""
    named = with_names(patch, old)
    return apply_patch(named, old).files if isinstance(named, Patch) else {}


def _with_conflicts(given: Given, names: Collection[str], why: Misfit | None) -> Given:
    """The same with what is known of conflicts in some files: that they can be merged, or why they cannot."""
    conflicts = tuple(
        each if each.name not in names else replace(each, why=why) if why else replace(each, can_merge=True)
        for each in given.conflicts
    )
    return replace(given, conflicts=conflicts)
