"""Building a project (`docs/building.md`, `docs/reliability.md`).

In reading order: `apply` (the order of a build), `project` (the folder and its lock) with `store` (record and state),
`view` (what a plan is made from) with `targets`, `contents` and `patches`, `local` (the folder `.tool/`), `staging` (in
it, for what is not yet in place), `stage` (a component into it) with `extract`, `transaction` (all components into
place, or none) with `in_place` (one, file by file), `backups` and `keep` (what is left for later), `settle` (what a
killed run has begun), `undo`, `hooks` (the scripts of users), `cache`, `git` (what it leaves out or changes).
"""
