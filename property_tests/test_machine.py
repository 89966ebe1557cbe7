"""Laws of the build over time: whatever happens to drop, project and process, a model of dicts says what stands there.

Each run of the command is a real one, on a real folder (`docs/reliability.md`).
"""

import os
import shutil
import tempfile
import zipfile
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tests.support.forks import FORKS, Forked
from tests.support.sweep import examples

NAMES = ("m", "n", "o")
CONTENTS: dict[int, dict[str, str]] = {
    1: {"{}.php": "one", "a/b": "one"},
    2: {"{}.php": "two", "a/c": "two"},
    3: {"{}.php": "two", "a/c": "two", "link": "a/c"},
}
Files = dict[str, str]
ERRORS = st.sampled_from(["ENOSPC", "EIO", "EACCES", "EEXIST", "ENOENT"])
FLAGS = st.sampled_from(
    [(), (), ("--force",), ("--mine",), ("--prune",), ("--force", "--prune"), ("--mine", "--prune"), ("--no-cache",)]
)


def given(name: str, version: int) -> Files:
    """What the archive of a component in a version gives."""
    return {file.format(name): content for file, content in CONTENTS[version].items()}


class Project(RuleBasedStateMachine):
    """A drop, what was built from it, and what the user did to that."""

    def __init__(self) -> None:
        super().__init__()
        self.root = Path(tempfile.mkdtemp(prefix="machine-"))
        self.project = self.root / "project"
        self.project.mkdir()
        (self.project / ".git").mkdir()
        self.drop: dict[str, int] = {}
        self.excluded: frozenset[str] = frozenset()
        self.built: dict[str, Files] = {}
        self.stands: dict[str, Files] = {}
        self.edits: set[str] = set()
        self.written = 0
        self.hooked = False
        self.refused_last = False

    def teardown(self) -> None:
        """Leave nothing behind."""
        shutil.rmtree(self.root)

    @initialize()
    def begin(self) -> None:
        """Something already exists."""
        self.put("m", 1)
        self.put("n", 2)
        self.create(flags=())

    @rule(name=st.sampled_from(NAMES), version=st.sampled_from(sorted(CONTENTS)))
    def put(self, name: str, version: int) -> None:
        """Drop an archive, or another version of it."""
        with zipfile.ZipFile(self.project / f"{name}.zip", "w") as archive:
            for file, content in given(name, version).items():
                info = zipfile.ZipInfo(f"{name}/{file}", (2026, 1, 1, 0, 0, 0))
                if file == "link":
                    info.create_system, info.external_attr = 3, 0o120777 << 16
                archive.writestr(info, content)
        self.drop[name] = version

    @rule(name=st.sampled_from(NAMES))
    def take(self, name: str) -> None:
        """Take an archive out of the drop."""
        (self.project / f"{name}.zip").unlink(missing_ok=True)
        self.drop.pop(name, None)

    @rule(names=st.frozensets(st.sampled_from(NAMES), max_size=2), by_file=st.booleans())
    def exclude(self, names: frozenset[str], by_file: bool) -> None:
        """Change the configuration."""
        patterns = ", ".join(f'"{name}{".zip" if by_file else ""}"' for name in sorted(names))
        (self.project / "tool.config.json").write_text(f'{{"exclude": [{patterns}]}}', encoding="utf-8")
        self.excluded = names

    @precondition(lambda self: self.stands)
    @rule(data=st.data(), file=st.sampled_from(["a/b", "a/c", "mine", "deep/er/mine", "config_fr.xml"]))
    def edit(self, data: st.DataObject, file: str) -> None:
        """Change a file of a component, or add one."""
        name = data.draw(st.sampled_from(sorted(self.stands)))
        self.written += 1
        content = f"mine {self.written}"
        path = self.project / "modules" / name / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
        self.edits.discard(self.stands[name].get(file, ""))
        self.edits.add(content)
        self.stands[name] = {**self.stands[name], file: content}

    @precondition(lambda self: self.stands)
    @rule(data=st.data(), whole=st.booleans())
    def delete(self, data: st.DataObject, whole: bool) -> None:
        """Delete a component, or a file of it."""
        name = data.draw(st.sampled_from(sorted(self.stands)))
        files = sorted(self.stands[name]) if whole else [data.draw(st.sampled_from([*sorted(self.stands[name]), "no"]))]
        for file in files:
            self.edits.discard(self.stands[name].get(file, ""))
            (self.project / "modules" / name / file).unlink(missing_ok=True)
        if whole:
            shutil.rmtree(self.project / "modules" / name)
            del self.stands[name]
        else:
            self.stands[name] = {file: text for file, text in self.stands[name].items() if file not in files}

    @precondition(lambda self: self.stands)
    @rule(data=st.data(), mode=st.sampled_from([0o644, 0o664, 0o755, 0o600]))
    def chmod(self, data: st.DataObject, mode: int) -> None:
        """Change the modes and times of a component's files, which is never in the way."""
        name = data.draw(st.sampled_from(sorted(self.stands)))
        for path in (self.project / "modules" / name).rglob("*"):
            if path.is_file() and not path.is_symlink():
                path.chmod(mode)
                os.utime(path, (1, 1))

    @rule(on=st.booleans())
    def hook(self, on: bool) -> None:
        """Have a post script that writes into a component, or none any more."""
        script = self.project / "post-scripts/build.sh"
        script.parent.mkdir(exist_ok=True)
        script.write_text("test ! -d modules/m || echo -n hooked > modules/m/built.css", encoding="utf-8")
        if not on:
            script.unlink()
        self.hooked = on

    @rule(flags=FLAGS)
    def create(self, flags: tuple[str, ...]) -> None:
        """Build: what the model says, or a conflict and nothing."""
        self.settle(self.run(flags), flags)

    @rule(
        flags=FLAGS, number=st.integers(1, 60), error=st.sampled_from(["ENOSPC", "EIO", "EACCES", "EEXIST", "ENOENT"])
    )
    def refused(self, flags: tuple[str, ...], number: int, error: str) -> None:
        """The disk refuses something: nothing has changed, unless all was in place by then."""
        ran = self.run(flags, number, error)
        self.refused_last = True
        if ran.code not in {73, 74}:
            self.settle(ran, flags)

    @rule(flags=FLAGS, number=st.integers(1, 60), exchange=st.booleans())
    def killed(self, flags: tuple[str, ...], number: int, exchange: bool) -> None:
        """The run is killed, and the next one does what it was to do."""
        ran = self.run(flags, number, "KILL", exchange)
        if ran.code == -9:
            ran = self.run(flags)
        self.settle(ran, flags)

    @rule()
    def dry_run(self) -> None:
        """Nothing is written."""
        before = self.everything()
        FORKS.run(self.project, "create", "--dry-run")
        assert self.everything() == before

    @rule(content=st.sampled_from([None, b"", b"garbage", b'{"digest":"0","content":{}}']))
    def lose_the_cache(self, content: bytes | None) -> None:
        """The cache is gone, or damaged."""
        cache = self.project / ".tool-cache.json"
        cache.unlink(missing_ok=True)
        if content is not None:
            cache.write_bytes(content)

    @invariant()
    def the_components_are_as_the_model_says(self) -> None:
        """Every file of every component is there, and no other."""
        found: dict[str, Files] = {}
        for path in (self.project / "modules").rglob("*"):
            name, *rest = path.relative_to(self.project / "modules").parts
            if path.is_symlink():
                found.setdefault(name, {})["/".join(rest)] = str(path.readlink())
            elif path.is_file():
                found.setdefault(name, {})["/".join(rest)] = path.read_text(encoding="utf-8")
        assert found == {name: files for name, files in self.stands.items() if files}

    @invariant()
    def no_edit_is_lost(self) -> None:
        """What the user wrote is in its place or in a backup, unless they wrote over it or deleted it themselves."""
        there = {path.read_text(encoding="utf-8") for path in self.project.rglob("*") if self.is_text(path)}
        assert self.edits <= there

    @invariant()
    def nothing_is_left_over(self) -> None:
        """No run leaves anything behind; one that may not remove files leaves them to the next."""
        left = {path.name for path in self.project.iterdir() if ".new" in path.name or "-new" in path.name}
        staging = {".tool-staging"} if (self.project / ".tool-staging").exists() else set()
        assert (left, staging) in ((set(), set()), (set(), {".tool-staging"} if self.refused_last else set()))

    def is_text(self, path: Path) -> bool:
        """Whether a path is a file that is no archive."""
        return path.is_file() and not path.is_symlink() and path.suffix != ".zip"

    def everything(self) -> dict[str, bytes]:
        """Every file of the project."""
        files = (path for path in self.project.rglob("*") if path.is_file() and not path.is_symlink())
        return {str(path.relative_to(self.project)): path.read_bytes() for path in files}

    def run(self, flags: tuple[str, ...], number: int = 0, way: str = "", exchange: bool = True) -> Forked:
        """Run the command."""
        self.refused_last = False
        return FORKS.run(self.project, "create", *flags, number=number, way=way, exchange=exchange)

    def settle(self, ran: Forked, flags: tuple[str, ...]) -> None:
        """Say what a run that was not broken off has done."""
        known = {name: files for name, files in self.built.items() if name in self.stands}
        selected = {name: given(name, self.drop[name]) for name in self.drop.keys() - self.excluded}
        merged = {
            name: merge(known.get(name, {}), self.stands.get(name, {}), files, "--mine" in flags)
            for name, files in selected.items()
        }
        if any(conflict for _, conflict in merged.values()) and not {"--force", "--mine"}.intersection(flags):
            assert ran.code == 73, ran.err
            return
        assert ran.code == 0, ran.err
        removed = known.keys() - selected.keys() if "--prune" in flags else set[str]()
        self.stands = {
            **{name: files for name, files in self.stands.items() if name not in removed},
            **{name: files for name, (files, _) in merged.items()},
        }
        self.built = {**{name: files for name, files in known.items() if name not in removed}, **selected}
        if self.hooked and "m" in self.stands:
            self.stands["m"] = {**self.stands["m"], "built.css": "hooked"}


def merge(written: Files, there: Files, archive: Files, mine: bool) -> tuple[Files, bool]:
    """What stands after a run, and whether both sides changed a file."""
    result: Files = {}
    conflict = False
    for file in {*written, *there, *archive}:
        w, d, a = written.get(file), there.get(file), archive.get(file)
        is_conflict = len({w, d, a}) == 3 and d is not None
        kept = d if d is not None and ((w == a and d != w) or (is_conflict and mine)) else a
        conflict |= is_conflict
        if kept is not None:
            result[file] = kept
    return result, conflict


Project.TestCase.settings = settings(max_examples=max(8, examples(15)), stateful_step_count=15)
TestProject = Project.TestCase
