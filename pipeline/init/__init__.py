"""The questions of `tool init`, and what is written (`docs/configuration.md`).

In reading order: `questions`, `config_text` (a configuration as text), `lift` (the 0.x file in the
version 1 shape), `declaration` and `json_schema` (the types for editors).
"""
