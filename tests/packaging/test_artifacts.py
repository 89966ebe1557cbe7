"""The artifacts of `make package`: their files, their systems, and the same bytes wherever they are
built.
"""

import os
import re
import tarfile
import zipfile
from email.message import Message
from email.parser import Parser
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from pipeline import __version__
from tests.support.installs import (
    PACKAGES,
    PROGRAMS,
    ROOT,
    WITHOUT_DENO,
    artifact,
    copy_repository,
    succeed,
    tracked,
)

pytestmark = pytest.mark.package

NAME = f"tool-{__version__}"
WHEEL_ONLY = [
    f"{NAME}.dist-info/{name}"
    for name in ("METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE")
]
SOURCE_ONLY = [".gitignore", "CHANGELOG.md", "LICENSE", "PKG-INFO", "README.md", "pyproject.toml"]
PAGES = [
    name for name in tracked("docs") if re.fullmatch(r"docs/((howto|reference)/)?[^/]+\.md", name)
]
EVERYWHERE = {
    "cyclopts",
    "msgspec",
    "prompt-toolkit",
    "pyyaml",
    "questionary",
    "returns",
    "rich",
    "toolz",
}
WITH_WHEELS = {"deno", "zlib-ng"}
SYSTEMS = {
    "Linux on x86-64": ("linux", "x86_64", WITH_WHEELS),
    "Linux on ARM64": ("linux", "aarch64", WITH_WHEELS),
    "macOS on Intel": ("darwin", "x86_64", WITH_WHEELS),
    "macOS on Apple silicon": ("darwin", "arm64", WITH_WHEELS),
    "Linux on 32-bit ARM": ("linux", "armv7l", set[str]()),
    "Linux on 32-bit x86": ("linux", "i686", set[str]()),
    "Linux on POWER": ("linux", "ppc64le", set[str]()),
    "Linux on RISC-V": ("linux", "riscv64", set[str]()),
    "FreeBSD": ("freebsd14", "amd64", set[str]()),
    "Windows": ("win32", "AMD64", set[str]()),
}


RESOLVE: list[str | Path] = [
    PROGRAMS / "uv",
    "pip",
    "compile",
    "--quiet",
    "--no-build",
    "--no-header",
    "--no-annotate",
]


def metadata() -> Message:
    """The metadata of the wheel."""
    with zipfile.ZipFile(artifact(".whl")) as wheel:
        return Parser().parsestr(wheel.read(f"{NAME}.dist-info/METADATA").decode())


def test_what_the_wheel_holds() -> None:
    """The wheel has each file of the packages, and nothing else."""
    with zipfile.ZipFile(artifact(".whl")) as wheel:
        assert sorted(wheel.namelist()) == sorted([*tracked(*PACKAGES), *WHEEL_ONLY])


def test_what_the_source_distribution_holds() -> None:
    """The source distribution has what the wheel is built from, and nothing else."""
    with tarfile.open(artifact(".tar.gz")) as source:
        names = sorted(member.name for member in source.getmembers())
    assert names == sorted(f"{NAME}/{name}" for name in [*tracked(*PACKAGES), *PAGES, *SOURCE_ONLY])


def test_the_same_bytes(tmp_path: Path) -> None:
    """A copy with other modes and times, in another folder and time zone, gives the same bytes.

    There the wheel is built from the copy; that of `make package` comes from the source
    distribution.
    """
    copy = tmp_path / "a copy"
    copy_repository(copy)
    for path in copy.rglob("*"):
        path.chmod(0o700 if path.is_dir() else 0o600)
        os.utime(path, (1_000_000_000, 1_000_000_000))
    build: list[str | Path] = [
        PROGRAMS / "python",
        "-m",
        "build",
        "--installer=uv",
        "--sdist",
        "--wheel",
        "--outdir",
        tmp_path,
        copy,
    ]
    umask = os.umask(0o077)
    try:
        succeed(build, TZ="Asia/Kathmandu", LC_ALL="C", PYTHONHASHSEED="1")
    finally:
        os.umask(umask)
    artifacts = (artifact(".whl"), artifact(".tar.gz"))
    assert [
        path.name for path in artifacts if path.read_bytes() != (tmp_path / path.name).read_bytes()
    ] == []


@pytest.mark.parametrize(("platform", "machine", "expected"), SYSTEMS.values(), ids=SYSTEMS)
def test_what_is_required(platform: str, machine: str, expected: set[str]) -> None:
    """A package that has wheels only for some systems is required only there, so that it can be
    installed on the others.
    """
    requirements = [Requirement(text) for text in metadata().get_all("Requires-Dist", [])]
    system = {"sys_platform": platform, "platform_machine": machine}
    required = {
        each.name for each in requirements if each.marker is None or each.marker.evaluate(system)
    }
    assert required == EVERYWHERE | expected


@pytest.mark.parametrize(
    "platform",
    [
        "x86_64-manylinux_2_28",
        "aarch64-manylinux_2_28",
        "aarch64-apple-darwin",
        "x86_64-apple-darwin",
    ],
)
def test_there_are_wheels(platform: str) -> None:
    """Where a package is required it has a wheel, so that nothing is compiled."""
    resolved = succeed([*RESOLVE, "--python-platform", platform, ROOT / "pyproject.toml"])
    assert {line.partition("==")[0] for line in resolved.splitlines()} >= EVERYWHERE | WITH_WHEELS


def test_alpine() -> None:
    """All dependencies except the named ones have a wheel for Alpine, as the page on installing
    says.
    """
    page = (ROOT / "docs/howto/install.md").read_text("utf-8")
    (rest,) = re.findall(r"^pip install (c.*)$", page, re.MULTILINE)
    assert repr(WITHOUT_DENO) in page
    assert set(rest.split()) == EVERYWHERE | WITH_WHEELS - set(WITHOUT_DENO.split())
    platform: list[str | Path] = [
        "--python-platform",
        "aarch64-unknown-linux-musl",
        "--excludes",
        "-",
        ROOT / "pyproject.toml",
    ]
    resolved = succeed([*RESOLVE, *platform], WITHOUT_DENO)
    assert {line.partition("==")[0] for line in resolved.splitlines()} >= EVERYWHERE
