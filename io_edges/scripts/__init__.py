"""Evaluating a script in a sandbox (`docs/scripts.md`).

In reading order:

    evaluate    one script to data, or to its error
    access      where a script is, the folder that it may read, and which scripts may be read at all
    deno        the child process
    confine     what the system keeps from it: limits, and a filter of system calls
    report      the evaluator's answer as an error, with its place
    evaluator/  the JavaScript that runs in the child: `evaluate` answers, `hooks` loads modules, `files` tells what a
                file is, `process` is Node's own but for `loadEnvFile`
    npm/        the package `tool` that scripts import
"""
