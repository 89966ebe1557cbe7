"""Laws of metadata: a replaced file keeps the metadata of the one it replaces, and a new one gets
that of its folder.

Modes, owners, groups and attributes are set at random, on files and folders (`docs/building.md`).
"""

import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.forks import FORKS
from tests.support.metadata import Metadata, access_list, metadata
from tests.support.project import Project
from tests.support.sweep import law

ROOT: Final = os.geteuid() == 0
FILES: Final = ("m.php", "a", "lib/c", "lib/shut/d", "same")
FOLDERS: Final = ("lib/shut", "lib", "")
OWN: Final = 0 if ROOT else 0o700
"""The rights that whoever builds needs."""


def looks(*access: str) -> st.SearchStrategy[Metadata]:
    """Any metadata, also with these access lists."""
    users = st.sampled_from([0, 12345, 12346]) if ROOT else st.just(-1)
    rights = st.integers(0, 7)
    lists = st.tuples(rights, rights, rights, rights).map(
        lambda each: access_list(
            [(1, 7), (2, each[0], 1234), (4, each[1]), (16, each[2]), (32, each[3])]
        )
    )
    attributes = st.fixed_dictionaries(
        {}, optional={"user.note": st.binary(max_size=9), **dict.fromkeys(access, lists)}
    )
    return st.tuples(st.integers(0, 0o7777).map(lambda mode: mode | OWN), users, users, attributes)


of_files = looks("system.posix_acl_access")
of_folders = looks("system.posix_acl_access", "system.posix_acl_default")
looks_of_all = st.fixed_dictionaries(
    {**dict.fromkeys(FILES, of_files), **dict.fromkeys(FOLDERS, of_folders)}
)


def give(path: Path, look: Metadata) -> None:
    """Give a file or a folder its metadata."""
    mode, owner, group, attributes = look
    for name, value in attributes.items():
        os.setxattr(path, name, value)
    os.chown(path, owner, group)
    path.chmod(mode)


def _make_like_folder(path: Path) -> None:
    """Make a file with the owner, the group and the mode of its folder, which nobody may run, nor
    everybody write.
    """
    path.touch()
    folder = path.parent.stat()
    os.chown(path, folder.st_uid, folder.st_gid)
    path.chmod(folder.st_mode & 0o664 | 0o600)


def pack(project: Project, content: str, *more: str) -> None:
    """Make the archive of a module."""
    files = {f"m/{name}": content for name in (*FILES, *more)}
    project.archive("m.zip", {**files, "m/same": "same"})


@given(looks_of_all)
@settings(max_examples=law(60), deadline=None)
def test_an_update_keeps_every_look(given_looks: Mapping[str, Metadata]) -> None:
    """An updated file keeps its owner, group, mode and attributes; a new one has the owner, group
    and mode of its folder.

    A file that the archive gives loses setuid and setgid. Access lists are inherited from the
    folder, as usual.
    """
    root = Path(tempfile.mkdtemp(prefix="metadata-"))
    try:
        project = Project(root)
        pack(project, "1")
        assert FORKS.run(root, "create").code == 0
        module = root / "modules/m"
        for name, look in given_looks.items():
            give(module / name, look)
        _make_like_folder(module / "lib/made")
        before = {name: metadata(module / name) for name in given_looks}
        pack(project, "2", "lib/new")
        ran = FORKS.run(root, "create")
        assert ran.code == 0, ran.err
        unprivileged = {
            name: (before[name][0] & 0o1777, *before[name][1:]) for name in FILES if name != "same"
        }
        assert {name: metadata(module / name) for name in given_looks} == {**before, **unprivileged}
        assert metadata(module / "lib/new") == metadata(module / "lib/made")
        assert project.tree["modules/m/lib/shut/d"] == "2"
    finally:
        shutil.rmtree(root)
