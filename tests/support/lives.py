"""A model of the build over time: what a run makes of dicts, as `docs/building.md` says it, and
nothing of how.

Beside it, `lives_files` has the files, and `lives_undo` the way back.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple, TypeVar

from tests.support.lives_files import (
    Files,
    Patch,
    both,
    given,
    merged,
    patch_of,
    patched,
    version_of,
)

T = TypeVar("T")
LEAVING = frozenset({"UnknownBase", "DropBehind"})
"""Errors of one component, which stays as it is, while the others are built."""
ANEW = "anew"
"""The digest of a patch that a run writes anew: only its file says which one it is."""


class Built(NamedTuple):
    """What record or state say of a component."""

    version: int
    files: Files
    patch: str = ""
    """The digest of the patch that it was built with."""
    is_unpatched: bool = False
    """Whether that does not fit; neither record nor state say it."""
    added: frozenset[str] = frozenset()
    """What stands there besides; the state alone knows it."""
    left: tuple[tuple[str, str], ...] = ()
    """What the last run left there; the state alone knows it."""
    shown: int | None = None
    """The version that the marker says, if that was edited; the state alone knows it."""

    @property
    def recorded(self) -> "Built":
        """The record of a built component, without what only the state knows."""
        return Built(*self[:3])

    @property
    def sources(self) -> frozenset[int | str]:
        """What a component was built from: the version of its archive, and the digest of its
        patch.
        """
        return frozenset[int | str]({self.version, self.patch}) - {""}


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
    stays: bool = False
    """Whether it stays as it is, because the drop is behind."""
    anew: Patch | None = None
    """Its patch, if that is merged with a new archive and written anew; without hunks,
    it is removed.
    """


class World(NamedTuple):
    """A project, and the archives that are selected for it."""

    dropped: Mapping[str, frozenset[int]] = {}
    """The versions of each component in the drop."""
    there: Mapping[str, Files] = {}
    record: Mapping[str, Built] = {}
    is_recorded: bool = False
    """Whether there is a record, be there anything in it or not."""
    state: Mapping[str, Built] = {}
    backup: frozenset[str] = frozenset()
    patches: Mapping[str, Patch] = {}
    kept: frozenset[tuple[str, int | str]] = frozenset()
    """What components were built from: their names, each with the version of an archive, or the
    digest of a patch.
    """
    last: "Last | None" = None
    closed: frozenset[str] = frozenset()
    """The components whose archives are left out by their file names, so that nobody knows
    what is in them.
    """

    @property
    def drop(self) -> Mapping[str, int]:
        """The newest version of each component in the drop."""
        return {name: max(versions) for name, versions in self.dropped.items()}

    def sources(self, name: str) -> set[int | str]:
        """What is kept of that a component was built from."""
        return {source for each, source in self.kept if each == name}


class Part(NamedTuple):
    """What a component was before a run, and after it."""

    before: World
    after: World
    is_moved: bool
    """Whether the run changed more of it than the record."""


class Last(NamedTuple):
    """The last run that changed the project."""

    names: frozenset[str]
    """The components of which it changed more than the record."""
    before: World
    after: World
    is_undo: bool = False
    """Whether it took back another."""
    rest: Mapping[str, Part] = {}
    """What can still be undone of a run that it undid in part, or of which it redid a part."""

    def taken_back_by(self, command: str) -> Mapping[str, Part]:
        """What an undo takes back, which is all that is left of another run, or a redo,
        which is an undo.
        """
        names = self.names | self.recorded_alone
        own = {name: Part(self.before, self.after, is_moved=name in self.names) for name in names}
        if command == "redo":
            return own if self.is_undo else {}
        return self.rest if self.is_undo else {**own, **self.rest}

    @property
    def recorded_alone(self) -> frozenset[str]:
        """The components of which it changed the record alone."""
        before, after = self.before.record, self.after.record
        return (
            frozenset(name for name in {*before, *after} if before.get(name) != after.get(name))
            - self.names
        )


NO_REST: Mapping[str, Part] = {}


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
    after = {name: _built(world, name, flags) for name in built}
    after |= {name: _left(world, name, flags) for name in names - built if world.there.get(name)}
    after |= {
        name: Component({}, None, None) for name in names - built if not world.there.get(name)
    }
    if flags.frozen and not all(_is_frozen(world, name, after[name], flags.wins) for name in built):
        return 80, world
    wrong = {name for name, each in after.items() if each.error}
    if {after[name].error for name in wrong} - LEAVING and not flags.keep_going:
        return 73, world
    record = with_each(world.record, {name: each.recorded for name, each in after.items()})
    changed = frozenset(
        name
        for name, each in after.items()
        if each.backup or each.there != world.there.get(name, {})
    )
    anew = {name: each.anew for name, each in after.items() if each.anew}
    return 73 if wrong else 0, ended(
        changed,
        world,
        world._replace(
            there=with_each(
                world.there, {name: each.there or None for name, each in after.items()}
            ),
            record=record,
            is_recorded=world.is_recorded or bool(changed) or record != world.record,
            state=with_each(world.state, {name: each.here for name, each in after.items()}),
            backup=world.backup.union(*(each.backup for each in after.values())),
            patches=with_each(
                world.patches,
                {name: patch if patch.hunks else None for name, patch in anew.items()},
            ),
            kept=world.kept
            | {
                (name, source)
                for name in built - wrong
                if not is_behind(world, name, flags)
                for source in gives(world, name, anew.get(name)).sources
            },
        ),
    )


def ended(
    changed: Iterable[str],
    before: World,
    after: World,
    *,
    is_undo: bool = False,
    rest: Mapping[str, Part] = NO_REST,
) -> World:
    """The project after a run that changed components or the record; it can be undone, and its
    archives are kept.
    """
    last = Last(
        frozenset(changed), before._replace(last=None), after._replace(last=None), is_undo, rest
    )
    if not last.names | last.recorded_alone:
        return after._replace(kept=before.kept)
    return after._replace(last=last)


def gives(world: World, name: str, anew: Patch | None = None) -> Built:
    """A: what the archive of a component gives with its patch, which may be written anew."""
    version, patch = world.drop[name], world.patches.get(name) if anew is None else anew
    archive = given(name, version)
    text = patched(archive["text"], patch) if patch else archive["text"]
    digest = patch.digest if patch else ""
    return Built(
        version,
        {**archive, "text": text or archive["text"]},
        patch=digest,
        is_unpatched=text is None,
    )


def is_kept(world: World, name: str, built: Built) -> bool:
    """Whether what a component was built from is kept, or in drop and project."""
    patch = world.patches.get(name)
    return built.sources <= world.sources(name) | in_drop(world, name) | (
        {patch.digest} if patch else set()
    )


def in_drop(world: World, name: str) -> frozenset[int]:
    """The versions of a component in the drop, as far as it is known that it is in them."""
    return frozenset() if name in world.closed else world.dropped.get(name, frozenset())


def base(world: World, name: str) -> Built | None:
    """W: what record or state say, by which of them the disk agrees with more."""
    recorded, here, there = world.record.get(name), world.state.get(name), world.there.get(name, {})
    if recorded is None or here is None or not there:
        return here or recorded
    paths = {*recorded.files, *here.files}

    def agreement(built: Built) -> int:
        return sum(there.get(path) == built.files.get(path) for path in paths)

    written = recorded if agreement(recorded) > agreement(here) else here
    if (
        name in world.patches
        or recorded.patch in {"", here.patch}
        or recorded.version != here.version
    ):
        return written
    is_by_hand = {path: there.get(path) == recorded.files.get(path) for path in here.files}
    by_hand = {
        path: text
        for path, text in here.files.items()
        if is_by_hand[path] and there.get(path) != text
    }
    return written._replace(files={**written.files, **by_hand})


def replacing_version(world: World, name: str, patched_text: str | None = None) -> int | None:
    """The version that has replaced W: the marker says it, and the marker and one more file are not
    as anybody here left them.
    """
    written, there, here = base(world, name), world.there.get(name, {}), world.state.get(name)
    found, left = version_of(name, there), dict(here.left) if here else {}
    if written is None or found in {None, written.version, here.shown if here else None}:
        return None
    if (
        patched_text is None
        and name in world.drop
        and name in world.patches
        and not gives(world, name).is_unpatched
    ):
        patched_text = gives(world, name).files["text"]
    known = {
        path: {text, *([left.get(path)] if here else [])} for path, text in written.files.items()
    }
    if patched_text:
        known["text"].add(patched_text)
    archives = in_drop(world, name) | world.sources(name)
    return found if is_another(name, there, known, found if found in archives else None) else None


def is_another(
    name: str, there: Files, known: Mapping[str, Collection[str | None]], version: int | None = None
) -> bool:
    """Whether the marker of a component and one more file differ from everything that is known of
    them.

    The marker alone is enough if everything is as in the archive of the version that it says.
    """
    foreign = {path for path, contents in known.items() if there.get(path) not in contents}
    is_whole = version is not None and _alike(there, given(name, version)) == len(
        given(name, version)
    )
    return f"{name}.php" in foreign and (len(foreign) > 1 or is_whole)


def is_behind(world: World, name: str, flags: Flags) -> bool:
    """Whether the archive of the drop is older than record, W or what is there; or is the one that
    was replaced.
    """
    recorded, here, written = world.record.get(name), world.state.get(name), base(world, name)
    there, version, other = (
        world.there.get(name, {}),
        world.drop[name],
        replacing_version(world, name),
    )
    is_pulled_back = (
        recorded and recorded.version == version and (here is None or here.recorded != recorded)
    )
    if _consents(flags) or (is_pulled_back and not other):
        return False
    on_disk = other or (written.version if written else version_of(name, there)) if there else None
    known = [each.version for each in (written, recorded, here) if each]
    return bool(
        (other and version in known)
        or max(recorded.version if recorded else 0, on_disk or 0) > version
    )


def _consents(flags: Flags) -> bool:
    return flags.wins == "force" and flags.names is not None


def base_of(world: World, name: str, flags: Flags) -> tuple[bool, Built | None]:
    """Whether it is known what a component was made from, and what: W, or an archive of the version
    that is there.
    """
    there, written, other = (
        world.there.get(name, {}),
        base(world, name),
        replacing_version(world, name),
    )
    if not there or (written and not other):
        return True, written
    found, newest = version_of(name, there), world.drop.get(name)
    dropped = sorted(in_drop(world, name), key=lambda version: (version != newest, version))
    if (
        not written
        and found is None
        and not any(path in there for each in dropped for path in given(name, each))
    ):
        return True, None
    kept = [found] if found is not None and found in world.sources(name) else []
    is_confirmed = flags.wins == "mine" and flags.names is not None
    for versions in (dropped, kept):
        for version in sorted(versions, key=lambda version: -_alike(there, given(name, version))):
            archive = given(name, version)
            lacks = archive.keys() - there.keys()
            differs = any(path in there and there[path] != archive[path] for path in archive)
            is_likely = found is None or found == version
            is_certain = found == version and not (lacks and differs)
            if _alike(there, archive) == len(archive) or is_certain or (is_likely and is_confirmed):
                return True, Built(version, {**archive, **_written_before(world, name)})
    return False, None


def _alike(there: Files, archive: Files) -> int:
    return sum(there.get(path) == text for path, text in archive.items())


def _written_before(world: World, name: str) -> Files:
    """The files on disk that are as somebody has written them here before."""
    there = world.there.get(name, {})
    before = [
        each.files
        for each in (base(world, name), world.record.get(name), world.state.get(name))
        if each
    ]
    return {
        path: text
        for path, text in there.items()
        if any(files.get(path) == text for files in before)
    }


def _built(world: World, name: str, flags: Flags) -> Component:
    """What a run makes of a component that is selected."""
    there, version, wins = world.there.get(name, {}), world.drop[name], flags.wins
    as_it_is = Component(there, world.record.get(name), world.state.get(name))
    if is_behind(world, name, flags):
        return as_it_is._replace(stays=True, error="" if there else "DropBehind")
    is_known, made = base_of(world, name, flags)
    anew = _rebased(world, name, made) if flags.merge and made else None
    built = gives(world, name, anew)
    archive = built.files
    if not is_known and not _consents(flags):
        return as_it_is._replace(error="UnknownBase")
    if not is_known:  # no file of these can run but the marker, which every archive has
        lost = {text for path, text in there.items() if path in archive and archive[path] != text}
        return _after(name, world, {**there, **archive}, built, frozenset(lost))
    own = made or Built(0, {})
    is_again = (own.version, own.patch) == (version, built.patch)
    is_unfit, bare = built.is_unpatched and not is_again, given(name, version)["text"]
    before = {**own.files, **({"text": bare} if built.patch and there.get("text") == bare else {})}
    if (
        is_unfit
        and wins == "mine"
        and there.get("text") != bare
        and before.get("text") in {bare, there.get("text")}
    ):
        # Whoever wrote it, it stays.
        before = {path: before[path] for path in before if path != "text"}
    together = merged(before, there, archive, wins, flags.merge and is_kept(world, name, own))
    if together is None:
        return as_it_is._replace(error="OutputConflict")
    if is_unfit and wins != "force" and (not wins or "text" not in there):
        return as_it_is._replace(error="PatchConflict", but_for_it=together[0])
    result, backup = together
    return _after(name, world, result, built, frozenset(backup))._replace(anew=anew)


def as_shown(
    world: World, flags: Flags, selected: Collection[str], after: World
) -> Mapping[str, Files]:
    """The files after a run as `tool diff` shows them: of an unknown base, as `--force NAME`
    would leave them.
    """
    names = {*world.drop} if flags.names is None else flags.names
    forced = {
        name: _built(world, name, Flags("force", names=frozenset({name}))).there
        for name in names & {*selected}
        if _built(world, name, flags).error == "UnknownBase"
    }
    return {**after.there, **forced}


def _rebased(world: World, name: str, made: Built) -> Patch | None:
    """The patch of a component that does not fit, merged with the archive, given what the component
    was made from.
    """
    version, patch = world.drop[name], world.patches.get(name)
    is_kept = made.version in in_drop(world, name) | world.sources(name)
    if (
        patch is None
        or not gives(world, name).is_unpatched
        or made.version == version
        or not is_kept
    ):
        return None
    old, theirs = (given(name, each)["text"] for each in (made.version, version))
    mine = patched(old, patch)
    together = both(old, mine, theirs) if mine else None
    if together is None:
        return None
    return patch_of(theirs, together)._replace(digest="" if together == theirs else ANEW)


def _after(
    name: str, world: World, there: Files, built: Built, backup: frozenset[str] = frozenset()
) -> Component:
    """What is there after a run, and what record and state say then."""
    marker, before, written = f"{name}.php", world.there.get(name, {}), base(world, name)
    is_asked = (
        any(before.get(path) != text for path, text in written.files.items())
        if written
        else bool(before)
    )
    is_kept_marker = there.get(marker) == before.get(marker) != built.files[marker]
    shown = version_of(name, before) if is_asked and is_kept_marker else None
    added = frozenset(there.keys() - built.files.keys())
    here = built.recorded._replace(added=added, left=tuple(sorted(there.items())), shown=shown)
    return Component(there, built.recorded, here, backup)


def _left(world: World, name: str, flags: Flags) -> Component:
    """What a run makes of a component that is not built."""
    there, recorded, here = world.there[name], world.record.get(name), world.state.get(name)
    if not (flags.prune and recorded):
        return Component(there, recorded, here)
    is_known, made = base_of(world, name, flags)
    if not is_known:
        return Component(there, recorded, here, error="UnknownBase")
    own = made.files if made else {}
    return Component(
        {}, None, None, frozenset(text for path, text in there.items() if own.get(path) != text)
    )


def _is_recorded(world: World, flags: Flags, built: Collection[str]) -> bool:
    """Whether drop and selection are what the record says, and each patch is of a component
    that is built.
    """
    if flags.names is None and not world.patches.keys() <= world.record.keys() | set(built):
        return False
    asked = {
        name: each
        for name, each in world.record.items()
        if flags.names is None or name in flags.names
    }
    is_patched = all(
        each.patch == gives(world, name).patch for name, each in asked.items() if name in built
    )
    return is_patched and {name: each.version for name, each in asked.items()} == {
        name: world.drop[name] for name in built
    }


def _is_frozen(world: World, name: str, after: Component, wins: str) -> bool:
    """Whether record and recorded files stay as they are; with `--mine`, edited files pass."""
    recorded = world.record[name]
    there, built = after.there if after.but_for_it is None else after.but_for_it, after.recorded
    passes = wins == "mine" and not after.stays and after.error not in LEAVING
    stay = all(there.get(path) == text or passes for path, text in recorded.files.items())
    return stay and built == recorded and (after.error != "" or not gives(world, name).is_unpatched)


def with_each(old: Mapping[str, T], new: Mapping[str, T | None]) -> dict[str, T]:
    """Some values in the place of others; none for what is gone."""
    return {name: value for name, value in {**old, **new}.items() if value is not None}


def with_digests(world: World, digests: Mapping[str, str]) -> World:
    """A world with the digests of the patches that a run has written anew, by their components."""

    def known(builts: Mapping[str, Built]) -> Mapping[str, Built]:
        return {
            name: each._replace(patch=digest(name, each.patch)) for name, each in builts.items()
        }

    def digest(name: str, old: str) -> str:
        return digests[name] if old == ANEW else old

    last = world.last
    return world._replace(
        record=known(world.record),
        state=known(world.state),
        patches={
            name: each._replace(digest=digest(name, each.digest))
            for name, each in world.patches.items()
        },
        kept=frozenset(
            (name, digests[name] if source == ANEW else source) for name, source in world.kept
        ),
        last=last and last._replace(after=with_digests(last.after, digests)),
    )
