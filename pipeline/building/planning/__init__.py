"""The stages of the plan that compare archives with components on disk, each from a draft to a draft.

In reading order: `patching` (which patches there are, and which do not fit), `base` (what a component on disk was made
from), `contents` (what building components gives, and what was built of one), `compare` (a step for each component),
`text_merge` (files that both sides changed), `removals` (what is not built any longer), `undo` (the steps back).
"""
