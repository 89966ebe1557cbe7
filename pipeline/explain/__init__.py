"""Why a setting, a component, an archive or a file is as it is, and what to do to change it (`docs/configuration.md`).

In reading order: `document` (an explanation, as values), `names` (what a name stands for), `settings`, `archives` and
`files` (the explanations of each kind) and `text` (a document for people). Each rule has one sentence of advice.
"""
