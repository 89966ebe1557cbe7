"""The operating system: what it offers, and how it refuses (`docs/reliability.md`).

`stop` (how a run ends early), `signals`, `syscalls` (calls that Python lacks), `folder` (a folder by its descriptor),
`trees` (the folders on the way to a path, and all below it), `metadata` (mode, owner, group and attributes, and a file
of the user in a second place), `disks` (without modes, or mounted), `whole_file` (a file written at once),
`helpers` (processes that share work).
"""
