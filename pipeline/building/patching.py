"""Patching: which patches there are, and what components give with theirs."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from msgspec.structs import replace
from returns.result import Success

from pipeline.building.draft import Draft, Found
from pipeline.building.given import Given, Readable, digest_of, given_again, patch_path, with_patch
from pipeline.building.patch_file import Patch, PatchFault, read_patch
from pipeline.building.record import Files, RecordedComponent, are_alike
from pipeline.building.steps import Step
from pipeline.building.target_folders import Places
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.patches import PatchInvalid, patch_restored, unused_patch
from pipeline.report.outcome import BuildOutcome
from pipeline.report.wording import counted
from pipeline.selection.choices import Choice


def find_patches(draft: Draft) -> Draft:
    """Read the patches of the components that are looked at, and warn of those of components that are not built."""
    patches = read_patches(draft.found, draft.record.places)
    draft = replace(draft, plan=replace(draft.plan, patches=patches))
    if draft.options.names is not None:
        return draft
    built = {*draft.record.components, *(each.path for each in draft.choices)}
    return draft.with_warnings(
        *(unused_patch(patch_path(path), "component") for path in sorted(patches.keys() - built))
    )


def read_patches(found: Found, places: Places) -> dict[str, Readable]:
    """The patches in a project, by the paths of their components."""
    patches = found.patches(places).items()
    return {path: _read(path, data) for path, data in patches if data is None or data.strip()}


def _read(path: str, data: bytes | None) -> Readable:
    patch = PatchFault(1, "it is not a file") if data is None else read_patch(data, path)
    return PatchInvalid(patch_path(path), patch.line, patch.reason) if isinstance(patch, PatchFault) else patch


def contents_with_patches(
    choices: Sequence[Choice], found: Found, patches: Mapping[str, Readable]
) -> list[BuildOutcome[Given]]:
    """What building components gives, or why an archive is refused."""

    def patched(choice: Choice, files: Files) -> Given:
        patch = patches.get(choice.path)
        texts = found.texts.given(choice, patch.names) if isinstance(patch, Patch) else {}
        return with_patch(choice, files, patch, texts)

    return [
        outcome.map(partial(patched, choice)) for choice, outcome in zip(choices, found.contents(choices), strict=True)
    ]


def content_as_built(choice: Choice, built: RecordedComponent, disk: Files, draft: Draft) -> BuildOutcome[Given]:
    """What a component gives that was built from the same archive with the same patch.

    The archive is opened only if a file is not on the disk as patched.
    """
    patch = draft.plan.patches.get(choice.path)
    if not isinstance(patch, Patch) or all(are_alike(disk.get(each), built.files.get(each)) for each in patch.names):
        return Success(Given(built.files, patch=digest_of(patch)))
    return Success(given_again(choice, built, patch, draft.found.texts.given(choice, patch.names)))


def is_as_built(choice: Choice, built: RecordedComponent | None, patches: Mapping[str, Readable]) -> bool:
    """Whether building a component gives what was built here, as archive and patch are the same and fit."""
    return (
        built is not None
        and built.comes_from(choice.archive)
        and built.patch == digest_of(patches.get(choice.path))
        and not (built.unpatched or isinstance(patches.get(choice.path), PatchInvalid))
    )


def warnings_on_patches(
    steps: Iterable[Step],
    given: Mapping[str, Given],
    recorded: Mapping[str, RecordedComponent],
    patches: Mapping[str, Readable],
) -> Iterable[WarningDiagnostic]:
    """What there is to warn of in patches, given what components give and what the record says."""
    for step in steps:
        before, now = recorded.get(step.path), given.get(step.path)
        if now is None or step.component is None:
            continue
        if before and before.patch and not (now.patch or now.invalid):
            is_known = before.source == step.component.source and step.target.occupancy == "present"
            files = _without_patch(before.files, now.files, step.target.files) if is_known else 0
            if files or not is_known:
                yield unused_patch(patch_path(step.path), "missing", step.path, counted(files, "file") if files else "")
        found = step.target.files if before and before.patch == now.patch else {}
        bare = [each for each in now.bare if each in found and are_alike(found[each], now.bare[each])]
        if again := tuple(each for each in bare if not are_alike(found[each], now.files.get(each))):
            yield patch_restored(step.path, again)
        for name, line in now.had:
            yield unused_patch(patch_path(step.path), "present", f"{step.path}/{name}", str(line))
        for name in dict.fromkeys(each.name for each in step.left_out):
            yield unused_patch(patch_path(step.path), "unfit", f"{step.path}/{name}")


def _without_patch(before: Files, now: Files, disk: Files) -> int:
    """How many files lose what a patch made of them; those that are on disk as the archive has them lose nothing."""
    names = {*before, *(name for name, state in now.items() if state.kind != "folder")}
    return sum(not any(are_alike(now.get(name), files.get(name)) for files in (before, disk)) for name in names)
