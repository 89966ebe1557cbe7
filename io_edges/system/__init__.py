"""The operating system: files, signals and processes, and its errors (`docs/reliability.md`).

stop          ends a run early
signals       unwinds a run when it is asked to end
syscalls      system calls that Python does not offer
folder        a folder by its descriptor
trees         the folders above a path, and everything below a folder
metadata      modes, owners, groups and attributes; copies of files
disks         disks without modes, and mounted ones
whole_file    writes a file in one step
helpers       processes that share work
"""
