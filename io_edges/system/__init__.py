"""The operating system: what it offers, and how it refuses (`docs/reliability.md`).

`stop` (how a run ends early), `signals`, `syscalls` (calls that Python lacks), `folder` (a folder by its descriptor),
`dir_chain` (the folders on the way to a path), `trees` (whole folders), `modes` (disks without them), `metadata`
(mode, owner, group and attributes), `link_or_copy` (a file of the user in a second place), `mounts` (what can be
neither moved nor replaced), `regular` (a file that is read), `whole_file` and `atomic` (a file written at once),
`helpers` (processes that share work).
"""
