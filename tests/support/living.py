"""A life of a project: what its machine does with the real project and the model, as one."""

import shutil
from pathlib import Path

from hypothesis.stateful import RuleBasedStateMachine

from tests.support.forks import Forked
from tests.support.lives import ANEW, Flags, World, base, create, with_digests, with_each
from tests.support.lives_files import Files
from tests.support.lives_project import Project, file_of, reported


class Living(RuleBasedStateMachine):
    """A real project beside the model of it, before anything has happened."""

    def __init__(self) -> None:
        super().__init__()
        self.project = Project()
        self.world = World()
        self.excluded: frozenset[str] = frozenset()
        self.edits: set[str] = set()
        self.written = 0
        self.commits: list[tuple[Path, World]] = []
        self.refused_last = False

    def teardown(self) -> None:
        """Leave nothing behind."""
        shutil.rmtree(self.project.root)

    def mine(self) -> str:
        """A text that nobody has written yet."""
        self.written += 1
        return f"mine {self.written}"

    def stand(self, name: str, files: Files) -> None:
        """Put files in the place of a component; what the user wrote in others is gone by that."""
        before = self.world.there.get(name, {})
        self.project.stand(name, before, files)
        gone, new = (
            set(before.values()) - set(files.values()),
            set(files.values()) - set(before.values()),
        )
        self.edits -= gone - self.world.backup
        self.edits |= {text for text in new if "mine" in text}
        self.world = self.world._replace(
            there=with_each(self.world.there, {name: dict(files) or None})
        )

    def copy(self, source: Path, target: Path, name: str) -> None:
        """Put a file of one folder in another, or remove it there."""
        (target / name).unlink(missing_ok=True)
        if (source / name).exists():
            shutil.copy(source / name, target / name)

    def run(self, *args: str, number: int = 0, way: str = "") -> Forked:
        """Run the command."""
        self.refused_last = False
        return self.project.run(*args, number=number, way=way)

    @property
    def selected(self) -> frozenset[str]:
        """The components that are selected."""
        return frozenset(self.world.drop.keys() - self.excluded)

    def created(self, flags: Flags) -> tuple[int, World]:
        """What the model says of a build."""
        return create(self.world, flags, self.selected)

    def settle(self, ran: Forked, expected: tuple[int, World]) -> None:
        """Check how an unbroken run has ended, and take over into the model what it has done."""
        code, after = expected
        assert ran.code == code, reported(ran)
        anew = {name for name, patch in after.patches.items() if patch.digest == ANEW}
        after = with_digests(after, {name: self.project.digest_of_patch(name) for name in anew})
        written = (base(self.world, name) for name in self.world.there)
        for built in (*after.state.values(), *written):
            if built:
                # What is as patched is no edit, nor is an edit taken back.
                self.edits.discard(built.files["text"])
        self.world = self.without_idle_patches(after)

    def without_idle_patches(self, world: World) -> World:
        """A model without the patches that are no longer kept; of idle ones, only those that the
        record names have to stay.
        """
        there = self.project.kept()
        idle = {
            each for each in world.kept if isinstance(each[1], str) and file_of(*each) not in there
        }
        named = {(name, built.patch) for name, built in world.record.items()}
        assert self.refused_last or not idle & named
        return world._replace(kept=world.kept - idle)

    def refuse(
        self, args: tuple[str, ...], broken: tuple[int, str], expected: tuple[int, World]
    ) -> None:
        """Refuse a call of a run."""
        ran = self.run(*args, number=broken[0], way=broken[1])
        self.refused_last = True
        codes = {74}
        # Something seems to be where a component goes.
        if broken[1] == "EEXIST" and expected[0] != 73:
            codes.add(73)
        if ran.code not in codes:
            kept = self.world.kept
            self.settle(ran, expected)
            is_told = "cannot write `.tool/archives`" in ran.err
            # As if an archive that is to be kept were gone meanwhile.
            if broken[1] == "ENOENT" or is_told:
                there = self.project.kept()
                copied = frozenset(each for each in self.world.kept if file_of(*each) in there)
                self.world = self.world._replace(kept=self.world.kept & (kept | copied))

    def kill(self, args: tuple[str, ...], number: int, expected: tuple[int, World]) -> None:
        """Kill a run before a call, and run it again."""
        ran = self.run(*args, number=number, way="KILL")
        if ran.code == -9:
            is_interrupted, foreseen = (
                self.project.is_interrupted,
                self.project.looks(*args, "--dry-run"),
            )
            ran = self.run(*args)
            assert is_interrupted or foreseen.code == ran.code, (reported(foreseen), reported(ran))
        if (
            ran.code == 68
            and set(args)
            & self.world.record.keys() - expected[1].record.keys() - self.world.drop.keys()
        ):
            expected = 68, expected[1]  # what all is done to, and is gone, has no name any more
        self.settle(ran, expected)
