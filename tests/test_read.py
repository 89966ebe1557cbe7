"""Read, run alone: the bytes of a file."""

from pathlib import PurePath

import pytest
from msgspec.structs import replace
from returns.result import Failure, Success

from pipeline.config.disk import Disk
from pipeline.config.tree import ConfigFile, Document, Json, Position
from pipeline.read import read
from pipeline.report.diagnostics.configuration import ConfigUnreadable, too_much
from pipeline.report.diagnostics.scripts import EvaluationFailed, ScriptRuntimeUnavailable
from pipeline.report.location import Location
from tests.support.disks import START

MEBIBYTE = 1024 * 1024
SCRIPT = Location("tool.config.ts")


def test_a_file() -> None:
    """A file's document is its bytes."""
    file = ConfigFile.at("tool.config.json", START)
    disk = Disk.of({"/project/tool.config.json": "{}"})
    assert read(file, disk) == Success(Document(file, b"{}"))


def test_a_file_that_has_gone() -> None:
    """A file that cannot be read is an error with its cause."""
    assert read(ConfigFile.at("tool.config.json", START), Disk.of({})) == Failure(
        (ConfigUnreadable("tool.config.json", "no such file or directory"),)
    )


def test_a_file_at_the_limit() -> None:
    """A configuration may have 1 MiB and not one byte more."""
    sizes = [MEBIBYTE, MEBIBYTE + 1]
    disks = [Disk.of({"/project/tool.config.json": b" " * size}) for size in sizes]
    fits, not_so = (read(ConfigFile.at("tool.config.json", START), disk) for disk in disks)
    assert fits == Success(Document(ConfigFile.at("tool.config.json", START), b" " * MEBIBYTE))
    assert not_so == Failure((too_much(Location("tool.config.json"), "bytes", MEBIBYTE),))


def test_a_package_may_be_larger() -> None:
    """The limit of a `package.json` as a whole is 16 MiB."""
    file = ConfigFile.at("package.json", START)
    disk = Disk.of({"/project/package.json": b" " * (MEBIBYTE + 1)})
    assert read(file, disk) == Success(Document(file, b" " * (MEBIBYTE + 1)))


def test_a_script() -> None:
    """A script's document is what its evaluation gave, and its failure is read's."""
    file = ConfigFile.at("tool.config.ts", START)
    disk = Disk.of({}, {"/project/tool.config.ts": b'{"theme":"x"}'})
    assert [read(file, disk), read(file, Disk.of({}))] == [
        Success(Document(file, b'{"theme":"x"}')),
        Failure((ScriptRuntimeUnavailable("tool.config.ts"),)),
    ]


def test_a_script_that_is_a_broken_link() -> None:
    """A broken link is named as one, whatever kind of file it would be."""
    disk = replace(Disk.of({}), presence=lambda _: "dangling")
    assert read(ConfigFile.at("tool.config.ts", START), disk) == Failure(
        (ConfigUnreadable("tool.config.ts", "it is a broken link"),)
    )


def test_a_script_that_is_a_literal() -> None:
    """A literal is read, with the place of every value, and nothing is evaluated."""
    text = 'export default { theme: "x" };'
    file = ConfigFile.at("tool.config.ts", START)
    whole, theme, key = (Location("tool.config.ts", 1, column) for column in (16, 25, 18))
    positions = {(): Position((), whole, whole), ("theme",): Position(("theme",), theme, key)}
    disk = Disk.of({"/project/tool.config.ts": text})
    assert read(file, disk) == Success(Document(file, b"", Json({"theme": "x"}, positions)))


@pytest.mark.parametrize(
    ("literal", "kind"),
    [("[]", "an array"), ("'x'", "a string"), ("1", "a number"), ("true", "a boolean"), ("null", "null")],
)
def test_a_literal_that_is_no_object(literal: str, kind: str) -> None:
    """What is no object is refused at its place, as its evaluation is."""
    disk = Disk.of({"/project/tool.config.ts": f"export default {literal};"})
    error = EvaluationFailed(Location("tool.config.ts", 1, 16), "not an object", kind)
    assert read(ConfigFile.at("tool.config.ts", START), disk) == Failure((error,))


@pytest.mark.parametrize(
    ("name", "is_read"),
    [("a/x.js", True), ("node_modules/x.js", True), ("node_modules/x.ts", False)]
    + [(name, False) for name in ("x.d.ts", "x.d.mts", ".d.ts", "x.d.foo.ts", "x.d.a.b.ts", "x.D.ts")]
    + [(name, True) for name in ("d.ts", "xd.ts", "x.d.js")],
)
def test_types_where_the_runtime_takes_none(name: str, is_read: bool) -> None:
    """Types in `node_modules`, and declarations, are refused by the runtime, which is asked."""
    disk = Disk.of({f"/project/{name}": "export default {};"})
    failure = Failure((ScriptRuntimeUnavailable(PurePath(name).name),))
    assert (read(ConfigFile.at(name, START), disk) != failure) is is_read


def test_a_script_that_may_not_be_evaluated() -> None:
    """Where nothing may be run, a script that is no literal is an error at the first thing that is computed."""
    disk = Disk.of({"/project/tool.config.ts": "export default {\n  theme: process.env.THEME,\n};\n"})
    assert read(ConfigFile.at("tool.config.ts", START), replace(disk, evaluate=None)) == Failure(
        (EvaluationFailed(Location("tool.config.ts", 2, 10), "not a literal"),)
    )


def test_a_script_that_may_not_be_read() -> None:
    """What the disk has against a script comes before what is in it."""
    error = ConfigUnreadable("tool.config.ts", "permission denied")
    disk = replace(Disk.of({"/project/tool.config.ts": "export default {};"}), refuses=lambda _: error)
    assert read(ConfigFile.at("tool.config.ts", START), disk) == Failure((error,))


def test_what_evaluation_finds_names_the_file() -> None:
    """What is wrong with a value that was computed is reported with the script as its place."""
    error = EvaluationFailed(SCRIPT, "not data", "a function", "theme")
    disk = Disk.of({"/project/tool.config.ts": 'export default { theme: "a", modules: f() }'})
    failing = replace(disk, evaluate=lambda _: Failure((error,)))
    assert read(ConfigFile.at("tool.config.ts", START), failing) == Failure((error,))


def test_a_bundled_preset() -> None:
    """A bundled preset brings its content and never touches the disk."""
    file = replace(ConfigFile.at("tool.config.json", START), path=PurePath("/nowhere"), bundled=b"{}")
    assert read(file, Disk.of({})) == Success(Document(file, b"{}"))
