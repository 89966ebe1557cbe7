"""The archives of a drop: finding, opening and reading them (`docs/archives.md`).

In reading order: `find` (the archives of a folder), `examine` (what each is), `zips` (an opened file, and an archive in
one), `data` (what an entry holds).
"""
