"""Whose version of a file is built (`docs/building.md`, "Whose file is it").

In reading order: `preference` (what the flags prefer), `outcomes` (what becomes of each file), `files_merge` (the
merge that decides it), `lines` (texts by lines: merged, and as a diff, by git).
"""
