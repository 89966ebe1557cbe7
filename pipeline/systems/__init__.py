"""What the tool knows of each system, one file per system (`docs/archives.md`, `docs/building.md`).

In reading order: `system` (the record of what is known, and its parts), `wordpress`, `prestashop`,
`drupal` (8 and later), `drupal7`, `backdrop`, `omeka_s`, `omeka_classic` and `thirty_bees`,
`info_files` and `ini_files` (markers that several systems share), `table` (all of them: `SYSTEMS`),
`residences` (which of them a project has). A system gives data and pure functions, never a
diagnostic. No other module contains its name.
"""
