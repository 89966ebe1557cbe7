"""The manual: what the command line offers, as values, and the texts that are made from them (`docs/manual.md`).

`command` (what is described), `help` (`--help`), `man` (the man page), `bash`, `zsh` and `fish` (completion).
"""
