"""What commands show of a plan (`docs/reference/commands.md`, `docs/reference/events.md`).

In reading order: `plan_events` (the plan in the log), `status` (what differs from the record and the drop), `changes`
(the diff of components), `reasons` (why a component is built or not).
"""
