"""The effects: everything that reads, writes, runs or prints. It calls `pipeline`, never the other way round.

    start       the console script
    main        parsing the command line, running its command
    flags       what several commands take; `flag_values`, what is refused of it
    usage       what is wrong with a command line
    habits      what to type instead of a flag of another program
    disk        the real `Disk` of the configuration chain

The rooms mirror those of `pipeline`:

    cli/        each command with what it takes                       docs/reference/commands.md
    commands/   what each command does, one module a command          docs/reference/commands.md
    archives/   the drop: finding, opening and reading archives       docs/archives.md
    building/   the project: staging, putting in place, hooks, cache  docs/building.md, docs/reliability.md
    init/       asking on a terminal or in a pipe, the 0.x file       docs/init.md, docs/legacy.md
    scripts/    evaluating TypeScript and JavaScript in a sandbox     docs/scripts.md
    manual/     the command line described, completion, man page      docs/manual.md
    report/     the console, the wording, the exit codes              docs/output.md, docs/exit-codes.md
    system/     folders by descriptor, signals, system calls, helpers
"""
