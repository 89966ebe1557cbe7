"""Prose: every problem in words. Here are those of the configuration; `build_prose` has the others.

`warnings` does the same for notes. Each problem says what to do: `help` is never empty.
"""

from typing import Final, assert_never

from io_edges.report.build_prose import of_build
from io_edges.report.value_prose import chosen, of_key, retyped
from io_edges.report.wording import Prose, either, listed, meant
from pipeline.config.presets import BUNDLED
from pipeline.report import problems, redundancies
from pipeline.report.build_problems import BuildProblem
from pipeline.report.problems import ConfigProblem, FileProblem, Problem, ScriptFault

_FAULTS: Final[dict[ScriptFault, tuple[str, str]]] = {
    "syntax": ("it cannot be parsed: {}", "fix the script at this place"),
    "threw": ("it threw: {}", "fix what threw, or catch it in the script"),
    "missing import": (
        "it imports something that does not exist: {}",
        "check the name, or install the package",
    ),
    "unsupported import": (
        "it imports something that cannot be loaded: {}",
        "import a script, JSON or a package",
    ),
    "denied": (
        "it is not allowed to do this: {}",
        "do without it: a script may only read its project and the environment",
    ),
    "no default export": ("it has no default export", "write `export default { … }`, or `module.exports = { … }`"),
    "not an object": (
        "expected its default export to be an object, found {}",
        "export an object, a promise of one, or a function that returns one",
    ),
    "not data": ("expected plain data, found {}", "export strings, numbers, booleans, lists and plain objects only"),
    "ended early": ("it ended before it gave a configuration: {}", "let the script come to its end by itself"),
    "timed out": (
        "it gave no configuration in time: all scripts of a run have {} together",
        "a configuration should not wait for anything",
    ),
    "out of memory": ("it needs more memory than a script may have", "a configuration needs little: check for a loop"),
    "not a literal": (
        "this has to be evaluated, and `--no-exec` or `TOOL_NO_EXEC` forbids it",
        "write a literal here, or the configuration as JSON; or let scripts run",
    ),
    "too much output": ("it printed more than {}", "remove what prints: a configuration is what the script exports"),
}
"""What each fault of a script's evaluation means, and what to do."""

_JSON: Final = {
    "it has a comment": "JSON has no comments: remove it, or write the configuration as `tool.config.ts` or `.js`",
    "trailing comma": "remove the comma: JSON has none after the last item",
    "a string is not closed": 'close it with `"` in the line where it begins',
    "the text ends too early": 'close what is open: each `{`, `[` and `"` needs its end',
    "it does not begin with `{`": "a configuration is an object, `{ … }`; is this the right file?",
}
"""What to do about text that is not JSON, by the beginning of the reason."""

_WORDS: Final = {
    **{word: f"JSON writes `{word}`" for word in ("true", "false", "null")},
    "none": "JSON writes `null`",
    **dict.fromkeys(("nan", "infinity", "undefined"), "JSON has no such value: write another, or leave the key out"),
}
"""What to do about a word of another language."""


def in_words(problem: Problem, lists_below: frozenset[str] | None = None) -> Prose:
    """Put a problem in words; `lists_below` is what `wording.adding` goes by."""
    match problem:
        case problems.UsageError(message, command, path, source, advice):
            advice = advice or f"`{command} --help` lists what it accepts"
            return Prose(message=message, help=advice, path=path, source=source)
        case redundancies.EqualSetting(path, source, layer, below):
            who = "it is the default" if layer == "default" else f"`{below}` sets the same"
            return Prose(message=f"this changes nothing: {who}", help="take it out", path=path, source=source)
        case redundancies.RedundantItem(path, source, item, by):
            why = "is in this list already" if by == item else f"changes nothing: `{by}` in the same list covers it"
            return Prose(message=f"`{item}` {why}", help="take it out", path=path, source=source)
        case redundancies.IdlePreset(path, source, preset):
            message = f"the preset `{preset}` changes nothing: no setting of it is used"
            return Prose(message=message, help="take it out of the list", path=path, source=source)
        case _:
            return of_build(problem, lists_below) if isinstance(problem, BuildProblem) else _of_config(problem)


def _of_config(problem: ConfigProblem) -> Prose:
    match problem:
        case problems.UnknownKey(path, source):
            message, advice = of_key(problem)
            return Prose(message=message, help=advice, path=path, source=source)
        case problems.NotInPreset(path, source):
            advice = "set it in the configuration file"
            return Prose(message="a preset cannot choose presets", help=advice, path=path, source=source)
        case problems.WrongType(path, source, expected, actual):
            advice = retyped(problem)
            return Prose(message=f"expected {expected}, found {actual}", help=advice, path=path or None, source=source)
        case problems.BadChoice(path, source, value, choices):
            message = f"expected {either(choices)}, found `{value}`"
            return Prose(message=message, help=chosen(problem), path=path or None, source=source)
        case problems.EmptyPath(path, source):
            message = "expected a path or a name, found an empty string"
            advice = "write `.` for the folder itself, or leave it out"
            return Prose(message=message, help=advice, path=path, source=source)
        case problems.RepeatedSplice(path, source):
            message = '`"..."` is in this list already; it stands for the list of the layers below, once'
            return Prose(message=message, help="take one of them out", path=path, source=source)
        case problems.PresetNotFound(path=path, source=source):
            message, advice = _of_preset(problem)
            return Prose(message=message, help=advice, path=path, source=source)
        case _:
            return _of_file(problem)


def _of_preset(problem: problems.PresetNotFound) -> tuple[str, str]:
    """Where a preset was looked for, and what to write."""
    preset, near = problem.preset, problem.near
    if problem.is_folder:
        message = f"`{preset}` is a folder, and a preset is a file"
        return message, meant(near) or "name a file in it; or list the folder in `presetsSearchPath`, and name the file"
    if problem.is_path:
        message = f"no preset `{preset}`: there is no file {listed(problem.searched)}"
        return message, meant(near) or "check the path; in a file, it is relative to that file"
    searched = f"looked for {listed(problem.searched)}" if problem.searched else "`presetsSearchPath` is empty"
    message = f"no preset `{preset}`: it is none of the bundled {either(tuple(BUNDLED))}; {searched}"
    if preset == "auto":
        return message, "write `...` in its place: the presets of the layers below, or those that are detected"
    return message, meant(near) or "check the name, and that `presetsSearchPath` lists the folder of its file"


def _of_file(problem: FileProblem) -> Prose:
    match problem:
        case problems.ConfigNotFound(file=file):
            message, advice = _of_missing(problem)
            return Prose(message=message, help=advice)
        case problems.ConfigUnreadable(file, cause):
            advice = "name a file in it" if "folder" in cause else "check what is there, and who may read it"
            return Prose(message=f"cannot read `{file}`: {cause}", help=advice)
        case problems.MalformedJson(source, reason):
            return Prose(message=f"not JSON: {reason}", help=_of_json(reason), source=source)
        case problems.DuplicateKey(path, source, first):
            advice = "remove one of them"
            return Prose(message=f"duplicate key, first at {first}", help=advice, path=path, source=source)
        case problems.LimitExceeded(source, unit, limit):
            advice = "write it flatter" if unit == "levels" else "a configuration is short: is this the right file?"
            return Prose(message=f"more than {limit:,} {unit}", help=advice, source=source)
        case problems.ScriptRuntimeUnavailable(file, command):
            message = f"`{file}` has to be evaluated, and Deno, which does that, is not installed"
            advice = f"install it with `{command}`; or write the configuration as JSON"
            return Prose(message=message, help=advice)
        case problems.EvaluationFailed(source, fault, detail, path):
            message, advice = _FAULTS[fault]
            return Prose(message=message.format(detail), help=advice, path=path or None, source=source)
        case _:
            assert_never(problem)


def _of_missing(problem: problems.ConfigNotFound) -> tuple[str, str]:
    """Why there is no such configuration, and what to do."""
    file = problem.file
    if not file:
        return "`--config` names no file", "name one, or leave `--config` out to search for the configuration"
    if problem.lacks_key:
        return f"`{file}` has no key `tool`", "add the key, or name another file"
    if problem.is_dangling:
        return f"no file `{file}`: it is a link to nothing", "create the file that it leads to, or name another"
    return f"no file `{file}`", meant(problem.near) or "check the path; a relative one starts at the current folder"


def _of_json(reason: str) -> str:
    """What to do about a text that is not JSON."""
    for beginning, advice in _JSON.items():
        if reason.startswith(beginning):
            return advice
    word = reason.removeprefix("unexpected `")
    otherwise = "write what JSON has at this place, or check the line above"
    if word == reason:
        return otherwise
    quotes = "JSON puts keys and strings in double quotes" if word[0] == "'" or word[0].isalpha() else otherwise
    return _WORDS.get(word.removesuffix("`").lower(), quotes)
