"""Scripts that throw, cannot be parsed or import what is not there, with the place of the fault."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from pipeline.report.diagnostics.scripts import EvaluationFailed
from pipeline.report.location import Location
from tests.support.scripts import Files, failed, here, lay, outcome, tried, ts
from tests.support.sweep import sample

FAULTS: dict[str, tuple[Files, EvaluationFailed]] = {
    "thrown": (
        ts('\ninterface A { a: number }\nexport default { a: ((): A => { throw new Error("boo") })() }'),
        failed("threw", "Error: boo", at="tool.config.ts:2:39"),
    ),
    "thrown elsewhere": (
        ts('import "./lib/a"') | {"lib/a.ts": "type A = 1\nthrow new TypeError('a\\nb')"},
        failed("threw", "TypeError: a\nb (`tool.config.ts` imports this file)", at="lib/a.ts:2:7"),
    ),
    "thrown in a package": (
        ts('import { f } from "thrower";\nexport default { a: f() }')
        | {
            "node_modules/thrower/package.json": '{"name":"thrower","type":"module","main":"m.js"}',
            "node_modules/thrower/m.js": 'export function f() { throw new Error("deep") }',
        },
        failed("threw", "Error: deep", at="tool.config.ts:2:21"),
    ),
    "thrown in a function": (
        ts('export default async () => {\n  await 1;\n  throw new RangeError("late")\n}'),
        failed("threw", "RangeError: late", at="tool.config.ts:3:9"),
    ),
    "thrown in wrapped CommonJS": (
        here("tool.config.js", 'const a = require("path");\nthrow new Error("boo")')
        | {"package.json": '{"type":"module"}'},
        failed("threw", "Error: boo", at="tool.config.js:2:7"),
    ),
    "thrown string": (ts('throw "boo"'), failed("threw", "boo")),
    "thrown text that is long, and no text": (
        ts('throw "x" + "\\u{1F600}".repeat(8192) + "\\ud800"'),
        failed("threw", "x" + "\U0001f600" * 4095 + "\ufffd"),
    ),
    "thrown null": (ts("throw null"), failed("threw", "null")),
    "thrown object": (ts("throw { a: 1 }"), failed("threw", '{"a":1}')),
    "thrown symbol": (ts("throw Symbol()"), failed("threw", "Symbol()")),
    "thrown Proxy that throws": (
        ts("throw new Proxy({}, { get() { throw 1 }, ownKeys() { throw 2 }, getOwnPropertyDescriptor() { throw 3 } })"),
        failed("threw", "an object that cannot be read"),
    ),
    "thrown Proxy that tells no prototype": (
        ts('throw new Proxy({ message: "no" }, { getPrototypeOf() { throw new Error("asked") } })'),
        failed("threw", "no"),
    ),
    "thrown Proxy of a function": (
        ts("throw new Proxy(() => 1, { get() { throw 1 } })"),
        failed("threw", "an object that cannot be read"),
    ),
    "rejected": (
        ts('export default Promise.reject(new Error("no"))'),
        failed("threw", "Error: no", at="tool.config.ts:1:31"),
    ),
    "rejected, and nobody waits": (
        ts('Promise.reject(new Error("no"));\nawait new Promise((r) => setTimeout(r, 50)); export default {}'),
        failed("threw", "Error: no", at="tool.config.ts:1:16"),
    ),
    "thrown from a timer": (
        ts(
            'setTimeout(() => { throw new Error("no") }, 1);'
            "await new Promise((r) => setTimeout(r, 50)); export default {}"
        ),
        failed("threw", "Error: no", at="tool.config.ts:1:26"),
    ),
    "getter that throws": (
        ts('export default {\n  get a() { throw new Error("no") } }'),
        failed("threw", "Error: no", at="tool.config.ts:2:19"),
    ),
    "stack that is no text": (
        ts('const e: any = new Error("no"); e.stack = { forged: 1 }; throw e'),
        failed("threw", "Error: no"),
    ),
    "an error that claims to be of Deno": (
        ts('throw new Error("Requires read access to \\"/x\\", run again with the --allow-read flag")'),
        failed("threw", 'Error: Requires read access to "/x"', at="tool.config.ts:1:7"),
    ),
    "a missing name": (
        ts("export default { a: nothing }"),
        failed("threw", "ReferenceError: nothing is not defined", at="tool.config.ts:1:21"),
    ),
    "CommonJS in .mjs": (
        here("tool.config.mjs", "module.exports = { a: nothing }"),
        failed("threw", "ReferenceError: nothing is not defined", at="tool.config.mjs:1:23"),
    ),
    "syntax of TypeScript": (
        ts("export default {\n  a: [ }"),
        failed(
            "syntax",
            "Expression expected",
            at="tool.config.ts:2:8",
        ),
    ),
    "syntax that only V8 refuses": (
        here("tool.config.js", "let a = 1;\nlet a = 2;\nexport default {}"),
        failed("syntax", "Identifier 'a' has already been declared", at="tool.config.js:2:5"),
    ),
    "syntax of CommonJS": (
        here("tool.config.cjs", "module.exports = {\n  a: 1,, }"),
        failed(
            "syntax",
            "Unexpected token `,`. Expected identifier, string literal, numeric literal or [ for the computed key",
            at="tool.config.cjs:2:8",
        ),
    ),
    "syntax of JSON": (
        ts('import a from "./a.json"; export default a') | {"a.json": '{\n "a": }'},
        failed(
            "threw",
            'SyntaxError: Unexpected token \'}\', "{\n "a": }" is not valid JSON (`tool.config.ts` imports this file)',
            at="a.json",
        ),
    ),
    "syntax of an import": (ts('import "./b"') | {"b.js": "}"}, failed("syntax", "Expression expected", at="b.js:1:1")),
    "missing file": (
        ts('\nimport a from "./lib/missing";\nexport default a'),
        failed("missing import", "lib/missing", at="tool.config.ts:1:15"),
    ),
    "missing file, required": (
        here("tool.config.cjs", '\nmodule.exports = require("./missing")'),
        failed("missing import", "missing", at="tool.config.cjs"),
    ),
    "missing package": (
        ts('import a from "missing"; export default a'),
        failed("missing import", "missing", at="tool.config.ts:1:15"),
    ),
    "package that is not installed": (
        ts('import a from "left-pad"; export default a') | {"package.json": '{"dependencies":{"left-pad":"1"}}'},
        failed("missing import", "left-pad", at="tool.config.ts:1:15"),
    ),
    "an alias of tsconfig.json": (
        ts('import { t } from "@/t"; export default { t }')
        | {"tsconfig.json": '{"compilerOptions":{"paths":{"@/*":["./src/*"]}}}', "src/t.ts": "export const t = 1"},
        failed("missing import", "@/t", at="tool.config.ts:1:19"),
    ),
    "an assertion": (
        ts('import a from "./a.json" assert { type: "json" };\nexport default a') | {"a.json": "{}"},
        failed("assertion", at="tool.config.ts:1:1"),
    ),
    "an assertion in JavaScript": (
        here("tool.config.js", 'import a from "./a.json" assert { type: "json" };\nexport default a')
        | {"a.json": "{}"},
        failed("assertion", at="tool.config.js:1:26"),
    ),
    "missing node: module": (
        ts('import "node:missing"'),
        failed("missing import", "node:missing", at="tool.config.ts:1:8"),
    ),
    "another runtime's module": (
        ts('import "bun:test"'),
        failed("missing import", "bun:test", at="tool.config.ts:1:8"),
    ),
    "a required file that awaits": (
        here("tool.config.cjs", 'module.exports = require("./a.ts")') | {"a.ts": "await 1; export default {}"},
        failed(
            "unsupported import",
            "require() cannot be used on an ESM graph with top-level await",
            at="tool.config.cjs:1:18",
        ),
    ),
    "missing export": (
        ts('import { b } from "./a";\nexport default b') | {"a.ts": "export const a = 1"},
        failed("missing export", "b from ./a", at="tool.config.ts:1:10"),
    ),
    "npm:": (
        ts('import a from "npm:chalk@5"; export default a'),
        failed("missing import", "npm:chalk@5", at="tool.config.ts:1:15"),
    ),
    "jsr:": (
        ts('import a from "jsr:@std/path"; export default a'),
        failed("denied", "downloading https://jsr.io/@std/path/meta.json", at="tool.config.ts:1:15"),
    ),
    "https:": (
        ts('import a from "https://example.com/a.ts"; export default a'),
        failed("denied", "downloading https://example.com/a.ts", at="tool.config.ts:1:15"),
    ),
    "https:, computed": (
        ts('export default await import("https://example.com/" + "a.ts")'),
        failed("denied", "downloading https://example.com/a.ts", at="tool.config.ts:1:16"),
    ),
}


@pytest.mark.sweep
@pytest.mark.parametrize("name", sample([*FAULTS], 20))
def test_comes_to_a_fault(project: Path, name: str) -> None:
    """A script that fails comes to a fault, with a place in the user's own files where there is one."""
    files, expected = FAULTS[name]
    found = tried(project, files)
    assert isinstance(found, EvaluationFailed)
    assert replace(found, scope="") == expected


@pytest.mark.parametrize(
    ("text", "fault", "detail"),
    [
        ('import "./x.css"; export default {}', "unsupported import", None),
        ("export default { a: 1 };\nexport default { b: 1 };", "syntax", "a default export has already been declared"),
    ],
)
def test_more_ways_to_be_wrong(project: Path, text: str, fault: str, detail: str | None) -> None:
    """Modules that cannot be loaded, and two default exports, have messages of their own."""
    found = outcome(lay(project, {"tool.config.ts": text, "x.css": "a {}"}), project)
    assert isinstance(found, EvaluationFailed)
    assert found.fault == fault
    assert (detail or found.detail) == found.detail
    assert "ERR_" not in found.detail


def test_what_another_way_does_not_mend_is_reported_as_it_was(project: Path) -> None:
    """If an imported module uses an undefined name, that is reported, at that module."""
    files = {"tool.config.ts": 'import a from "./lib.ts";\nexport default { a }', "lib.ts": "export default module.x"}
    detail = "ReferenceError: module is not defined (`tool.config.ts` imports this file)"
    expected = failed("threw", detail, at="lib.ts:1:16")
    assert outcome(lay(project, files), project) == expected


def test_endless_recursion(project: Path) -> None:
    """A stack overflow is reported in the user's file; V8 does not always give the column."""
    result = outcome(lay(project, ts("const f = (): unknown => [f()];\nexport default f()")), project)
    assert isinstance(result, EvaluationFailed)
    place = (result.location.name, result.location.line)
    assert place == ("tool.config.ts", 1)
    assert result.detail == "RangeError: Maximum call stack size exceeded"


@pytest.mark.parametrize("name", ["a#b.ts", "a?b.ts", "a%41.ts", "a%20b.ts", "a b.ts", "é.ts", "a(b).js"])
def test_places_in_files_with_odd_names(project: Path, name: str) -> None:
    """The place of an error is in the file that it happened in, whatever its name, not in one that looks like it."""
    for other in ("a", "aA.ts"):
        (project / other).write_text("1\n2\n3\n")
    script = lay(project, {f"x y/{name}": "const a = 1;\n\nthrow new Error('boo')"})
    assert outcome(script, project) == failed("threw", "Error: boo", at=f"x y/{name}:3:7")


@pytest.mark.parametrize("name", ["a:1:2.ts", "a(b).ts"])
def test_names_in_which_lines_cannot_be_reported(project: Path, name: str) -> None:
    """Where the runtime gives the line of what it made of a file, the file alone is named."""
    script = lay(project, {name: "const a: number = 1;\n\nthrow new Error('boo')"})
    found = EvaluationFailed(Location(name), "threw", "Error: boo")
    assert outcome(script, project) == found


def test_places_are_relative_to_the_current_folder(project: Path) -> None:
    """A file is named as from where the user stands, also above and when the script is given by a relative path."""
    lay(project, ts('import "./lib/a"') | {"lib/a.ts": "throw 1", "lib/b.ts": "throw new Error('b')", "sub/x": ""})
    given = (Path("../tool.config.ts"), Path("../lib/b.ts"))
    results = tuple(outcome(path, project / "sub") for path in given)
    assert results == (failed("threw", "1", at="../tool.config.ts"), failed("threw", "Error: b", at="../lib/b.ts:1:7"))
