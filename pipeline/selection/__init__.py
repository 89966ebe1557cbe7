"""Which theme and which modules are built, and why (`docs/archives.md`).

In reading order: `select` (the whole choice), `themes`, `patterns` (which layer and pattern decides about a module),
`duplicates` (several archives of one component), `versions` (which is higher, and whether a system has the one that a
component needs), `needs` (what selected components need), `choices` (a component with its verdict and reason).
"""
