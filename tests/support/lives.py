"""A model of the build over time: what a run makes of dicts, as `docs/building.md` says it, and nothing of how.

Beside it, `lives_files` has the files, and `lives_undo` the way back.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple, TypeVar

from tests.support.lives_files import Files, Patch, given, merged, patched, version_of

T = TypeVar("T")


class Built(NamedTuple):
    """What record or state say of a component."""

    version: int
    files: Files
    instead_of: int | None = None
    """The version of the archive that it stands against, if somebody else installed it."""
    patch: str = ""
    """The digest of the patch that it was built with."""
    is_unpatched: bool = False
    """Whether that does not fit."""
    added: frozenset[str] = frozenset()
    """What stands there besides; the state alone knows it."""
    left: str | None = None
    """The marker that the last run left; the state alone knows it."""

    @property
    def recorded(self) -> "Built":
        """The same without what the state alone knows."""
        return Built(*self[:5])

    @property
    def sources(self) -> frozenset[int | str]:
        """What it was built from: the version of its archive, and the digest of its patch."""
        return frozenset() if self.instead_of is not None else frozenset({self.version, self.patch} - {""})


class Flags(NamedTuple):
    """How a run is started."""

    wins: str = ""
    merge: bool = False
    prune: bool = False
    frozen: bool = False
    keep_going: bool = False
    names: frozenset[str] | None = None

    @property
    def args(self) -> list[str]:
        """The flags as they are typed."""
        flags = {
            self.wins: bool(self.wins),
            "merge": self.merge,
            "prune": self.prune,
            "frozen": self.frozen,
            "keep-going": self.keep_going,
        }
        return [*sorted(self.names or ()), *(f"--{flag}" for flag, on in flags.items() if on)]


class Component(NamedTuple):
    """What a run makes of one component."""

    there: Files
    recorded: Built | None
    here: Built | None
    backup: frozenset[str] = frozenset()
    error: str = ""
    but_for_it: Files | None = None
    """What would be there if a patch that does not fit were left out."""


class World(NamedTuple):
    """A project, and the archives that are selected for it."""

    drop: Mapping[str, int] = {}
    there: Mapping[str, Files] = {}
    record: Mapping[str, Built] = {}
    is_recorded: bool = False
    """Whether there is a record, be there anything in it or not."""
    state: Mapping[str, Built] = {}
    backup: frozenset[str] = frozenset()
    patches: Mapping[str, Patch] = {}
    kept: frozenset[tuple[str, int | str]] = frozenset()
    """What components were built from: their names, each with the version of an archive, or the digest of a patch."""
    last: "Last | None" = None


class Last(NamedTuple):
    """The last run that changed the project."""

    names: frozenset[str]
    """The components of which it changed more than the record."""
    before: World
    after: World
    in_place: frozenset[str] = frozenset()
    """Those of which it replaced the files one by one; what it did not change of these is not kept."""

    @property
    def recorded_alone(self) -> frozenset[str]:
        """The components of which it changed the record alone."""
        before, after = self.before.record, self.after.record
        return frozenset(name for name in {*before, *after} if before.get(name) != after.get(name)) - self.names


def create(world: World, flags: Flags, selected: Collection[str]) -> tuple[int, World]:
    """The exit code of a run, and the project after it."""
    if flags.names is not None and flags.names - (world.drop.keys() | world.record.keys()):
        return 68, world
    if flags.prune and not world.drop:
        return 72, world
    names = {*world.drop, *world.record, *world.state} if flags.names is None else flags.names
    built = {name for name in selected if name in names}
    if flags.frozen and not _is_recorded(world, flags, built):
        return 80, world
    after = planned(world, flags, built)
    after |= {name: _left(world, name, flags.prune) for name in names - built if world.there.get(name)}
    after |= {name: Component({}, None, None) for name in names - built if not world.there.get(name)}
    if flags.frozen and not all(_is_frozen(world.record[name], after[name], flags.wins) for name in built):
        return 80, world
    wrong = {name for name, each in after.items() if each.error}
    if wrong and not flags.keep_going:
        return 73, world
    record = with_each(world.record, {name: each.recorded for name, each in after.items()})
    changed = frozenset(name for name, each in after.items() if _is_changed(world, name, each))
    return 73 if wrong else 0, ended(
        changed,
        world,
        world._replace(
            there=with_each(world.there, {name: each.there or None for name, each in after.items()}),
            record=record,
            is_recorded=world.is_recorded or bool(changed) or record != world.record,
            state=with_each(world.state, {name: each.here for name, each in after.items()}),
            backup=world.backup.union(*(each.backup for each in after.values())),
            kept=world.kept
            | {
                (name, source)
                for name in built - wrong
                for source in gives(world, name).sources
                if not (stands_against(world, name) and world.there.get(name))  # what was taken over is not built
            },
        ),
    )


def planned(world: World, flags: Flags, built: Collection[str]) -> dict[str, Component]:
    """What a run makes of the components that are selected."""
    undecided = [name for name in built if is_replaced(world, name) and not is_ahead(world, name)]
    is_alone = flags.names is not None or len(undecided) == 1
    return {name: _built(world, name, flags, is_alone) for name in built}


def ended(changed: Iterable[str], before: World, after: World) -> World:
    """The project after a run that changed components or the record: it is kept for later, with its archives."""
    last = Last(frozenset(changed), before._replace(last=None), after._replace(last=None))
    if not last.names | last.recorded_alone:
        return after._replace(kept=before.kept)
    unchanged = ((name, built) for name, built in after.state.items() if name not in last.names)
    records = (*before.record.items(), *after.record.items(), *unchanged)
    kept = after.kept & {(name, source) for name, built in records for source in built.sources}
    return after._replace(kept=kept, last=last)


def gives(world: World, name: str) -> Built:
    """A: what the archive of a component gives with its patch."""
    version, patch = world.drop[name], world.patches.get(name)
    archive = given(name, version)
    text = patched(archive["text"], patch) if patch else archive["text"]
    digest = patch.digest if patch else ""
    return Built(version, {**archive, "text": text or archive["text"]}, patch=digest, is_unpatched=text is None)


def is_kept(world: World, name: str, built: Built) -> bool:
    """Whether what a component was built from is kept; its patch may be there, too."""
    patch = world.patches.get(name)
    kept = {source for each, source in world.kept if each == name} | ({patch.digest} if patch else set())
    return built.instead_of is None and built.version in kept and built.sources <= kept


def base(world: World, name: str) -> Built | None:
    """W: what record or state say, by which of them the disk agrees with more."""
    recorded, here, there = world.record.get(name), world.state.get(name), world.there.get(name, {})
    if recorded is None or here is None or not there:
        return here or recorded
    paths = {*recorded.files, *here.files}

    def agreement(built: Built) -> int:
        return sum(there.get(path) == built.files.get(path) for path in paths)

    return recorded if agreement(recorded) > agreement(here) else here


def stands_against(world: World, name: str) -> bool:
    """Whether what is there was taken over, and the archive of the drop is the one that it stands against."""
    return any(memory[name].instead_of == world.drop[name] for memory in (world.record, world.state) if name in memory)


def departs(world: World, name: str) -> int | None:
    """The version that is there, if another than W has been put there: its marker, and another path of W, departs."""
    written, there, marker = base(world, name), world.there.get(name, {}), f"{name}.php"
    here = world.state.get(name)
    if written is None or there.get(marker) in {written.files.get(marker), here.left if here else None}:
        return None
    departing = {path for path, content in written.files.items() if there.get(path) != content}
    version = version_of(name, there)
    return version if version != written.version and departing - {marker} else None


def is_replaced(world: World, name: str) -> bool:
    """Whether the version that is there is neither W's nor that of the drop."""
    return not stands_against(world, name) and departs(world, name) not in {None, world.drop[name]}


def is_ahead(world: World, name: str) -> bool:
    """Whether the record has come along with a later version than both what is there and that of the drop."""
    recorded, here, written = world.record.get(name), world.state.get(name), base(world, name)
    if recorded is None or written is None or (here and recorded == here.recorded):
        return False
    return recorded.version > max(world.drop[name], departs(world, name) or written.version)


def _built(world: World, name: str, flags: Flags, is_alone: bool) -> Component:
    """What a run makes of a component that is selected."""
    there, version, wins = world.there.get(name, {}), world.drop[name], flags.wins
    recorded, here, written = world.record.get(name), world.state.get(name), base(world, name)
    as_it_is = Component(there, recorded, here)
    if stands_against(world, name) and (there or wins != "force"):
        if not there:
            return as_it_is._replace(error="ComponentReplaced")
        if not written or departs(world, name) or (recorded or written).recorded != written.recorded:
            return as_it_is
        return _after(there, written.recorded)
    if is_ahead(world, name):
        return as_it_is
    built, added = gives(world, name), here.added if here else frozenset()
    archive = built.files
    if is_replaced(world, name):
        found = version_of(name, there)
        assert found is not None
        if wins == "mine" and is_alone:
            return _after(there, Built(found, {path: there[path] for path in there if path not in added}, version))
        if wins != "force":
            return as_it_is._replace(error="ComponentReplaced")
        own = Built(found, {path: there[path] for path in there if path not in {*archive, *added}}, version)
    else:
        own = written if written and departs(world, name) is None else Built(0, {})
    is_again = (own.version, own.patch, own.is_unpatched) == (version, built.patch, True)
    is_unfit, bare = built.is_unpatched and not is_again, given(name, version)["text"]
    before = {**own.files, **({"text": bare} if built.patch and there.get("text") == bare else {})}
    if is_unfit and wins == "mine" and there.get("text") != bare and before.get("text") in {bare, there.get("text")}:
        before = {path: before[path] for path in before if path != "text"}  # whoever wrote it, it stays
    together = merged(before, there, archive, wins, flags.merge and is_kept(world, name, own))
    if together is None:
        return as_it_is._replace(error="OutputConflict")
    if is_unfit and wins != "force" and (not wins or "text" not in there):
        return as_it_is._replace(error="PatchConflict", but_for_it=together[0])
    result, backup = together
    if own.instead_of is not None:
        backup |= {content for path, content in there.items() if path not in result}
    return _after(result, built, frozenset(backup))


def _after(there: Files, built: Built, backup: frozenset[str] = frozenset()) -> Component:
    """What is there after a run, and what record and state say then."""
    return Component(there, built, known(there, built), backup)


def known(there: Files, built: Built) -> Built:
    """What was written, with what the state knows besides."""
    marker = next(path for path in built.files if path.endswith(".php"))
    return built._replace(added=frozenset(there.keys() - built.files.keys()), left=there.get(marker))


def _is_changed(world: World, name: str, after: Component) -> bool:
    """Whether a run changes a component: something in it, something that goes to the backup, or whose version it is."""
    recorded, written = after.recorded, base(world, name)
    is_adopted = recorded is not None and recorded.instead_of is not None
    is_known = recorded == world.record.get(name) or (written and recorded == written.recorded)
    return after.there != world.there.get(name, {}) or bool(after.backup) or (is_adopted and not is_known)


def _left(world: World, name: str, prune: bool) -> Component:
    """What a run makes of a component that is not built."""
    there, recorded, here = world.there[name], world.record.get(name), world.state.get(name)
    if not (prune and recorded):
        return Component(there, recorded, here)
    written = base(world, name)
    assert written
    own = {} if written.instead_of is not None else written.files
    return Component({}, None, None, frozenset(text for path, text in there.items() if own.get(path) != text))


def _is_recorded(world: World, flags: Flags, built: Collection[str]) -> bool:
    """Whether drop and selection are what the record says."""
    asked = {name: each for name, each in world.record.items() if flags.names is None or name in flags.names}
    is_patched = all(
        each.instead_of is not None or each.patch == gives(world, name).patch
        for name, each in asked.items()
        if name in built
    )
    return is_patched and {name: each.instead_of or each.version for name, each in asked.items()} == {
        name: world.drop[name] for name in built
    }


def _is_frozen(recorded: Built, after: Component, wins: str) -> bool:
    """Whether record and recorded files stay as they are; with `--mine`, edited files pass."""
    there, built = after.there if after.but_for_it is None else after.but_for_it, after.recorded
    stay = all(there.get(path) == text or wins == "mine" for path, text in recorded.files.items())
    return stay and built == recorded and (after.error != "" or not (built and built.is_unpatched))


def with_each(old: Mapping[str, T], new: Mapping[str, T | None]) -> dict[str, T]:
    """Some values in the place of others; none for what is gone."""
    return {name: value for name, value in {**old, **new}.items() if value is not None}
