"""What an archive is, as the systems say (`docs/archives.md`).

In reading order: `recognise` (kind, name and version), `recognisers` (the table of what recognises a marker),
`packages` (what a package of Composer says that it is), `others` (whole systems, extensions of others, data),
`unmarked` (archives without a marker, other files in a drop), `bundles` (several components in one archive).
"""
