"""Texts: the parts of the reference that are written by hand."""

from typing import Final

from pipeline.config import variables

VARIABLES: Final = {
    variables.NO_EXEC: "true or 1: as --no-exec.",
    variables.KEEP: (
        "The space for kept archives, such as 200M; or all; or none, which keeps no "
        "replaced files either."
    ),
    variables.THEMES_DIR: "As --themes-dir.",
    variables.MODULES_DIR: "As --modules-dir.",
    "CI": "Anything but false or 0: apply the preset ci if presets are detected.",
    "NO_COLOR": "Any value: print no colours.",
    "FORCE_COLOR": "Any value but 0: print colours, even without a terminal.",
    "ACCESSIBLE": "Any value but 0: draw and redraw nothing, for screen readers.",
    "TERM": "dumb, or no value: draw nothing, and print no colours.",
    "COLUMNS": "The width of the terminal.",
    "SOURCE_DATE_EPOCH": "The time of written files, in seconds since 1970.",
}
"""The variables that are read besides those of the settings, as the reference tells of them."""

HOOK_VARIABLES: Final = {
    variables.HOOK_STAGE: "The stage: init or post.",
    variables.HOOK_PROJECT: "The absolute path of the project.",
    variables.HOOK_THEME: "The name of the theme that is built; empty without one.",
    variables.HOOK_PLAN: (
        "The path of a JSON file with project, and with components as in the component events."
    ),
}
"""The variables that a hook script is given."""

OUTPUT: Final = """\
# Output and events

Standard output has the result of a command, such as the diff of `tool diff` or the path of the
project that `tool create` built. Everything else goes to standard error: as text or, with
`log.format` set to `json`, as one JSON object a line.

## Text

A run reports the settings, the archives that are skipped or refused, the components that change,
and a summary. A pipe gets all settings, a terminal those that are not the default.

- `--verbose` reports every setting, archive and component, and where a configuration was searched
  for.
- `--quiet` reports only warnings and errors, and the last 20 lines of a hook script that fails. It
  does not repeat a warning of the last run about settings, drop or plan.
- Every failed run ends by saying whether it changed anything: `nothing was changed`. With an error
  in the command line, no run begins, and this line is left out.
- A string in a list is in quotes if it could be read as something else. You can type a value as it
  is shown.
- [Variables](settings.md#other-environment-variables) set colours and width. `ACCESSIBLE=1` prints
  sentences for screen readers.
- At most 1,000 warnings and 1,000 errors are shown.

### Escapes

Text from archives, files and scripts cannot control a terminal: control characters, bidirectional
characters and bytes that are not UTF-8 are shown as escapes. So are `::` and `##[`, which GitHub
Actions and Azure Pipelines run as commands: `\\x3a:error::`. You can type a name with such an
escape: `--exclude='caf\\udce9.zip'`. A path on standard output is exact, unless it is printed on a
terminal.

## JSON

The events of `tool create` come in this order: `start`; a `decision` for each setting; `system`; an
`archive` for each archive and each member of a bundle; a `component` for each that is built, kept
or removed; `scripts`; `hook` and `output`; `next`; and last `summary`. A `warning` may come
anywhere, an `error` anywhere before the summary. Within one version of the log, fields are only
added.

```console
$ tool create drop --dry-run --log-format=json --theme=none 2>&1 | grep '"path":"theme"'
{"event":"decision","path":"theme","value":"none","layer":"flag","source":"--theme","overridden":[{"layer":"default","source":"built-in","value":"auto"}]}
```

- `layer` is `flag`, `env`, `config`, `preset` or `default`.
- `source` is the flag, the variable, `file:line:column`, `preset:ci` for a bundled preset, or
  `built-in`. Of a value that [a script computes elsewhere](../scripts.md#where-a-value-comes-from)
  it is the object around the value, or the file alone. Files are relative to the current folder.
- A value from a file also has `file` and, if known, `line` and `column`, which count from 1.
- Until the configuration has been read, the log format comes from the flag or the variable.
"""
"""The page of the events up to the fields of each."""
