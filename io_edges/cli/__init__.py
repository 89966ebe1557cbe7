"""The command line: each command with what it takes. `io_edges.commands` is what it does.

`app` lists the commands; each is in a module of its name, which is imported if it is run or its help is printed.
`request` is what those that resolve a configuration start from.
"""
