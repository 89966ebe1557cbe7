"""What a run tells, as values (`docs/output.md`, `docs/exit-codes.md`).

In reading order: `source` (where something was written), `problems`, `build_problems` and `redundancies` (what ends a
run), `notes`, `drop_notes` and `run_notes` (what only warns), `outcome` (how a function fails), `events` (one line of
the log each), `findings` and `sarif` (problems and notes for other programs), `escape` (untrusted text made safe to
show), `near` (similar names), `paths` (files as the user knows them), `values` (the value of a setting in text),
`layout` (lines that fit a screen), `text` (every event as lines) and `brief` (what of them a person wants to know).
"""
