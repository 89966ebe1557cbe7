"""What each command does, one module a command (`docs/reference/commands.md`).

`create` is in three: `run` (how far a run has got), `planning` (what it looks at first), `create`.
"""
