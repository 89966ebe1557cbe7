"""Evaluating a script in a sandbox (`docs/scripts.md`).

In reading order: `evaluate` (one script to data, or to its problem), `deno` (the child process), `confine` (what the
system keeps from it), `report` (the runtime's words as a problem with a place), `evaluator/` (the JavaScript that runs
in the child), `npm/` (the package `tool` that scripts import).
"""
