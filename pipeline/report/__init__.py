"""Everything that a run reports, as values
(`docs/reference/events.md`, `docs/reference/errors.md`).

In reading order: `location` (where something was written), `wording` (how names are listed, counted
and suggested, and how values are written), `diagnostic` (what errors and warnings have in common),
`diagnostics/` (each of them, with its words), `outcome` (how a function fails), `events` (one line
of the log each), `escape` (untrusted text made safe to show), `paths` (how paths are displayed),
`layout` (lines that fit a screen), `states` (what differs in a component), `tables` (events in
columns) and `text` (every event as lines).
"""
