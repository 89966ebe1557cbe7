"""Base texts: the contents of what a component was built from: of its archive, and of that with its patch.

The archive is kept, or in the drop.
"""

from collections.abc import Collection, Iterable, Mapping

from pipeline.building.draft import Contents
from pipeline.building.patching.patch_file import Patch
from pipeline.building.patching.patches import apply_patch, with_names
from pipeline.building.stores.record import RecordedComponent
from pipeline.selection.choices import Choice

Texts = Mapping[str, bytes]


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
    patch = contents.patch(path, base.patch) if base.patch else None
    if base.patch and patch is None:
        return {}
    ours = patch.names if patch else ()
    bare = bare_texts(base, {*names, *ours}, choices, contents) or {}
    named = with_names(patch, bare) if patch else None
    done = apply_patch(named, bare).files if isinstance(named, Patch) else {}
    built = {name: done.get(name, bare.get(name)) for name in names}
    return {name: text for name, text in built.items() if text is not None}
