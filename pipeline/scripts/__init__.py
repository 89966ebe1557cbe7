"""What a script in TypeScript or JavaScript says, without running it (`docs/scripts.md`): `io_edges.scripts` runs it.

A script that is a literal, in reading order: `literals` (its statements), `values` (what it exports), `tokens`.
The places of values in every other: `places` (the mark of every value), `names` (what the name of a `const` stands
for), `syntax` (the literals of a syntax tree).
"""
