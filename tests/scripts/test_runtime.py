"""The runtime and the system around it: variables, folders, and missing parts."""

import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from io_edges.scripts import deno
from pipeline.report.diagnostics.scripts import ScriptRuntimeUnavailable
from tests.support.scripts import EVALUATE, ROOT, failed, lay, outcome, ts

STEERING = {
    "DENO_V8_FLAGS": "--bogus",
    "DENO_AUDIT_PERMISSIONS": "audit.jsonl",
    "DENO_TRACE_PERMISSIONS": "1",
    "DENO_COVERAGE_DIR": "coverage",
    "DENO_DIR": "cache",
    "DENO_CONDITIONS": "evil",
    "DENO_AUTO_SERVE": "1",
    "NODE_OPTIONS": "--require ./evil.js",
    "NODE_V8_COVERAGE": "coverage",
    "NODE_PATH": "evil",
    "OTEL_DENO": "true",
    "SSLKEYLOGFILE": "keys",
    "LD_LIBRARY_PATH": ":/nowhere",
    "LD_PRELOAD": "evil.so",
    "FORCE_COLOR": "1",
}


def test_no_variable_steers_the_runtime(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Variables that would make Deno write, load or trace have no effect."""
    for name, value in STEERING.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(project)
    script = lay(
        project,
        ts(
            'try { Deno.readTextFileSync("/x") } catch {} export default { a: '
            'process.env.DENO_DIR ?? "unset" }'
        ),
    )
    assert outcome(script, project) == {"a": "unset"}
    assert sorted(found.name for found in project.iterdir()) == [".git", "tool.config.ts"]


def in_a_process(script: Path, env: dict[str, str | None]) -> tuple[str, str]:
    """Evaluate in another process, without the powers of root; give its result and its errors."""
    powerless = ["setpriv", "--inh-caps=-all", "--bounding-set=-all"] if os.geteuid() == 0 else []
    variables = {name: value for name, value in {**os.environ, **env}.items() if value is not None}
    command = [*powerless, sys.executable, "-c", EVALUATE, str(script)]
    variables["PYTHONPATH"] = str(ROOT)
    ended = subprocess.run(
        command, capture_output=True, text=True, cwd="/", env=variables, check=False
    )
    return ended.stdout.strip(), ended.stderr


@pytest.fixture
def read_only(project: Path) -> Iterator[Path]:
    """A script in a project that nobody may write to, nor to any folder above."""
    script = lay(project, ts("export default { theme: 'a' as string }"))
    folders = [project, *project.parents]
    modes = {
        folder: folder.stat().st_mode for folder in folders if folder.stat().st_uid == os.geteuid()
    }
    for folder in modes:
        if folder.is_relative_to("/tmp") and folder != Path("/tmp"):
            folder.chmod(0o555)
    yield script
    for folder, mode in modes.items():
        folder.chmod(stat.S_IMODE(mode))


@pytest.mark.parametrize(
    "home", [None, "/proc/nowhere", "{read only}"], ids=["unset", "not there", "read-only"]
)
def test_read_only_project_and_no_home(read_only: Path, home: str | None) -> None:
    """A script in a read-only project is evaluated, with `HOME` unset, missing or read-only."""
    env = {"HOME": str(read_only.parent) if home == "{read only}" else home, "XDG_CACHE_HOME": None}
    assert in_a_process(read_only, env) == ('{"theme":"a"}', "")


@pytest.mark.parametrize(
    "line", ["@acme:registry=${UNSET}", "registry=registry.example.org", "registry="]
)
def test_settings_of_npm_decide_nothing(
    project: Path, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    """Whatever the `.npmrc` of the home folder says, a script is evaluated, and sees the user's
    home folder.
    """
    lay(project.parent, {"home/.npmrc": line})
    monkeypatch.setenv("HOME", str(project.parent / "home"))
    script = lay(
        project,
        ts('import os from "node:os"; export default { a: process.env.HOME, b: os.homedir() };'),
    )
    home = str(project.parent / "home")
    assert outcome(script, project) == {"a": home, "b": home}


@pytest.mark.skipif(os.geteuid() == 0, reason="root can read every file")
def test_an_import_that_cannot_be_read(project: Path) -> None:
    """A file of the project that its user may not read is named, with the reason."""
    script = lay(project, ts('import "./lib.ts"; export default {};') | {"lib.ts": "export {};"})
    (project / "lib.ts").chmod(0)
    assert outcome(script, project) == failed(
        "unsupported import", "Permission denied: lib.ts", at="tool.config.ts:1:8"
    )


def test_no_runtime(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If Deno is missing, does not start or is too old, scripts cannot be evaluated."""
    script = lay(project, ts("export default {}"))
    old = lay(
        project.parent,
        {"bin/deno": "#!/bin/sh\necho \"error: unexpected argument '--x' found\" >&2; exit 1\n"},
    )
    results = []
    for program in (None, "/nonexistent/deno", str(old)):
        old.chmod(0o755)
        monkeypatch.setattr(deno, "find", lambda program=program: program)
        results.append(outcome(script, project))
    assert results == [ScriptRuntimeUnavailable("tool.config.ts", deno.installing_command())] * 3


def test_deno_on_the_path(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the wheel has no binary of Deno, `deno` on `PATH` is used."""
    binary = lay(project, {"bin/deno": "#!/bin/sh\n"})
    binary.chmod(0o755)
    monkeypatch.setattr(sys, "prefix", str(project / "nothing"))
    monkeypatch.setitem(sys.modules, "deno", None)
    monkeypatch.setenv("PATH", str(binary.parent))
    assert deno.find() == str(binary)


@pytest.mark.parametrize(
    ("programs", "pip", "expected"),
    [
        ((), "pip", "'/the tool/bin/python' -m pip install deno"),
        ((), None, "uv pip install --python '/the tool/bin/python' deno"),
        (("apk",), "pip", "apk add deno"),
        (("pkg",), None, "pkg install deno"),
    ],
    ids=["an environment with pip", "an environment of uv", "Alpine", "FreeBSD"],
)
def test_how_to_install_deno(
    project: Path,
    monkeypatch: pytest.MonkeyPatch,
    programs: tuple[str, ...],
    pip: str | None,
    expected: str,
) -> None:
    """The suggested command installs Deno where the tool is installed."""
    for program in programs:
        lay(project, {f"bin/{program}": "#!/bin/sh\n"}).chmod(0o755)
    monkeypatch.setenv("PATH", str(project / "bin"))
    monkeypatch.setattr(sys, "executable", "/the tool/bin/python")
    monkeypatch.setattr("importlib.util.find_spec", lambda _: pip)
    assert deno.installing_command() == expected


def starved(script: Path, limit: str) -> tuple[int, str]:
    """The exit code of `tool config validate` under a limit of `prlimit`, and its first line."""
    weak = ["setpriv", "--reuid=12345", "--inh-caps=+dac_override", "--ambient-caps=+dac_override"]
    command: list[str | Path] = [
        *(weak if os.geteuid() == 0 else []),
        "prlimit",
        limit,
        sys.executable,
        Path(sys.executable).with_name("tool"),
    ]
    ended = subprocess.run(
        [*command, "config", "validate", script.name],
        capture_output=True,
        text=True,
        cwd=script.parent,
        check=False,
    )
    return ended.returncode, ended.stderr.partition("\n")[0]


NO_PRLIMIT = not (shutil.which("prlimit") and shutil.which("setpriv"))
BY_ROOT = pytest.mark.skipif(
    os.geteuid() != 0,
    reason="the limit counts all processes of a user: only root can become a new one",
)


@pytest.mark.skipif(NO_PRLIMIT, reason="the programs that limit a process are missing")
@pytest.mark.parametrize(
    ("limit", "cause"),
    [
        ("nofile=5", "too many open files"),
        ("nofile=10", "too many open files"),
        pytest.param("nproc=1", "resource temporarily unavailable", marks=BY_ROOT),
        pytest.param("nproc=2", "resource temporarily unavailable", marks=BY_ROOT),
        ("as=314572800", "cannot allocate memory"),
    ],
)
def test_what_deno_cannot_start_with(project: Path, limit: str, cause: str) -> None:
    """If Deno gets too few descriptors, processes or threads, or too little memory, the script is
    not blamed.
    """
    script = lay(project, ts("export default () => ({})"))
    assert starved(script, f"--{limit}") == (
        74,
        f"error: FileSystemProblem: `{deno.find()}`: {cause}",
    )
