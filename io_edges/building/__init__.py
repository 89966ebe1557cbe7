"""Building a project (`docs/building.md`, `docs/reliability.md`).

In reading order: `apply` (the order of a build), `project` (the folder, its lock, record and staging), `targets` (what
is there), `extract` (archives into staging), `swap` (components into place, all or none), `hooks`, `cache`.
"""
