"""The model of the way back: `tool undo`, and `tool diff --mine` (`docs/building.md`)."""

from collections.abc import Collection

from tests.support.lives import (
    Built,
    Flags,
    Part,
    World,
    base,
    base_of,
    ended,
    gives,
    is_another,
    is_behind,
    is_kept,
    replacing_version,
    with_each,
)
from tests.support.lives_files import Files, given, merged, version_of


def undo(
    world: World, wins: str, command: str = "undo", names: Collection[str] | None = None
) -> tuple[int, World]:
    """The exit code of `tool undo` or `tool redo`, and the project after it. Names are of what
    can be undone.

    What the last run left is W, what was before it is A. An undo is taken back by a redo alone.
    """
    last = world.last
    parts = last.taken_back_by(command) if last else {}
    if last is None or not parts:
        return 73, world
    if (world.record, world.is_recorded) != (last.after.record, last.after.is_recorded):
        return 73, world
    there: dict[str, Files] = {}
    backup = world.backup
    meant = parts if names is None else {name: parts[name] for name in names}
    moved = {name: part for name, part in meant.items() if part.is_moved}
    for name, part in moved.items():
        w, d, a = (each.there.get(name, {}) for each in (part.after, world, part.before))
        is_gone = not d and w and a
        w, a = _without_same(w, a, d), _without_same(a, w, d)
        together = (
            None if is_gone or _is_replaced_since(world, part, name) else merged(w, d, a, wins)
        )
        if together is None:
            return 73, world
        there[name], backup = together[0], backup | together[1]
    first = next(iter(last.rest.values()), None) if command == "undo" else None
    record = with_each(
        world.record, {name: part.before.record.get(name) for name, part in meant.items()}
    )
    patches = {
        name: part.before.patches.get(name)
        for name, part in meant.items()
        if _is_patch_as_left(world, part, name)
    }
    after = world._replace(
        patches=with_each(world.patches, patches),
        there=with_each(world.there, {name: there[name] or None for name in moved}),
        record=record,
        is_recorded=bool(record) or (first or last).before.is_recorded,
        state=with_each(
            world.state, {name: part.before.state.get(name) for name, part in meant.items()}
        ),
        backup=backup,
    )
    placed = (name for name in moved if world.there.get(name) or there[name])
    rest = (
        last.rest
        if command == "redo"
        else {name: part for name, part in parts.items() if name not in meant}
    )
    return 0, ended(placed, world, after, is_undo=command == "undo", rest=rest)


def _is_patch_as_left(world: World, part: Part, name: str) -> bool:
    """Whether the patch of a component is as a run has left it, which has written it anew,
    or removed it.
    """
    before, after = part.before.patches.get(name), part.after.patches.get(name)
    return before != after and world.patches.get(name) == after


def _without_same(files: Files, others: Files, there: Files) -> Files:
    return {path: text for path, text in files.items() if path in there or others.get(path) != text}


def _is_replaced_since(world: World, last: Part, name: str) -> bool:
    """Whether the disk has a version that the run neither left nor found: its marker and one more
    file differ.
    """
    built, after, there = (
        last.after.record.get(name),
        last.after.there.get(name),
        world.there.get(name, {}),
    )
    here, before, found = (
        world.state.get(name),
        last.before.record.get(name),
        version_of(name, there),
    )
    others = {
        None,
        built.version if built else None,
        before.version if before else None,
        here.shown if here else None,
    }
    if built is None or not after or found in others:
        return False
    left = dict(here.left) if here else {}
    known = {
        path: {after[path], *([left.get(path)] if here else [])}
        for path in built.files
        if path in after
    }
    return is_another(name, there, known, found if found in world.sources(name) else None)


def as_built(world: World, selected: Collection[str]) -> dict[str, Files]:
    """What each component on disk was built from, if an archive of the drop or a kept one
    says it.
    """
    return {name: _as_built(world, name, name in selected) for name in world.there}


def _made_from(world: World, name: str) -> Built | None:
    """What a component that is selected was made from, as far as it is looked for."""
    if not is_behind(world, name, Flags()):
        return base_of(world, name, Flags())[1]
    return None if replacing_version(world, name) else base(world, name)


def _as_built(world: World, name: str, is_selected: bool) -> Files:
    there, written = (
        world.there[name],
        _made_from(world, name) if is_selected else base(world, name),
    )
    if not is_selected and replacing_version(world, name):
        return there
    # Of what is not selected, the state alone is no base.
    if written is None or not (is_selected or name in world.record):
        return there
    archive = gives(world, name).files if is_selected else {}
    if (
        is_selected
        and name in world.patches
        and archive["text"] == given(name, world.drop[name])["text"]
    ):
        # The archive is not asked for it.
        archive = {path: text for path, text in archive.items() if path != "text"}
    every = is_kept(world, name, written)
    files = {
        path: text
        if every or text.startswith("-> ") or archive.get(path) == text
        else there.get(path)
        for path, text in written.files.items()
    }
    return with_each({}, files)
