"""Contents: the payloads of components, and the contents of the files that were built.

With `--merge`, a patch that does not fit a new archive is merged with it and rewritten: the base is
the archive that was built, `mine` is that archive with the patch, and `theirs` is the new archive.
"""

from collections.abc import Collection, Iterable, Mapping
from functools import partial
from typing import Final

from msgspec import Struct
from returns.result import Success

from pipeline.building.draft import Contents, Draft, ProjectReader, SourcedDraft
from pipeline.building.merging.lines import EXECUTABLE, FILE, Git, Unmerged, Version, file_diffs
from pipeline.building.patching.naming import with_names
from pipeline.building.patching.patch import FilePatch, Patch
from pipeline.building.patching.patch_file import read_patch
from pipeline.building.patching.patches import apply_patch
from pipeline.building.patching.payload import Payload, as_built, with_patch
from pipeline.building.patching.widening import widen
from pipeline.building.planning.sure_merge import merge_surely
from pipeline.building.stores.record import Files, RecordedComponent
from pipeline.report.diagnostics.patches import Misfit
from pipeline.report.outcome import BuildOutcome
from pipeline.selection.choices import Choice
from pipeline.values import replace

_MISFITS: Final[Mapping[str, Misfit]] = {"alike": "alike", "old git": "old git"}
"""Why a patch was not merged although no changes touch, as a misfit."""
Texts = Mapping[str, bytes]
"""Contents of files, by their paths in the component."""
Built = Mapping[str, RecordedComponent]
"""The components that were built on this machine, by path."""


def payloads_of(
    choices: Iterable[Choice], reader: ProjectReader, patches: Mapping[str, Patch], built: Built
) -> dict[str, BuildOutcome[Payload]]:
    """The payload of each component by its path, or the errors of a refused archive.

    If the same archive was built with the same patch before, only the patched files are read. The
    other archives are read in the order of their files, so that each file is opened once.
    """
    payloads: dict[str, BuildOutcome[Payload]] = {}
    unread = list[Choice]()
    for choice in choices:
        patch = patches.get(choice.path)
        last = built.get(choice.path)
        if last is None or not _is_built_alike(last, choice, patch):
            unread.append(choice)
        elif patch is None:
            payloads[choice.path] = Success(Payload(last.files))
        else:
            payloads[choice.path] = Success(
                as_built(choice, last, patch, reader.texts.read_archive(choice, patch.names))
            )
    unread.sort(key=lambda choice: choice.archive.file.zip_file)

    def patched(choice: Choice, files: Files) -> Payload:
        patch = patches.get(choice.path)
        if patch is None:
            return Payload(files)
        texts = reader.texts.read_archive(choice, patch.names)
        return with_patch(choice, files, patch, texts, ignores_case=reader.ignores_case())

    for choice, outcome in zip(unread, reader.list_contents(unread), strict=True):
        payloads[choice.path] = outcome.map(partial(patched, choice))
    return payloads


def _is_built_alike(last: RecordedComponent, choice: Choice, patch: Patch | None) -> bool:
    """Whether a component was built from this archive with this patch, or without a patch."""
    if patch is None:
        return last.comes_from(choice.archive) and not last.patch
    return last.comes_from(choice.archive) and last.patch == patch.digest


def original_texts(
    base: RecordedComponent, names: Collection[str], choices: Iterable[Choice], contents: Contents
) -> Texts | None:
    """The contents of files in the archive that a component was built from; `None` if that archive
    is neither kept nor in the drop. May raise `Stop`.
    """
    kept = contents.read_kept(base, names)
    if kept is not None:
        return kept
    for choice in choices:
        if base.comes_from(choice.archive):
            return contents.read_archive(choice, names)
    return None


def built_texts(
    path: str,
    base: RecordedComponent,
    names: Collection[str],
    choices: Iterable[Choice],
    contents: Contents,
) -> Texts:
    """The contents of files of a component as they were built, with the patch; empty if the archive
    or the patch is not available. May raise `Stop`.
    """
    patch: Patch | None = Patch(path)
    if base.patch:
        patch = contents.read_patch(path, base.patch)
    if patch is None:
        return {}
    originals = original_texts(base, {*names, *patch.names}, choices, contents) or {}
    patched = apply_patch(with_names(patch, originals, base.files), originals).files
    texts = dict[str, bytes]()
    for name in names:
        text = patched.get(name, originals.get(name))
        if text is not None:
            texts[name] = text
    return texts


class _Versions(Struct, frozen=True):
    """A file's content in the archive that was built, in that archive with the patch, and in the
    new archive.
    """

    old: bytes
    """The content in the archive that was built."""
    mine: bytes
    """The content in that archive with the patch."""
    theirs: bytes
    """The content in the new archive."""


def rebase(
    choice: Choice, payload: Payload, base: RecordedComponent | None, draft: SourcedDraft
) -> Payload:
    """The payload after a patch that does not fit is merged with the new archive.

    Without `--merge`, the conflicts only say whether a merge is possible. A file that a pattern
    decides is not merged.
    """
    patch = draft.plan.patches.get(choice.path)
    prefer = draft.options.prefer
    wanted = [
        conflict.name for conflict in payload.conflicts if prefer.named(conflict.file) == "nobody"
    ]
    if not (wanted and base and patch) or base.comes_from(choice.archive):
        return payload
    theirs = draft.reader.texts.read_archive(choice, patch.names)
    versions = _versions_of(wanted, base, patch, theirs, draft)
    if not draft.options.merge:
        conflicts = (
            replace(conflict, can_merge=conflict.name in versions) for conflict in payload.conflicts
        )
        return replace(payload, conflicts=tuple(conflicts))
    git = draft.reader.texts.git
    texts = dict[str, bytes]()
    misfits = dict[str, Misfit]()
    for name, version in versions.items():
        merged = merge_surely(version.old, version.mine, version.theirs, git)
        if isinstance(merged, Unmerged):
            misfits[name] = _MISFITS.get(merged.why, "touching")
        else:
            texts[name] = merged
    if texts:
        text = rewrite_patch(with_names(patch, theirs, payload.unpatched), theirs, texts, git)
        payload = _with_rewritten(choice, payload, text, draft)
    conflicts = (
        replace(conflict, why=misfits.get(conflict.name, conflict.why))
        for conflict in payload.conflicts
    )
    return replace(payload, conflicts=tuple(conflicts))


def _versions_of(
    names: Iterable[str], base: RecordedComponent, patch: Patch, theirs: Texts, draft: Draft
) -> dict[str, _Versions]:
    """The versions of files that the patch changed in the archive that was built, and that the new
    archive still has.
    """
    old = original_texts(base, patch.names, draft.selection.choices, draft.reader.texts) or {}
    patched = apply_patch(with_names(patch, old, base.files), old).files
    versions = dict[str, _Versions]()
    for name in names:
        mine = patched.get(name)
        if mine is not None and name in old and name in theirs:
            versions[name] = _Versions(old[name], mine, theirs[name])
    return versions


def _with_rewritten(choice: Choice, payload: Payload, text: bytes, draft: Draft) -> Payload:
    """The payload with a rewritten patch, given its text; without text, there is no patch."""
    patch = Patch(choice.path)
    if text:
        patch = read_patch(text, choice.path)
    again = with_patch(
        choice, payload.unpatched, patch, draft.reader.texts.read_archive(choice, patch.names)
    )
    return replace(again, rewritten=patch)


def rewrite_patch(
    patch: Patch,
    originals: Texts,
    contents: Mapping[str, bytes | None],
    git: Git,
    executable: Collection[str] = (),
) -> bytes:
    """The text of a patch that gives some files of an archive these contents; empty if it would
    change no file.

    `originals` are the contents in the archive; `executable` are the added files with an executable
    bit. The sections about other files, and the text around sections, stay.
    """
    changes = list[tuple[str, Version | None, Version | None]]()
    for name in sorted(contents):
        old = originals.get(name)
        new = contents[name]
        mode = FILE
        if old is None and name in executable:
            mode = EXECUTABLE
        if old != new:
            changes.append((f"{patch.component}/{name}", _version(old, mode), _version(new, mode)))
    diffs = dict[str, bytes]()
    for diff in file_diffs(changes, git, 0):
        name = diff.event.path.removeprefix(f"{patch.component}/")
        diffs[name] = widen(diff.text, originals.get(name, b""))
    pieces = list[bytes]()
    has_file = bool(diffs)
    for part in patch.parts:
        if not isinstance(part, FilePatch):
            pieces.append(part)
        elif part.is_elsewhere or not part.changes or part.name not in contents:
            has_file = has_file or part.changes
            pieces.append(part.raw)
        else:
            pieces.append(diffs.pop(part.name, b""))
    if not has_file:
        return b""
    # New sections stand above the text that ends a patch, such as the signature of a mail.
    if len(patch.parts) > 1 and isinstance(patch.parts[-1], bytes):
        return b"".join((*pieces[:-1], *diffs.values(), pieces[-1]))
    return b"".join((*pieces, *diffs.values()))


def _version(text: bytes | None, mode: int) -> Version | None:
    """The version of a file with a content; `None` for a missing file."""
    if text is None:
        return None
    return Version(text, mode)
