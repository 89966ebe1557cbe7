"""Real programs of many languages pack one component; what `tool create` builds of it is compared
with the component.

The command of each writer stands in `tests/support/data/zip_writers.json`, with what the writer
itself loses: the executable bit (`modes`), a link, which it `follows`, or the `link` at all. A
program or a package that is missing skips its writers.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.forks import TOOL

pytestmark = pytest.mark.integration

ROOT = Path(__file__).parents[2]
WRITERS: dict[str, dict[str, Any]] = json.loads(
    (ROOT / "tests/support/data/zip_writers.json").read_text(encoding="utf-8")
)
FILES = {
    "module.json": b'{"name": "m"}\n',
    "css/a.css": b"body { margin: 0 }\n" * 99,
    "css/empty.css": b"",
    "a b [1].txt": b"a name with blanks and brackets\n",
    "noise.bin": bytes(range(256)) * 40,
    "bin/run.sh": b"#!/bin/sh\n",
}
OLD_NAMES = {"größe.txt": b"a name beyond ASCII\n"}
LINK, TARGET = "css/link.css", "a.css"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A folder with the component `m`."""
    for name, content in {**FILES, **OLD_NAMES}.items():
        path = tmp_path / "source/m" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    (tmp_path / "source/m/bin/run.sh").chmod(0o755)
    (tmp_path / "source/m" / LINK).symlink_to(TARGET)
    return tmp_path / "source"


def pack(writer: dict[str, Any], source: Path, out: Path) -> None:
    """Run the command of a writer in a folder, or skip the test if the program or a package of
    it is missing.
    """
    for program in writer["needs"]:
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")
    packages = ROOT / ".venv/zips/node_modules"
    environ = {
        **os.environ,
        "OUT": str(out),
        "PYTHON": sys.executable,
        "LC_ALL": "C.UTF-8",
        "NODE_PATH": str(packages),
    }
    environ["LIB"] = str(ROOT / "tests/support/zip_writers")
    if "probe" in writer:
        probe = subprocess.run(
            ["bash", "-c", writer["probe"]], env=environ, capture_output=True, check=False
        )
        if probe.returncode:
            pytest.skip(f"a package is missing: `{writer['probe']}` fails")
    command = ["bash", "-euo", "pipefail", "-c", writer["command"]]
    done = subprocess.run(
        command, cwd=source, env=environ, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", WRITERS)
def test_what_a_writer_packs_is_built(name: str, source: Path, tmp_path: Path) -> None:
    """Every file is built with its bytes, executable files and links as the writer keeps them."""
    writer = WRITERS[name]
    project = tmp_path / "project"
    (project / "drop").mkdir(parents=True)
    pack(writer, source, project / "drop/m.zip")
    done = subprocess.run(
        [TOOL, "create", "drop"], cwd=project, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    built = project / "modules/m"
    paths = [path for path in built.rglob("*") if path.is_symlink() or path.is_file()]
    found = {path.relative_to(built).as_posix(): path for path in paths}
    added = {name: content.encode() for name, content in writer.get("adds", {}).items()}
    link = found.pop(LINK, None)
    loses = set(writer.get("loses", ()))
    if "link" not in loses:
        assert link is not None
        assert link.is_symlink() != ("follows" in loses)
        assert link.read_bytes() == FILES["css/a.css"]
        assert link.is_symlink() is False or link.readlink() == Path(TARGET)
    expected = {**FILES, **OLD_NAMES, **added}
    for lacking in writer.get("lacks", ()):
        del expected[lacking]
    assert {name: path.read_bytes() for name, path in found.items()} == expected
    executable = tuple(name for name, path in found.items() if path.stat().st_mode & 0o111)
    assert ("modes" in loses, executable) in {(True, ()), (False, ("bin/run.sh",))}
