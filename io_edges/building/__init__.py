"""Building a project (`docs/building.md`, `docs/reliability.md`).

In reading order:

    apply          builds: the order of all that follows
    project        the folder of a project and its lock; store: its record and its state
    view           what a plan is made from; contents: of files and archives; kept: archives of
                   earlier builds; patches
    local          the folder `.tool/`, and the staging folder in it
    stage          prepares a component in the staging folder
    extract        writes new files from an archive; extract_new: all new components
    undoing        finds the run that undo takes back, and writes the files that it replaced
    transaction    puts all components and patches in place, or none
    in_place       puts one component in place; file_moves: file by file
    keep           backups, and what later runs need; archives: the kept ones
    settle         finishes or forgets a killed run
    patch_run      writes patches alone
    hooks          runs hook scripts
    cache          remembers what archives hold
    git            merges and compares texts
"""
