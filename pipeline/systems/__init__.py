"""What the tool knows of each system, one file a system (`docs/archives.md`, `docs/building.md`).

In reading order: `system` (the record of what is known, and its parts), `wordpress`, `prestashop`, `drupal` (8 and
later), `drupal7`, `backdrop`, `omeka_s` and `omeka_classic`, `info_files` and `ini_files` (the markers that several of
them have), `table` (the table of contents, `SYSTEMS`), `residences` (which of them are in a project). A system gives
data and pure functions, never a diagnostic: its name stands nowhere else.
"""
