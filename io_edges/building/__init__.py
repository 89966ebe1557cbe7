"""Building a project (`docs/building.md`, `docs/reliability.md`).

In reading order: `apply` (the order of a build), `project` (the folder and its lock) with `own_files` (its record),
`targets` (what is there) with `ahead` (why a run would stop there), `staging` (the folder for what is not yet in
place), `stage` (a component into it) with `extract`, `swap` (components into place, all or none) with `whereabouts`,
`in_place`, `late` and `backups`, `settle` (what a killed run left, at the start of the next), `hooks` and `hook_folder`
(the scripts of users), `cache`.
"""
