"""The command line: what is typed, what a command takes, does and prints, and its help (`docs/reference/commands.md`).

main        runs what the command line says, and gives the exit code, whatever happens
app         the list of commands; each is in a module of its name, imported when it is called
flags       what several commands take, and what is refused of it
session     what every command that has settings starts with
words       which folder is the drop, and what is named
scope       what a run is about: the drop, the project, and the named components
versions    which archives `NAME@VERSION` stands for
changes     what the commands have in common that change a project
last_drop   remembers the drop of a run, for runs that name none
rest        the command that builds what can be built, if a run stops
create      the command to read first; then status, diff, patch, undo, redo, log, inspect, init, show, validate,
            schema, types, completion
help        `tool help` and `--help`
usage       what is wrong with a command line
"""
