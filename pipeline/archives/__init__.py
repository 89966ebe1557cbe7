"""Recognise archives, and refuse those that are not safe to build (`docs/archives.md`).

In reading order: `archive` (an archive as a value), `zip/` (the records of the file), `entry_names` and `vet` (why an
archive is refused), `naming` (names and versions from file names), `markers`, `composer`, `prestashop`, `omeka`,
`drupal` and `wordpress` (the markers of each system), `whole`, `foreign` and `files_only` (whole systems, extensions of
others, data), `systems` (the table of all recognisers), `core_modules` (modules that systems bring along), `recognise`
(kind, name and version), `unmarked` (archives without a marker), `installed` (components in a project), `bundles`
(several components in one archive), `unused` (other files in a drop), `inspection` (the output of `tool inspect`),
`formats/` (the formats of markers).
"""
