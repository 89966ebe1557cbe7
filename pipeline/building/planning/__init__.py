"""The stages of the plan that compare archives with components on disk, each from a
draft to a draft.

In reading order: `patching` (which patches there are, and which do not fit), `surveys` (components
as they are on disk, and which another version replaced), `base` (what one was made from),
`contents` (what building components gives, and what was built of one), `compare` (a step for each
component), `text_merge` (files that both sides changed), `sure_merge` (when a merge of them
counts), `removals` (what is not built any longer), `undo` (the steps back).
"""
