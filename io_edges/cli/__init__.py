"""The command line: words, flags, help, and what each command does (`docs/reference/commands.md`).

main        runs a command line, and returns the exit code, whatever happens
app         the list of commands; each has a module of its name, imported when it is called
flags       flags that several commands share, and checks of their values
session     begins a run: resolves and reports its settings, and finds the project
words       which word is the drop, and which are names
scope       the scope of a run: the drop, the project, and the named components
versions    the archives that `NAME@VERSION` stands for
changes     what the commands share that change a project
last_drop   remembers the drop of a run, for runs that name none
rest        the command line that builds what can be built, if a run stops
create      the command to read first; then status, diff, patch, undo with undo_plan and
            undo_flags, redo, log, inspect, init, show, validate, schema, types, completion
help        `tool help` and `--help`
usage       errors of a command line
"""
