"""Building a project (`docs/building.md`, `docs/reliability.md`).

In reading order: `apply` (the order of a build), `project` (the folder and its lock) with `memories` (record and
state), `look` (what a plan is made from) with `targets` and `contents`, `local` (the folder `.tool/`), `staging` (in
it, for what is not yet in place), `stage` (a component into it) with `extract`, `verified` (whether it is still as it
was), `swap` (components into place, all or none) with `swap_position`, `in_place`, `concurrent_writes` and
`backups`, `settle` (what a killed run left, at the start of the next), `aside` (what is left for later) with `keep`
(archives), `undo`, `hooks` (the scripts of users), `cache`, `git` (what it leaves out or changes).
"""
