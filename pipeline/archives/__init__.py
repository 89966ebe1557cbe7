"""What an archive is, and whether it is safe to build (`docs/archives.md`).

In reading order: `archive` (an archive as a value), `zip/` (the records of the file), `entry_names` and `vet` (what
is refused), `naming` (what names say), `markers`, `composer`, `prestashop`, `omeka`, `drupal` and `wordpress` (what an
archive is recognised by), `whole`, `foreign` and `files_only` (what is neither: systems, extensions of others, data),
`systems` (all of it as a table), `core_modules` (what systems supply), `recognise`
(its kind, name and version), `unmarked` (what no marker tells), `installed` (the same of what is in a project),
`bundles` (several components in one archive), `unused` (what in a drop is not read at all), `inspection` (what `tool
inspect` tells), `formats/` (the files that markers are).
"""
