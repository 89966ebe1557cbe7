"""Text merge: merge files that both the user and the archive changed, by lines (`lines.py`).

The base is the archive that the component was built from, which has to be kept. A merged file is
the user's from then on, and the user's previous version goes to the backup. A file that is not
merged stays a conflict, unless a flag decides. A file that a pattern decides is not merged.
"""

from hashlib import sha256

from pipeline.building.draft import ComparedDraft, MergedDraft
from pipeline.building.merging.lines import Git, Unmerged
from pipeline.building.merging.outcomes import FileOutcome
from pipeline.building.planning.contents import built_texts
from pipeline.building.planning.sure_merge import merge_surely
from pipeline.building.steps import Step, with_merge
from pipeline.building.stores.record import are_alike
from pipeline.systems.table import is_rewritten
from pipeline.values import replace


def merge_texts(draft: ComparedDraft) -> MergedDraft:
    """Merge conflicting files with `--merge`; without it, note the files that differ only
    in line ends.
    """
    steps = [_merged(step, draft) for step in draft.plan.steps]
    return draft.with_plan(replace(draft.plan, steps=tuple(steps))).become(MergedDraft)


def _merged(step: Step, draft: ComparedDraft) -> Step:
    """The step with its conflicting files merged, or with why they were not."""
    contents = draft.reader.texts
    base = step.base
    names = tuple(
        name
        for name in step.merge.of("disputed", "forced", "declined")
        if _is_mergeable(name, step, draft)
    )
    if not (names and step.choice and base):
        return step
    built = built_texts(step.path, base, names, draft.selection.choices, contents)
    mine = contents.read_disk(step.path, names)
    theirs = {**contents.read_archive(step.choice, names), **step.payload.texts}
    texts = dict[str, bytes]()
    unmerged = dict[str, Unmerged]()
    outcomes = {**step.merge.outcomes}
    for name in names:
        three = (built.get(name), mine.get(name), theirs.get(name))
        result: bytes | Unmerged | None = _of_ends(*three)
        if result is None and draft.options.merge:
            result = _result(*three, contents.git)
        if isinstance(result, Unmerged):
            unmerged[name] = result
        elif result is not None:
            texts[name] = result
            outcomes[name] = _outcome(step, name, result)
    return with_merge(
        replace(step, texts=texts, unmerged=unmerged), replace(step.merge, outcomes=outcomes)
    )


def _is_mergeable(name: str, step: Step, draft: ComparedDraft) -> bool:
    """Whether last build, disk and archive have three versions of a file that no pattern and no
    system decides.
    """
    if step.base is None or step.component is None:
        return False
    is_named = draft.options.prefer.named(f"{step.path}/{name}") != "nobody"
    is_system = step.choice is not None and is_rewritten(step.choice.component, name)
    if is_named or is_system:
        return False
    sides = (step.base.files, step.target.files, step.component.files)
    digests = {
        files[name].digest for files in sides if name in files and files[name].kind == "file"
    }
    return len(digests) == len(sides)


def _of_ends(base: bytes | None, mine: bytes | None, theirs: bytes | None) -> Unmerged | None:
    """The note that two of three texts differ only in line ends; `None` if they do not."""
    if _differ_in_ends(base, theirs):
        return Unmerged("their ends")
    if _differ_in_ends(base, mine):
        return Unmerged("your ends")
    if _differ_in_ends(mine, theirs):
        return Unmerged("ends")
    return None


def _differ_in_ends(one: bytes | None, other: bytes | None) -> bool:
    """Whether two texts are alike except for their line ends: `a\\r\\n` and `a\\n`."""
    if one is None or other is None:
        return False
    return one.replace(b"\r\n", b"\n") == other.replace(b"\r\n", b"\n")


def _result(
    base: bytes | None, mine: bytes | None, theirs: bytes | None, git: Git
) -> bytes | Unmerged:
    """Merge three versions of a file, or return why that is impossible; the base may be missing."""
    if base is None or mine is None or theirs is None:
        return Unmerged("unkept")
    return merge_surely(base, mine, theirs, git)


def _outcome(step: Step, name: str, text: bytes) -> FileOutcome:
    """The outcome of a merged file; the merge may equal one of the two sides."""
    there = step.target.files[name]
    result = replace(step.merge.outcomes[name].result or there, digest=sha256(text).hexdigest())
    if are_alike(result, there):
        return FileOutcome("edited", result)
    if step.component and are_alike(result, step.component.files[name]):
        return FileOutcome("forced", result)
    return FileOutcome("merged", result)
