"""Building a project (`docs/building.md`, `docs/reliability.md`).

In reading order: `apply` (the order of a build), `project` (the folder and its lock) with `store` (record and
state), `view` (what a plan is made from) with `targets` and `contents`, `local` (the folder `.tool/`), `staging` (in
it, for what is not yet in place), `stage` (a component into it) with `extract`, `verified` (whether it is still as it
was), `transaction` (all components into place, or none) with `exchange`, `in_place`, `carry` (what others write
meanwhile), `backups` and `keep` (what is left for later), `settle` (what a killed run has begun), `undo`, `hooks` (the
scripts of users), `cache`, `git` (what it leaves out or changes).
"""
