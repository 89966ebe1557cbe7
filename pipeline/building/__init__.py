"""What a build will do and what it has done (`docs/building.md`, `docs/reliability.md`).

In reading order: `plan` (add, update, keep, remove), `ownership` (whose version of each file stands after a run),
`record` (what the tool wrote), `hooks` (which scripts run), `journal` (what a killed run has done), `cache` (what need
not be read again), `sealed` (data with a checksum), `layout` (the names of what the tool leaves in a project).
"""
