"""What a script may not do, by what it attempts.

Memory and time have their rows in `test_bounds`, output in `test_output`.
"""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest
from msgspec.structs import replace

from io_edges.scripts import deno
from pipeline.report.diagnostics.scripts import EvaluationFailed
from tests.support.scripts import Files, failed, kernel_filters, lay, outcome, read_cases, tried, ts
from tests.support.sweep import Counted

ATTEMPTS: dict[str, dict[str, str]] = json.loads(
    (Path(__file__).parents[1] / "support" / "data" / "attempts.json").read_text(encoding="utf-8")
)
"""What Deno refuses by itself."""

OPENED = {
    "mode": "fs.fchmodSync(fs.openSync(file, 'r'), 0o4777)",
    "mode, by a promise": "await (await fs.promises.open(file, 'r')).chmod(0o4777)",
    "owner": "fs.fchownSync(fs.openSync(file, 'r'), 12345, 12345)",
    "owner, by a promise": "await (await fs.promises.open(file, 'r')).chown(12345, 12345)",
    "times": "fs.futimesSync(fs.openSync(file, 'r'), 1, 1)",
    "times, by a promise": "await (await fs.promises.open(file, 'r')).utimes(1, 1)",
}
"""What Deno lets a script do to a file that it has opened for reading, and the filter of system
calls refuses.
"""

WEBGPU = {
    "a graphics adapter": "if (await navigator.gpu.requestAdapter() === null) throw 1",
    "another one": (
        "try { process.env.DENO_WEBGPU_BACKEND = 'vulkan' } catch {}"
        "if (await navigator.gpu.requestAdapter() === null) throw 1"
    ),
    "what it runs on": "process.env.DENO_WEBGPU_BACKEND = 'gl'",
    "one in a worker": (
        "const source = 'data:text/javascript,postMessage(await navigator.gpu.requestAdapter() "
        "=== null)';"
        "const worker = new Worker(source, { type: 'module' });"
        "if ((await new Promise((done) => worker.onmessage = done)).data) throw 1"
    ),
}
"""WebGPU asks no permission, and loads the drivers that variables name."""


@pytest.fixture
def furnished(project: Path) -> Path:
    """A project with a file, a folder, and links out of it."""
    lay(project, {"data.txt": "data", "folder/a.txt": "a", "native.node": "native"})
    outside = project.parent / "outside"
    for name in ("secret.txt", "secret.mjs", "secret.json"):
        (project / name.replace("secret", "link")).symlink_to(outside / name)
    (project / "linked").symlink_to(outside)
    (project / "process").symlink_to("/proc/self")
    (project / "system").symlink_to("/usr/lib")
    return project


def attempt(project: Path, acts: Mapping[str, str], **values: str) -> object:
    """Run each act in one script; by its name, what came of it."""
    names = {"project": str(project), "outside": str(project.parent / "outside"), **values}
    constants = "".join(f"const {name} = {json.dumps(value)};\n" for name, value in names.items())
    trials = "".join(
        (
            f"try {{ {act}; results[{json.dumps(name)}] = 'done' }} catch {{ "
            f"results[{json.dumps(name)}] = 'refused' }}\n"
        )
        for name, act in acts.items()
    )
    modules = {"fs": "fs", "os": "os", "{ createRequire }": "module", "{ fork }": "child_process"}
    imports = " ".join(f'import {name} from "node:{module}";' for name, module in modules.items())
    text = (
        f"{imports}\n{constants}const results: Record<string, string> = {{}};\n{trials}export "
        f"default results;\n"
    )
    return outcome(lay(project, {"tool.config.ts": text}), project)


def state(folder: Path) -> dict[str, tuple[object, ...]]:
    """Each file below a folder: its content, mode, owner and time."""
    looks = {
        path: path.lstat() for path in sorted(folder.rglob("*")) if path.name != "tool.config.ts"
    }
    return {
        str(path.relative_to(folder)): (
            path.read_bytes() if path.is_file() else None,
            *(look.st_mode, look.st_uid, look.st_gid, None if path.is_dir() else look.st_mtime_ns),
        )
        for path, look in looks.items()
    }


@pytest.mark.parametrize("acts", ATTEMPTS.values(), ids=ATTEMPTS)
def test_what_is_attempted_is_refused(
    furnished: Path, acts: dict[str, str], counted: Counted
) -> None:
    """A script may only read its project: any other attempt is refused and changes nothing."""
    before = state(furnished.parent)
    assert attempt(furnished, acts) == dict.fromkeys(acts, "refused")
    assert state(furnished.parent) == before
    counted("attempts of scripts", len(acts))


def test_webgpu_is_off(furnished: Path, counted: Counted) -> None:
    """A script gets no graphics adapter and cannot turn them on."""
    assert attempt(furnished, WEBGPU) == dict.fromkeys(WEBGPU, "refused")
    counted("attempts of scripts", len(WEBGPU))


@pytest.mark.skipif(not kernel_filters(), reason="the kernel filters no system calls")
def test_metadata_of_open_files_stay(furnished: Path, counted: Counted) -> None:
    """A script cannot change the mode, owner or times of a file that it has opened."""
    before = state(furnished.parent)
    refused = dict.fromkeys(OPENED, "refused")
    assert attempt(furnished, OPENED, file="data.txt") == refused
    assert state(furnished.parent) == before
    counted("attempts of scripts", len(OPENED))


@pytest.mark.skipif(not kernel_filters(), reason="the kernel filters no system calls")
def test_metadata_of_the_system_stay(furnished: Path) -> None:
    """A script cannot change the metadata of a file in a system folder that only a link leads
    to.
    """
    program = Path(shutil.which("true") or "/bin/true").resolve()
    (furnished / "program").symlink_to(program)
    before = (program.stat()[:7], program.stat().st_mtime_ns)
    results = attempt(furnished, OPENED, file="program")
    assert results == dict.fromkeys(OPENED, "refused")
    assert (program.stat()[:7], program.stat().st_mtime_ns) == before


def test_links_out_are_followed(furnished: Path) -> None:
    """A link in the project is followed, as the page on scripts says."""
    acts = {
        "read": "if (fs.readFileSync('link.txt', 'utf8') !== 'secret') throw 1",
        "import": "await import(`${project}/link.mjs`)",
    }
    assert attempt(furnished, acts) == dict.fromkeys(acts, "done")


DENIED = read_cases("script_denied")


@pytest.mark.parametrize(("files", "expected"), DENIED.values(), ids=DENIED)
def test_is_denied(project: Path, files: Files, expected: EvaluationFailed) -> None:
    """A forbidden act is denied at the position of the attempt, and leaves nothing behind."""
    evaluator = Path(deno.__file__).parent / "evaluator" / "evaluate.mjs"
    detail = expected.detail.replace("{project}", str(project)).replace(
        "{outside}", str(project.parent / "outside")
    )
    detail = detail.replace("{evaluator}", str(evaluator))
    scope = f"`{project}`, the nearest folder with `.git`"
    assert tried(project, files) == replace(expected, detail=detail, scope=scope)


def test_what_lies_above_the_project(project: Path) -> None:
    """A `package.json` above the project decides the type of module, and a script cannot read
    it.
    """
    above = {
        "package.json": '{"type":"module"}',
        "node_modules/foreign/index.js": "module.exports = 1",
    }
    lay(project.parent, above)
    scripts_and_outcomes = {
        "a.js": ("module.exports = { a: 1 }", {"a": 1}),
        "b.cjs": ("module.exports = { a: 1 }", {"a": 1}),
        "c.js": ("export default { a: 1 }", {"a": 1}),
        "d.cjs": (
            'module.exports = require("foreign")',
            failed("missing import", "foreign", at="d.cjs"),
        ),
        "e.ts": (
            'export default Deno.readTextFileSync("../package.json")',
            failed(
                "denied",
                "reading ../package.json",
                at="e.ts:1:21",
                scope=f"`{project}`, the nearest folder with `.git`",
            ),
        ),
    }
    found = {
        name: outcome(lay(project, {name: text}), project)
        for name, (text, _) in scripts_and_outcomes.items()
    }
    assert found == {name: expected for name, (_, expected) in scripts_and_outcomes.items()}


def test_a_script_that_is_a_link_out_is_refused(project: Path) -> None:
    """A script that is a link out of its project is not evaluated."""
    (project / "tool.config.mjs").symlink_to("../outside/secret.mjs")
    detail = f"reading {project.parent}/outside/secret.mjs"
    scope = f"`{project}`, the nearest folder with `.git`"
    assert outcome(project / "tool.config.mjs", project) == failed(
        "denied", detail, at="tool.config.mjs", scope=scope
    )


def test_file_access_may_be_asked_for(project: Path) -> None:
    """Asking whether a file of the project may be read counts as reading it."""
    script = lay(
        project,
        ts('import fs from "node:fs"; fs.accessSync("./tool.config.ts"); export default { a: 1 }'),
    )
    assert outcome(script, project) == {"a": 1}
