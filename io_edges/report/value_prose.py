"""Value prose: what to write instead of a key or a value that is wrong."""

from typing import Final

import msgspec

from io_edges.report.wording import are, listed, meant
from pipeline.config.legacy_keys import INSTEAD
from pipeline.config.variables import PREFIX
from pipeline.report import problems
from pipeline.report.source import Source
from pipeline.schema import LEAVES, OBJECTS, Leaf

_FOREIGN: Final = {
    "$schema": (
        "`docs/editors.md` says how an editor finds the schema",
        "remove the key; in VS Code, `json.schemas` of the settings names the schema",
    ),
    "output": ("the folder to build in is no setting", "remove the key, and pass `--output=FOLDER`"),
    "drop": ("the folder with the archives is no setting", "remove the key, and name the folder: `tool create FOLDER`"),
    "extends": ("a configuration extends no other, it uses presets", 'write `"presets": ["./presets/shop.json"]`'),
}
"""Keys at the top that other tools have, or that are something else here: why there is no such key, and what to do."""

_RETYPED: Final = {
    ("a list of strings", "a string"): "put it in brackets: `[ … ]`",
    ("a string", "a number"): "put it in double quotes",
    ("true or false", "a string"): "write `true` or `false`, without quotes",
}
"""What to do about a value of one type where another is expected."""


def of_key(problem: problems.UnknownKey) -> tuple[str, str]:
    """Why there is no such key, and what to write instead."""
    path, renamed = problem.path, problem.renamed
    if path in _FOREIGN:
        why, advice = _FOREIGN[path]
        return f"unknown key: {why}", advice
    if belongs := problem.belongs:
        outer, dot, inner = belongs.rpartition(".")
        where = f"belongs in `{outer}`" if dot else "belongs at the top of the file"
        advice = f'write `"{outer}": {{"{inner}": … }}`' if dot else f"move it out of `{path.rpartition('.')[0]}`"
        return f"unknown key: it is called `{belongs}`, and {where}", advice
    if renamed:
        now = f"use {INSTEAD[path]}" if path in INSTEAD else f"it is called `{renamed}`"
        return "unknown key", f"this is a key of the 0.x file; in version 1, {now}"
    keys = tuple(leaf.keys[1] for leaf in LEAVES if leaf.keys[0] == path.partition(".")[0] and leaf.keys[1:])
    what = "key" if len(keys) == 1 else "keys"
    inner = f"the {what} of `{path.partition('.')[0]}` {are(keys)} {listed(keys)}" if keys else ""
    return "unknown key", meant(problem.near) or inner or "remove it; `tool config schema` lists every key"


def _leaf_at(path: str) -> Leaf | None:
    """The leaf at a path as the user spells it, which may be the shorthand."""
    return next((leaf for leaf in LEAVES if path in {leaf.path, leaf.keys[-1]}), None)


def _is_variable(source: Source) -> bool:
    return source.name.startswith(PREFIX) and not source.line


def retyped(problem: problems.WrongType) -> str:
    """What to write instead of a value of another type."""
    path, _, index = problem.path.partition("[")
    if problem.renamed:
        return f"in 0.x `{path}` was {problem.actual}: it is now called `{problem.renamed}`"
    if problem.path == "schema":
        return "write `1`, or leave the key out"
    if problem.actual == "null":
        return "leave it out, or write a string" if index else "leave the key out, and its default holds"
    leaf = _leaf_at(path)
    if leaf and _is_variable(problem.source):
        return f"for example `{leaf.variable}={_in_variable(leaf)}`"
    if advice := _RETYPED.get((problem.expected, problem.actual)):
        return advice
    return f"for example `{_example(path, leaf)}`"


def _example(path: str, leaf: Leaf | None) -> str:
    """What someone might write at a path: the leaf's example, or an object with the first of those in it."""
    inner = leaf or next((each for each in LEAVES if each.keys[0] == path), LEAVES[0])
    text = f'"{inner.keys[-1]}": {msgspec.json.encode(inner.example).decode()}'
    if leaf:
        return text
    return f'"{path}": {{{text}}}' if path in OBJECTS else f"{{{text}}}"


def _in_variable(leaf: Leaf) -> str:
    example = leaf.example
    return ",".join(example) if isinstance(example, tuple) else str(example).lower()


def chosen(problem: problems.BadChoice) -> str:
    """Which value to take, and what comes of setting none."""
    if problem.near:
        return meant(problem.near)
    if problem.path == "schema":
        return "write `1`; a file of a later version needs a later version of tool"
    if _is_variable(problem.source):
        return "set the variable to one of these, or unset it"
    return "write one of these, or leave the key out"
