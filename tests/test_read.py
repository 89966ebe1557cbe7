"""Read, run alone: the bytes of a file."""

from pathlib import PurePath

import pytest
from msgspec.structs import replace
from returns.result import Failure, Success

from pipeline.config.disk import Disk
from pipeline.config.tree import ConfigFile, Document, Member, Written
from pipeline.read import read
from pipeline.report.diagnostics.configuration import ConfigUnreadable, LimitExceeded
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
    """A file that cannot be read is a problem with its cause."""
    assert read(ConfigFile.at("tool.config.json", START), Disk.of({})) == Failure(
        (ConfigUnreadable("tool.config.json", "no such file or directory"),)
    )


def test_a_file_at_the_limit() -> None:
    """A configuration may have 1 MiB and not one byte more."""
    sizes = [MEBIBYTE, MEBIBYTE + 1]
    disks = [Disk.of({"/project/tool.config.json": b" " * size}) for size in sizes]
    fits, not_so = (read(ConfigFile.at("tool.config.json", START), disk) for disk in disks)
    assert fits == Success(Document(ConfigFile.at("tool.config.json", START), b" " * MEBIBYTE))
    assert not_so == Failure((LimitExceeded(Location("tool.config.json"), "bytes", MEBIBYTE),))


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
        Success(Document(file, b'{"theme":"x"}', reading="evaluated")),
        Failure((ScriptRuntimeUnavailable("tool.config.ts"),)),
    ]


def test_a_script_that_is_a_literal() -> None:
    """A literal is read, with the place of every value, and nothing is evaluated."""
    text = 'export default { theme: "x" };'
    file = ConfigFile.at("tool.config.ts", START)
    written = Written(15, {}, {"theme": Member(17, Written(24, "x", size=2))}, size=9, levels=1)
    document = Document(file, b'{"theme":"x"}', text, written, "literal")
    assert read(file, Disk.of({"/project/tool.config.ts": text})) == Success(document)


@pytest.mark.parametrize(
    ("literal", "kind"),
    [("[]", "an array"), ("'x'", "a string"), ("1", "a number"), ("true", "a boolean"), ("null", "null")],
)
def test_a_literal_that_is_no_object(literal: str, kind: str) -> None:
    """What is no object is refused at its place, as its evaluation is."""
    disk = Disk.of({"/project/tool.config.ts": f"export default {literal};"})
    problem = EvaluationFailed(Location("tool.config.ts", 1, 16), "not an object", kind)
    assert read(ConfigFile.at("tool.config.ts", START), disk) == Failure((problem,))


@pytest.mark.parametrize(
    ("name", "is_read"),
    [("a/x.js", True), ("node_modules/x.js", True), ("node_modules/x.ts", False), ("x.d.ts", False)],
)
def test_types_where_the_runtime_takes_none(name: str, is_read: bool) -> None:
    """Types in `node_modules`, and declarations, are refused by the runtime, which is asked."""
    disk = Disk.of({f"/project/{name}": "export default {};"})
    failure = Failure((ScriptRuntimeUnavailable(PurePath(name).name),))
    assert (read(ConfigFile.at(name, START), disk) != failure) is is_read


def test_a_script_that_may_not_be_evaluated() -> None:
    """Where nothing may be run, a script that is no literal is a problem at the first thing that is computed."""
    disk = Disk.of({"/project/tool.config.ts": "export default {\n  theme: process.env.THEME,\n};\n"})
    assert read(ConfigFile.at("tool.config.ts", START), replace(disk, evaluate=None)) == Failure(
        (EvaluationFailed(Location("tool.config.ts", 2, 10), "not a literal"),)
    )


def test_a_script_that_may_not_be_read() -> None:
    """What the disk has against a script comes before what is in it."""
    problem = ConfigUnreadable("tool.config.ts", "permission denied")
    disk = replace(Disk.of({"/project/tool.config.ts": "export default {};"}), refuses=lambda _: problem)
    assert read(ConfigFile.at("tool.config.ts", START), disk) == Failure((problem,))


@pytest.mark.parametrize(
    ("problem", "line", "column"),
    [
        (EvaluationFailed(SCRIPT, "not data", "a function", "modules.exclude[1]"), 3, 29),
        (EvaluationFailed(SCRIPT, "not data", "a date", "modules.only[0].x"), 3, 39),
        (EvaluationFailed(SCRIPT, "not data", "a date", "modulesque"), 1, 16),
        (EvaluationFailed(SCRIPT, "not an object", "a number"), 1, 16),
        (EvaluationFailed(SCRIPT, "threw", "Error"), 0, 0),
        (EvaluationFailed(Location("tool.config.ts", 9, 9), "not data", "a date", "theme"), 9, 9),
    ],
)
def test_what_is_wrong_with_an_exported_value_has_its_place(problem: EvaluationFailed, line: int, column: int) -> None:
    """A value that is no data is told where it, or the nearest value around it, stands in the script."""
    text = 'export default {\n  theme: "a",\n  modules: { exclude: ["x", () => 1], only },\n};\n'
    failing = replace(Disk.of({"/project/tool.config.ts": text}), evaluate=lambda _: Failure((problem,)))
    expected = replace(problem, location=Location("tool.config.ts", line, column))
    assert read(ConfigFile.at("tool.config.ts", START), failing) == Failure((expected,))


def test_a_value_without_a_place() -> None:
    """Where the text tells nothing, the file alone is named."""
    problem = EvaluationFailed(SCRIPT, "not data", "a date", "theme")
    failing = replace(
        Disk.of({"/project/tool.config.ts": "export default f();;{"}), evaluate=lambda _: Failure((problem,))
    )
    assert read(ConfigFile.at("tool.config.ts", START), failing) == Failure((problem,))


def test_a_bundled_preset() -> None:
    """A bundled preset brings its content and never touches the disk."""
    file = replace(ConfigFile.at("tool.config.json", START), path=PurePath("/nowhere"), bundled=b"{}")
    assert read(file, Disk.of({})) == Success(Document(file, b"{}"))
