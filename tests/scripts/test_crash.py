"""Errors of the runtime are told apart from the output of a script, however long that is."""

import json
from pathlib import Path

import pytest

from io_edges.scripts import report as script_report
from io_edges.scripts.access import ScriptPaths
from io_edges.scripts.report import Answer, own_output
from pipeline.report.location import Location
from tests.support.costs import at_most
from tests.support.scripts import failed, lay, outcome, ts
from tests.support.tables import rows

MEBIBYTE = 1024 * 1024
WHERE = ScriptPaths(
    "tool.config.ts", Path("/project/tool.config.ts"), Path("/project"), Path("/project")
)
WAITING = b"error: Top-level await promise never resolved\n"


@pytest.mark.parametrize(
    ("printed", "own"),
    [
        (b"", b""),
        (b"a\nb", b"a\nb"),
        (b"a\n" + WAITING + b"  x\n    at file:///a.ts:1:1\n", b"a\n"),
        (b"a\n<--- Last few GCs --->\nb\n", b"a\n"),
        (b"a\n\n#\n# Fatal JavaScript out of memory\n", b"a\n\n"),
        (b"a\n" + b"=" * 60 + b"\nDeno has panicked.\nArgs: x", b"a\n"),
        (b"=" * 60 + b"\na title\n#\n# a comment\n", b"=" * 60 + b"\na title\n#\n# a comment\n"),
    ],
)
def test_the_words_of_the_runtime(printed: bytes, own: bytes) -> None:
    """Output after the first line of the runtime's own is not the script's."""
    assert own_output(printed) == (own, printed[len(own) :])


FLOODS = {
    "one word": b"error" * (MEBIBYTE // 5),
    "a stack": WAITING + b"    at (( (file://" * (MEBIBYTE // 18) + b":1:1",
    "frames": WAITING + b"    at a (file:///project/a.ts:1:1)\n" * (MEBIBYTE // 40),
    "hints": b", run again with the --allow-" * (MEBIBYTE // 29),
    "long hints": b", run again with the --allow-" + b"a" * MEBIBYTE,
    "colours": b"\x1b[0" * (MEBIBYTE // 3),
    "banners": b"=" * MEBIBYTE,
    "line ends": b"\n" * MEBIBYTE,
}


@pytest.mark.parametrize("flood", FLOODS.values(), ids=FLOODS)
def test_the_time_for_what_is_printed_grows_with_its_length(flood: bytes) -> None:
    """Any output of a script is searched in a time proportional to its length."""
    with at_most(5):  # what is not linear takes minutes
        own, words = own_output(flood)
        script_report.without_hints(own.decode())
        script_report.without_answer(1, words, WHERE)


TEXTS = {
    "places": " at file://" * 800,
    "numbers": " at file:///project/a:" + "1:" * 4000,
    "digits": "    at file:///project/a.ts:" + "1" * 4000 + ":" + "1" * 4000,
    "brackets": "    at " + "( " * 4000 + "file:///project/a.ts:1:1)",
    "addresses": "file://a " * 900,
    "quotes": "Permission denied " + "'" * 8000,
    "denials": "PermissionDenied" * 500,
    "a long name": "    at file:///project/" + "a" * 8000 + ":1:1",
    "NUL": "    at file:///project/\0:1:1",
    "no address": "    at file://:1:1",
    "other digits": "    at file:///project/a.ts:\u0661:\u00b2",
    "outside": "    at file:///project/../../etc/shadow:1:1",
}


@pytest.mark.parametrize("name", ["SyntaxError", "NotCapable", "TypeError", "Error", "RangeError"])
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_what_a_script_makes_up_about_its_error(name: str, text: str) -> None:
    """A made-up message and stack are explained quickly, and name no file outside the project."""
    answer = Answer("threw", name=name, message=text, stack=text, code="ERR_MODULE_NOT_FOUND")
    with at_most(5):
        error = script_report.explain(answer, WHERE)
    assert ".." not in error.location.name


def test_a_renamed_file_is_named_as_it_is() -> None:
    """A file that is evaluated under another address is reported with its own name."""
    stack = "    at file:///project/tool.config.cjs.hooked.mjs:3:7"
    assert script_report.explain(Answer("threw", stack=stack), WHERE).location == Location(
        "tool.config.cjs", 3, 7
    )


def test_a_panic_is_not_reported(project: Path) -> None:
    """If the runtime itself fails, its output and its command line are not shown as the
    script's.
    """
    text = """
        console.error("before");
        console.error("=".repeat(60));
        console.error("Deno has panicked. This is a bug in Deno.\\nArgs: [...]");
        Deno.exit(1);
    """
    printed: list[tuple[str, str]] = []
    result = outcome(lay(project, ts(text)), project, printed)
    assert result == failed("ended early", "exit code 1")
    assert printed == [("stderr", "before")]


@pytest.mark.parametrize(
    ("message", "act"),
    rows("crash", "denied"),
)
def test_what_is_denied(message: str, act: str) -> None:
    """A denied access is described without flags of Deno."""
    error = script_report.explain(Answer("threw", name="NotCapable", message=message), WHERE)
    assert error == failed("denied", act, scope=WHERE.scope)


def answered(data: str) -> bytes:
    """What would be an answer with this data."""
    return f'{{"kind":"data","data":{data}}}'.encode()


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (json.dumps({"a": [']}[{,\\"'] * 1000}), ""),
        ('{"a":' * 64 + "1" + "}" * 64, ""),
        ('{"a":' * 65 + "1" + "}" * 65, "more than 64 levels"),
        ("[" * 100_000 + "]" * 100_000, "more than 64 levels"),
        ("[" + '"",' * 1_500_000 + '""]', "more than 1 MiB"),
    ],
    ids=["brackets in texts", "64 levels", "65 levels", "100,000 levels", "1.5 million texts"],
)
def test_an_answer_is_bounded(data: str, expected: str) -> None:
    """The depth and the size of an answer are checked before it is decoded."""
    with at_most(5):
        assert script_report.excess(answered(data)) == expected


def test_the_request_cannot_be_read_again(project: Path) -> None:
    """A script finds nothing left of the request on its standard input."""
    text = """
        import fs from "node:fs";
        export default { again: fs.readSync(0, new Uint8Array(100), 0, 100, null) };
    """
    assert outcome(lay(project, ts(text)), project) == {"again": 0}
