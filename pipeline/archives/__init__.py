"""Recognise archives, and refuse those that are not safe to build (`docs/archives.md`).

In reading order: `archive` (an archive as a value), `zip/` (the records of the file), `entry_names` and `vet` (why an
archive is refused), `naming` (names and versions from file names), `markers`, `composer`, `prestashop`, `omeka`,
`drupal` and `wordpress` (the markers of each system), `others` (whole systems, extensions of others, data), `recognise`
(the table of all recognisers; kind, name and version), `unmarked` (archives without a marker), `bundles` (several
components in one archive), `unused` (other files in a drop), `inspection` (the output of `tool inspect`), `formats` and
`php` (what is read in markers).
"""
