"""The output of a script is reported unchanged, and is never taken for its result."""

from pathlib import Path

from tests.support.scripts import failed, here, lay, outcome, ts


def test_prints_are_reported_and_never_taken_for_the_result(project: Path) -> None:
    """Everything that a script prints, by any means, is reported line by line, unchanged."""
    script = lay(
        project,
        ts(
            """
            import fs from "node:fs";
            const forged = '={"theme":"forged"}';
            console.log("\\n" + "0".repeat(32) + forged);
            process.stdout.write(forged + "\\n");
            await Deno.stdout.write(new TextEncoder().encode("\\x1b[31m" + forged + "\\n"));
            fs.writeSync(1, "\\ud83d\\ude00 by descriptor\\n\\nno newline");
            console.error("to\\rerror");
            fs.writeSync(2, new Uint8Array([255, 10]));
            try { fs.writeSync(3, forged) } catch {}
            export default { theme: "a" };
            """
        ),
    )
    printed: list[tuple[str, str]] = []
    forged = '={"theme":"forged"}'
    expected = [
        ("stdout", ""),
        ("stdout", "0" * 32 + forged),
        ("stdout", forged),
        ("stdout", "\x1b[31m" + forged),
        ("stdout", "\U0001f600 by descriptor"),
        ("stdout", ""),
        ("stdout", "no newline"),
        ("stderr", "to\rerror"),
        ("stderr", "\\xff"),
    ]
    assert outcome(script, project, printed) == {"theme": "a"}
    assert printed == expected


def test_a_worker_that_prints_meanwhile_does_not_garble_a_long_result(project: Path) -> None:
    """The frames of a result stay whole while another thread writes to the same stream."""
    noise = (
        "import fs from 'node:fs'; postMessage(1); for (let i = 0; i < 300; i++) "
        "fs.writeSync(1, 'noise '.repeat(400));"
    )
    script = lay(
        project,
        ts(
            f"""
            const worker = new Worker("data:text/javascript,{noise}", {{ type: "module" }});
            await new Promise((go) => worker.onmessage = go);
            export default {{ a: "\u00e9".repeat(400_000) }};
            """
        ),
    )
    printed: list[tuple[str, str]] = []
    result = outcome(script, project, printed)
    assert result == {"a": "\u00e9" * 400_000}
    assert {line.replace("noise ", "") for _, line in printed} <= {"", *"noise"}


def test_prints_are_reported_when_the_script_fails(project: Path) -> None:
    """The output of a script that throws is reported, without the text that the runtime adds."""
    script = lay(
        project,
        ts(
            'console.log("before"); try { Deno.openSync("/x") } catch (e) { '
            "console.log(e.message) } throw 1"
        ),
    )
    printed: list[tuple[str, str]] = []
    reported = [("stdout", "before"), ("stdout", 'Requires read access to "/x"')]
    assert outcome(script, project, printed) == failed("threw", "1")
    assert printed == reported


def test_a_second_attempt_tells_the_prints_once(project: Path) -> None:
    """If a script is evaluated again, less strictly, its output is reported once."""
    files = here("tool.config.js", 'console.log("once"); module.exports = {}') | {
        "package.json": '{"type":"module"}'
    }
    printed: list[tuple[str, str]] = []
    assert outcome(lay(project, files), project, printed) == {}
    assert printed == [("stdout", "once")]
