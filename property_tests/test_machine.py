"""Laws of the build over time: whatever happens to drop, project and process, a model of dicts says what stands there.

Each run of the command is a real one, on a real folder (`docs/reliability.md`).
"""

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
        self.refused_last = False

    def teardown(self) -> None:
        """Leave nothing behind."""
        shutil.rmtree(self.root)

    @initialize()
    def begin(self) -> None:
        """Something already exists."""
        self.put("m", 1)
        self.put("n", 2)
        self.create(force=False, prune=False)

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
    @rule(data=st.data(), file=st.sampled_from(["a/b", "a/c", "mine", "deep/er/mine"]))
    def edit(self, data: st.DataObject, file: str) -> None:
        """Change a file of a component, or add one."""
        name = data.draw(st.sampled_from(sorted(self.stands)))
        content = f"mine {len(self.edits)}"
        path = self.project / "modules" / name / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
        self.stands[name] = {**self.stands[name], file: content}
        self.edits.add(content)

    @precondition(lambda self: self.stands)
    @rule(data=st.data(), whole=st.booleans())
    def delete(self, data: st.DataObject, whole: bool) -> None:
        """Delete a component, or a file of it that is not an edit."""
        name = data.draw(st.sampled_from(sorted(self.stands)))
        if whole and not self.users(name):
            shutil.rmtree(self.project / "modules" / name)
            del self.stands[name]
        elif f"{name}.php" in self.stands[name]:
            (self.project / "modules" / name / f"{name}.php").unlink()
            self.stands[name] = {file: text for file, text in self.stands[name].items() if file != f"{name}.php"}

    @rule(force=st.booleans(), prune=st.booleans())
    def create(self, force: bool, prune: bool) -> None:
        """Build: what the model says, or a conflict and nothing."""
        self.settle(self.run(force, prune), force, prune)

    @rule(prune=st.booleans(), number=st.integers(1, 45), error=st.sampled_from(["ENOSPC", "EIO", "EACCES"]))
    def refused(self, prune: bool, number: int, error: str) -> None:
        """The disk refuses something: nothing has changed, unless all was in place by then."""
        ran = self.run(True, prune, number, error)
        self.refused_last = True
        if ran.code != 74:
            self.settle(ran, True, prune)

    @rule(force=st.booleans(), prune=st.booleans(), number=st.integers(1, 45), exchange=st.booleans())
    def killed(self, force: bool, prune: bool, number: int, exchange: bool) -> None:
        """The run is killed, and the next one does what it was to do."""
        ran = self.run(force, prune, number, "KILL", exchange)
        if ran.code == -9:
            ran = self.run(force, prune)
        self.settle(ran, force, prune)

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
        """What the user wrote is in its place or in a backup, unless they wrote over it themselves."""
        there = {path.read_text(encoding="utf-8") for path in self.project.rglob("*") if self.is_text(path)}
        standing = {text for files in self.stands.values() for text in files.values() if text in self.edits}
        assert standing <= there
        self.edits &= there

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

    def users(self, name: str) -> bool:
        """Whether a component has files of the user."""
        built = self.built.get(name, {})
        return any(built.get(file) != content for file, content in self.stands.get(name, {}).items())

    def run(self, force: bool, prune: bool, number: int = 0, way: str = "", exchange: bool = True) -> Forked:
        """Run the command."""
        self.refused_last = False
        flags = [flag for flag, given in (("--force", force), ("--prune", prune)) if given]
        return FORKS.run(self.project, "create", *flags, number=number, way=way, exchange=exchange)

    def settle(self, ran: Forked, force: bool, prune: bool) -> None:
        """Say what a run that was not broken off has done."""
        known = {name: files for name, files in self.built.items() if name in self.stands}
        selected = self.drop.keys() - self.excluded
        removed = {name for name in known if name in self.drop.keys() - selected or (prune and name not in self.drop)}
        touched = {name for name in selected | removed if self.users(name)}
        if touched and not force:
            assert ran.code == 73, ran.err
            return
        assert ran.code == 0, ran.err
        made = {name: given(name, self.drop[name]) for name in selected}
        kept = {name: files for name, files in self.stands.items() if name not in removed}
        self.stands = {**kept, **made}
        self.built = {**{name: files for name, files in known.items() if name not in removed}, **made}


Project.TestCase.settings = settings(max_examples=examples(15), stateful_step_count=15)
TestProject = Project.TestCase
