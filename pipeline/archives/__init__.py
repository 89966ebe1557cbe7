"""Recognise archives, and refuse those that are not safe to build (`docs/archives.md`).

In reading order: `archive` (an archive as a value), `zip/` (the records of the file), `entry_names` and `vet` (why an
archive is refused), `naming` (names and versions from file names), `versions` (which is higher, and whether a system
has the one that a component needs), `formats` (what is read in markers), `markers`, `composer`, `prestashop`,
`info_files` and `wordpress` (the markers of each system), `others` (whole systems, extensions of others, data),
`recognise` (the table of all recognisers; kind, name and version), `unmarked` (archives without a marker, other files
in a drop), `bundles` (several components in one archive), `inspection` (the output of `tool inspect`).
"""
