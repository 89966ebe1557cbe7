"""The example repository in `docs/examples`: its archives, and a copy to try it in.

`python -m tests.support.examples` packs the archives from their files in
`tests/support/data/examples`. Entries are stored, in the order of their names and with one time, so
that the bytes are the same on every machine. The record is the one that a run in a copy writes.
"""

import io
import zipfile
from pathlib import Path
from typing import Final

from tests.support.checkout import ROOT, copy_of

EXAMPLES: Final = ROOT / "docs" / "examples"
SOURCES: Final = Path(__file__).parent / "data" / "examples"


def pack(folder: Path) -> bytes:
    """Pack the files of a folder into a `.zip` file."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            entry = zipfile.ZipInfo(path.relative_to(folder).as_posix(), (2026, 1, 1, 0, 0, 0))
            entry.external_attr = 0o100644 << 16
            archive.writestr(entry, path.read_bytes())
    return content.getvalue()


def archives() -> dict[str, bytes]:
    """Each archive by its path below `docs/examples`, such as `shop/drop/teahouse.zip`."""
    folders = sorted(SOURCES.glob("*/*/*"))
    return {f"{folder.relative_to(SOURCES).as_posix()}.zip": pack(folder) for folder in folders}


def copy_example(name: str, parent: Path) -> Path:
    """Copy an example as a fresh clone of it would be: a repository of its own, with one commit."""
    folder = parent / name
    copy_of(EXAMPLES / name, folder)
    return folder


if __name__ == "__main__":
    for name, data in archives().items():
        path = EXAMPLES / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
