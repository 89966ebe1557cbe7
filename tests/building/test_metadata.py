"""Metadata: a built file has that of the file it replaces, a new one that of its folder
(`docs/building.md`).
"""

import os
import shutil
import struct
import subprocess
import zipfile
from collections.abc import Iterator, Mapping

import pytest

from tests.support.forks import TOOL, Forks
from tests.support.metadata import access_list, metadata
from tests.support.project import Project

ROOT = os.geteuid() == 0
ONLY_ROOT = pytest.mark.skipif(not ROOT, reason="only root can give files away")
DEFAULT, ACCESS = "system.posix_acl_default", "system.posix_acl_access"
CAPABILITY = "security.capability"
TO_BIND = struct.pack("<IIIII", 0x02000001, 1 << 10, 0, 0, 0)
"""The capability to bind low ports, in the kernel's format."""
GROUP_WRITES = [(0x01, 7), (0x02, 7, 1234), (0x04, 5), (0x10, 7), (0x20, 0)]
"""An access list: owner `rwx`, user 1234 `rwx`, group `r-x`, mask `rwx`, others `---`."""


def build(project: Project, forks: Forks, *flags: str) -> None:
    """Build, where folders can be exchanged or not."""
    ran = forks.run(project.root, "create", *flags)
    assert ran.code == 0, ran.err


@pytest.mark.parametrize("way", ["update", "merge", "force", "the bit alone"])
@pytest.mark.parametrize("privilege", ["bits", "capability"])
def test_privileges(project: Project, forks: Forks, way: str, privilege: str) -> None:
    """A replaced file loses setuid, setgid and capabilities; the rest of its mode stays."""
    if privilege == "capability" and not ROOT:
        pytest.skip("only root can give capabilities")
    lines = "1\n2\n3\n4\n5\n"
    project.archive("m.zip", {"m/m.php": "1", "m/run": lines, "m/kept": "same"})
    build(project, forks)
    module = project.root / "modules/m"
    if way in {"merge", "force"}:
        (module / "run").write_text(lines.replace("5", "mine"))
    bits = 0o6000 if privilege == "bits" else 0
    for name in ("run", "kept"):
        (module / name).chmod(0o1640 | bits)
        if not bits:
            os.setxattr(module / name, CAPABILITY, TO_BIND)
    kept = metadata(module / "kept")
    if way == "the bit alone":
        executable_archive(project, {"m/m.php": "1", "m/run": lines, "m/kept": "same"}, "m/run")
    else:
        project.archive(
            "m.zip", {"m/m.php": "2", "m/run": lines.replace("1", "theirs"), "m/kept": "same"}
        )
    build(project, forks, *(f"--{way}" for _ in range(way in {"merge", "force"})))
    mode, *_, attributes = metadata(module / "run")
    assert mode == (0o1750 if way == "the bit alone" else 0o1640)
    assert CAPABILITY not in attributes
    assert metadata(module / "kept") == kept
    assert project.run("undo", "--force").code == 0
    assert metadata(module / "kept") == kept


def executable_archive(project: Project, content: Mapping[str, str], *executable: str) -> None:
    """Pack a module, some of whose files are executable."""
    with zipfile.ZipFile(project.root / "m.zip", "w") as file:
        for name, text in content.items():
            info = zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0))
            info.create_system, info.external_attr = (
                3,
                (0o100755 if name in executable else 0o100644) << 16,
            )
            file.writestr(info, text)


def test_the_executable_bit(project: Project, forks: Forks) -> None:
    """If the archive changes the executable bit, everyone who may read the file may execute it, or
    nobody may.
    """

    names = ("m/m.php", "m/x", "m/on", "m/odd", "m/off")
    executable_archive(project, dict.fromkeys(names, "1"), "m/x", "m/off")
    build(project, forks)
    module = project.root / "modules/m"
    odd = 0o200 if ROOT else 0o600
    for name, mode in {"m.php": 0o660, "x": 0o744, "on": 0o640, "odd": odd, "off": 0o750}.items():
        (module / name).chmod(mode)
    executable_archive(project, dict.fromkeys(names, "2"), "m/x", "m/on", "m/odd")
    build(project, forks)
    assert {path.name: metadata(path)[0] for path in module.iterdir()} == {
        "m.php": 0o660,
        "x": 0o744,
        "on": 0o750,
        "odd": odd | 0o100,
        "off": 0o640,
    }


@pytest.fixture(params=[0o022, 0o077], ids=["022", "077"])
def masked(request: pytest.FixtureRequest) -> Iterator[None]:
    """A umask of the run, such as that of cron."""
    before = os.umask(request.param)
    yield
    os.umask(before)


@ONLY_ROOT
@pytest.mark.usefixtures("masked")
@pytest.mark.parametrize("default", [None, access_list(GROUP_WRITES)], ids=["no list", "a list"])
def test_what_is_new_is_like_its_folder(
    project: Project, forks: Forks, default: bytes | None
) -> None:
    """A new file or folder has the owner, group, mode and access lists of its folder.

    Nothing new is writable by everybody, and only files that are executable in the archive are
    executable.
    """
    executable_archive(project, dict.fromkeys(("m/m.php", "m/lib/a"), "1"))
    build(project, forks)
    module = project.root / "modules/m"
    module.chmod(0o757)
    os.chown(module / "lib", 12345, 12346)
    (module / "lib").chmod(0o2775)
    if default:
        os.setxattr(module / "lib", DEFAULT, default)
    names = ("m/m.php", "m/lib/a", "m/lib/new", "m/lib/deep/er/x", "m/top")
    executable_archive(project, dict.fromkeys(names, "2"), "m/lib/deep/er/x", "m/top")
    build(project, forks)
    assert {
        name: metadata(module / name)[:3]
        for name in ("top", "lib/new", "lib/deep", "lib/deep/er/x")
    } == {
        "top": (0o755, 0, 0),
        "lib/new": (0o664, 12345, 12346),
        "lib/deep": (0o2775, 12345, 12346),
        "lib/deep/er/x": (0o775, 12345, 12346),
    }
    assert (ACCESS in metadata(module / "lib/new")[3]) is bool(default)


@ONLY_ROOT
@pytest.mark.usefixtures("masked")
@pytest.mark.parametrize("default", [None, access_list(GROUP_WRITES)], ids=["no list", "a list"])
@pytest.mark.parametrize("on", ["modules", "project", "neither"])
def test_a_new_component_is_like_the_folder_of_modules(
    project: Project, on: str, default: bytes | None
) -> None:
    """A new component belongs to the owner of the site, even if root builds it, and inherits the
    access lists of its folder, not of the project.
    """
    (project.root / "modules").mkdir()
    (project.root / "modules").chmod(0o755)
    folder = {
        "modules": project.root / "modules",
        "project": project.root,
        "neither": project.root / ".git",
    }[on]
    os.chown(folder, 12345, 12346)
    folder.chmod(0o2770)
    if default:
        os.setxattr(folder, DEFAULT, default)
    project.archive("m.zip", {"m/m.php": "1", "m/lib/a": "1"})
    assert project.create().code == 0
    mode, *owner = metadata(project.root / "modules")[:3]
    made = {
        name: metadata(project.root / "modules/m" / name) for name in (".", "lib", "m.php", "lib/a")
    }
    assert {name: each[:3] for name, each in made.items()} == {
        ".": (mode, *owner),
        "lib": (mode, *owner),
        "m.php": (mode & 0o664, *owner),
        "lib/a": (mode & 0o664, *owner),
    }
    assert {ACCESS in each[3] for each in made.values()} == {bool(default) and on == "modules"}


@ONLY_ROOT
@pytest.mark.usefixtures("masked")
def test_what_the_tool_writes_for_itself_is_like_the_project(project: Project) -> None:
    """The record, the cache, a patch and `.tool/` belong to the owner of the site; others may not
    read `.tool/`.
    """
    os.chown(project.root, 12345, 12346)
    project.root.chmod(0o2775)
    project.archive("m.zip", {"m/m.php": "1", "m/a.txt": "1"})
    assert project.create().code == 0
    project.write("modules/m/a.txt", "mine")
    assert project.run("patch", ".").code == 0
    files = (".tool-manifest.json", ".tool-cache.json", "patches/modules/m.patch")
    assert {metadata(project.root / each)[:3] for each in files} == {(0o664, 12345, 12346)}
    assert {metadata(project.root / each)[:3] for each in ("patches", "modules")} == {
        (0o2775, 12345, 12346)
    }
    local = project.root / ".tool"
    assert {metadata(each)[:3] for each in (local, *local.rglob("*")) if each.is_dir()} == {
        (0o2770, 12345, 12346)
    }
    assert {metadata(each)[:3] for each in local.rglob("*") if each.is_file()} == {
        (0o660, 12345, 12346)
    }


@ONLY_ROOT
def test_a_link_that_is_replaced(project: Project, forks: Forks) -> None:
    """A link that replaces a link or a file belongs to the same owner; a file that replaces a link
    is like a new one.
    """

    def archive(*names: str) -> None:
        with zipfile.ZipFile(project.root / "m.zip", "w") as file:
            for name in ("m.php", "a", "b", "c"):
                info = zipfile.ZipInfo(f"m/{name}", (2026, 1, 1, 0, 0, 0))
                info.create_system, info.external_attr = (
                    3,
                    (0o120777 if name in names else 0o100644) << 16,
                )
                file.writestr(info, "m.php" if name in names else "text")

    archive("a", "b")
    build(project, forks)
    module = project.root / "modules/m"
    for name in "abc":
        os.chown(module / name, 12345, 12346, follow_symlinks=False)
    (module / "c").chmod(0o600)
    (module / "a").unlink()
    (module / "a").symlink_to("b")
    os.chown(module / "a", 12345, 12346, follow_symlinks=False)
    archive("a", "c")
    build(project, forks, "--force")
    assert {name: metadata(module / name)[:3] for name in "abc"} == {
        "a": (0o777, 12345, 12346),
        "b": (0o644, 12345, 12346),
        "c": (0o777, 12345, 12346),
    }


@ONLY_ROOT
@pytest.mark.skipif(
    shutil.which("setpriv") is None, reason="setpriv, which takes rights from root, is missing"
)
def test_a_group_that_may_not_be_given(project: Project) -> None:
    """If the user may not assign a group, a folder keeps it, as its files are replaced in place,
    and a file does not.

    The group that the file has instead gets no permission that others do not have.
    """
    project.archive("m.zip", {"m/m.php": "1", "m/lib/a": "1"})
    project.archive("n.zip", {"n/n.php": "1", "n/b": "1", "n/c": "1"})
    assert project.create().code == 0
    root = project.root / "modules"
    for name, mode in (("m/lib", 0o2775), ("n/n.php", 0o664), ("n/b", 0o2770)):
        os.chown(root / name, 0, 12346)
        (root / name).chmod(mode)
    os.chown(root / "n/c", 12345, 0)
    (root / "n/c").chmod(0o4755)
    project.archive("m.zip", {"m/m.php": "2", "m/lib/a": "2", "m/lib/new": "2"})
    project.archive("n.zip", {"n/n.php": "2", "n/b": "2", "n/c": "2"})
    rights = "-chown,-fowner,-fsetid,-dac_override,-dac_read_search"
    weak = ["setpriv", "--clear-groups", f"--inh-caps={rights}", f"--bounding-set={rights}"]
    ran = subprocess.run(
        [*weak, TOOL, "create"], cwd=project.root, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0
    assert "the files of `modules/n`" not in ran.stderr
    names = ("m/lib", "m/lib/new", "m/m.php", "n/n.php", "n/b", "n/c")
    assert {name: (metadata(root / name)[0], metadata(root / name)[2]) for name in names} == {
        "m/lib": (0o2775, 12346),
        "m/lib/new": (0o664, 12346),
        "m/m.php": (0o644, 0),
        "n/n.php": (0o644, 0),
        "n/b": (0o700, 0),
        "n/c": (0o755, 0),
    }
