"""Whose version of a file is built (`docs/building.md`, "Whose file is it").

In reading order: `preference` (what the flags prefer), `files_merge` (the outcome of each file), `lines` (texts by
lines: merged, and as a diff, by git).
"""
