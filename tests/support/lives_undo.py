"""The model of the way back: `tool undo`, and `tool diff --mine` (`docs/building.md`)."""

from collections.abc import Collection

from tests.support.lives import Last, World, base, ended, gives, is_kept, with_each
from tests.support.lives_files import Files, given, merged, version_of


def undo(world: World, wins: str) -> tuple[int, World]:
    """The exit code of `tool undo`, and the project after it: what the last run left is W, what was before it is A."""
    last = world.last
    if last is None or (world.record, world.is_recorded) != (last.after.record, last.after.is_recorded):
        return 73, world
    there: dict[str, Files] = {}
    backup = world.backup
    for name in last.names:
        w, d, a = (each.there.get(name, {}) for each in (last.after, world, last.before))
        is_replaced, in_place = _is_replaced_since(world, last, name), name in last.in_place
        if in_place:
            w, a = _without_same(w, a, d), _without_same(a, w, d)
        if is_replaced:
            together = None if in_place and wins == "force" else _about_another(world, name, a, wins)
        else:
            together = merged(w, d, a, wins)
        if together is None:
            return 73, world
        there[name], backup = together[0], backup | together[1]
    changed = last.names | last.recorded_alone
    state = {name: last.before.state.get(name) or last.before.record.get(name) for name in changed}
    after = world._replace(
        there=with_each(world.there, {name: there[name] or None for name in last.names}),
        record=last.before.record,
        is_recorded=last.before.is_recorded,
        state=with_each(world.state, state),
        backup=backup,
    )
    placed = (name for name in last.names if world.there.get(name) or there[name])
    return 0, ended(placed, world, after)


def _without_same(files: Files, others: Files, there: Files) -> Files:
    return {path: text for path, text in files.items() if path in there or others.get(path) != text}


def _is_replaced_since(world: World, last: Last, name: str) -> bool:
    """Whether another version is there than the run left and than was there before: its marker, and more, departs."""
    built, left, there = last.after.record.get(name), last.after.there.get(name), world.there.get(name, {})
    marker, here, before = f"{name}.php", world.state.get(name), last.before.record.get(name)
    if built is None or not left or there.get(marker) in {None, left.get(marker), here.left if here else None}:
        return False
    departing = {path for path in built.files if path in left and there.get(path) != left[path]}
    others = {None, built.version, before.version if before else None}
    return len(departing) > 1 and version_of(name, there) not in others


def _about_another(world: World, name: str, before: Files, wins: str) -> tuple[Files, frozenset[str]] | None:
    """What is there instead of another version, and what goes to the backup; `None` if nobody decides."""
    there, here = world.there[name], world.state.get(name)
    if wins != "force":
        return (there, frozenset()) if wins == "mine" else None
    added = here.added if here else frozenset()
    own = {path: there[path] for path in there if path not in {*before, *added}}
    together = merged(own, there, before, wins)
    assert together
    result, backup = together
    return result, backup | {content for path, content in there.items() if path not in result}


def as_built(world: World, selected: Collection[str]) -> dict[str, Files]:
    """What was built of each component that is there, where an archive of the drop or one that is kept says it."""
    return {name: _as_built(world, name, name in selected) for name in world.there}


def _as_built(world: World, name: str, is_selected: bool) -> Files:
    there, written = world.there[name], base(world, name)
    if written is None or not (
        is_selected or name in world.record
    ):  # of what is not selected, the state alone is no base
        return there
    archive = gives(world, name).files if is_selected else {}
    if is_selected and name in world.patches and archive["text"] == given(name, world.drop[name])["text"]:
        archive = {path: text for path, text in archive.items() if path != "text"}  # the archive is not asked for it
    every = is_kept(world, name, written)
    files = {
        path: text if every or text.startswith("-> ") or archive.get(path) == text else there.get(path)
        for path, text in written.files.items()
    }
    return with_each({}, files)
