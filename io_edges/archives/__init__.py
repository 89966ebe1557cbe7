"""The archives of a drop: finding, opening and reading them (`docs/archives.md`).

In reading order: `find` (the archives of a folder), `examine` (what each is), `zips` (an opened file), `data` (what
an entry holds), `members` (an archive in an archive).
"""
