"""Evaluating a script in a sandbox (`docs/scripts.md`).

In reading order:

    evaluate    one script to data, or to its error
    access      where a script is, the folder that it may read, and which scripts may be read at all
    deno        the child process
    channel     its answer, apart from what the script prints
    confine     what the system keeps from it: `landlock` with `libraries`, `seccomp` and limits
    report      the evaluator's report as an error, with its place
    crash       what the runtime says itself when it ends a script
    evaluator/  the JavaScript that runs in the child
    npm/        the package `tool` that scripts import
"""
