"""Code that several tests share, as no test imports another.

For a test of the command, start with `project` (a folder in which the command is run, with archives
made on the spot); for a test of one stage, with `disks` and `drafts` (values in memory).

    to run the command     project, forks and fork_server (quicker: a fork of a process that has all
                           imported), shell_client (the `tool` of a shell), terminals (a person at a
                           terminal), updates and sites (a module that was built, edited, or updated
                           by its system), examples, checkout, installs (what `make package` has
                           built), costs (what a run costs)
    to run a stage         disks and memory (a disk of a dict), trees, cases and configured
                           (settings), recognition, selecting, drafts (the stages of a plan)
    archives               zip_writer (every field can be bent), benign (what must be accepted),
                           hostile (what must be refused), corpus and miniatures (components of each
                           system)
    to break a run         crash_scenarios and shim (every call that changes the disk), metadata,
                           modeless, macos, privileges (what only root may do)
    what a run should do   lives, lives_files, lives_undo (the model of a build), lives_project (the
                           real one), living (both as one), triples (texts to merge)
    scripts                scripts, script_writer (random ones), type_cases, typescript (a second
                           opinion)
    what a person reads    errors, words (what is said of each error), screens
    programs of others     browser, github_actions, php, wordpress, patch_programs and patch_makers
                           (patches as these make them)
    tables, and how much   tables (`data/tables`), sweep (a sample, or everything), measuring
                           (without coverage)

`bench` is `make bench`; `data` has the tables, and a page about them.
"""
