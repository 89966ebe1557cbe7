"""Scripts that throw, cannot be parsed or import a missing module, with the position of the
fault.
"""

from pathlib import Path

import pytest
from msgspec.structs import replace

from pipeline.report.diagnostics.scripts import EvaluationFailed
from pipeline.report.location import Location
from tests.support.scripts import failed, lay, outcome, read_cases, tried, ts
from tests.support.sweep import sample

FAULTS = {
    **read_cases("script_faults"),
    "thrown text that is long, and no text": (
        ts('throw "x" + "\\u{1F600}".repeat(8192) + "\\ud800"'),
        failed("threw", "x" + "\U0001f600" * 4095 + "\ufffd"),
    ),
}


@pytest.mark.sweep
@pytest.mark.parametrize("name", sample([*FAULTS], 12))
def test_comes_to_a_fault(project: Path, name: str) -> None:
    """A script that fails is a fault, with a position in the user's own files if there is one."""
    files, expected = FAULTS[name]
    found = tried(project, files)
    assert isinstance(found, EvaluationFailed)
    assert replace(found, scope="") == expected


@pytest.mark.parametrize(
    ("text", "fault", "detail"),
    [
        ('import "./x.css"; export default {}', "unsupported import", None),
        (
            "export default { a: 1 };\nexport default { b: 1 };",
            "syntax",
            "a default export has already been declared",
        ),
    ],
)
def test_more_ways_to_be_wrong(project: Path, text: str, fault: str, detail: str | None) -> None:
    """A module that cannot be loaded, and two default exports, have messages of their own."""
    found = outcome(lay(project, {"tool.config.ts": text, "x.css": "a {}"}), project)
    assert isinstance(found, EvaluationFailed)
    assert found.fault == fault
    assert (detail or found.detail) == found.detail
    assert "ERR_" not in found.detail


def test_what_another_way_does_not_mend_is_reported_as_it_was(project: Path) -> None:
    """An undefined name in an imported module is reported at that module."""
    files = {
        "tool.config.ts": 'import a from "./lib.ts";\nexport default { a }',
        "lib.ts": "export default module.x",
    }
    detail = "ReferenceError: module is not defined (`tool.config.ts` imports this file)"
    expected = failed("threw", detail, at="lib.ts:1:16")
    assert outcome(lay(project, files), project) == expected


def test_a_refusal_behind_an_error(project: Path) -> None:
    """If a package gives another reason for a denied access, both are shown, without a flag of the
    runtime.
    """
    code = (
        'try { require("./a.node") } catch (cause) { throw new Error("install it again", { '
        "cause }) }"
    )
    script = lay(
        project, {"tool.config.ts": 'import "./i.cjs"', "i.cjs": code, "a.node": "\x7fELF"}
    )
    path = (project / "a.node").resolve()
    reasons = f'Error: install it again; because of NotCapable: Requires ffi access to "{path}"'
    expected = failed("threw", f"{reasons} (`tool.config.ts` imports this file)", at="i.cjs:1:51")
    assert outcome(script, project) == expected


def test_endless_recursion(project: Path) -> None:
    """A stack overflow is reported in the user's file; V8 does not always give the column."""
    result = outcome(
        lay(project, ts("const f = (): unknown => [f()];\nexport default f()")), project
    )
    assert isinstance(result, EvaluationFailed)
    place = (result.location.name, result.location.line)
    assert place == ("tool.config.ts", 1)
    assert result.detail == "RangeError: Maximum call stack size exceeded"


@pytest.mark.parametrize(
    ("name", "place"),
    [
        *(
            (name, Location(name, 3, 7))
            for name in ("x y/a%41.ts", "x y/a b#c?d%20é.ts", "x y/a(b).js")
        ),
        *((name, Location(name)) for name in ("a:1:2.ts", "a(b).ts")),
    ],
)
@pytest.mark.parametrize("folder", ["plain", "with blanks"])
def test_places_in_files_with_odd_names(
    project: Path, name: str, place: Location, folder: str
) -> None:
    """An error is reported in the file where it happened, whatever its name, and not in one that
    looks like it.

    If the runtime gives a line of generated code, only the file is named.
    """
    project = project.rename(project.with_name(folder))
    for other in ("a", "aA.ts"):
        (project / other).write_text("1\n2\n3\n")
    annotation = ": number" if place.line == 0 else ""
    script = lay(project, {name: f"const a{annotation} = 1;\n\nthrow new Error('boo')"})
    assert outcome(script, project) == EvaluationFailed(place, "threw", "Error: boo")


def test_places_are_relative_to_the_current_folder(project: Path) -> None:
    """A file is named relative to the current folder, also upwards, and if the script is given by a
    relative path.
    """
    lay(
        project,
        ts('import "./lib/a"')
        | {"lib/a.ts": "throw 1", "lib/b.ts": "throw new Error('b')", "sub/x": ""},
    )
    given = (Path("../tool.config.ts"), Path("../lib/b.ts"))
    results = tuple(outcome(path, project / "sub") for path in given)
    assert results == (
        failed("threw", "1", at="../tool.config.ts"),
        failed("threw", "Error: b", at="../lib/b.ts:1:7"),
    )
