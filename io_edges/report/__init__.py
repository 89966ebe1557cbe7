"""Telling the user (`docs/output.md`, `docs/exit-codes.md`).

In reading order: `console` (where every line goes), `prose` (problems in words), `warnings` (notes in words),
`excerpts` (the line that a problem points to), `exit_codes`, `progress` (the bar).
"""
