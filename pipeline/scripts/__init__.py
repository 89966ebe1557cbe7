"""What a script in TypeScript or JavaScript says, without running it (`docs/scripts.md`): `io_edges.scripts` runs it.

One reading gives both what a script is that computes nothing, and where the values of every other stand. In reading
order: `statements` (what is exported), `values` (what is written there), `functions` (what they give), `types`,
`tokens`; and `places`, of the values that the evaluated data has.
"""
