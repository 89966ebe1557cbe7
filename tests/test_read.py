"""Read, run alone: the bytes of a candidate."""

from pathlib import PurePath

from msgspec.structs import replace
from returns.result import Failure, Success

from pipeline.problems import ConfigUnreadable, LimitExceeded, ScriptRuntimeUnavailable
from pipeline.read import read
from pipeline.source import Source
from pipeline.tree import Document
from tests.disks import disk_of
from tests.trees import candidate_of

MEBIBYTE = 1024 * 1024


def test_a_file() -> None:
    """A file's document is its bytes."""
    candidate = candidate_of()
    disk = disk_of({"/project/tool.config.json": "{}"})
    assert read(candidate, disk) == Success(Document(candidate, b"{}"))


def test_a_file_that_has_gone() -> None:
    """A file that cannot be read is a problem with its cause."""
    assert read(candidate_of(), disk_of({})) == Failure(
        (ConfigUnreadable("tool.config.json", "no such file or directory"),)
    )


def test_a_file_at_the_limit() -> None:
    """A configuration may have 1 MiB and not one byte more."""
    sizes = [MEBIBYTE, MEBIBYTE + 1]
    disks = [disk_of({"/project/tool.config.json": b" " * size}) for size in sizes]
    fits, not_so = (read(candidate_of(), disk) for disk in disks)
    assert fits == Success(Document(candidate_of(), b" " * MEBIBYTE))
    assert not_so == Failure((LimitExceeded(Source("tool.config.json"), "bytes", MEBIBYTE),))


def test_a_package_may_be_larger() -> None:
    """The limit of a `package.json` as a whole is 16 MiB."""
    candidate = candidate_of("package.json", "package")
    disk = disk_of({"/project/package.json": b" " * (MEBIBYTE + 1)})
    assert read(candidate, disk) == Success(Document(candidate, b" " * (MEBIBYTE + 1)))


def test_a_script() -> None:
    """A script's document is what its evaluation gave, and its failure is read's."""
    candidate = candidate_of("tool.config.ts", "script")
    disk = disk_of({}, {"/project/tool.config.ts": b'{"theme":"x"}'})
    assert [read(candidate, disk), read(candidate, disk_of({}))] == [
        Success(Document(candidate, b'{"theme":"x"}')),
        Failure((ScriptRuntimeUnavailable("tool.config.ts"),)),
    ]


def test_a_bundled_preset() -> None:
    """A bundled preset brings its content and never touches the disk."""
    candidate = replace(candidate_of(), path=PurePath("/nowhere"), bundled=b"{}")
    assert read(candidate, disk_of({})) == Success(Document(candidate, b"{}"))
