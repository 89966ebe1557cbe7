"""What a build will do and what it has done (`docs/building.md`, `docs/reliability.md`).

In reading order, after `pipeline/plan.py`: `steps` (add, update, keep, remove), `draft` (a plan in the making), `names`
(the components in scope), `target_folders` (which folders components go into), `compare` (what is done about each
component), `base` (what a component on disk was made from), `removals` (what is not built any longer), `hooks` (which
scripts run), `undo` (the steps back). The rooms, from the top: `showing`, `judging`, `patching`, `merging`, `stores`.
"""
