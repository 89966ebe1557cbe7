"""Edits that are kept as patches (`docs/building.md`, "Patches").

In reading order: `patch_lines` (names and hunks in the lines of a diff), `patch_names` (the ways to
read a name), `patch` (a diff as a value), `patch_file` (how a diff is read), `naming` (which files
of an archive it changes), `placing` (at which lines its hunks apply), `patches` (how it is applied
to an archive), `widening` (how the tool writes a patch), `payload` (the files of an archive with
its patch).
"""
