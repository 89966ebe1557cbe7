"""What a build will do and what it has done (`docs/building.md`, `docs/reliability.md`).

In the order of the layers, the highest first. To read them, begin with the nouns: `survey`, `steps`
and `draft`; then `pipeline/plan.py`, and the subpackage of the stage that you look for.

    showing/         what commands show and save of a plan
    judging/         what stops a step, or what it breaks
    transaction      the journal of a plan
    planning/        the stages that compare archives with the disk
    rollback         what `NAME@VERSION` stands for
    names            the components in scope
    draft            a plan in the making
    steps            what a run does about each component: add, update, keep, remove
    survey           a component on disk, and what is known of it
    patching/        patches as values
    merging/         whose version of a file is built
    stores/          what the tool keeps in a project
    target_folders   which folders components go into
    hooks            which scripts run
"""
