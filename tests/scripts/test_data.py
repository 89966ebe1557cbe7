"""What a script may export and import: its data, or the reason why it is not a configuration."""

from pathlib import Path

import pytest

from pipeline.config.tree import format_path
from pipeline.report.diagnostics.scripts import EvaluationFailed
from tests.support.scripts import failed, lay, outcome, read_cases, tried, ts
from tests.support.sweep import sample

DATA = {
    **read_cases("script_data"),
    "a stream used in Node's way": (
        ts(
            'await new Promise<void>((done) => process.stdout.write("", () => done()));'
            'export default { a: "x".repeat(9e5) }'
        ),
        {"a": "x" * 900_000},
    ),
}


@pytest.mark.sweep
@pytest.mark.parametrize("name", sample([*DATA], 16))
def test_gives_data(project: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """The result of a script is the data of its default export, and no file is left."""
    files, expected = DATA[name]
    monkeypatch.setenv("TOOL_TEST", "yes")
    monkeypatch.delenv("TMPDIR", raising=False)
    printed: list[tuple[str, str]] = []
    assert tried(project, files, printed) == expected
    assert printed == []


ESM_WITH_COMMONJS = {
    "__dirname": (
        'import path from "node:path"; export default { a: path.basename(__dirname) }',
        {"a": "project"},
    ),
    "require": ('const data = require("./data.json");\nexport default { a: data.b }', {"a": 1}),
    "__filename": (
        'import "node:fs";\nexport default { a: __filename.endsWith("tool.config.ts") }',
        {"a": True},
    ),
}


@pytest.mark.parametrize(("text", "expected"), ESM_WITH_COMMONJS.values(), ids=ESM_WITH_COMMONJS)
def test_a_module_may_use_the_names_of_commonjs(project: Path, text: str, expected: object) -> None:
    """A module may use `require`, `__dirname` and `__filename`."""
    script = lay(project, {"tool.config.ts": text, "data.json": '{"b": 1}'})
    assert outcome(script, project) == expected


NO_DATA = {
    **read_cases("script_no_data"),
    "a long key": (
        ts('export default { a: { ["k".repeat(1e6)]: () => 1 } }'),
        failed("not data", "a function", path=format_path(("a", "k" * 1_000_000))),
    ),
    "instance of a class with a long name": (
        ts(
            'class A {}; Object.defineProperty(A, "name", { value: "n".repeat(15e6) }); export '
            "default { a: new A() }"
        ),
        failed("not data", "an instance of " + "n" * (8192 - 15), path="a"),
    ),
}


@pytest.mark.sweep
@pytest.mark.parametrize("name", sample([*NO_DATA], 8))
def test_is_no_data(project: Path, name: str) -> None:
    """An export that is not a plain object is a fault that names its path."""
    files, expected = NO_DATA[name]
    assert tried(project, files) == expected


@pytest.mark.parametrize(
    "text",
    [
        'export default { ["k".repeat(2 ** 21)]: 1 }',
        "export default { a: Array(400_000).fill([]) }",
        "let a: any = 1; for (let i = 0; i < 21; i++) a = [a, a]; export default { a }",
    ],
)
def test_large_data_of_any_shape(project: Path, text: str) -> None:
    """Keys and containers count towards the size of the data."""
    found = outcome(lay(project, ts(text)), project)
    assert isinstance(found, EvaluationFailed)
    assert (found.fault, found.detail) == ("not data", "more than 1 MiB")
