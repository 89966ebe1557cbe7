"""Archives that must be accepted: every one gives the bytes that a second reader finds in it."""

import os
import shlex
import shutil
import stat
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import TypeAlias

import pytest

from io_edges.archives.zips import read_archive
from tests.support import sweep
from tests.support.benign import Shape, shapes
from tests.support.project import Project
from tests.support.recognition import refusals_of
from tests.support.zip_writer import RUN, Item, pack

Tree: TypeAlias = dict[str, bytes | str | None]
"""By path: the bytes of a file, what a link points to, nothing of a folder."""

UNZIP = shutil.which("unzip")
NOT_BY_UNZIP = {
    "version-63": "it knows the format up to version 4.6, and skips the entry",
    "dos": "it writes Latin-1",
}
NOT_BY_ZIPFILE = {
    "unicode-path-empty": "from Python 3.12 on, it refuses a Unicode path field without a checksum",
    "unicode-path-short": "likewise",
}


def by_us(data: bytes) -> Tree:
    """What the tool finds in an archive, which it must not refuse."""
    opened = read_archive(data)
    assert refusals_of(opened.entries, "m/", opened.flaws) == ()
    found: Tree = {}
    for entry in opened.entries:
        content = b"".join(opened.chunks(entry))
        found[entry.name] = {"file": content, "folder": None}.get(entry.kind, entry.target)
    return found


def by_zipfile(data: bytes) -> Tree:
    """What Python's own reader finds."""
    found: Tree = {}
    with zipfile.ZipFile(BytesIO(data)) as archive:
        separated = any("/" in info.filename for info in archive.infolist())
        for info in archive.infolist():
            # From Python 3.12 on, `filename` is that of the Unicode path field.
            name = info.orig_filename
            if not info.flag_bits & 0x800:
                # It is in the old code page that Python takes it for.
                with suppress(UnicodeDecodeError):
                    name = name.encode("cp437").decode()
            name = (name if separated else name.replace("\\", "/")).removeprefix("./")
            content = archive.read(info)
            is_link = stat.S_ISLNK(info.external_attr >> 16)
            if name:
                found[name.rstrip("/")] = (
                    None if name.endswith("/") else content.decode() if is_link else content
                )
    return found


def on_disk(folder: Path) -> Tree:
    """What is in a folder."""
    found: Tree = {}
    for path in folder.rglob("*"):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink():
            found[name] = os.readlink(path)  # noqa: PTH115 - `Path` does not keep what stands there
        else:
            found[name] = None if path.is_dir() else path.read_bytes()
    return found


def with_folders(tree: Tree) -> Tree:
    """A tree with the folders that are not listed in it."""
    folders = {str(parent) for name in tree for parent in Path(name).parents} - {"."}
    return {**dict.fromkeys(folders), **tree}


def test_what_is_accepted(counted: sweep.Counted) -> None:
    """A sound archive is accepted, and the tool finds in it what Python's own reader finds."""
    for shape in shapes():
        data = shape.build()
        found = by_us(data)
        if sys.version_info < (3, 12) or shape.name not in NOT_BY_ZIPFILE:
            assert found == by_zipfile(data), shape.name
    counted("shapes of archives accepted", len(shapes()))


def test_what_is_executable() -> None:
    """A file is executable if Unix made its entry and the mode has the bit; programs differ about
    other systems.
    """
    items = {host: pack(Item(mode=RUN, central={"host": host})) for host in (0, 2, 3, 11, 19)}
    entries = {host: read_archive(data).entries for host, data in items.items()}
    assert [host for host, (entry,) in entries.items() if entry.executable] == [3]


@pytest.mark.skipif(UNZIP is None, reason="unzip is not installed")
@pytest.mark.sweep
@pytest.mark.parametrize(
    "shape",
    sweep.sample([shape for shape in shapes() if shape.name not in NOT_BY_UNZIP], 40),
    ids=lambda shape: shape.name,
)
def test_what_unzip_makes_of_it(shape: Shape, tmp_path: Path) -> None:
    """A sound archive is accepted, and the tool finds in it what `unzip` writes to the disk."""
    data = shape.build()
    file, folder = tmp_path / "x.zip", tmp_path / "out"
    file.write_bytes(data)
    folder.mkdir()
    environ = {**os.environ, "LC_ALL": "C.UTF-8"}
    subprocess.run(
        [str(UNZIP), "-qq", "-o", file, "-d", folder], env=environ, capture_output=True, check=False
    )
    assert with_folders(by_us(data)) == on_disk(folder)


SAMPLE = {
    "top.php": b"<?php // the top\n" * 40,
    "src/größe.php": b"<?php // a name\n",
    "src/empty": b"",
    "views/a b/c.tpl": b"{block}",
    "noise": bytes(range(256)) * 40,
}
PYTHON = shlex.quote(sys.executable)
INFO_ZIP = "zip -qr {out} m"
SEVEN = "7zz a -bso0 -bsp0 -tzip {out} m"
STREAM = (
    'import pathlib, sys, zipfile; archive = zipfile.ZipFile(sys.stdout.buffer, "w", '
    "zipfile.ZIP_DEFLATED); "
    '[archive.write(path) for path in pathlib.Path("m").rglob("*")]; archive.close()'
)
COMMANDS: Mapping[str, str] = {
    "zip": INFO_ZIP,
    "zip-stored": f"{INFO_ZIP} -0",
    "zip-best": f"{INFO_ZIP} -9",
    "zip-no-folders": f"{INFO_ZIP} -D",
    "zip-links": f"{INFO_ZIP} -y",
    "zip-no-extra": f"{INFO_ZIP} -X",
    "zip-zip64": f"{INFO_ZIP} -fz",
    "zip-utf-8": f"{INFO_ZIP} -UN=UTF8",
    "zip-comment": f"echo a comment | {INFO_ZIP} -z",
    "zip-to-a-pipe": "zip -qr - m | cat > {out}",
    "zip-descriptors": f"{INFO_ZIP} -fd",
    "bsdtar": "bsdtar --format zip -cf {out} m",
    "bsdtar-stored": "bsdtar --format zip --options zip:compression=store -cf {out} m",
    "bsdtar-zip64": "bsdtar --format zip --options zip:zip64 -cf {out} m",
    "bsdtar-to-a-pipe": "bsdtar --format zip -cf - m | cat > {out}",
    "bsdtar-to-a-pipe-stored": (
        "bsdtar --format zip --options zip:compression=store -cf - m | cat > {out}"
    ),
    "bsdtar-to-a-pipe-zip64": "bsdtar --format zip --options zip:zip64 -cf - m | cat > {out}",
    "bsdtar-dereferenced": "bsdtar --format zip -L -cf {out} m",
    "7zz": SEVEN,
    "7zz-stored": f"{SEVEN} -mx0",
    "7zz-links": f"{SEVEN} -snl",
    "7zz-utf-8": f"{SEVEN} -mcu=on",
    "7zz-times": f"{SEVEN} -mtc=on -mta=on",
    "jar": "jar cf {out} m",
    "jar-stored": "jar c0f {out} m",
    "jar-no-manifest": "jar cfM {out} m",
    "python": f"{PYTHON} -m zipfile -c {{out}} m",
    "python-to-a-pipe": f"{PYTHON} -c '{STREAM}' | cat > {{out}}",
    "git": (
        "git init -q . && git add m && git -c user.name=x -c user.email=x commit -qm x && git "
        "archive -o {out} HEAD"
    ),
}


TRIED = sweep.sample([*COMMANDS], 14)


def write_module(folder: Path) -> None:
    """A module with links, an executable and names that are not ASCII."""
    for name, content in SAMPLE.items():
        path = folder / "m" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    (folder / "m/noise").chmod(0o755)
    (folder / "m/src/link.php").symlink_to("../top.php")


@pytest.mark.sweep
@pytest.mark.parametrize("writer", TRIED)
def test_what_real_programs_write(project: Project, writer: str) -> None:
    """A component that a real program packed is built with the same bytes; links are kept, or the
    program had followed them.
    """
    program = writer.partition("-")[0]
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    work = project.root.parent / "work"
    work.mkdir()
    write_module(work)
    (project.root / "drop").mkdir()
    command = COMMANDS[writer].format(out=shlex.quote(f"{project.root}/drop/m.zip"))
    environ = {**os.environ, "LC_ALL": "C.UTF-8"}
    subprocess.run(["bash", "-c", command], cwd=work, env=environ, check=True, capture_output=True)
    assert project.create("drop").code == 0
    built = {
        name: content
        for name, content in on_disk(project.root / "modules/m").items()
        if content is not None
    }
    built = {
        name.removeprefix("m/"): data
        for name, data in built.items()
        if not name.startswith("META-INF")
    }
    link = built.pop("src/link.php")
    assert built == SAMPLE
    assert link in {"../top.php", SAMPLE["top.php"]}
