"""A real project that the model of the build over time is compared with: what is in it, and the
command run in it.
"""

import io
import json
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from tests.support.forks import FORKS, Forked
from tests.support.lives import Built
from tests.support.lives_files import Files, given, spelled

MODULES: Final = "modules"
RECORD: Final = ".tool-manifest.json"
APPLYING: Final = {"git": ("git", "apply"), "patch": ("patch", "-p1", "--silent", "--force")}
"""The programs that apply a diff."""


class Project:
    """A folder with a drop, and with what was built from it."""

    def __init__(self) -> None:
        self.root = Path(tempfile.mkdtemp(prefix="machine-"))
        self.folder = self.root / "project"
        self.folder.mkdir()
        (self.folder / ".git").mkdir()

    def run(self, command: str, *args: str, number: int = 0, way: str = "") -> Forked:
        """Run the command, in which a call that changes the disk may be broken."""
        return FORKS.run(self.folder, command, *args, number=number, way=way)

    def looks(self, *args: str, env: Mapping[str, str] | None = None) -> Forked:
        """Run a command that only looks, and check that nothing was written."""
        before = everything(self.folder)
        looked = FORKS.run(self.folder, *args, env=env)
        assert everything(self.folder) == before
        return looked

    def stand(self, name: str, before: Files, files: Files) -> None:
        """Put files in the place of a component."""
        folder = self.folder / MODULES / name
        for path in [path for path in before if before[path] != files.get(path)]:
            (folder / path).unlink()
        for path in [path for path in files if before.get(path) != files[path]]:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            if files[path].startswith("-> "):
                (folder / path).symlink_to(files[path][3:])
            else:
                (folder / path).write_text(files[path], encoding="utf-8")
        if not files and folder.exists():
            shutil.rmtree(folder)

    def components(self) -> dict[str, dict[str, str]]:
        """The files of every component."""
        return trees(self.folder / MODULES)

    def recorded(self) -> dict[str, tuple[Any, ...]] | None:
        """What the record says of components, if there is one: version, files, and how
        these came to be.
        """
        path = self.folder / RECORD
        if not path.exists():
            return None
        content = json.loads(path.read_bytes())["content"].get("components", {})
        return {
            path.removeprefix(f"{MODULES}/"): (
                each["version"],
                each.get("patch", ""),
                _without_bits(each["files"]),
            )
            for path, each in content.items()
        }

    def patch(self, name: str) -> Path:
        """Where the patch of a component is."""
        return self.folder / f"patches/{MODULES}/{name}.patch"

    def digest_of_patch(self, name: str) -> str:
        """The digest of the patch of a component."""
        return sha256(self.patch(name).read_bytes()).hexdigest()

    def kept(self) -> set[str]:
        """The names of the archives and patches that are kept, without the files that say what was
        built of them.
        """
        return {
            path.name
            for path in (self.folder / ".tool/archives").glob("*")
            if path.suffix != ".json"
        }

    @property
    def is_interrupted(self) -> bool:
        """Whether a killed run has left its journal."""
        return (self.folder / ".tool/staging/run.json").exists()

    def backups(self) -> set[str]:
        """What is in the backups."""
        shelves = (self.folder / ".tool/backup").glob(f"*/{MODULES}")
        return {
            text for shelf in shelves for files in trees(shelf).values() for text in files.values()
        }

    def patched(self, diff: str, program: str, *args: str) -> dict[str, dict[str, str]]:
        """The components after a diff is applied to a copy of them."""
        if "diff --git" not in diff:
            return self.components()
        copy = self.root / "copy"
        (self.folder / MODULES).mkdir(exist_ok=True)
        shutil.copytree(self.folder / MODULES, copy / MODULES, symlinks=True)
        try:
            ran = subprocess.run(
                [*APPLYING[program], *args],
                input=diff.encode(),
                cwd=copy,
                capture_output=True,
                check=False,
            )
            assert ran.returncode == 0, (diff, ran)
            return trees(copy / MODULES)
        finally:
            shutil.rmtree(copy)


@cache
def archive_of(name: str, version: int) -> bytes:
    """The archive of a component in a version."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for path, text in given(name, version).items():
            info = zipfile.ZipInfo(f"{name}/{path}", (2026, 1, 1, 0, 0, 0))
            if text.startswith("-> "):
                info.create_system, info.external_attr = 3, 0o120777 << 16
            archive.writestr(info, text.removeprefix("-> "))
    return buffer.getvalue()


def zip_of(name: str, version: int | str) -> str:
    """The file name of the archive of a component in a version; both can be read from it."""
    return f"{name}-{version}.0.zip"


def file_of(name: str, source: int | str) -> str:
    """What the archive of a component in a version, or a patch with a digest, is called
    where it is kept.
    """
    return (
        f"{source}.patch"
        if isinstance(source, str)
        else f"{sha256(archive_of(name, source)).hexdigest()}.zip"
    )


def reported(ran: Forked) -> list[str]:
    """The parts of a run's output that matter."""
    return [line for line in ran.err.splitlines() if '"event":"decision"' not in line]


def as_recorded(record: Mapping[str, Built]) -> dict[str, tuple[Any, ...]]:
    """The model's record in the form of the real one."""
    return {
        name: (
            spelled(name, each.version),
            each.patch,
            {path: _state(text) for path, text in each.files.items()},
        )
        for name, each in record.items()
    }


def _without_bits(files: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    return {path: {**state, "executable": False} for path, state in files.items()}


def _state(text: str) -> dict[str, Any]:
    if text.startswith("-> "):
        return {"kind": "link", "target": text[3:], "executable": False}
    return {"digest": sha256(text.encode()).hexdigest(), "executable": False}


def trees(folder: Path) -> dict[str, dict[str, str]]:
    """The files of every component in a folder."""
    found: dict[str, dict[str, str]] = {}
    for path in folder.rglob("*"):
        name, *rest = path.relative_to(folder).parts
        if path.is_symlink():
            found.setdefault(name, {})["/".join(rest)] = f"-> {path.readlink()}"
        elif path.is_file():
            found.setdefault(name, {})["/".join(rest)] = path.read_text(encoding="utf-8")
    return found


def everything(folder: Path) -> dict[str, bytes]:
    """Every file of the project."""
    files = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}
