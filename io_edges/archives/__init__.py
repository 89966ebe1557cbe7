"""The archives of a drop: find, open and read them (`docs/archives.md`).

In reading order:

    find       lists the archives of a drop
    examine    recognises what each archive is
    zips       opens an archive, or an archive in one
    data       reads the data of an entry
"""
