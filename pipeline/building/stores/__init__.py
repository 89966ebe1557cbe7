"""What the tool keeps in a project (`docs/building.md`, "The record and the state").

In reading order: `layout` (the names of its files), `sealed` (data with a checksum), `tree` (what
is on disk), `record` (what the project consists of), `state` (what was last written here),
`last_drop` (from which folder), `changes` (what a run does to each component), `undoable` (what can
be taken back), `journal` (what a run changes), `kept` (what archives were built as), `cache` (what
need not be read again).
"""
