"""Archives as values, and why those that are not safe to build are refused (`docs/archives.md`).

In reading order: `archive` (an archive as a value), `zip/` (the records of the file), `entry_names`
and `vet` (why an archive is refused), `naming` (names and versions from file names), `versions`
(which is higher), `constraints` (if a version is one that a component needs), `formats`, `headers`,
`info` and `ini` (what is read in markers), `yaml_files` (YAML), `php/` (a class), `php_versions`
(how PHP compares), `markers` (what recognisers are made from), `composer` (the package at a root),
`places` (the folders of a project, and questions to it), `inspection` (the output of
`tool inspect`). Which system an archive is for is decided in `systems` and `recognition`.
"""
