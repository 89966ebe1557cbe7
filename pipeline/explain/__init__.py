"""Why a setting or an archive is as it is, and what would change it (`docs/explain.md`).

In reading order: `advice` (what to do, as values with their words), `document` (what is said, as values), `names` (what
a name stands for), `changes` (what a user can change, each a pure function on what a run starts from), `settings`,
`archives` and `files` (the explanations of each kind) and `text` (a document for people).
"""
