"""What stops a step of a plan, or what it breaks (`docs/building.md`).

In reading order: `copies` (the project has the component under another name), `folders` (the name
and folder of each component), `sources` (what a theme is built from), `elsewhere` (the project has
the component in another folder), `obstacles` (what keeps steps from being done), `frozen` (what is
not as the record says), `judge` (what an update breaks), `main_files` (what an update switches
off), `missing` (what components need, and nobody has).
"""
