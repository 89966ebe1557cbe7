"""Texts: what the reference tells besides commands: variables."""

from typing import Final

from pipeline.config import variables

VARIABLES: Final = {
    variables.NO_EXEC: "With true or 1, no hook and no script is run, as with --no-exec.",
    variables.KEEP: "With none, neither archives nor what a run replaces are kept, so there is nothing to undo.",
    variables.THEMES_DIR: "The folder of themes in the project, as with --themes-dir.",
    variables.MODULES_DIR: "The folder of modules in the project, as with --modules-dir.",
    "CI": "With true or 1, the preset ci is detected.",
    "GITHUB_ACTIONS": "With true, each error and warning of a text log is an annotation of GitHub Actions as well.",
    "NO_COLOR": "With any value, no colours are printed.",
    "FORCE_COLOR": "With any value but 0, colours are printed, even where there is no terminal.",
    "ACCESSIBLE": "With any value but 0, nothing is drawn, moved or redrawn: for screen readers.",
    "TERM": "With dumb, or without a value, nothing is drawn, and no colours are printed.",
    "COLUMNS": "The width of the terminal, in place of what it says itself.",
    "SOURCE_DATE_EPOCH": "The time of the files that are written, in seconds since 1970.",
    "PYTHONPATH": "As for any Python program; but an entry that is empty or relative has no effect.",
}
"""The variables that are read besides those of the settings, as the reference tells of them."""

HOOK_VARIABLES: Final = {
    variables.HOOK_STAGE: "What runs: init or post.",
    variables.HOOK_PROJECT: "The absolute path of the project.",
    variables.HOOK_THEME: "The name of the theme that is built; empty without one.",
    variables.HOOK_PLAN: "The path of a JSON file with project, and components as in the events of a component.",
}
"""The variables that a hook script is given."""
