"""Text merge: merge files that both the user and the archive changed, by lines (`lines.py`).

The base is what the component was built from, so its archive has to be kept. What is merged is the user's file from
then on; theirs as it was goes to the backup. What is not merged stays a conflict, or is what a flag makes of it. A
file that a pattern decides about is not merged.
"""

from hashlib import sha256

from pipeline.building.draft import Draft
from pipeline.building.merging.files_merge import FileOutcome
from pipeline.building.merging.lines import Git, Unmerged
from pipeline.building.planning.contents import built_texts
from pipeline.building.planning.sure_merge import merge_surely
from pipeline.building.steps import Step, decided
from pipeline.building.stores.record import are_alike
from pipeline.systems.table import is_rewritten
from pipeline.values import replace


def merge_texts(draft: Draft) -> Draft:
    """Merge conflicting files, with `--merge`; without it, note where line ends alone differ."""
    steps = tuple(_merged(step, draft) for step in draft.plan.steps)
    return replace(draft, plan=replace(draft.plan, steps=steps))


def _merged(step: Step, draft: Draft) -> Step:
    contents = draft.found.texts
    base = step.base
    names = tuple(name for name in step.merge.of("disputed", "forced", "declined") if _is_mergeable(name, step, draft))
    if not (names and step.choice and base):
        return step
    built = built_texts(step.path, base, names, draft.selection.choices, contents)
    mine = contents.there(step.path, names)
    theirs = {**contents.given(step.choice, names), **step.given.texts}
    texts = dict[str, bytes]()
    unmerged = dict[str, Unmerged]()
    for name in names:
        three = (built.get(name), mine.get(name), theirs.get(name))
        result = _of_ends(*three) or (_result(*three, contents.git) if draft.options.merge else None)
        if isinstance(result, Unmerged):
            unmerged[name] = result
        elif result is not None:
            texts[name] = result
    outcomes = {**step.merge.outcomes, **{name: _outcome(step, name, text) for name, text in texts.items()}}
    return decided(replace(step, texts=texts, unmerged=unmerged), replace(step.merge, outcomes=outcomes))


def _is_mergeable(name: str, step: Step, draft: Draft) -> bool:
    """Whether a file differs between last build, disk and archive, and no pattern decides about it, nor the system."""
    sides = (step.base and step.base.files, step.target.files, step.component and step.component.files)
    files = [each[name] for each in sides if each and name in each and each[name].kind == "file"]
    is_free = draft.options.prefer.named(f"{step.path}/{name}") == "nobody"
    is_system = step.choice is not None and is_rewritten(step.choice.component, name)
    return is_free and not is_system and len({each.digest for each in files}) == len(sides)


def _of_ends(base: bytes | None, mine: bytes | None, theirs: bytes | None) -> Unmerged | None:
    """That two of three texts differ in their line ends alone, if they do."""
    theirs_alone = (Unmerged("their ends"), base, theirs)
    yours_alone = (Unmerged("your ends"), base, mine)
    for verdict, one, other in (theirs_alone, yours_alone, (Unmerged("ends"), mine, theirs)):
        if one is not None and other is not None and one.replace(b"\r\n", b"\n") == other.replace(b"\r\n", b"\n"):
            return verdict
    return None


def _result(base: bytes | None, mine: bytes | None, theirs: bytes | None, git: Git) -> bytes | Unmerged:
    if base is None or mine is None or theirs is None:
        return Unmerged("unkept")
    return merge_surely(base, mine, theirs, git)


def _outcome(step: Step, name: str, text: bytes) -> FileOutcome:
    """The outcome of a merged file; one side may have all changes of the other."""
    there = step.target.files[name]
    archive = step.component.files[name] if step.component else None
    result = replace(step.merge.outcomes[name].result or there, digest=sha256(text).hexdigest())
    if are_alike(result, there):
        return FileOutcome("edited", result)
    return FileOutcome("forced" if are_alike(result, archive) else "merged", result)
