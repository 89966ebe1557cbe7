"""Edits that are kept as patches (`docs/building.md`, "Patches").

In reading order: `patch_names` (which file a diff means), `patch_file` (a diff that is read), `patches` (what one makes
of an archive), `given` and `patching` (what building gives with it), `base_texts` (what was built before),
`patch_making` (a patch of edits), `rebasing` (a patch for another archive).
"""
