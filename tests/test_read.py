"""Read, run alone: the bytes of a file."""

from pathlib import PurePath

import pytest
from msgspec.structs import replace
from returns.result import Failure, Success

from pipeline.config.tree import ConfigFile, Document
from pipeline.read import read
from pipeline.report.diagnostics.configuration import ConfigUnreadable, too_much
from pipeline.report.diagnostics.scripts import EvaluationFailed, ScriptRuntimeUnavailable
from pipeline.report.location import Location
from tests.support.disks import START, disk_of

MEBIBYTE = 1024 * 1024
SCRIPT = Location("tool.config.ts")


def test_a_file_that_has_gone() -> None:
    """A file that cannot be read is an error with its cause."""
    assert read(ConfigFile.at("tool.config.json", START), disk_of({})) == Failure(
        (ConfigUnreadable("tool.config.json", "no such file or directory"),)
    )


def test_a_file_at_the_limit() -> None:
    """A configuration may have 1 MiB and not one byte more."""
    sizes = [MEBIBYTE, MEBIBYTE + 1]
    disks = [disk_of({"/project/tool.config.json": b" " * size}) for size in sizes]
    fits, not_so = (read(ConfigFile.at("tool.config.json", START), disk) for disk in disks)
    assert fits == Success(Document(ConfigFile.at("tool.config.json", START), b" " * MEBIBYTE))
    assert not_so == Failure((too_much(Location("tool.config.json"), "bytes", MEBIBYTE),))


def test_a_package_may_be_larger() -> None:
    """The limit of a `package.json` as a whole is 16 MiB."""
    file = ConfigFile.at("package.json", START)
    disk = disk_of({"/project/package.json": b" " * (MEBIBYTE + 1)})
    assert read(file, disk) == Success(Document(file, b" " * (MEBIBYTE + 1)))


def test_a_script() -> None:
    """The document of a script is the result of its evaluation and its text; a failed evaluation is
    an error.
    """
    file = ConfigFile.at("tool.config.ts", START)
    text = "export default { theme: 'x' };"
    disk = disk_of({"/project/tool.config.ts": text}, {"/project/tool.config.ts": b'{"theme":"x"}'})
    assert [read(file, disk), read(file, disk_of({}))] == [
        Success(Document(file, b'{"theme":"x"}', text.encode())),
        Failure((ScriptRuntimeUnavailable("tool.config.ts"),)),
    ]


@pytest.mark.parametrize("name", ["tool.config.ts", "tool.config.json"])
def test_a_broken_link(name: str) -> None:
    """A broken link is reported as one, whatever kind of file it would be."""
    disk = replace(disk_of({}), presence=lambda _: "dangling")
    assert read(ConfigFile.at(name, START), disk) == Failure(
        (ConfigUnreadable(name, why="dangling"),)
    )


def test_a_script_that_may_not_be_evaluated() -> None:
    """If nothing may be run, every script is an error."""
    disk = disk_of({"/project/tool.config.ts": "export default {};"})
    assert read(ConfigFile.at("tool.config.ts", START), replace(disk, evaluate=None)) == Failure(
        (EvaluationFailed(SCRIPT, "forbidden"),)
    )


def test_a_script_that_may_not_be_read() -> None:
    """An error of the disk is reported before anything in the script."""
    error = ConfigUnreadable("tool.config.ts", "permission denied")
    disk = replace(
        disk_of({"/project/tool.config.ts": "export default {};"}), refuses=lambda _: error
    )
    assert read(ConfigFile.at("tool.config.ts", START), disk) == Failure((error,))


def test_a_bundled_preset() -> None:
    """A bundled preset has its content without reading the disk."""
    file = replace(
        ConfigFile.at("tool.config.json", START), path=PurePath("/nowhere"), bundled=b"{}"
    )
    assert read(file, disk_of({})) == Success(Document(file, b"{}"))
