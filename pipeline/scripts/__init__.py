"""Where the values of a configuration in TypeScript or JavaScript are written (`docs/scripts.md`).

In reading order: `places` (the mark of every value), `names` (what the name of a `const` stands for), `syntax` (the
literals of a syntax tree). Nothing here evaluates a script: `io_edges.scripts` does.
"""
