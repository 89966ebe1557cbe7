"""Reporting to the user (`docs/reference/events.md`, `docs/reference/errors.md`).

In reading order: `console` (where every line goes), `exit_codes`, `excerpts` (the line that an error
points to), `screens` (what the terminal is like), `progress` (the bar).
"""
