"""Whose version of a file is built (`docs/building.md`, "Whose file is it").

In reading order: `preference` (whose version the flags prefer), `outcomes` (the outcome of
each file), `files_merge` (the merge that decides it), `lines` (merges and diffs of texts by
lines, with git).
"""
