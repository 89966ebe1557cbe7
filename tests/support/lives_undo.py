"""The model of the way back: `tool undo`, a run in two parts, and `tool diff --mine` (`docs/building.md`)."""

from collections.abc import Collection

from tests.support.lives import World, base, ended, with_each
from tests.support.lives_files import Files, given, merged


def undo(world: World, wins: str) -> tuple[int, World]:
    """The exit code of `tool undo`, and the project after it: what the last run left is W, what was before it is A."""
    last = world.last
    if last is None or (world.record, world.is_recorded) != (last.after.record, last.after.is_recorded):
        return 73, world
    there: dict[str, Files] = {}
    backup = world.backup
    for name in last.names:
        w, d, a = (each.there.get(name, {}) for each in (last.after, world, last.before))
        together = merged(w, d, a, wins)
        if together is None:
            return 73, world
        there[name], backup = together[0], backup | together[1]
    state = {name: last.before.state.get(name) or last.before.record.get(name) for name in last.names}
    after = world._replace(
        there=with_each(world.there, {name: there[name] or None for name in last.names}),
        record=last.before.record,
        is_recorded=last.before.is_recorded,
        state=with_each(world.state, state),
        backup=backup,
    )
    return 0, ended((name for name in last.names if world.there.get(name) or there[name]), world, after)


def in_two(world: World, rest: Collection[str]) -> World:
    """The same project if the run was killed on its way, and the next one changed the rest of the components."""
    assert world.last
    names, before, after = world.last
    first = names - frozenset(rest)
    there = with_each(before.there, {name: after.there.get(name) for name in first})
    record = with_each(before.record, {name: after.record.get(name) for name in first})
    return ended(rest, before._replace(there=there, record=record, is_recorded=True), world)


def as_built(world: World, selected: Collection[str]) -> dict[str, Files]:
    """What was built of each component that is there, where an archive of the drop or one that is kept says it."""
    return {name: _as_built(world, name, name in selected) for name in world.there}


def _as_built(world: World, name: str, is_selected: bool) -> Files:
    there, written = world.there[name], base(world, name)
    if written is None or not (
        is_selected or name in world.record
    ):  # of what is not selected, the state alone is no base
        return there
    archive = given(name, world.drop[name]) if is_selected else {}
    is_kept = written.instead_of is None and (name, written.version) in world.kept
    files = {
        path: text if is_kept or text.startswith("-> ") or archive.get(path) == text else there.get(path)
        for path, text in written.files.items()
    }
    return with_each({}, files)
