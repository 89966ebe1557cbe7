"""Laws of discovery: on any tree of folders, locate agrees with a naive reading of its rules."""

import json
import re
from pathlib import PurePath
from typing import Any

from hypothesis import event, given, settings
from hypothesis import strategies as st
from returns.result import Failure, Success

from pipeline.locate import Located, locate
from pipeline.report.diagnostics.configuration import (
    ConfigNotFound,
    ConfigSyntaxError,
    ConfigUnreadable,
)
from pipeline.report.outcome import Outcome
from pipeline.report.wording import suggest
from tests.support.disks import disk_of
from tests.support.sweep import law

FORMS = {
    "package.json": "package",
    ".tool.json": "legacy",
    **dict.fromkeys(("tool.config.ts", "tool.config.js", "tool.config.mts"), "script"),
}
FOLDER = {"a file": "x"}
CANDIDATES = ("tool.config.ts", "tool.config.js", "tool.config.json")
PACKAGES = (
    '{"tool": {}}',
    '{"name": "x"}',
    '{"name": {"tool": 1}}',
    '["tool"]',
    "7",
    '"tool"',
    '{"tool": null}',
)
BROKEN = ("", "{", '{"tool": {},}', "tool")

anything = st.just("{}") | st.just("not JSON") | st.just(FOLDER)
plain_folders = st.fixed_dictionaries(
    {},
    optional={
        **dict.fromkeys(CANDIDATES, anything),
        "package.json": st.sampled_from((*PACKAGES, *PACKAGES, *BROKEN)) | st.just(FOLDER),
        ".tool.json": anything,
        ".git": st.just(FOLDER) | st.just("gitdir: elsewhere"),
        "tool.config.mts": st.just("{}"),
        "sub": st.just({"tool.config.json": "{}", ".git": "x", "package.json": "{"}),
    },
)
sparse_folders: st.SearchStrategy[dict[str, Any]] = (
    st.just({})
    | st.fixed_dictionaries({}, optional={"package.json": st.just(PACKAGES[1])})
    | plain_folders
)
Folder = dict[str, Any]


@st.composite
def walks(draw: st.DrawFn) -> list[Folder]:
    """The folders from the current one up to the root, up to five below it, each with
    what is in it.
    """
    return draw(st.lists(sparse_folders, min_size=1, max_size=6))


def path_of(walk: list[Folder], depth: int) -> PurePath:
    """The folder so many levels above the current one."""
    return PurePath("/", *[f"d{level}" for level in range(len(walk) - 1 - depth)])


def files_of(walk: list[Folder]) -> dict[str, str | None]:
    """The files and folders of a walk by their path."""
    files: dict[str, str | None] = {}
    for depth, folder in enumerate(walk):
        for name, content in folder.items():
            path = path_of(walk, depth) / name
            files |= (
                {str(path): content}
                if isinstance(content, str)
                else {str(path / key): content[key] for key in content}
            )
    return {**files, str(path_of(walk, 0)): None}


def naive(walk: list[Folder]) -> tuple[str, str | None, list[str]]:
    """Read the rules aloud: the verdict, the path it is about, and the names beside it that
    are not read.
    """
    searched: list[tuple[int, Folder]] = []
    for depth, folder in enumerate(walk):
        searched.append((depth, folder))
        if ".git" in folder:
            break
    for depth, folder in searched:
        here = [name for name in CANDIDATES if isinstance(folder.get(name), str)]
        package = folder.get("package.json")
        if isinstance(package, str):
            try:
                data = json.loads(package)
            except ValueError:
                if not here:
                    return "broken", "../" * depth + "package.json", []
                data = None
            if isinstance(data, dict) and "tool" in data:
                here.append("package.json")
        if here:
            on_the_way = (
                number
                for number in range(depth + 1)
                if isinstance(walk[number].get(".tool.json"), str)
            )
            beside = ["../" * depth + name for name in here[1:]]
            return (
                *("found", str(path_of(walk, depth) / here[0])),
                [*beside, *("../" * number + ".tool.json" for number in on_the_way)],
            )
    for depth, folder in searched:
        if isinstance(folder.get(".tool.json"), str):
            return "found", str(path_of(walk, depth) / ".tool.json"), []
    return "none", None, []


def reported(outcome: Outcome[Located]) -> tuple[str, str | None, list[str]]:
    """What locate says, in the words of the naive reading."""
    match outcome:
        case Success(located) if located.file:
            shadowed = (each.message for each in located.warnings if each.code == "shadowed-config")
            return (
                "found",
                str(located.file.path),
                [name for each in shadowed for name in re.findall("`(.*?)`", each)[1:]],
            )
        case Success(_):
            return "none", None, []
        case Failure((ConfigSyntaxError(location=location),)):
            return "broken", location.name, []
        case _:
            raise AssertionError(outcome)


@settings(max_examples=law(600))
@given(walks())
def test_discovery_agrees_with_a_naive_reading_of_the_rules(walk: list[Folder]) -> None:
    """On any folders, the same file is found, the same are shadowed, and the same `package.json`
    is an error.
    """
    verdict = reported(locate(path_of(walk, 0), None, disk_of(files_of(walk))))
    event(verdict[0])
    assert verdict == naive(walk)


@given(walks())
def test_every_path_that_was_looked_at_is_told(walk: list[Folder]) -> None:
    """Discovery lists each file name that it probed, in each folder up to the one that decides, and
    nothing above `.git`.

    A 0.x file beside or below a version 1 configuration is listed if it exists.
    """
    match locate(path_of(walk, 0), None, disk_of(files_of(walk))):
        case Success(located):
            last = next(
                (depth for depth, folder in enumerate(walk) if ".git" in folder), len(walk) - 1
            )
            legacy = located.file is None or located.file.kind == "legacy"
            decides = located.file.display_path.count("../") if located.file else last
            searched = range((last if legacy else decides) + 1)
            probed = [probe.file for probe in located.probes]
            is_there = [
                isinstance(walk[depth].get(".tool.json"), str) for depth in range(decides + 1)
            ]
            assert probed == [
                *[
                    "../" * depth + name
                    for depth in searched
                    for name in (*CANDIDATES, "package.json")
                ],
                *[
                    "../" * depth + ".tool.json"
                    for depth in range(decides + 1)
                    if legacy or is_there[depth]
                ],
            ]


named = st.sampled_from(
    [*CANDIDATES, "package.json", ".tool.json", "tool.config.mts", ".git", "sub", "not-there.json"]
)


@given(walks(), named)
def test_a_named_file_is_taken_without_any_walk(walk: list[Folder], config: str) -> None:
    """`--config` takes exactly the path it names: a missing one, a folder and a keyless
    `package.json` are errors.
    """
    content = walk[0].get(config)
    outcome = locate(path_of(walk, 0), config, disk_of(files_of(walk)))
    if content is None:
        beside = suggest(
            config,
            sorted(
                name for name, held in walk[0].items() if isinstance(held, str) and name != "a file"
            ),
        )
        assert outcome == Failure((ConfigNotFound(config, suggestions=beside),))
    elif not isinstance(content, str):
        assert outcome == Failure((ConfigUnreadable(config, why="folder"),))
    elif config == "package.json" and content in PACKAGES[1:-1]:
        assert outcome == Failure((ConfigNotFound(config, lacks_key=True),))
    elif config == "package.json" and content in BROKEN:
        assert reported(outcome) == ("broken", config, [])
    else:
        taken = outcome.map(
            lambda located: (
                located.file and located.file.kind,
                located.warnings,
                len(located.probes),
            )
        )
        assert taken == Success((FORMS.get(config, "json"), (), 1))
