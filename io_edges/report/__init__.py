"""Telling the user (`docs/output.md`, `docs/exit-codes.md`).

In reading order: `console` (where every line goes), `prose` with `build_prose` and `value_prose` (problems in words),
`warnings` with `drop_warnings` (notes in words), `wording` (what all of these are made of), `explanations` and
`warning_explanations` (what each error and each warning means), `exit_codes`, `places` (where something is, seen from
the current folder), `excerpts` (the line that a problem points to), `screens` (what the terminal is like), `progress`
(the bar), `findings` (problems and notes for other programs), `annotator` (errors and warnings as annotations, too).
"""
