"""Contents: what building components gives, and what was built of one: of its archive, and of that with its patch."""

from collections.abc import Collection, Iterable, Mapping
from functools import partial

from returns.result import Success

from pipeline.building.draft import Contents, Found
from pipeline.building.patching.given import Given, as_built, with_patch
from pipeline.building.patching.patch_file import Patch
from pipeline.building.patching.patches import apply_patch, with_names
from pipeline.building.stores.record import Files, RecordedComponent
from pipeline.report.outcome import BuildOutcome
from pipeline.selection.choices import Choice

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
        patch, last = patches.get(each.path), built.get(each.path)
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


def bare_texts(
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
    bare = bare_texts(base, {*names, *patch.names}, choices, contents) or {}
    built = {**bare, **apply_patch(with_names(patch, bare), bare).files}
    return {name: text for name in names if (text := built.get(name)) is not None}
