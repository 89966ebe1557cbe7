"""Telling the user (`docs/output.md`, `docs/exit-codes.md`).

In reading order: `console` (where every line goes), `prose` (problems in words), `warnings` (notes in words),
`places` (where something is, seen from the current folder), `excerpts` (the line that a problem points to), `screens`
(what the terminal is like), `exit_codes`, `progress` (the bar), `findings` (problems and notes for other programs),
`annotator` (errors and warnings as annotations, too).
"""
