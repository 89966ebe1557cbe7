"""What each command does, one module a command (`docs/reference/commands.md`).

`create` is in three: `run` (how far a run has got), `planning` (what it looks at first), `create`. `choose` is what it
has in common with `status`: the selection among the archives of a drop. `page` is `tool config show --html`.
"""
