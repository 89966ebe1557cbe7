"""The questions of `tool init`, and what is written (`docs/init.md`, `docs/legacy.md`, `docs/editors.md`).

In reading order: `questions`, `config_text` (a configuration as text), `package_json` (the key in a file that is
there), `shadows` (files that would not be read), `lift` (the 0.x file in the version 1 shape), `declaration` and
`json_schema` (the types for editors).
"""
