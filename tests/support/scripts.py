"""Scripts of a project that are evaluated, and their results."""

import ctypes
import json
import os
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from io_edges.scripts import confine
from io_edges.scripts import evaluate as scripts
from pipeline.report.diagnostics.scripts import EvaluationFailed
from pipeline.report.location import Location
from pipeline.report.outcome import fold

Files = dict[str, str]

PACKAGES: Files = {
    "node_modules/esm/package.json": (
        '{"name":"esm","version":"1.0.0","type":"module","exports":"./main.js"}'
    ),
    "node_modules/esm/main.js": 'import cjs from "cjs"; export const theme = "esm+" + cjs.theme',
    "node_modules/cjs/package.json": '{"name":"cjs","version":"1.0.0","main":"main.js"}',
    "node_modules/cjs/main.js": (
        'const { sep } = require("path"); module.exports = { theme: "cjs" + sep }'
    ),
}
"""Two installed packages, an ES module and a CommonJS one."""
_DRIVER: Final = """\
const read = async (url) => {
  try { return [JSON.stringify((await import(url)).default) ?? ""]; }
  catch (error) { return `${error}`; }
};
export default async () => ({ read: await Promise.all(URLS.map(read)) });
"""
_GET_SECCOMP: Final = 21
"""`PR_GET_SECCOMP`, which `prctl` refuses where the kernel has no filters."""


def kernel_filters() -> bool:
    """Whether the kernel can refuse a script system calls, and the tool has a filter for
    this machine.
    """
    has_filter = sys.platform == "linux" and os.uname().machine in confine.REFUSED
    return has_filter and bool(ctypes.CDLL(None).prctl(_GET_SECCOMP, 0, 0, 0, 0) >= 0)


def lay(root: Path, files: Files) -> Path:
    """Write files; the first is the script."""
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root / next(iter(files))


def outcome(
    script: Path, start: Path, printed: list[tuple[str, str]] | None = None, seconds: float = 60.0
) -> object:
    """The data that a script gives, or its error; a busy machine may need more than ten seconds."""
    lines: list[tuple[str, str]] = [] if printed is None else printed
    time_budget = scripts.TimeBudget(seconds)
    evaluated = scripts.evaluate(
        script, start, lambda stream, line: lines.append((stream, line)), time_budget
    )
    return fold(evaluated, lambda exported: json.loads(exported.content), lambda errors: errors[0])


def tried(root: Path, files: Files, printed: list[tuple[str, str]] | None = None) -> object:
    """Write files of which the first is the script; what it comes to, once it is sure that it left
    none behind.
    """
    script = lay(root, files)
    before = sorted(root.rglob("*"))
    found = outcome(script, root, printed)
    assert sorted(root.rglob("*")) == before
    return found


def evaluated(batch: Sequence[tuple[str, str]]) -> list[Any]:
    """The export of each script of a batch, given by suffix and text, or a text that says why there
    is none.
    """
    with TemporaryDirectory() as name:
        folder = Path(name).resolve()
        (folder / ".git").mkdir()
        for number, (suffix, text) in enumerate(batch):
            (folder / f"s{number}{suffix}").write_text(text, encoding="utf-8", newline="")
        urls = [
            (folder / f"s{number}{suffix}").as_uri() for number, (suffix, _) in enumerate(batch)
        ]
        driver = folder / "driver.mjs"
        driver.write_text(f"const URLS = {json.dumps(urls)};\n{_DRIVER}")
        exported = scripts.evaluate(driver, folder, lambda *_: None, scripts.TimeBudget(60))
        answers: list[Any] = fold(exported, lambda each: json.loads(each.content), AssertionError)[
            "read"
        ]
        return [
            json.loads(answer[0] or "[]") if isinstance(answer, list) else answer
            for answer in answers
        ]


def failed(
    fault: str, detail: str = "", *, at: str = "tool.config.ts", path: str = "", scope: str = ""
) -> EvaluationFailed:
    """A fault, at `file:line:column`."""
    name, *place = at.split(":")
    return EvaluationFailed(Location(name, *map(int, place)), fault, detail, path, scope)  # type: ignore[arg-type]


def read_cases(table: str) -> dict[str, tuple[Files, object]]:
    """Read a table of `data/`: by its name, each case has files, the first of them the script, and
    data or a fault.
    """
    lines = (
        (Path(__file__).parent / "data" / f"{table}.jsonl").read_text(encoding="utf-8").splitlines()
    )
    rows = map(json.loads, lines)
    return {
        row["case"]: (row["files"], failed(**row["fault"]) if "fault" in row else row["data"])
        for row in rows
    }


def here(name: str, text: str) -> Files:
    """One script."""
    return {name: textwrap.dedent(text).lstrip("\n")}


def ts(text: str) -> Files:
    """One `tool.config.ts`."""
    return here("tool.config.ts", text)


ROOT = Path(scripts.__file__).parent.parent.parent
"""The folder of the packages."""
EVALUATE = """
import sys
from pathlib import Path
from io_edges.scripts import evaluate as scripts
from pipeline.report.outcome import fold
script = Path(sys.argv[1])
evaluated = scripts.evaluate(script, script.parent, lambda *_: None, scripts.TimeBudget())
print(fold(evaluated, lambda exported: exported.content.decode(), repr))
"""
"""A program that evaluates the script that it is given."""
