"""The manual: the command line described by itself, and the files that are made from it (`docs/manual.md`).

`describe` (from cyclopts to values), `examples` (two for each command, and its page of the docs). Beside them, written
by `docs/generate.py` and installed where shells and `man` look: `tool.bash`, `_tool`, `tool.fish`, `tool.1`.
"""
