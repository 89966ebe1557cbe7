"""Texts: what the reference tells besides commands: variables."""

from typing import Final

from pipeline.config import variables

VARIABLES: Final = {
    variables.NO_EXEC: "true or 1: run no hook and evaluate no script, as with --no-exec.",
    variables.KEEP: "none: keep no archives and no replaced files, so no run can be undone.",
    variables.THEMES_DIR: "Build themes into this folder of the project, as with --themes-dir.",
    variables.MODULES_DIR: "Build modules into this folder of the project, as with --modules-dir.",
    "CI": "true or 1: apply the preset ci if presets are detected.",
    "GITHUB_ACTIONS": "true: print each error and warning of a text log as an annotation of GitHub Actions, too.",
    "NO_COLOR": "Any value: print no colours.",
    "FORCE_COLOR": "Any value but 0: print colours, even without a terminal.",
    "ACCESSIBLE": "Any value but 0: draw and redraw nothing, for screen readers.",
    "TERM": "dumb, or no value: draw nothing, and print no colours.",
    "COLUMNS": "The width of the terminal, instead of its own.",
    "SOURCE_DATE_EPOCH": "The time of written files, in seconds since 1970.",
    "PYTHONPATH": "As for any Python program, but empty and relative entries have no effect.",
}
"""The variables that are read besides those of the settings, as the reference tells of them."""

HOOK_VARIABLES: Final = {
    variables.HOOK_STAGE: "The stage: init or post.",
    variables.HOOK_PROJECT: "The absolute path of the project.",
    variables.HOOK_THEME: "The name of the theme that is built; empty without one.",
    variables.HOOK_PLAN: "The path of a JSON file with project, and with components as in the component events.",
}
"""The variables that a hook script is given."""
