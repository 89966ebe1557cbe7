"""Rebasing: write a patch anew; and with `--merge`, merge one that does not fit an archive with it.

The base is the archive that was built; `mine` is the same with the patch, `theirs` the new archive. Without `--merge`,
only whether that could be tried is told.
"""

from collections.abc import Collection, Mapping

from msgspec import Struct
from msgspec.structs import replace

from pipeline.building.draft import Draft
from pipeline.building.merging.lines import EXECUTABLE, FILE, Git, Version, file_diffs, merge_lines
from pipeline.building.patching.contents import Texts, bare_texts
from pipeline.building.patching.given import Given, with_patch
from pipeline.building.patching.patch_file import FilePatch, Patch, read_patch
from pipeline.building.patching.patches import apply_patch, with_names
from pipeline.building.stores.record import RecordedComponent
from pipeline.selection.choices import Choice


class Rebased(Struct, frozen=True):
    """What building a component gives, and its patch if that is written anew."""

    given: Given
    patch: Patch | None = None
    """The new patch; without parts if the archive has all of its changes."""


def rebase(choice: Choice, given: Given, base: RecordedComponent | None, draft: Draft) -> Rebased:
    """Merge a patch with an archive where it does not fit, given what the component on disk was made from."""
    patch, contents, prefer = draft.plan.patches.get(choice.path), draft.found.texts, draft.options.prefer
    wanted = [each.name for each in given.conflicts if prefer.named(each.file) == "nobody"]
    if not (wanted and base and patch) or base.comes_from(choice.archive):
        return Rebased(given)
    old = bare_texts(base, patch.names, draft.selection.choices, contents) or {}
    theirs = contents.given(choice, patch.names)
    patched = apply_patch(with_names(patch, old), old).files
    mine = {name: text for name, text in patched.items() if text is not None}
    names = [name for name in dict.fromkeys(wanted) if name in old and name in mine and name in theirs]
    if not draft.options.merge:
        return Rebased(_with_conflicts(given, names, can_merge=True))
    merged = {name: merge_lines(old[name], mine[name], theirs[name], contents.git) for name in names}
    texts = {name: each for name, each in merged.items() if isinstance(each, bytes)}
    touching = merged.keys() - texts
    if not texts:
        return Rebased(_with_conflicts(given, touching, why="touching"))
    text = rewritten(with_names(patch, theirs), theirs, texts, contents.git)
    new = read_patch(text, choice.path) if text else Patch(choice.path)
    again = with_patch(choice, given.unpatched, new, contents.given(choice, new.names))
    return Rebased(_with_conflicts(again, touching, why="touching"), new)


def _with_conflicts(given: Given, names: Collection[str], **known: object) -> Given:
    """The same with what is known of conflicts in some files."""
    return replace(
        given, conflicts=tuple(replace(each, **known) if each.name in names else each for each in given.conflicts)
    )


def rewritten(
    patch: Patch, bare: Texts, contents: Mapping[str, bytes | None], git: Git, executable: Collection[str] = ()
) -> bytes:
    """The text of a patch that gives some files of an archive these contents, others as before; empty if it has none.

    Text that it has besides stays.
    """
    changes = []
    for name in sorted(contents):
        old, new = bare.get(name), contents[name]
        mode = EXECUTABLE if old is None and name in executable else FILE
        if old != new:
            before, after = (None if text is None else Version(text, mode) for text in (old, new))
            changes.append((f"{patch.component}/{name}", before, after))
    diffs = {each.event.path.removeprefix(f"{patch.component}/"): each.text for each in file_diffs(changes, git)}
    pieces, has_file = list[bytes](), bool(diffs)
    for each in patch.parts:
        if not isinstance(each, FilePatch):
            pieces.append(each)
        elif each.name not in contents:
            has_file = True
            pieces.append(each.raw)
        else:
            pieces.append(diffs.pop(each.name, b""))
    is_signed = len(patch.parts) > 1 and isinstance(patch.parts[-1], bytes)
    tail = pieces.pop() if is_signed else b""  # as a mail ends
    return b"".join((*pieces, *diffs.values(), tail)) if has_file else b""
