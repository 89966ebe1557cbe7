"""The project that the scripts of these tests stand in."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    """A folder on the disk: the runtime lets no script read a file below `/dev`, where other tests
    may have theirs.
    """
    with TemporaryDirectory() as folder:
        yield Path(folder)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project: a folder with `.git`, and beside it a folder that no script may read."""
    outside = tmp_path / "outside"
    (outside / "node_modules" / "evil").mkdir(parents=True)
    (outside / "secret.json").write_text('{"secret": true}')
    (outside / "secret.txt").write_text("secret")
    (outside / "secret.mjs").write_text("export default { secret: true }")
    (outside / "node_modules" / "evil" / "index.js").write_text("module.exports = { secret: true }")
    root = tmp_path / "project"
    (root / ".git").mkdir(parents=True)
    return root
