"""Refusals whose advice is a command: it makes an archive that is built, with all that was in the old one."""

import re
import shutil
import subprocess

import pytest

from tests.support.project import Project
from tests.support.zip_writer import Item, pack

MAIN = Item(name=b"m/module.json", data=b'{"name": "m"}')
STYLE = Item(name=b"m/css/a.css", data=b"body { margin: 0 }\n" * 9)
DOS, UNIX = {"host": 0, "attributes": 0x10}, {"attributes": 0o40755 << 16 | 0x10}
NO_DESCRIPTOR = {"flags": 8, "local": {"crc": 0, "packed": 0, "size": 0}}


def bare_folders(central: dict[str, int]) -> bytes:
    """Folders that only an attribute marks as such."""
    names = (b"m", b"m/css", b"m/logs")
    return pack(*(Item(name=name, data=b"", method=0, central=central) for name in names), MAIN, STYLE)


PACKED = {
    "absolute names": lambda: pack(*(Item(**{**vars(each), "name": b"/" + each.name}) for each in (MAIN, STYLE))),
    "folders of DOS without a slash": lambda: bare_folders(DOS),
    "folders of Unix without a slash": lambda: bare_folders(UNIX),
    "descriptors that are missing": lambda: pack(*(Item(**{**vars(each), **NO_DESCRIPTOR}) for each in (MAIN, STYLE))),
    "padding in extra fields": lambda: pack(*(Item(**{**vars(each), "extra": b"\x00"}) for each in (MAIN, STYLE))),
    "a line end at the end": lambda: pack(MAIN, STYLE) + b"\n",
}


@pytest.mark.skipif(shutil.which("bsdtar") is None, reason="bsdtar is not installed")
@pytest.mark.parametrize("packed", PACKED)
def test_an_archive_is_packed_again(packed: str, project: Project) -> None:
    """The command that a refusal advises makes an archive that is built, with every file of the old one."""
    project.write("my drop/m.zip", PACKED[packed]())
    refused = project.create("my drop")
    assert refused.code == 76
    advice = refused.reported("error")[0]["help"]
    command = re.search(r"pack it again with `(.*?)`; or", advice)
    assert command
    subprocess.run(["bash", "-c", command[1]], cwd=project.root, check=True, capture_output=True)
    assert [path.name for path in (project.root / "my drop").iterdir()] == ["m.zip"]
    assert project.create("my drop").code == 0
    assert {name: project.tree[name] for name in ("modules/m/module.json", "modules/m/css/a.css")} == {
        "modules/m/module.json": MAIN.data.decode(),
        "modules/m/css/a.css": STYLE.data.decode(),
    }
