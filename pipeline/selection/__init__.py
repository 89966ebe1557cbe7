"""Which theme and which modules are built, and why (`docs/archives.md`).

In reading order: `select` (the whole choice), `themes`, `patterns` (the layer and pattern that
decide about a module), `hosting` (the archives for the project's system), `duplicates` (several
archives of one component), `needs` (the needs of selected components), `choices` (a component with
its verdict and reason).
"""
