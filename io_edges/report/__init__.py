"""Reporting to the user (`docs/reference/events.md`, `docs/reference/errors.md`).

In reading order:

    console       reports every event
    exit_codes    the name and the exit code of each error
    excerpts      the line that an error points to
    screens       the width, colours and abilities of a terminal
    progress      the progress bar
"""
