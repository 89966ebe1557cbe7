"""Evaluating a script in a sandbox (`docs/scripts.md`).

In reading order:

    evaluate    evaluates a script to data, or to its error
    access      the location of a script, and which scripts may be read at all
    project     the folder that a script may read
    deno        runs the child process
    confine     limits on the child process, and a filter of its system calls
    report      turns the evaluator's answer into an error with a location
    evaluator/  the JavaScript that runs in the child: `evaluate` answers, `hooks` loads modules,
                `files` finds out the kind of a file, `process` is that of Node without
                `loadEnvFile`
    npm/        the package `tool` that scripts import
"""
