"""Examples: what the help of each command shows besides its flags: two command lines, and its page of the docs."""

from typing import Final

from pipeline.config import variables
from pipeline.manual.command import Example

EXAMPLES: Final = {
    "tool": (
        Example("tool create drop", "Build the themes and modules in drop/ into the current folder"),
        Example("tool help create", "Show the help of a command, as tool create --help does"),
    ),
    "tool create": (
        Example("tool create drop --output shop", "Build the project shop/ from the archives in drop/"),
        Example("tool create drop --theme=harbour --exclude='*_test'", "Choose the theme, and leave modules out"),
    ),
    "tool status": (
        Example("tool status drop", "Compare what is built here with the archives in drop/"),
        Example("tool status drop -v --output shop", "List the files that differ in the project shop/, too"),
    ),
    "tool init": (
        Example("tool init drop", "Offer the themes and modules in drop/ as answers"),
        Example("tool init --yes --theme=none --format=ts", "Ask nothing, and write tool.config.ts"),
    ),
    "tool inspect": (
        Example("tool inspect drop", "Tell what every archive in drop/ is"),
        Example("tool inspect shop_banner.zip --log-format=json", "Print what an archive is, for a program"),
    ),
    "tool explain": (
        Example("tool explain theme", "Show who sets a setting, and what would change it"),
        Example("tool explain shop_banner drop", "Show why a module is built or left out"),
    ),
    "tool config": (
        Example("tool config show", "Show where every setting comes from"),
        Example("tool config validate", "Check the configuration that a run would read"),
    ),
    "tool config show": (
        Example("tool config show --preset=ci", "Show the settings as with the preset ci"),
        Example("tool config show --log-format=json", "Print them as one JSON object a line"),
    ),
    "tool config validate": (
        Example("tool config validate", "Check the configuration and its presets"),
        Example("tool config validate presets/shop.ts --format=github", "Check one file, and annotate it on GitHub"),
    ),
    "tool config diff": (
        Example("tool config diff a.json b.json", "Show what the second file changes"),
        Example("tool config diff --env CI=1", "Show what CI changes in the settings in effect"),
    ),
    "tool config migrate": (
        Example("tool config migrate --dry-run", "Show what would change in .tool.json"),
        Example("tool config migrate --config=old/.tool.json", "Rewrite another 0.x file"),
    ),
    "tool config schema": (
        Example("tool config schema > tool.schema.json", "Save the schema for an editor"),
        Example("tool config schema | jq .properties.theme", "Look one setting up"),
    ),
    "tool config types": (
        Example("tool config types > tool.d.ts", "Let an editor know the module tool"),
        Example("tool config types | less", "Read the type of a configuration"),
    ),
    "tool completion": (
        Example(
            "tool completion bash > ~/.local/share/bash-completion/completions/tool", "Install the script for bash"
        ),
        Example("tool completion fish > ~/.config/fish/completions/tool.fish", "Install the script for fish"),
    ),
    "tool help": (
        Example("tool help create", "Show the help of tool create"),
        Example("tool help config show", "Show the help of a command in a group"),
    ),
}
"""By command, two examples."""

PAGES: Final = {
    "tool": "README.md and docs/",
    "tool create": "docs/building.md",
    "tool status": "docs/everyday.md",
    "tool init": "docs/init.md",
    "tool inspect": "docs/inspect.md",
    "tool explain": "docs/explain.md",
    "tool config": "docs/configuration.md",
    "tool config show": "docs/precedence.md",
    "tool config validate": "docs/ci.md",
    "tool config diff": "docs/explain.md",
    "tool config migrate": "docs/legacy.md",
    "tool config schema": "docs/editors.md",
    "tool config types": "docs/editors.md",
    "tool completion": "docs/manual.md",
    "tool help": "docs/manual.md",
}
"""By command, the page of the documentation that explains it."""

FILES: Final = {
    "tool.config.ts, tool.config.js, tool.config.json": "The configuration; the first that is found, from here upward.",
    "package.json": "Its key tool holds a configuration as well.",
    ".tool.json": "The configuration of 0.x, which the next run rewrites.",
    ".tool-manifest.json": "What was built: to be committed.",
    ".tool-cache.json": "What makes an unchanged run cheap: not to be committed.",
    ".tool-backup/": "Files of yours that were replaced or removed.",
}
"""What the man page tells of files."""

VARIABLES: Final = {
    variables.NO_EXEC: "With true or 1, no hook and no script is run, as with --no-exec.",
    "CI": "With true or 1, the preset ci is detected.",
    "GITHUB_ACTIONS": "With true, each error and warning of a text log is an annotation of GitHub Actions as well.",
    "NO_COLOR": "With any value, no colours are printed.",
    "FORCE_COLOR": "With any value but 0, colours are printed, even where there is no terminal.",
    "ACCESSIBLE": "With any value but 0, nothing is drawn, moved or redrawn: for screen readers.",
    "TERM": "With dumb, or without a value, nothing is drawn, and no colours are printed.",
    "COLUMNS": "The width of the terminal, in place of what it says itself.",
    "SOURCE_DATE_EPOCH": "The time of the files that are written, in seconds since 1970.",
}
"""The variables that are read besides those of the settings, as the man page and the reference tell of them."""

HOOK_VARIABLES: Final = {
    variables.HOOK_STAGE: "What runs: init or post.",
    variables.HOOK_PROJECT: "The absolute path of the project.",
    variables.HOOK_THEME: "The name of the theme that is built; empty without one.",
    variables.HOOK_PLAN: "The path of a JSON file with project, and components as in the events of a component.",
}
"""The variables that a hook script is given."""
