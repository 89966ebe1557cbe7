"""Edits that are kept as patches (`docs/building.md`, "Patches").

In reading order: `patch_names` (which file a diff means), `patch_file` (a diff that is read), `patches` (what one makes
of an archive), `given` (what building gives with it).
"""
