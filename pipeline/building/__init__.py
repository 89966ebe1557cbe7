"""What a build will do and what it has done (`docs/building.md`, `docs/reliability.md`).

In reading order: `plan` (add, update, keep, remove), `ownership` (whose version of each file stands after a run),
`departures` (what is not built any longer), `frozen` (what `--frozen` demands), `record` (what the tool wrote),
`status` (what differs from the record and the drop), `plan_events` (what the log says of a plan), `hooks` (which
scripts run), `journal` (what a killed run has done), `cache` (what need not be read again), `last_build` (what
was written here, if the record comes from elsewhere), `sealed` (data with a checksum), `layout` (the names of what the
tool leaves in a project).
"""
