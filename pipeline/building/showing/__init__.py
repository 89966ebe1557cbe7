"""What commands show and save of a plan (`docs/reference/commands.md`, `docs/reference/events.md`).

In reading order: `plan_events` (the plan in the log), `next_steps` (what the system needs after
it), `inspections` (what archives in scope are, and why a component is built or not), `status` (what
differs from the record and the drop), `foreign` (what else lies beside the components), `changes`
(the diff of components), `patch_making` (edits as a patch), `run_log` (what runs have done).
"""
