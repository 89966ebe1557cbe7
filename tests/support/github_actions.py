"""GitHub Actions imitated: the steps of an action are run as the runner runs them, with the
variables that it sets.

`run` steps are run with bash. `uses` steps do what those actions do, as far as it matters here:
`setup-python` gives the Python of the tests, `cache` restores and saves a folder.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import yaml
from msgspec import Struct

from tests.support.checkout import ROOT

_EXPRESSION: Final = re.compile(r"\$\{\{ (.*?) \}\}")
_NAME: Final = re.compile(r"(inputs|steps)\.([\w.-]+)")


class Job(Struct):
    """A job on a runner: its workspace, and what its steps have left for later ones."""

    workspace: Path
    temp: Path
    store: Path
    """What the cache of the service holds, a folder for each key."""
    action_path: Path = ROOT
    path: tuple[str, ...] = ()
    """What steps have put in front of `PATH`."""


class Used(Struct, frozen=True):
    """An action that was used: whether a step failed, its outputs, and the log."""

    failed: bool
    outputs: dict[str, str]
    log: str

    @property
    def annotations(self) -> list[tuple[str, dict[str, str], str]]:
        """The annotations that the runner makes of the log by problem matchers: level, place
        and message.
        """
        found, matchers = [], dict[str, list[dict[str, Any]]]()
        lines = self.log.splitlines()
        for number, line in enumerate(lines):
            if added := re.fullmatch(r"::add-matcher::(.+)", line):
                content = json.loads(Path(added[1]).read_text(encoding="utf-8"))["problemMatcher"]
                matchers |= {each["owner"]: each["pattern"] for each in content}
            elif removed := re.fullmatch(r"::remove-matcher owner=(.+)::", line):
                del matchers[removed[1]]
            for patterns in matchers.values():
                if facts := _matched(patterns, lines[number : number + len(patterns)]):
                    place = {
                        name: facts[name]
                        for name in ("file", "line", "column", "code")
                        if facts.get(name)
                    }
                    found.append((facts["severity"], place, facts["message"]))
        return found


def _matched(patterns: list[dict[str, Any]], lines: list[str]) -> dict[str, str]:
    """What the patterns of a matcher take from as many lines; nothing unless each
    matches its line.
    """
    facts: dict[str, str] = {}
    for pattern, line in zip(patterns, lines, strict=False):
        match = re.search(pattern["regexp"], line)
        if match is None:
            return {}
        facts |= {
            name: match[group]
            for name, group in pattern.items()
            if name != "regexp" and match[group]
        }
    return facts if len(lines) == len(patterns) else {}


def use(job: Job, inputs: Mapping[str, str]) -> Used:
    """Run the steps of `action.yml` with inputs, and with the defaults of the others,
    until one fails.
    """
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    assert set(inputs) <= set(action["inputs"])
    given = {name: str(each["default"]) for name, each in action["inputs"].items()} | dict(inputs)
    context: dict[str, str] = {f"inputs.{name}": value for name, value in given.items()}
    log, saving, failed = "", {}, False
    for step in action["runs"]["steps"]:
        if "if" not in step or _holds(step["if"], context):
            settings = {
                name: _filled(str(value), context) for name, value in step.get("with", {}).items()
            }
            match step.get("uses", "").partition("@")[0]:
                case "":
                    code, printed, outputs = _run(job, step, context)
                    log, failed = log + printed, code != 0
                case "actions/setup-python":
                    outputs = {"python-path": sys.executable}
                case "actions/cache":
                    outputs = {}
                    if not _restored(job, settings):
                        saving = settings
                case other:
                    raise AssertionError(other)
            context |= {
                f"steps.{step.get('id', '')}.outputs.{name}": value
                for name, value in outputs.items()
            }
        if failed:
            break
    if saving and not failed:
        shutil.copytree(saving["path"], job.store / saving["key"], symlinks=True)
    return Used(
        failed,
        {name: _filled(each["value"], context) for name, each in action["outputs"].items()},
        log,
    )


def _run(
    job: Job, step: Mapping[str, Any], context: Mapping[str, str]
) -> tuple[int, str, dict[str, str]]:
    """Run a step; give its exit code, its log and its outputs."""
    files = {
        name: job.temp / name for name in ("GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_STEP_SUMMARY")
    }
    for file in files.values():
        file.write_text("", encoding="utf-8")
    script = job.temp / "step.sh"
    script.write_text(step["run"], encoding="utf-8")
    environ = {
        "CI": "true",
        "GITHUB_ACTIONS": "true",
        "GITHUB_ACTION_PATH": str(job.action_path),
        "GITHUB_WORKSPACE": str(job.workspace),
        "HOME": os.environ.get("HOME", str(job.temp)),
        "PATH": os.pathsep.join([*job.path, os.environ["PATH"]]),
        "RUNNER_ARCH": "X64",
        "RUNNER_OS": "Linux",
        "RUNNER_TEMP": str(job.temp),
        **{name: os.environ[name] for name in os.environ if name.startswith(("PIP_", "SSL_"))},
        **{name: str(file) for name, file in files.items()},
        **{name: _filled(str(value), context) for name, value in step.get("env", {}).items()},
    }
    ran = subprocess.run(
        ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", script],  # as `shell: bash` means
        cwd=job.workspace / _filled(step.get("working-directory", "."), context),
        env=environ,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    job.path = (*files["GITHUB_PATH"].read_text(encoding="utf-8").splitlines(), *job.path)
    return (
        ran.returncode,
        ran.stdout,
        dict(_outputs(files["GITHUB_OUTPUT"].read_text(encoding="utf-8"))),
    )


def _outputs(text: str) -> list[tuple[str, str]]:
    """The outputs in a file that a step has written: `name=value`, or `name<<end` and lines
    up to `end`.
    """
    found, lines = [], iter(text.splitlines())
    for line in lines:
        if match := re.fullmatch(r"([\w-]+)<<(.+)", line):
            content = []
            while (each := next(lines)) != match[2]:
                content.append(each)
            found.append((match[1], "\n".join(content)))
        else:
            name, separator, value = line.partition("=")
            assert separator
            found.append((name, value))
    return found


def _restored(job: Job, settings: Mapping[str, str]) -> bool:
    saved = job.store / settings["key"]
    if saved.is_dir():
        # An earlier use of the action in the job may have made it.
        shutil.rmtree(settings["path"], ignore_errors=True)
        shutil.copytree(saved, settings["path"], symlinks=True)
    return saved.is_dir()


def _filled(text: str, context: Mapping[str, str]) -> str:
    return _EXPRESSION.sub(lambda match: context.get(match[1], ""), text)


def _holds(condition: str, context: Mapping[str, str]) -> bool:
    expression = _EXPRESSION.fullmatch(condition)
    assert expression is not None
    python = _NAME.sub(lambda match: repr(context.get(match[0], "")), expression[1]).replace(
        "&&", "and"
    )
    return bool(eval(python, {}))
