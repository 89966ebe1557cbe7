"""Edits that are kept as patches (`docs/building.md`, "Patches").

In reading order: `patch_lines` (names and hunks in the lines of a diff), `patch_names` (how a name
can be read), `patch` (a diff as a value), `patch_file` (how one is read), `naming` (which files of
an archive it is about), `placing` (where its hunks stand), `patches` (what it makes of an archive),
`widening` (how the tool writes one), `payload` (the files of an archive with its patch).
"""
