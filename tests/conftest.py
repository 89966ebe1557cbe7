"""What several test files use: the installed command, and archives made on the spot."""

import json
import os
import subprocess
import sys
import zipfile
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from tests.support import sweep

TOOL = Path(sys.executable).with_name("tool")
INHERITED = ("PATH", "HOME", "LANG", "LC_ALL", "SYSTEMROOT", "COVERAGE_PROCESS_START")

# Where the tests run must not steer the command they run: a shell of a CI service sets `CI`, which chooses a preset.
for name in [name for name in os.environ if name == "CI" or (name.startswith("TOOL_") and name != sweep.VARIABLE)]:
    del os.environ[name]


class Ran(Struct, frozen=True):
    """What a run of the command left behind."""

    code: int
    out: str
    err: str

    @property
    def log(self) -> list[dict[str, Any]]:
        """Standard error as JSON lines; fails if there is anything else on it."""
        return [json.loads(line) for line in self.err.splitlines()]

    @property
    def events(self) -> list[dict[str, Any]]:
        """What the log of a build says between its first line and its last."""
        return [each for each in self.log if each["event"] not in {"start", "summary"}]

    def told(self, event: str) -> list[dict[str, Any]]:
        """The events of one kind."""
        return [each for each in self.log if each["event"] == event]

    @property
    def decided(self) -> dict[str, dict[str, Any]]:
        """The decisions by their path."""
        return {each["path"]: each for each in self.told("decision")}


class Project:
    """A folder of its own, in which the installed command is run."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def write(self, name: str, content: object) -> Path:
        """Write a file: text as it is, bytes as they are, anything else as JSON."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
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
        return self.archive(archive or f"{name}.zip", {f"{name}/{name}.php": f"<?php // {name}"})

    def theme(self, name: str, archive: str | None = None) -> Path:
        """Make the archive of a theme that a marker names."""
        return self.archive(archive or f"{name}.zip", {"config/theme.yml": f"name: {name}\n", "index.php": "<?php"})

    def run(self, *args: str, cwd: str = ".", env: Mapping[str, str] | None = None) -> Ran:
        """Run the command as a shell would, with no more of the environment than it needs."""
        inherited = {name: os.environ[name] for name in INHERITED if name in os.environ}
        done = subprocess.run(
            [TOOL, *args],
            cwd=self.root / cwd,
            env={**inherited, **(env or {})},
            capture_output=True,
            timeout=60,
            check=False,
            stdin=subprocess.DEVNULL,
        )
        return Ran(done.returncode, os.fsdecode(done.stdout), done.stderr.decode())

    def create(self, *args: str, cwd: str = ".", env: Mapping[str, str] | None = None) -> Ran:
        """Run `tool create` with its log as JSON, unless the log format is the matter."""
        return self.run("create", *args, cwd=cwd, env={"TOOL_LOG_FORMAT": "json", **(env or {})})

    @property
    def tree(self) -> dict[str, str]:
        """Every file below `themes/` and `modules/` that is no archive, with its content."""
        found = (path for kind in ("themes", "modules") for path in (self.root / kind).rglob("*"))
        files = (path for path in found if path.is_file() and path.suffix != ".zip")
        return {path.relative_to(self.root).as_posix(): path.read_text(encoding="utf-8") for path in files}


Counted = Callable[[str, int], None]
"""Takes what was tried, and how often; the sums are printed at the end of the run."""


@pytest.fixture
def counted(record_property: Callable[[str, object], None]) -> Counted:
    """Count what a test tries."""
    return lambda what, number: record_property(f"counted: {what}", number)


@pytest.fixture
def thinned() -> sweep.Thinned[Any]:
    """Thin a long sequence of cases out: `thinned(cases)` or `thinned(cases, 40)`; in a sweep, all of them."""
    return sweep.sample


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what `make sweep` tries in full."""
    for item in items:
        if "thinned" in getattr(item, "fixturenames", ()):
            item.add_marker("sweep")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the sum of each count, and what else tests have to tell of what they tried."""
    sums: Counter[str] = Counter()
    for report in terminalreporter.getreports("passed"):
        for name, value in report.user_properties:
            if name == "tried":
                terminalreporter.write_line(str(value))
            elif name.startswith("counted: "):
                sums[name] += value
    for name, count in sorted(sums.items()):
        terminalreporter.write_line(f"{name.removeprefix('counted: ')}: {count:,}")


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A new project folder, the top of its repository."""
    root = tmp_path / "project"
    (root / ".git").mkdir(parents=True)
    return Project(root)
