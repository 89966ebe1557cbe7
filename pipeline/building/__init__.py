"""What a build will do and what it has done (`docs/building.md`, `docs/reliability.md`).

In reading order, after `pipeline/plan.py`: `steps` (add, update, keep, remove), `draft` (a plan in the making), `names`
(the components in scope), `copies` (what the project has under another name or in another folder), `compare` (archives
with the disk), `base` (what a component on disk was made from), `surveys` (the disk and the drop, asked for it),
`component_steps` (what is done about a component), `preference` (whose version of a file is built), `files_merge` (the
outcome of each file), `text_merge` (conflicting files, merged by lines), `line_merge` (three versions of one text, by
git), `line_diff` (the diff of a file) and `changes` (of all files of components), `patch_file` and `patch_names` (a
diff that is read), `patches` (what one makes of an archive), `given` and `patching` (what building gives with it),
`base_texts` (what was built before), `patch_making` (a patch of edits), `rebasing` (a patch for another archive),
`removals` (what is not built any longer), `missing` (what is needed and not there), `obstacles` (what keeps steps from
being done), `frozen` (what is not as the record says), `judge` (what an update breaks), `overrides` (what themes
override), `target_folders` (which folders components go into), `record` (what the tool wrote), `state` (what of it
here), `tree` (what is on disk), `status` (what differs from the record and the drop), `plan_events` (what the log says
of a plan), `hooks` (which scripts run), `journal` (what a run changes), `undo` (the steps back), `run_log` (what runs
have done), `cache` (what need not be read again), `reasons` (why a component is built or not), `sealed` (data with a
checksum), `layout` (the names of what the tool leaves in a project).
"""
