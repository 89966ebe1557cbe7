"""What an archive is, and whether it is safe to build (`docs/archives.md`, `docs/refusals.md`).

In reading order: `archive` (an archive as a value), `zip/` (the records of the file), `entry_names` and `vet` (what
is refused), `markers`, `systems` and `drupal` (what an archive is recognised by), `core_modules` (what Drupal itself
supplies), `recognise` (its kind, name and version), `bundles` (several components in one archive), `unused` (what in
a drop is not read at all), `inspection` (what `tool inspect` tells), `formats/` (the files that markers are).
"""
