"""Building a project (`docs/building.md`, `docs/reliability.md`).

In reading order: `apply` (the order of a build), `project` (the folder and its lock) with `store` (record and state),
`view` (what a plan is made from) with `contents` and `patches`, `local` (the folder `.tool/`, and the staging folder in
it), `stage` (a component into that, from its archive by `extract`, or from what undo brings back), `transaction` (all
components and patches into place, or none) with `in_place` (a component) and `file_moves` (file by file), `keep`
(backups, and what is left for later) with `archives`, `settle` (what a killed run has begun), `patch_run` (patches
alone), `hooks` (scripts of users), `cache`, `git` (texts are merged and compared by it).
"""
