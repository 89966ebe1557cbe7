"""A folder of its own, in which the command is run, with archives made on the spot."""

import json
import os
import shutil
import subprocess
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from tests.support.forks import FORKS, PATIENCE, TOOL, environment


def php(name: str, text: str = "") -> str:
    """The PHP file of a module of PrestaShop, which its class marks, with a text in it."""
    return f"<?php class {name} extends Module {{}} // {text or name}"


def without_place(event: dict[str, Any]) -> dict[str, Any]:
    """An event without file, line and column, which have to agree with its source."""
    source = event.get("source")
    if not isinstance(source, str) or event.get("event") == "output":
        return event
    file, line, column = (event.pop(field, None) for field in ("file", "line", "column"))
    is_variable = source.startswith("TOOL_") or source in {"CI", "SOURCE_DATE_EPOCH"}
    is_file = not (is_variable or source.startswith(("--", "preset:", "built-in")))
    assert (f"{file}:{line}:{column}" if line else file) == (source if is_file else None)
    return event


class Ran(Struct, frozen=True):
    """The result of a run of the command."""

    code: int
    out: str
    err: str

    @property
    def log(self) -> list[dict[str, Any]]:
        """Standard error as JSON lines; fails if there is anything else on it."""
        return [json.loads(line, object_hook=without_place) for line in self.err.splitlines()]

    @property
    def printed(self) -> list[dict[str, Any]]:
        """Standard output as JSON lines."""
        return [json.loads(line, object_hook=without_place) for line in self.out.splitlines()]

    @property
    def events(self) -> list[dict[str, Any]]:
        """What the log of a build says between its first line and its last."""
        return [each for each in self.log if each["event"] not in {"start", "summary"}]

    def reported(self, event: str) -> list[dict[str, Any]]:
        """The events of one kind."""
        return [each for each in self.log if each["event"] == event]

    @property
    def decided(self) -> dict[str, dict[str, Any]]:
        """The decisions by their path."""
        return {each["path"]: each for each in self.reported("decision")}


class Project:
    """A folder of its own, in which the command is run."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def write(self, name: str, content: object) -> Path:
        """Write a file: text as it is, bytes as they are, anything else as JSON."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(
                content if isinstance(content, str) else json.dumps(content), encoding="utf-8"
            )
        return path

    def archive(self, name: str, files: Mapping[str, str | bytes]) -> Path:
        """Make a `.zip` file of names and contents."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for entry, content in files.items():
                archive.writestr(zipfile.ZipInfo(entry, (2026, 1, 1, 0, 0, 0)), content)
        return path

    def module(self, name: str, archive: str | None = None) -> Path:
        """Make the archive of a module that a marker names."""
        return self.archive(archive or f"{name}.zip", {f"{name}/{name}.php": php(name)})

    def theme(self, name: str, archive: str | None = None) -> Path:
        """Make the archive of a theme that a marker names."""
        return self.archive(
            archive or f"{name}.zip", {"config/theme.yml": f"name: {name}\n", "index.php": "<?php"}
        )

    def run(
        self,
        *args: str,
        cwd: str = ".",
        env: Mapping[str, str] | None = None,
        typed: str | bytes = "",
    ) -> Ran:
        """Run the command in a fork, with no more of the environment than it needs, and lines on
        standard input.
        """
        lines = typed.encode() if isinstance(typed, str) else typed
        ran = FORKS.run(self.root / cwd, *args, env=env or {}, typed=lines)
        return Ran(ran.code, ran.out, ran.err)

    def start(self, *args: str, cwd: str = ".", env: Mapping[str, str] | None = None) -> Ran:
        """Run the installed command as a shell would, in a process of its own with pipes."""
        done = subprocess.run(
            [TOOL, *args],
            cwd=self.root / cwd,
            env=environment(env),
            capture_output=True,
            timeout=PATIENCE,
            check=False,
            stdin=subprocess.DEVNULL,
        )
        return Ran(done.returncode, os.fsdecode(done.stdout), done.stderr.decode())

    def create(self, *args: str, cwd: str = ".", env: Mapping[str, str] | None = None) -> Ran:
        """Run `tool create` with its log as JSON, unless its format is chosen."""
        return self.run("create", *args, cwd=cwd, env={"TOOL_LOG_FORMAT": "json", **(env or {})})

    def copy(self, root: Path) -> "Project":
        """Copy the project to a folder that is not there yet."""
        shutil.copytree(self.root, root, symlinks=True)
        return Project(root)

    @property
    def tree(self) -> dict[str, str]:
        """Every file below `themes/` and `modules/` that is no archive, with its content."""
        found = (path for kind in ("themes", "modules") for path in (self.root / kind).rglob("*"))
        files = (path for path in found if path.is_file() and path.suffix != ".zip")
        return {
            path.relative_to(self.root).as_posix(): path.read_text(encoding="utf-8")
            for path in files
        }
