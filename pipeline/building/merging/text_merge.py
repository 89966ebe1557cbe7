"""Text merge: merge files that both the user and the archive changed, by lines (`lines.py`).

The base is what the component was built from, so its archive has to be kept. What is merged is the user's file from
then on; theirs as it was goes to the backup. What is not merged stays a conflict, or is what a flag makes of it. A
file that a pattern decides about is not merged.
"""

from hashlib import sha256

from msgspec.structs import replace

from pipeline.archives.archive import Component
from pipeline.archives.prestashop import is_rewritten
from pipeline.building.draft import Draft
from pipeline.building.merging.files_merge import FileOutcome
from pipeline.building.merging.lines import Git, Unmerged, merge_lines
from pipeline.building.patching.contents import built_texts
from pipeline.building.steps import Step, decided
from pipeline.building.stores.record import are_alike


def merge_texts(draft: Draft) -> Draft:
    """Merge conflicting files, with `--merge`; without it, note where line ends alone differ."""
    steps = tuple(_merged(step, draft) for step in draft.plan.steps)
    return replace(draft, plan=replace(draft.plan, steps=steps))


def _merged(step: Step, draft: Draft) -> Step:
    contents, prefer = draft.found.texts, draft.options.prefer
    changed = _changed_by_both(step, step.choice.component) if step.choice else ()
    names = tuple(name for name in changed if prefer.named(f"{step.path}/{name}") == "nobody")
    if not (names and step.choice and step.base):
        return step
    base = built_texts(step.path, step.base, names, draft.selection.choices, contents)
    mine = contents.there(step.path, names)
    theirs = {**contents.given(step.choice, names), **step.patched}
    triples = {name: (base.get(name), mine.get(name), theirs.get(name)) for name in names}
    results: dict[str, bytes | Unmerged] = {name: each for name in names if (each := _of_ends(*triples[name]))}
    if draft.options.merge:
        merged = {name: _result(*triples[name], contents.git) for name in names if name not in results}
        results.update(merged)
    texts = {name: result for name, result in results.items() if isinstance(result, bytes)}
    unmerged = {name: result for name, result in results.items() if isinstance(result, Unmerged)}
    outcomes = {**step.merge.outcomes, **{name: _outcome(step, name, text) for name, text in texts.items()}}
    return decided(replace(step, texts=texts, unmerged=unmerged), replace(step.merge, outcomes=outcomes))


def _of_ends(base: bytes | None, mine: bytes | None, theirs: bytes | None) -> Unmerged | None:
    """That two of three texts differ in their line ends alone, if they do."""
    plain = [text and text.replace(b"\r\n", b"\n") for text in (base, mine, theirs)]
    if plain[0] is not None and plain[0] == plain[2]:
        return Unmerged("their ends")
    if plain[0] is not None and plain[0] == plain[1]:
        return Unmerged("your ends")
    return Unmerged("ends") if plain[1] is not None and plain[1] == plain[2] else None


def _changed_by_both(step: Step, built: Component) -> tuple[str, ...]:
    """The files in conflict that differ between last build, disk and archive, whichever is preferred."""
    base, archive = (each.files if each else {} for each in (step.base, step.component))
    return tuple(
        name
        for name in step.merge.of("disputed", "forced", "declined")
        if name in base and name in archive and not is_rewritten(built, name)
        if (there := step.target.files.get(name))
        for three in ((base[name], there, archive[name]),)
        if {each.kind for each in three} == {"file"} and len({each.digest for each in three}) == len(three)
    )


def _result(base: bytes | None, mine: bytes | None, theirs: bytes | None, git: Git) -> bytes | Unmerged:
    if base is None or mine is None or theirs is None:
        return Unmerged("unkept")
    return merge_lines(base, mine, theirs, git)


def _outcome(step: Step, name: str, text: bytes) -> FileOutcome:
    """The outcome of a merged file; one side may have all changes of the other."""
    there, archive = step.target.files[name], step.component.files[name] if step.component else None
    result = replace(step.merge.outcomes[name].result or there, digest=sha256(text).hexdigest())
    if are_alike(result, there):
        return FileOutcome("edited", result)
    return FileOutcome("forced" if are_alike(result, archive) else "merged", result)
