"""Edits that are kept as patches (`docs/building.md`, "Patches").

In reading order: `patch_names` (which file a diff means), `patch_file` (a diff that is read), `patches` (what one makes
of an archive), `given` (what building gives with it), `contents` (the same of archives and of what was built, and a
patch for another archive), `patching` (which patches there are, and which do not fit), `patch_making` (of edits).
"""
