"""What a script in TypeScript or JavaScript says, if it is a literal (`docs/scripts.md`).

In reading order: `literal` (what is exported), `values` (what is written there), `types`, `tokens`. `io_edges.scripts`
evaluates any other script.
"""
