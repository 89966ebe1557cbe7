"""Contents: what building components gives, and what was built of one: of its archive, and of that with its patch.

With `--merge`, a patch that does not fit a new archive is merged with it, and written anew: the base is the archive
that was built, `mine` is the same with the patch, `theirs` the new archive.
"""

from collections.abc import Collection, Iterable, Mapping
from functools import partial
from typing import Final

from returns.result import Success

from pipeline.building.draft import Contents, Draft, Found
from pipeline.building.merging.lines import EXECUTABLE, FILE, Git, Unmerged, Version, file_diffs
from pipeline.building.patching.given import Given, as_built, with_patch
from pipeline.building.patching.naming import with_names
from pipeline.building.patching.patch_file import FilePatch, Patch, read_patch
from pipeline.building.patching.patches import apply_patch
from pipeline.building.patching.widening import widened
from pipeline.building.planning.sure_merge import merge_surely
from pipeline.building.stores.record import Files, RecordedComponent
from pipeline.report.diagnostics.patches import Misfit
from pipeline.report.outcome import BuildOutcome
from pipeline.selection.choices import Choice
from pipeline.values import replace

_MISFITS: Final[Mapping[str, Misfit]] = {"alike": "alike", "old git": "old git"}
"""Why a patch is not merged that nothing touches."""
Texts = Mapping[str, bytes]
Built = Mapping[str, RecordedComponent]
"""What was built here, by the paths of components."""


def contents_of(
    choices: Iterable[Choice], found: Found, patches: Mapping[str, Patch], built: Built
) -> dict[str, BuildOutcome[Given]]:
    """What building components gives, or why an archive is refused, by their paths.

    Of one that was built here from the same archive with the same patch, only the files are read that the patch is
    about. The others are asked for in the order of their archive files, so that each is opened once.
    """
    given: dict[str, BuildOutcome[Given]] = {}
    unread = []
    for each in choices:
        patch = patches.get(each.path)
        last = built.get(each.path)
        if last is None or not last.comes_from(each.archive) or last.patch != (patch.digest if patch else ""):
            unread.append(each)
        elif patch is None:
            given[each.path] = Success(Given(last.files))
        else:
            given[each.path] = Success(as_built(each, last, patch, found.texts.given(each, patch.names)))
    unread.sort(key=lambda choice: choice.archive.file.zip_file)

    def patched(choice: Choice, files: Files) -> Given:
        patch = patches.get(choice.path)
        if patch is None:
            return Given(files)
        texts = found.texts.given(choice, patch.names)
        return with_patch(choice, files, patch, texts, ignores_case=found.ignores_case())

    read = zip(unread, found.contents(unread), strict=True)
    return given | {choice.path: outcome.map(partial(patched, choice)) for choice, outcome in read}


def original_texts(
    base: RecordedComponent, names: Collection[str], choices: Iterable[Choice], contents: Contents
) -> Texts | None:
    """What the archive has that a component was built from, given what is in the drop; `None` if it is nowhere."""
    kept = contents.kept(base, names)
    if kept is not None:
        return kept
    same = (each for each in choices if base.comes_from(each.archive))
    return next((contents.given(each, names) for each in same), None)


def built_texts(
    path: str, base: RecordedComponent, names: Collection[str], choices: Iterable[Choice], contents: Contents
) -> Texts:
    """What was built of a component, by its path; nothing if its archive or its patch is nowhere."""
    patch = contents.patch(path, base.patch) if base.patch else Patch(path)
    if patch is None:
        return {}
    originals = original_texts(base, {*names, *patch.names}, choices, contents) or {}
    built = {**originals, **apply_patch(with_names(patch, originals, base.files), originals).files}
    return {name: text for name in names if (text := built.get(name)) is not None}


def rebase(choice: Choice, given: Given, base: RecordedComponent | None, draft: Draft) -> Given:
    """What building a component gives, with its patch merged where it does not fit, given what was built before.

    Without `--merge`, the conflicts say whether that can be tried. A file that a pattern decides about is not merged.
    """
    patch = draft.plan.patches.get(choice.path)
    contents = draft.found.texts
    prefer = draft.options.prefer
    wanted = [each.name for each in given.conflicts if prefer.named(each.file) == "nobody"]
    if not (wanted and base and patch) or base.comes_from(choice.archive):
        return given
    old = original_texts(base, patch.names, draft.selection.choices, contents) or {}
    theirs = contents.given(choice, patch.names)
    patched = apply_patch(with_names(patch, old, base.files), old).files
    mine = {name: text for name, text in patched.items() if text is not None}
    names = [name for name in dict.fromkeys(wanted) if name in old and name in mine and name in theirs]
    if not draft.options.merge:
        conflicts = (replace(each, can_merge=each.name in names) for each in given.conflicts)
        return replace(given, conflicts=tuple(conflicts))
    merged = {name: merge_surely(old[name], mine[name], theirs[name], contents.git) for name in names}
    texts = {name: each for name, each in merged.items() if isinstance(each, bytes)}
    if texts:
        text = rewritten(with_names(patch, theirs, given.unpatched), theirs, texts, contents.git)
        new = read_patch(text, choice.path) if text else Patch(choice.path)
        again = with_patch(choice, given.unpatched, new, contents.given(choice, new.names))
        given = replace(again, rewritten=new)
    whys: dict[str, Misfit] = {
        name: _MISFITS.get(each.why, "touching") for name, each in merged.items() if isinstance(each, Unmerged)
    }
    conflicts = (replace(each, why=whys.get(each.name, each.why)) for each in given.conflicts)
    return replace(given, conflicts=tuple(conflicts))


def rewritten(
    patch: Patch, originals: Texts, contents: Mapping[str, bytes | None], git: Git, executable: Collection[str] = ()
) -> bytes:
    """The text of a patch that gives some files of an archive these contents, others as before; empty if it has none.

    Text that it has besides stays.
    """
    changes = []
    for name in sorted(contents):
        old = originals.get(name)
        new = contents[name]
        mode = EXECUTABLE if old is None and name in executable else FILE
        if old != new:
            before, after = (None if text is None else Version(text, mode) for text in (old, new))
            changes.append((f"{patch.component}/{name}", before, after))
    diffs = dict[str, bytes]()
    for diff in file_diffs(changes, git, 0):
        name = diff.event.path.removeprefix(f"{patch.component}/")
        diffs[name] = widened(diff.text, originals.get(name, b""))
    pieces = list[bytes]()
    has_file = bool(diffs)
    for each in patch.parts:
        if not isinstance(each, FilePatch):
            pieces.append(each)
        elif each.is_elsewhere or not each.changes or each.name not in contents:
            has_file = has_file or each.changes
            pieces.append(each.raw)
        else:
            pieces.append(diffs.pop(each.name, b""))
    is_signed = len(patch.parts) > 1 and isinstance(patch.parts[-1], bytes)
    tail = pieces.pop() if is_signed else b""  # as a mail ends
    return b"".join((*pieces, *diffs.values(), tail)) if has_file else b""
