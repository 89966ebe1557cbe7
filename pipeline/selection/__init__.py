"""Which theme and which modules are built, and why (`docs/archives.md`).

In reading order: `select` (the whole choice), `themes`, `patterns` (which layer and pattern decides about a module),
`hosting` (which archives are for the system that is there), `duplicates` (several archives of one component), `needs`
(what selected components need), `choices` (a component with its verdict and reason).
"""
