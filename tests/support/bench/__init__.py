"""Measure the command beside its peers: `make bench` (`docs/contributing/architecture.md`).

__main__    what is measured, in which rounds, and what is printed
subjects    each command that is measured, and what is laid before it runs
packages    the packages whose files make the drop, and c12: npm installs them
rounds      commands run in turn; medians and quartiles
report      the two tables, and the page that they stand in
"""
