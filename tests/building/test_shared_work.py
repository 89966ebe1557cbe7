"""Builds whose archives are read and extracted by several processes (`docs/building.md`)."""

import re
import shutil
from pathlib import Path
from string import ascii_letters

import pytest

from tests.support.benign import shapes
from tests.support.forks import FORKS, Fault, Forked
from tests.support.hostile import refused_at_sight, refused_when_read
from tests.support.project import Project
from tests.support.sweep import Counted, Thinned, sample


def log_of(ran: Forked) -> str:
    """What a run reports, without how long it took."""
    return re.sub(r'"seconds":[0-9.e-]+', "", ran.err)


def look(root: Path) -> dict[str, object]:
    """Every file, link and folder below a folder, except cache and state, with its mode and
    what it holds.
    """
    found: dict[str, object] = {}
    for path in root.rglob("*"):
        content = path.readlink() if path.is_symlink() else path.is_file() and path.read_bytes()
        found[str(path.relative_to(root))] = path.lstat().st_mode, content
    return {
        name: each
        for name, each in found.items()
        if name.split("/")[0] not in {".tool-cache.json", ".tool"}
    }


@pytest.mark.sweep
def test_the_number_of_processes_changes_nothing(project: Project, counted: Counted) -> None:
    """One, two or four processes report, refuse and build all archives alike: log, record and every
    byte.
    """
    project.theme("harbour", "drop/harbour.zip")
    project.archive(
        "drop/bundle.zip", {f"bundle/b{n}/module.json": f'{{"name": "b{n}"}}' for n in range(9)}
    )
    for letter, shape in zip(ascii_letters, shapes()[:: len(shapes()) // 25], strict=False):
        project.write(
            f"drop/benign-{letter}.zip", shape.build().replace(b"m/", f"{letter}/".encode())
        )
    for start, cases in {b"s": refused_at_sight(), b"r": refused_when_read()}.items():
        for index, case in sample([*enumerate(cases)], 10):
            project.write(f"drop/{case.name}.zip", case.build(start + b"%03d" % index))
    runs = []
    for processes in (1, 2, 4):
        ran = FORKS.run(
            project.root, "create", "drop", "--output", "out", "--keep-going", processes=processes
        )
        again = FORKS.run(
            project.root, "create", "drop", "--output", "out", "--keep-going", processes=processes
        )
        runs.append((ran.code, ran.out, log_of(ran), log_of(again), look(project.root / "out")))
        shutil.rmtree(project.root / "out")
    assert runs[0] == runs[1] == runs[2]
    assert runs[0][0] == 76
    assert runs[0][2].count('"action":"add"') > 20
    counted(
        "archives built alone, in two and in four processes",
        len([*(project.root / "drop").iterdir()]),
    )


@pytest.mark.parametrize(("changed", "code"), [(b"", 0), (b"content of 7", 76)])
def test_one_archive_is_divided(project: Project, changed: bytes, code: int) -> None:
    """An archive that two processes extract in parts is built or refused as one process would."""
    files = {f"m/{n % 3}/{n % 5}/{n}.txt": f"content of {n}" for n in range(30)}
    archive = project.archive(
        "drop/m.zip", {"m/module.json": '{"name": "m"}', "m/empty/": "", **files}
    )
    if changed:
        archive.write_bytes(archive.read_bytes().replace(changed, changed.upper(), 1))
    ends = []
    for processes in (1, 2):
        ran = FORKS.run(project.root, "create", "drop", "--output", "out", processes=processes)
        ends.append((ran.code, ran.out, log_of(ran), look(project.root / "out")))
        shutil.rmtree(project.root / "out", ignore_errors=True)
    assert ends[0] == ends[1]
    assert ends[0][0] == code


@pytest.mark.parametrize(("limit", "depth"), [(14, 1), (16, 3), (20, 7)])
def test_few_open_files(project: Project, limit: int, depth: int) -> None:
    """A large archive that several processes would divide is built under a small `ulimit -n`."""
    folders = "/".join(f"d{n}" for n in range(depth))
    files = {f"m/{folders}/{n}.txt": f"content of {n}" for n in range(1000)}
    project.archive("m.zip", {"m/module.json": '{"name": "m"}', **files})
    ran = FORKS.run(project.root, "create", files=limit)
    assert ran.code == 0, ran.err
    built = project.root / "modules/m" / folders
    assert {each.name for each in built.iterdir()} == {f"{n}.txt" for n in range(1000)}


@pytest.mark.parametrize(
    ("fault", "codes"),
    [
        ({"way": "KILL"}, {-9}),
        ({"way": "INT"}, {130}),
        ({"way": "TERM"}, {143}),
        ({"way": "ENOSPC"}, {74}),
        ({"way": "KILL", "in_helpers": True}, {74}),
        ({"way": "INT", "in_helpers": True}, {0}),
        ({"way": "ENOSPC", "in_helpers": True}, {74}),
        ({"way": "EMFILE", "in_helpers": True}, {74}),
    ],
    ids=str,
)
def test_one_of_them_fails(
    project: Project, fault: Fault, codes: set[int], thinned: Thinned[int], counted: Counted
) -> None:
    """Whichever process is killed, asked to end or refused a call while it extracts, either nothing
    is changed or everything is.

    The next run ends as if nothing had happened.
    """
    for number in range(6):
        project.archive(
            f"m{number}.zip", {f"m{number}/m{number}.php": "<?php", f"m{number}/a/b": "b" * number}
        )
    project.archive(
        "large.zip", {"large/large.php": "<?php", **{f"large/{n}/{n}": "c" for n in range(12)}}
    )
    base = look(project.root)
    fault = {**fault, "processes": 2}
    whole = FORKS.run(project.root, "create", **fault)
    built = look(project.root)
    numbers = thinned(range(1, len(whole.calls) + 1), 3)
    for number in numbers:
        for name in (".tool-manifest.json", ".tool-cache.json"):
            (project.root / name).unlink(missing_ok=True)
        shutil.rmtree(project.root / "modules")
        shutil.rmtree(project.root / ".tool", ignore_errors=True)
        broken: Fault = {**fault, "number": number}
        ran = FORKS.run(project.root, "create", **broken)
        if ran.broken and "tool-cache" not in ran.broken:
            assert ran.code in codes | {0}, ran.broken
        left = look(project.root)
        if ran.code in {74, 130, 143}:
            assert left in (base, built), ran.broken
        else:
            assert ran.code == -9 or left == built, ran.broken
        assert FORKS.run(project.root, "create").code == 0
        assert look(project.root) == built, ran.broken
    counted(f"calls with {fault['way']}, of one of two processes", len(numbers))
