"""What honest programs write and few others do: each class of archive is made byte by byte, built,
and compared.

The programs and versions that were seen to write it stand beside each class;
`tests/integrations/test_zip_writers.py` runs those that can be installed.
"""

from collections.abc import Callable
from typing import Any

import pytest

from tests.support.project import Project
from tests.support.zip_writer import FOLDER, FULL, Item, asi_unix, extra, longs, pack, unicode_path

MAIN, STYLE = b'{"name": "m"}', b"body { margin: 0 }\n" * 9
OLD, NEW = "m/größe.css".encode("cp437"), "m/größe.css".encode()


def component(style: Item | None = None, *others: Item, **fields: Any) -> bytes:
    """A module and its style sheet, with the same fields bent in both."""
    items = (Item(name=b"m/module.json", data=MAIN), style or Item(name=b"m/a.css", data=STYLE))
    return pack(*(Item(**{**vars(item), **fields}) for item in items), *others)


def folder(name: bytes, time: int = 0) -> Item:
    """A folder."""
    return Item(name=name, data=b"", method=0, mode=FOLDER, both={"time": time})


def style(**fields: Any) -> Item:
    """The style sheet, bent."""
    return Item(**{"name": b"m/a.css", "data": STYLE, **fields})


CLASSES: dict[str, tuple[Callable[[], bytes], dict[str, bytes]]] = {
    # Ant 1.10.13 `<zip>`, commons-compress 1.22 to a file; Info-ZIP 3.0 `zip -d`, `-u`, `-A` on
    # zip.js 2.24, ZipStream
    # 3.2, Python's `force_zip64=True`; strip-nondeterminism 1.13.1; adm-zip 0.5 and 0.6.1.
    "Zip64 field of a header, with the sizes": (
        lambda: component(style(method=0, local={"extra": longs(len(STYLE), len(STYLE))})),
        {"a.css": STYLE},
    ),
    "Zip64 field of a header, zeros": (
        lambda: component(local={"extra": longs(0, 0)}),
        {"a.css": STYLE},
    ),
    # Python 3.11 `ZipFile(…, "a")` on `zip -fz`, `writestr(info, data)` on yazl 3.3.1; adm-zip
    # 0.6.1; Go 1.19 `Copy`.
    "Zip64 field of the list, stale": (
        lambda: component(central={"extra": longs(9, 9, 4711)}),
        {"a.css": STYLE},
    ),
    # Ant 1.10.13 with `zip64Mode="always"`.
    "Zip64 field of the list, empty": (
        lambda: component(central={"extra": longs()}),
        {"a.css": STYLE},
    ),
    # A field of more than is called for.
    "Zip64 field of the list, longer": (
        lambda: component(style(central={"size": FULL, "extra": longs(len(STYLE), 0, 0)})),
        {"a.css": STYLE},
    ),
    # PHP 8.2 `PharData` in the format `Phar::ZIP`.
    "ASi field with bare permissions": (
        lambda: component(mode=0, extra=asi_unix(0o644), both={"host": 0}),
        {"a.css": STYLE},
    ),
    # Ant 1.10.13 with `encoding="CP437" createUnicodeExtraFields="always"`; commons-compress 1.22.
    "Unicode path field beside an old name": (
        lambda: component(style(name=OLD, extra=unicode_path(NEW, OLD))),
        {"größe.css": STYLE},
    ),
    # archiver 1.3 to 8.0 with two `directory()` into one prefix; gulp-zip 6.1 with merged streams.
    "a folder twice": (
        lambda: component(
            None, folder(b"m/"), folder(b"./m/"), folder(b"m/css/"), folder(b"m/css/", time=7)
        ),
        {"a.css": STYLE},
    ),
    # adm-zip 0.4.16 and 0.5.16, rubyzip 2.3.2, PclZip `delete`, .NET Core 3.1 `Update`, each on a
    # streamed archive.
    "a flag without its descriptor": (lambda: component(flags=8), {"a.css": STYLE}),
    # zipalign 10.0.0 on stored files.
    "one zero behind the fields": (lambda: component(local={"extra": b"\0"}), {"a.css": STYLE}),
    "three zeros behind the fields": (
        lambda: component(local={"extra": extra(0x5455, b"\1abcd") + bytes(3)}),
        {"a.css": STYLE},
    ),
    # JSZip 3.10.1 with a stream that gives an empty chunk.
    "nothing, deflated to nothing": (
        lambda: component(style(data=b"", packed=b"")),
        {"a.css": b""},
    ),
    # 7-Zip 26.02 `7zz a -si`.
    "the mode of a pipe": (lambda: component(style(mode=0o10600)), {"a.css": STYLE}),
}


@pytest.mark.parametrize("name", CLASSES)
def test_what_honest_programs_write(name: str, project: Project) -> None:
    """An archive that every reader reads alike is built with its bytes; no file becomes
    executable.
    """
    build, expected = CLASSES[name]
    project.write("drop/m.zip", build())
    ran = project.create("drop")
    assert ran.code == 0, ran.err
    built = project.root / "modules/m"
    files = {
        path.relative_to(built).as_posix(): path for path in built.rglob("*") if path.is_file()
    }
    assert {name: path.read_bytes() for name, path in files.items()} == {
        "module.json": MAIN,
        **expected,
    }
    assert [name for name, path in files.items() if path.stat().st_mode & 0o111] == []


def test_the_permissions_of_an_asi_field(project: Project) -> None:
    """If the entry has no mode, its ASi field decides whether a file is executable; otherwise the
    mode does.
    """
    bare = Item(name=b"m/bare.sh", mode=0, extra=asi_unix(0o755), both={"host": 0})
    moded = Item(name=b"m/moded.sh", mode=0o100644, extra=asi_unix(0o755))
    project.write("drop/m.zip", component(None, bare, moded))
    assert project.create("drop").code == 0
    modes = {
        name: (project.root / f"modules/m/{name}.sh").stat().st_mode & 0o111
        for name in ("bare", "moded")
    }
    assert modes == {"bare": 0o111, "moded": 0}
