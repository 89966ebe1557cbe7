"""Laws of the build over time: whatever happens to drop, project and process, the project on disk
is what a model of dicts says.

Each run of the command is a real one, on a real folder (`docs/reliability.md`).
`tests/support/lives.py` is the model.
"""

import json
import os
import shutil
from collections.abc import Collection
from typing import Any, Final

from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, precondition, rule

from tests.support.forks import FORKS
from tests.support.lives import (
    Built,
    Flags,
    World,
    as_shown,
    base,
    is_kept,
    replacing_version,
    with_each,
)
from tests.support.lives_files import LINES, VERSIONS, Patch, given, patch_of, patched, with_line
from tests.support.lives_project import (
    APPLYING,
    MODULES,
    RECORD,
    archive_of,
    as_recorded,
    file_of,
    reported,
    zip_of,
)
from tests.support.lives_undo import as_built, undo
from tests.support.living import Living
from tests.support.sweep import LIVES, SWEEP, examples

NAMES: Final = ("m", "n")
names_of = st.sampled_from(NAMES)
versions_of = st.sampled_from(VERSIONS)
paths_of = st.sampled_from(["core", "same", "a/b", "a/c", "mine", "deep/er/mine", "config_fr.xml"])
errors_of = st.sampled_from(["ENOSPC", "EIO", "EACCES", "EEXIST", "ENOENT"])
undoing = st.sampled_from(["undo", "redo"])
winners_of = st.sampled_from(["", "", "force", "mine"])
seldom = st.sampled_from([False, False, False, False, True])
flags_of = st.builds(
    Flags,
    wins=winners_of,
    merge=st.booleans(),
    prune=st.sampled_from([False, False, True]),
    frozen=seldom,
    keep_going=seldom,
    names=st.none() | st.none() | st.frozensets(names_of, min_size=1, max_size=2),
)
MERGED: Final = Flags(merge=True)
then_of = st.sampled_from([None, Flags(), Flags(), MERGED, Flags("force"), Flags("mine")])
"""The run that follows at once, if any."""
FORGOTTEN: Final[dict[str, dict[str, Any]]] = {
    RECORD: {"record": {}, "is_recorded": False},
    "state.json": {"state": {}},
    "archives": {"kept": frozenset()},
    "previous": {"last": None},
    ".tool": {"state": {}, "kept": frozenset(), "last": None, "backup": frozenset()},
}
"""What the model does without once something is lost."""
ARGS: Final = {"cache": (), "no cache": ("--no-cache",)}


class Life(Living):
    """A drop, what was built from it, and what users, colleagues and the system did to that."""

    @initialize(
        is_foreign=st.booleans(),
        lost=st.sampled_from(["", "core"]),
        edited=st.sampled_from(["", "same"]),
        then=then_of,
    )
    def begin(self, is_foreign: bool, lost: str, edited: str, then: Flags | None) -> None:
        """Something already exists: what was built, or a site that the tool did not build,
        perhaps with edits.
        """
        for name, version in {"m": 1, "n": 2}.items():
            self.put(name, version)
        if is_foreign:
            self.stand("n", given("n", 2))
            there = {
                path: self.mine() if path == edited else text
                for path, text in given("m", 1).items()
            }
            self.stand("m", {path: text for path, text in there.items() if path != lost})
            self.follow(then)
        else:
            self.create(Flags(), "cache")
        self.commit()

    @rule(name=names_of, version=versions_of, beside=st.booleans(), then=then_of)
    def put(self, name: str, version: int, beside: bool = False, then: Flags | None = None) -> None:
        """Drop an archive, or a newer or older version of it, in the place of others or
        beside them.
        """
        self.drop(name, {version, *(self.dropped(name) if beside else ())})
        self.follow(then)

    @precondition(lambda self: self.world.drop)
    @rule(data=st.data(), newest=st.booleans(), then=then_of)
    def take(self, data: st.DataObject, newest: bool, then: Flags | None) -> None:
        """Take the archives of a component out of the drop, or the newest of them alone."""
        name = data.draw(st.sampled_from(sorted(self.world.drop)))
        self.drop(name, self.dropped(name) - {self.world.drop[name]} if newest else set())
        self.follow(then)

    @rule(names=st.frozensets(names_of, max_size=2), by_file=st.booleans())
    def exclude(self, names: frozenset[str], by_file: bool) -> None:
        """Change the configuration."""
        patterns = [zip_of(name, "?") if by_file else name for name in sorted(names)]
        (self.project.folder / "tool.config.json").write_text(
            json.dumps({"exclude": patterns}), encoding="utf-8"
        )
        self.excluded = names
        self.world = self.world._replace(closed=names if by_file else frozenset())

    @precondition(lambda self: self.world.there)
    @rule(data=st.data(), path=paths_of)
    def edit(self, data: st.DataObject, path: str) -> None:
        """Change a file of a component, or add one."""
        name = data.draw(st.sampled_from(sorted(self.world.there)))
        self.stand(name, {**self.world.there[name], path: self.mine()})

    @precondition(lambda self: any("text" in files for files in self.world.there.values()))
    @rule(
        data=st.data(),
        number=st.integers(0, LINES - 1),
        version=st.none() | st.none() | versions_of,
        then=then_of,
    )
    def edit_line(
        self, data: st.DataObject, number: int, version: int | None, then: Flags | None
    ) -> None:
        """Change a line of a text, or make it what it is in a version."""
        name = data.draw(
            st.sampled_from(
                sorted(name for name, files in self.world.there.items() if "text" in files)
            )
        )
        files = self.world.there[name]
        line = given(name, version)["text"].splitlines()[number] if version else self.mine()
        self.stand(name, {**files, "text": with_line(files["text"], number, line)})
        self.follow(then)

    @rule(
        name=names_of,
        version=versions_of,
        change=st.tuples(
            st.integers(0, LINES - 1), st.none() | versions_of, st.sampled_from([0, 3])
        ),
        then=then_of,
    )
    def pull_patch(
        self, name: str, version: int, change: tuple[int, int | None, int], then: Flags | None
    ) -> None:
        """A colleague's patch of a version arrives; it changes a line, or makes it what it is in
        another version.
        """
        number, to, context = change
        old = given(name, version)["text"]
        line = given(name, to)["text"].splitlines()[number] if to else self.mine()
        if patch := patch_of(old, with_line(old, number, line), context).hunks:
            path = self.project.patch(name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(Patch(patch).diff, encoding="utf-8")
            self.has_patch(name, Patch(patch))
        self.follow(then)

    @rule(name=names_of, then=then_of)
    def delete_patch(self, name: str, then: Flags | None) -> None:
        """Delete a patch."""
        self.project.patch(name).unlink(missing_ok=True)
        self.has_patch(name, None)
        self.follow(then)

    @precondition(lambda self: self.savable())
    @rule(data=st.data(), then=then_of)
    def patch(self, data: st.DataObject, then: Flags | None) -> None:
        """Save the edits of a text as a patch."""
        self.patch_text(data.draw(st.sampled_from(self.savable())))
        self.follow(then)

    @precondition(lambda self: self.savable())
    @rule(
        data=st.data(),
        number=st.integers(0, LINES - 1),
        version=versions_of,
        is_taken=st.booleans(),
        then=st.sampled_from([MERGED, MERGED, None]),
    )
    def rebase(
        self, data: st.DataObject, number: int, version: int, is_taken: bool, then: Flags | None
    ) -> None:
        """Save the edit of a line as a patch, then drop another version, which may have taken
        the edit over.
        """
        name = data.draw(st.sampled_from(self.savable()))
        text = self.world.there[name]["text"]
        line = given(name, version)["text"].splitlines()[number] if is_taken else self.mine()
        self.stand(name, {**self.world.there[name], "text": with_line(text, number, line)})
        self.patch_text(name)
        self.put(name, version, beside=True, then=then)

    @precondition(lambda self: self.savable())
    @rule(
        data=st.data(),
        number=st.integers(1, 60),
        way=st.sampled_from(["KILL", "EIO"]),
        then=then_of,
    )
    def patch_broken(self, data: st.DataObject, number: int, way: str, then: Flags | None) -> None:
        """Saving is killed, or refused a call, and done again."""
        self.patch_text(data.draw(st.sampled_from(self.savable())), (number, way))
        self.follow(then)

    @precondition(lambda self: self.savable())
    @rule(
        data=st.data(),
        number=st.integers(0, LINES - 1),
        version=versions_of,
        is_taken=st.booleans(),
        kills=st.tuples(*[st.integers(1, 200)] * 3),
    )
    def rebase_between_kills(
        self,
        data: st.DataObject,
        number: int,
        version: int,
        is_taken: bool,
        kills: tuple[int, int, int],
    ) -> None:
        """A saved edit is merged anew with another version, undone and redone; each run is killed,
        and done again.
        """
        self.rebase(data, number, version, is_taken, None)
        self.kill(("create", ".", "--merge"), kills[0], self.created(MERGED))
        self.kill(("undo",), kills[1], undo(self.world, ""))
        self.kill(("redo",), kills[2], undo(self.world, "", "redo"))

    @precondition(lambda self: self.world.there)
    @rule(data=st.data(), whole=st.booleans())
    def delete(self, data: st.DataObject, whole: bool) -> None:
        """Delete a component, or a file of it."""
        name = data.draw(st.sampled_from(sorted(self.world.there)))
        there = self.world.there[name]
        gone = data.draw(st.sampled_from(sorted(there)))
        self.stand(name, {} if whole else {path: there[path] for path in there if path != gone})

    @rule(
        name=names_of,
        version=versions_of,
        leaves=st.sampled_from(["nothing", "what is added", "all"]),
        arrives=st.booleans(),
        then=then_of,
    )
    def update(
        self, name: str, version: int, leaves: str, arrives: bool, then: Flags | None
    ) -> None:
        """The system installs or updates a component by itself, and leaves what else is there, or
        a part of it.

        Its archive may arrive as well.
        """
        there, others = (
            self.world.there.get(name, {}),
            {path for each in VERSIONS for path in given(name, each)},
        )
        stays = {"nothing": set[str](), "what is added": there.keys() - others, "all": {*there}}[
            leaves
        ]
        kept = {path: there[path] for path in stays}
        self.stand(name, {**kept, **given(name, version)})
        if arrives:
            self.put(name, version, beside=True)
        self.follow(then)

    @precondition(lambda self: self.world.there)
    @rule(data=st.data(), mode=st.sampled_from([0o644, 0o664, 0o640, 0o600]))
    def chmod(self, data: st.DataObject, mode: int) -> None:
        """Change the rights and times of files, which is never in the way; executable bits are a
        change like others.
        """
        name = data.draw(st.sampled_from(sorted(self.world.there)))
        for path in (self.project.folder / MODULES / name).rglob("*"):
            if path.is_file() and not path.is_symlink():
                path.chmod(mode)
                os.utime(path, (1, 1))

    @rule()
    def commit(self) -> None:
        """Keep a copy of record and components, as version control does."""
        copy = self.project.root / f"commit-{len(self.commits)}"
        copy.mkdir()
        self.copy(self.project.folder, copy, RECORD)
        self.commits.append((copy, self.world))

    @rule(versions=st.dictionaries(names_of, versions_of, min_size=1))
    def colleague(self, versions: dict[str, int]) -> None:
        """A colleague builds these versions, and commits the record and the components."""
        copy = self.project.root / f"commit-{len(self.commits)}"
        copy.mkdir()
        (copy / ".git").mkdir()
        for name, version in versions.items():
            (copy / zip_of(name, version)).write_bytes(archive_of(name, version))
        assert FORKS.run(copy, "create", "--no-cache").code == 0
        there = {name: given(name, version) for name, version in versions.items()}
        record = {name: Built(versions[name], files) for name, files in there.items()}
        self.commits.append((copy, World(there=there, record=record, is_recorded=True)))

    @precondition(lambda self: self.commits)
    @rule(data=st.data(), brings=st.sampled_from(["record", "components", "both"]), then=then_of)
    def check_out(self, data: st.DataObject, brings: str, then: Flags | None) -> None:
        """Take the record, the components that are in it, or both, from a commit."""
        copy, old = self.commits[data.draw(st.integers(0, len(self.commits) - 1))]
        if brings != "components":
            self.copy(copy, self.project.folder, RECORD)
            self.world = self.world._replace(record=old.record, is_recorded=old.is_recorded)
        if brings != "record":
            for name, files in old.there.items():
                self.stand(name, files)
        self.follow(then)

    @rule(
        what=st.sampled_from(
            ["state.json", "archives", "previous", "log.jsonl", RECORD, ".tool", "all"]
        )
    )
    def lose(self, what: str) -> None:
        """Delete what the tool has written: the record stands in for the state, and the state
        for the record.
        """
        if what == "all":
            self.lose(RECORD)
            what = ".tool"
        lost = self.project.folder / (what if what.startswith(".") else f".tool/{what}")
        shutil.rmtree(lost) if lost.is_dir() else lost.unlink(missing_ok=True)
        if what == ".tool":
            self.edits -= self.world.backup
        self.world = self.world._replace(**FORGOTTEN.get(what, {}))

    @rule(content=st.sampled_from([None, b"", b"garbage", b'{"digest":"0","content":{}}']))
    def lose_the_cache(self, content: bytes | None) -> None:
        """The cache is gone, or damaged."""
        cache = self.project.folder / ".tool-cache.json"
        cache.unlink(missing_ok=True)
        if content is not None:
            cache.write_bytes(content)

    @rule(flags=flags_of, cache=st.sampled_from(sorted(ARGS)))
    def create(self, flags: Flags, cache: str) -> None:
        """Build: what the model says, or a conflict and nothing."""
        self.settle(self.run("create", ".", *flags.args, *ARGS[cache]), self.created(flags))

    @rule(flags=flags_of, number=st.integers(1, 80), error=errors_of)
    def refused(self, flags: Flags, number: int, error: str) -> None:
        """The disk refuses something: nothing has changed, unless all was in place by then."""
        flags = flags._replace(keep_going=False)
        self.refuse(("create", ".", *flags.args), (number, error), self.created(flags))

    @rule(flags=flags_of, number=st.integers(1, 80))
    def killed(self, flags: Flags, number: int) -> None:
        """The run is killed, and the next one does what it was to do."""
        self.kill(("create", ".", *flags.args), number, self.created(flags))

    @rule(command=undoing, wins=winners_of)
    def undo(self, command: str, wins: str) -> None:
        """Bring back what was there before the last run, or, done twice, after it."""
        self.settle(self.run(command, *Flags(wins).args), undo(self.world, wins, command))

    @precondition(lambda self: self.undoable)
    @rule(data=st.data(), wins=winners_of, number=st.none() | st.integers(1, 80))
    def undo_a_part(self, data: st.DataObject, wins: str, number: int | None) -> None:
        """Bring back components of the last run, and leave the others for later; it may be killed,
        and run again.
        """
        names = data.draw(st.sets(st.sampled_from(sorted(self.undoable)), min_size=1))
        args = ("undo", *sorted(names), *Flags(wins).args)
        expected = undo(self.world, wins, names=names)
        if number is None:
            self.settle(self.run(*args), expected)
        else:
            self.kill(args, number, expected)

    @rule(wins=winners_of, number=st.integers(1, 80), error=errors_of)
    def undo_refused(self, wins: str, number: int, error: str) -> None:
        """The disk refuses something while a run is undone."""
        self.refuse(("undo", *Flags(wins).args), (number, error), undo(self.world, wins))

    @rule(wins=winners_of, number=st.integers(1, 80))
    def undo_killed(self, wins: str, number: int) -> None:
        """The undoing is killed, and completed by the next."""
        self.kill(("undo", *Flags(wins).args), number, undo(self.world, wins))

    @rule(flags=flags_of, wins=winners_of)
    def look(self, flags: Flags, wins: str) -> None:
        """Nothing is written by looking, and the exit code of a dry run is that of the run."""
        for code, args in (
            (self.created(flags)[0], ("create", ".", *flags.args, "--dry-run")),
            (undo(self.world, wins)[0], ("undo", *Flags(wins).args, "--dry-run")),
            (0, ("status",)),
        ):
            looked = self.project.looks(*args)
            assert looked.code == code, (args, reported(looked))

    @rule(
        merge=st.booleans(),
        names=st.none() | st.frozensets(names_of, min_size=1),
        program=st.sampled_from(sorted(APPLYING)),
    )
    def diff(self, merge: bool, names: frozenset[str] | None, program: str) -> None:
        """What is shown of the next run, applied to a copy, gives its files, or those
        of `--force NAME`.
        """
        flags = Flags(merge=merge, keep_going=True, names=names)
        code, after = self.created(flags)
        code = 0 if code == 73 else code  # a conflict is reported, and passed over
        shown = self.project.looks(
            "diff", ".", *sorted(names or ()), *(["--merge"] if flags.merge else []), env={}
        )
        assert shown.code == code, shown
        assert self.project.patched(shown.out, program) == as_shown(
            self.world, flags, self.selected, after
        ), shown

    @rule(program=st.sampled_from(sorted(APPLYING)))
    def diff_mine(self, program: str) -> None:
        """What is shown of one's own changes, taken back in a copy, gives the files
        that were built.
        """
        shown = self.project.looks("diff", ".", "--mine", env={})
        assert shown.code == 0, shown
        assert self.project.patched(shown.out, program, "-R") == as_built(
            self.world, self.selected
        ), shown

    @invariant()
    def the_components_are_as_the_model_says(self) -> None:
        """Every file of every component is there, and no other."""
        assert self.project.components() == self.world.there

    @invariant()
    def the_record_is_as_the_model_says(self) -> None:
        """The record names each component's version and files, with their digests."""
        assert self.project.recorded() == (
            as_recorded(self.world.record) if self.world.is_recorded else None
        )

    @invariant()
    def the_patches_are_as_the_model_says(self) -> None:
        """Every patch is there, and what git makes of its archive with it is what
        the model says.
        """
        assert {
            name: self.project.digest_of_patch(name)
            for name in NAMES
            if self.project.patch(name).exists()
        } == {name: patch.digest for name, patch in self.world.patches.items()}

    @invariant()
    def the_archives_are_kept(self) -> None:
        """Of the archives that components were built from, those that the model says are there."""
        assert self.project.kept() == {file_of(*each) for each in self.world.kept}

    @invariant()
    def no_edit_is_lost(self) -> None:
        """What the user wrote is in its place or in a backup, and the backup has nothing else."""
        found = self.project.backups()
        assert found == self.world.backup
        assert self.edits <= found.union(*(files.values() for files in self.world.there.values()))

    @invariant()
    def nothing_is_left_over(self) -> None:
        """No run leaves anything behind; one that may not remove files leaves them to the next."""
        folder = self.project.folder
        left = {
            path.name for path in folder.iterdir() if ".new" in path.name or "-new" in path.name
        }
        staging = {".tool/staging"} if (folder / ".tool/staging").exists() else set()
        assert (left, staging) in (
            (set(), set()),
            (set(), {".tool/staging"} if self.refused_last else set()),
        )

    @property
    def undoable(self) -> Collection[str]:
        """The components that an undo takes back."""
        last = self.world.last
        return last.taken_back_by("undo") if last else ()

    def drop(self, name: str, versions: Collection[int]) -> None:
        """Let the drop have these versions of a component."""
        for version in self.dropped(name) - {*versions}:
            (self.project.folder / zip_of(name, version)).unlink()
        for version in {*versions} - self.dropped(name):
            (self.project.folder / zip_of(name, version)).write_bytes(archive_of(name, version))
        self.world = self.world._replace(
            dropped=with_each(self.world.dropped, {name: frozenset(versions) or None})
        )

    def dropped(self, name: str) -> frozenset[int]:
        """The versions of a component that the drop has."""
        return self.world.dropped.get(name, frozenset())

    def patch_text(self, name: str, broken: tuple[int, str] | None = None) -> None:
        """Save the edits of the text of a component as a patch, perhaps with one call
        broken before.
        """
        built = base(self.world, name)
        assert built is not None
        text, bare = self.world.there[name]["text"], given(name, built.version)["text"]
        is_keeping = (self.project.folder / ".tool").exists()
        args = ("patch", ".", f"{MODULES}/{name}/text")
        if broken:
            self.run(*args, number=broken[0], way=broken[1])
        ran = self.run(*args)
        assert ran.code == 0, reported(ran)
        self.has_patch(name, patch_of(bare, text) if text != bare else None)
        if text != bare and is_keeping:
            kept = self.world.kept | {(name, self.world.patches[name].digest)}
            self.world = self.world._replace(kept=kept)

    def has_patch(self, name: str, patch: Patch | None) -> None:
        """Say which patch a component has from now on."""
        path = self.project.patch(name)
        assert path.exists() == (patch is not None)
        known = patch and patch._replace(digest=self.project.digest_of_patch(name))
        self.world = self.world._replace(patches=with_each(self.world.patches, {name: known}))

    def savable(self) -> list[str]:
        """The components that were built from the archive of the drop with their patch, if any, and
        have a text.
        """
        return [name for name in sorted(self.selected) if self._is_savable(name)]

    def _is_savable(self, name: str) -> bool:
        world, built = self.world, base(self.world, name)
        if built is None or name not in world.record or "text" not in world.there.get(name, {}):
            return False
        patch = world.patches.get(name, Patch(()))
        fits = patched(given(name, built.version)["text"], patch) is not None
        return (
            fits
            and built.patch == patch.digest
            and is_kept(world, name, built)
            and replacing_version(world, name) is None
        )

    def follow(self, flags: Flags | None) -> None:
        """Build, if there are flags for it."""
        if flags is not None:
            self.create(flags, "no cache" if flags.wins else "cache")


TRIED: Final = settings(max_examples=max(5, examples(10) if SWEEP else 0), stateful_step_count=20)
NEW: Final = settings(TRIED, max_examples=LIVES or 1, derandomize=False, phases=[Phase.generate])
Life.TestCase.settings = NEW if LIVES else TRIED
TestLife = Life.TestCase
