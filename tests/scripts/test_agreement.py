"""Random scripts: read without being run, they are what evaluation gives, and each place is that of its value."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from msgspec import UNSET

from io_edges.scripts.evaluate import Allowance, evaluate
from pipeline.config.tree import Written
from pipeline.report.outcome import fold
from pipeline.scripts.places import data_of, places_in
from pipeline.scripts.statements import Script, read_script
from tests.support.script_writer import scripts
from tests.support.sweep import Counted, sample
from tests.support.typescript import look

BATCH = 300
"""How many scripts one process evaluates."""
DRIVER = """\
const called = (value) => (typeof value === "function" ? value() : value);
const read = async (url) => {
  try { return [JSON.stringify(await called((await import(url)).default)) ?? ""]; } catch (error) { return `${error}`; }
};
export default async () => ({ read: await Promise.all(URLS.map(read)) });
"""


def evaluated(batch: list[tuple[str, str]]) -> list[Any]:
    """What each script of a batch exports, or a text that says why it exports nothing."""
    with TemporaryDirectory() as name:
        folder = Path(name).resolve()
        (folder / ".git").mkdir()
        for number, (suffix, text) in enumerate(batch):
            (folder / f"s{number}{suffix}").write_text(text, encoding="utf-8", newline="")
        urls = [(folder / f"s{number}{suffix}").as_uri() for number, (suffix, _) in enumerate(batch)]
        driver = folder / "driver.mjs"
        driver.write_text(f"const URLS = {json.dumps(urls)};\n{DRIVER}")
        content = evaluate(driver, folder, lambda *_: None, Allowance(60))
        answers: list[Any] = fold(content, json.loads, AssertionError)["read"]
        return [json.loads(answer[0] or "[]") if isinstance(answer, list) else answer for answer in answers]


@pytest.mark.sweep
@pytest.mark.parametrize("seed", sample(range(80), 1))
def test_what_is_read_is_what_evaluation_gives(seed: int, counted: Counted) -> None:
    """A literal is what Deno and TypeScript say it is; each place of a value begins what the data has there."""
    batch = list(scripts(seed, BATCH))
    read = [read_script(text, suffix) for suffix, text in batch]
    answers = evaluated(batch)
    marked = [marks(script, answer) for script, answer in zip(read, answers, strict=True)]
    seen = look([(f"a{suffix}", text, places) for (suffix, text), places in zip(batch, marked, strict=True)])
    for case, script, answer, verdict in zip(batch, read, answers, seen, strict=True):
        assert verdict["wrong"] == [], case
        if script.hole is None and script.written is not None:
            told = json.dumps(data_of(script.written))
            assert (told, 0, told) == (json.dumps(answer), verdict["mistakes"], verdict["value"]), case
    literals = sum(script.hole is None for script in read)
    assert literals > BATCH / 10
    counted("scripts compared with their evaluation", BATCH)
    counted("of which are literals", literals)
    counted("places compared with the text", sum(map(len, marked)))


def marks(script: Script, answer: object) -> list[tuple[int, Any, bool]]:
    """Each place of a script, the value that the data has there, and whether it is written there."""
    if script.written is None or not isinstance(answer, dict):
        return []
    return [
        (offsets.value, _at(answer, path), _at(script.written, path).plain is not UNSET)
        for path, offsets in places_in(script.written, answer)
    ]


def _at(whole: Any, path: tuple[str | int, ...]) -> Any:
    for step in path:
        whole = whole.members[step].value if isinstance(whole, Written) else whole[step]
    return whole
