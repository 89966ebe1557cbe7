"""The conditions of a container, without one: another user, no `HOME`, read-only disks, volumes.

The page is `docs/howto/git-and-ci.md`. Lower layers of an image are tried in
`tests/building/test_everyday.py`.
"""

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.checkout import ROOT
from tests.support.forks import TOOL

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(
        os.getuid() != 0 or shutil.which("unshare") is None,
        reason="only root may become another user and mount",
    ),
]
USER = 12345
"""A user that the system has no name for."""
AS_USER = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", "--no-new-privs"]
BARE = ["env", "--ignore-environment", "PATH=/usr/bin:/bin"]


@pytest.fixture
def work() -> Iterator[Path]:
    """A folder that belongs to the user, with the sample drop and a configuration that has to
    be evaluated.
    """
    with tempfile.TemporaryDirectory(prefix="tool-") as outside:
        folder = Path(outside, "work")
        shutil.copytree(ROOT / "docs" / "quickstart" / "drop", folder / "drop")
        (folder / "tool.config.ts").write_text(
            'export default { theme: ["har", "bour"].join("") };\n', encoding="utf-8"
        )
        for each in (Path(outside), folder, *folder.rglob("*")):
            os.chown(each, USER, USER)
        yield folder


def opened() -> str:
    """A script that opens the Python and the repository to every user, in mounts of its own,
    wherever they are.
    """
    needed = [Path(sys.base_prefix), ROOT]
    closed = {each for path in needed for each in path.parents if not each.stat().st_mode & 0o001}
    paths = [shlex.quote(str(path)) for path in needed]
    aside = "".join(
        f"mkdir aside{n}; mount --bind {path} aside{n}; " for n, path in enumerate(paths)
    )
    covered = "".join(
        f"mount -t tmpfs -o mode=755 none {shlex.quote(str(each))}; " for each in sorted(closed)[:1]
    )
    back = "".join(
        f"mkdir -p {path}; mount --bind aside{n} {path}; " for n, path in enumerate(paths)
    )
    return f"cd {{}}; {aside}{covered}{back}" if closed else ""


def run(folder: Path, script: str, *, user: bool = True) -> tuple[int, str, str]:
    """Run a script with mounts of its own, as the user or as root; `$TOOL` runs the command as it
    would be there.
    """
    words = [*(AS_USER if user else ()), *BARE, str(TOOL)]
    with tempfile.TemporaryDirectory() as aside:
        # A script, as the shell splits a variable at the blanks in a path.
        tool = Path(aside, "tool")
        tool.write_text(f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n', encoding="utf-8")
        tool.chmod(0o755)
        command = [
            "unshare",
            "--mount",
            "sh",
            "-euc",
            f"{opened().format(aside)}cd {folder}; {script}",
        ]
        environ = {**os.environ, "TOOL": str(tool)}
        ran = subprocess.run(command, env=environ, capture_output=True, text=True, check=False)
    return ran.returncode, ran.stdout, ran.stderr


def owners(folder: Path) -> set[int]:
    """Who owns what is below a folder."""
    return {each.lstat().st_uid for each in folder.rglob("*")}


def test_a_user_without_a_name_and_a_home(work: Path) -> None:
    """A user without a name and a `HOME` can build, and the built files are that user's."""
    assert run(work, "$TOOL create drop --quiet") == (0, "", "")
    assert owners(work / "modules") | owners(work / "themes") == {USER}


def test_what_belongs_to_another_user(work: Path) -> None:
    """A run may not write in a folder of another user; root may, and new files belong to the
    folder's owner.
    """
    (work / "site").mkdir()
    code, _, err = run(work, "$TOOL create drop --output site --quiet")
    assert (code, err.splitlines()[0]) == (
        74,
        (
            f"error: FileSystemProblem: `{work}/site/.tool-manifest.json`: it is in a folder that "
            f"is "
            f"not writable"
        ),
    )
    assert run(work, "$TOOL create drop --quiet")[0] == 0
    (work / "modules" / "shop_banner" / "shop_banner.php").unlink()
    assert run(work, "$TOOL create drop --quiet", user=False)[0] == 0
    assert {
        path.name for path in (work / "modules").rglob("*") if path.lstat().st_uid != USER
    } == set()


READ_ONLY = """
mount --rbind / /mnt && mount --make-rslave /mnt
mount --bind "$PWD/site" "/mnt$PWD/site"
mount -o remount,bind,ro /mnt
below='$5 ~ "^/mnt/" && $5 !~ "^/mnt/(proc|sys|dev)" {print $5}'
for each in $(awk "$below" /proc/self/mountinfo); do
  [ "$each" = "/mnt$PWD/site" ] || mount -o remount,bind,ro "$each" 2> /dev/null || true
done
cd "/mnt$PWD"
"""
"""Make everything read-only below `/mnt`, but the folder `site` of the current one."""


def test_a_read_only_container(work: Path) -> None:
    """If only the project can be written, everything works, also a script; commands that only look
    need not even that.
    """
    (work / "site").mkdir()
    os.chown(work / "site", USER, USER)
    inner = (
        "! touch /tmp/x 2> /dev/null; ! touch x 2> /dev/null; $TOOL create drop --output site "
        "--quiet; "
        "$TOOL status drop --output site; $TOOL create drop --output site --check --quiet; "
        "code=0; $TOOL create drop --check --quiet 2> /dev/null || code=$?; echo $code; $TOOL "
        "config validate; "
        "$TOOL create drop --quiet || exit $?"
    )
    code, out, err = run(
        work, f"{READ_ONLY}chroot /mnt env TOOL=\"$TOOL\" sh -euc 'cd {work}; {inner}'"
    )
    assert out.splitlines() == [
        "themes/harbour        2.1.0  harbour.zip             as built",
        "modules/shop_banner   1.4.2  shop_banner.zip         as built",
        "modules/shop_reviews  0.9.0  shop_reviews-main.zip   as built",
        "modules/shop_sitemap  3.0.1  shop_sitemap-3.0.1.zip  as built",
        "80",
        "tool.config.ts: valid",
    ]
    assert (code, err.splitlines()) == (
        74,
        [
            f"error: FileSystemProblem: `{work}/.tool-manifest.json`: it is on a read-only disk",
            "  --> .tool-manifest.json",
            "  = help: make that file system writable, or use another folder",
            "nothing was changed",
        ],
    )


def test_modules_in_a_volume(work: Path) -> None:
    """If `modules/` is a volume, files are replaced one by one, with the same result."""
    script = (
        f"mkdir modules; mount -t tmpfs -o uid={USER} none modules; $TOOL create drop; touch "
        f"modules/shop_banner/mine; "
        "rm modules/shop_banner/shop_banner.php; $TOOL create drop --quiet; ls "
        "modules/shop_banner; $TOOL status drop"
    )
    code, out, err = run(work, script)
    assert (code, "warning" in err) == (0, False)
    assert out.splitlines()[1:] == [
        *("config.xml", "index.php", "mine", "shop_banner.php", "views"),
        "themes/harbour        2.1.0  harbour.zip             as built",
        "modules/shop_banner   1.4.2  shop_banner.zip         1 added",
        "modules/shop_reviews  0.9.0  shop_reviews-main.zip   as built",
        "modules/shop_sitemap  3.0.1  shop_sitemap-3.0.1.zip  as built",
    ]
