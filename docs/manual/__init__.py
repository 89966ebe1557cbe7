"""The manual: the command line described by itself, and the files that are made from it (`docs/manual.md`).

`describe` (from cyclopts to values), `command` (the values), `bash`, `zsh` and `fish` (completion), `man` (the man
page), `texts` (what else it tells). `docs/generate.py` writes them into `io_edges/cli/shells/`.
"""
