"""Refusals that advise a command: it makes an archive that is built, with every file of the old
one.
"""

import re
import shlex
import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from tests.support.project import Project
from tests.support.zip_writer import Item, asi_unix, pack

MAIN = Item(name=b"m/module.json", data=b'{"name": "m"}')
STYLE = Item(name=b"m/css/a.css", data=b"body { margin: 0 }\n" * 9)
BUILT = {"modules/m/module.json": MAIN.data.decode(), "modules/m/css/a.css": STYLE.data.decode()}
DOS, UNIX = {"host": 0, "attributes": 0x10}, {"attributes": 0o40755 << 16 | 0x10}
NO_DESCRIPTOR = {"flags": 8, "local": {"crc": 0, "packed": 0, "size": 0}}
SHRINK, ZSTANDARD = 1, 93


def bent(**fields: Any) -> bytes:
    """Both files, with the same fields bent."""
    return pack(*(Item(**{**vars(item), **fields}) for item in (MAIN, STYLE)))


def named(*names: bytes) -> bytes:
    """Both files with other names."""
    return pack(
        *(
            Item(**{**vars(item), "name": name})
            for item, name in zip((MAIN, STYLE), names, strict=True)
        )
    )


def bare_folders(central: dict[str, int]) -> bytes:
    """Folders that only an attribute marks as such."""
    names = (b"m", b"m/css", b"m/logs")
    return pack(
        *(Item(name=name, data=b"", method=0, central=central) for name in names), MAIN, STYLE
    )


def shrunk(data: bytes) -> bytes:
    """Data by the method Shrink: codes of nine bits, each for a byte."""
    bits = sum(byte << 9 * index for index, byte in enumerate(data))
    return bits.to_bytes((9 * len(data) + 7) // 8, "little")


def zstandard(data: bytes) -> bytes:
    """A frame of Zstandard with one block, which is not compressed."""
    return (
        b"\x28\xb5\x2f\xfd\x20"
        + bytes([len(data)])
        + (len(data) << 3 | 1).to_bytes(3, "little")
        + data
    )


def by_method(method: int, packed: Any) -> bytes:
    """Both files by a method."""
    return pack(
        *(
            Item(**{**vars(item), "method": method, "packed": packed(item.data)})
            for item in (MAIN, STYLE)
        )
    )


def with_an_end_inside() -> bytes:
    """A stored file that holds what looks like its descriptor."""
    note = Item(name=b"m/note", data=b"PK\7\x08\0\0\0\0 and more", method=0)
    return pack(MAIN, STYLE, Item(**{**vars(note), **NO_DESCRIPTOR, "descriptor": "4sIII"}))


PACKED = {
    "absolute names": lambda: named(b"/m/module.json", b"/m/css/a.css"),
    "names with a drive": lambda: named(b"C:/m/module.json", b"C:m/css/a.css"),
    "names with an empty part": lambda: named(b"m//module.json", b"m/css//a.css"),
    "names with a dot": lambda: named(b"m/./module.json", b"././m/css/a.css"),
    "folders of DOS without a slash": lambda: bare_folders(DOS),
    "folders of Unix without a slash": lambda: bare_folders(UNIX),
    "descriptors that are missing": lambda: bent(**NO_DESCRIPTOR),
    "an extra field that is malformed": lambda: bent(extra=b"   "),
    "an extra field that runs over its end": lambda: bent(extra=b"UT\xff\x00abc"),
    "an ASi field of another kind": lambda: bent(mode=0, extra=asi_unix(0o120777)),
    "flags that some programs know": lambda: bent(flags=16),
    "data like its own end": with_an_end_inside,
    "bytes between entries": lambda: pack(MAIN, Item(**{**vars(STYLE), "before": bytes(12)})),
    "bytes before the table of contents": lambda: pack(MAIN, STYLE, before_directory=bytes(512)),
    "a program before the entries": lambda: pack(MAIN, STYLE, prefix=b"#!/bin/sh\nexec unzip\n"),
    "a program that the offsets do not count": lambda: (
        b"#!/bin/sh\nexec unzip\n" + pack(MAIN, STYLE)
    ),
    "a line end at the end": lambda: pack(MAIN, STYLE) + b"\n",
    "zeros at the end": lambda: pack(MAIN, STYLE) + bytes(9000),
    "a megabyte of zeros at the end": lambda: pack(MAIN, STYLE) + bytes(1024**2 + 100),
    "shrunk": lambda: by_method(SHRINK, shrunk),
    "Zstandard": lambda: by_method(ZSTANDARD, zstandard),
}


def packed_again(project: Project, typed: bytes = b"") -> None:
    """Run the command that the refusal of `my drop/m.zip` advises, and type what it asks for."""
    refused = project.create("my drop")
    assert refused.code == 76
    advice = refused.reported("error")[0]["help"]
    command = re.search(r"pack it again with `(.*?)`[;,]", advice)
    assert command, advice
    if "7zz" in command[1] and shutil.which("7zz") is None:
        pytest.skip("7zz is not installed")
    subprocess.run(
        ["bash", "-c", command[1]], cwd=project.root, check=True, capture_output=True, input=typed
    )


@pytest.mark.skipif(shutil.which("bsdtar") is None, reason="bsdtar is not installed")
@pytest.mark.parametrize("packed", PACKED)
def test_an_archive_is_packed_again(packed: str, project: Project) -> None:
    """The command that a refusal advises makes an archive that is built, with every file of
    the old one.
    """
    project.write("my drop/m.zip", PACKED[packed]())
    packed_again(project)
    assert [path.name for path in (project.root / "my drop").iterdir()] == ["m.zip"]
    assert project.create("my drop").code == 0
    assert {name: project.tree[name] for name in BUILT} == BUILT


SEVEN = "7zz a -bso0 -bsp0 -tzip -snl {out} m -mm="
LZMA = (
    "import pathlib, sys, zipfile; archive = zipfile.ZipFile(sys.argv[1], chr(119), 14); "
    '[archive.write(path) for path in pathlib.Path("m").rglob("*")]; archive.close()'
)
PYTHON = shlex.quote(sys.executable)
BY_PROGRAMS = {
    "bzip2 of zip": "zip -qry -Z bzip2 {out} m",
    **{
        f"{method} of 7zz": f"{SEVEN}{method}"
        for method in ("Deflate64", "BZip2", "LZMA", "PPMd", "XZ")
    },
    "parts of zip": "zip -qry -s 64k {out} m",
    "LZMA of Python": f"{PYTHON} -c '{LZMA}' {{out}}",
    "a password of zip": "zip -qry -P secret {out} m",
    "AES of 7zz": f"{SEVEN}Deflate -mem=AES256 -psecret",
    "bzip2 of Python": f"{PYTHON} -c '{LZMA.replace('14', '12')}' {{out}}",
}


@pytest.mark.skipif(shutil.which("bsdtar") is None, reason="bsdtar is not installed")
@pytest.mark.parametrize("command", BY_PROGRAMS)
def test_what_programs_pack_in_other_ways(command: str, project: Project) -> None:
    """An archive that a program encrypted, split or compressed with another method is refused; the
    advised command keeps modes and links.
    """
    program = shlex.split(BY_PROGRAMS[command])[0]
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    for name, content in BUILT.items():
        project.write(f"source/{name.removeprefix('modules/')}", content)
    noise = "".join(sha256(b"%d" % index).hexdigest() for index in range(3000))
    project.write("source/m/run", noise)
    source = project.root / "source/m"
    (source / "run").chmod(0o755)
    (source / "link").symlink_to("css/a.css")
    (project.root / "my drop").mkdir()
    line = BY_PROGRAMS[command].format(out="'../my drop/m.zip'")
    subprocess.run(["bash", "-c", line], cwd=source.parent, check=True, capture_output=True)
    packed_again(project, b"secret\n")
    assert project.create("my drop").code == 0
    assert {name: project.tree[name] for name in BUILT} == BUILT
    built = project.root / "modules/m"
    assert (built / "run").read_text(encoding="utf-8") == noise
    assert (built / "run").stat().st_mode & 0o111 == 0o111
    assert (built / "link").read_bytes() == STYLE.data
    if "Python" not in command:  # which packs what a link points to
        assert (built / "link").readlink() == Path("css/a.css")
