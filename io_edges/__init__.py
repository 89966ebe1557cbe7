"""The effects: everything that reads, writes, runs or prints. It calls `pipeline`, never the
other way round.

    start       the console script
    disk        the real `Disk` of the configuration chain

The subpackages mirror those of `pipeline`:

    cli/        the command line: parsing, help, each command         docs/reference/commands.md
    archives/   the drop: finding, opening and reading archives       docs/archives.md
    building/   the project: staging, putting in place, hooks, cache  docs/building.md
    init/       asking on a terminal or in a pipe, the 0.x file       docs/configuration.md
    scripts/    evaluating TypeScript and JavaScript in a sandbox     docs/scripts.md
    report/     the console, the wording, the exit codes              docs/reference/errors.md
    system/     folders by descriptor, signals, system calls, helpers

Nearly every function here can raise `Stop`, with errors that end the run, and `OSError`, which the
commands turn into `Stop`. A docstring names them only where it says when, or if the function raises
something else.
"""
