"""Patch: the command that saves edits as patches, which are made to be committed (`docs/howto/updates.md`)."""

from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path, PurePath
from typing import Annotated, Final

from cyclopts import Parameter
from msgspec.structs import replace

from io_edges.building.patches import is_kept, patches_written
from io_edges.building.project import check_settled, open_project, project_path
from io_edges.building.store import load_record
from io_edges.cli.diff import print_diff
from io_edges.cli.flags import Drop, Names, PlacesFlags, SettingFlags, Switch
from io_edges.cli.scope import Scope, read_only_scope
from io_edges.cli.session import RunConsole, request_of, resolve_and_report
from io_edges.report.console import Console, print_path
from io_edges.system.disks import why_closed
from io_edges.system.folder import Folder
from io_edges.system.stop import Stop, os_errors_as_diagnostics
from io_edges.system.trees import deepest
from pipeline.archives.archive import Component
from pipeline.archives.prestashop import is_rewritten
from pipeline.building.names import canonical_name
from pipeline.building.patching.base_texts import bare_texts, built_texts
from pipeline.building.patching.given import patch_path
from pipeline.building.patching.patch_file import Patch, PatchFault, read_patch
from pipeline.building.patching.patch_making import Edits, Made, make_patch
from pipeline.building.patching.patches import with_names
from pipeline.building.showing.status import file_differences
from pipeline.building.steps import Plan
from pipeline.building.stores.record import Files, RecordedComponent, implied_folders
from pipeline.report.diagnostics import Error
from pipeline.report.diagnostics.bases import UnknownBase
from pipeline.report.diagnostics.disk import FileSystemProblem
from pipeline.report.diagnostics.drop import ComponentNotFound
from pipeline.report.diagnostics.patches import PatchConflict, PatchInvalid, Unsaved, edits_left_out

_NO_TEXT: Final = b"\0"
"""Stands for a link, or for a folder in the place of a file, which no patch can hold either."""


class PatchFlags(PlacesFlags):
    """What `tool patch` takes besides the settings."""

    dry_run: Annotated[Switch, Parameter(alias="-n")] = False
    """Print the patches; write nothing."""


def patch(
    drop: Drop = None,
    /,
    *names: Names,
    flags: PatchFlags = PatchFlags(),
    settings: SettingFlags = SettingFlags(),
    console: RunConsole,
) -> None:
    """Save your edits as patches, which every build applies.

    Examples:
      Save all edits of the project in patches/, to be committed:
        tool patch
      Save one file as it is on disk, also if it was added or deleted:
        tool patch modules/shop_banner/banner.tpl

    Documentation: docs/howto/updates.md
    """
    request = request_of(flags, settings, console)
    resolved = resolve_and_report(request, console, at=(flags.output, drop)).settings
    path = project_path(request.start, flags.output)
    with ExitStack() as stack:
        is_written = not flags.dry_run and Path(path).is_dir()
        project = stack.enter_context(open_project(path, 0, console, settles=False)) if is_written else None
        words, files = _without_files((drop, *names), path)
        scope = stack.enter_context(read_only_scope(words, flags, request, resolved, console))
        made = _made(scope, files)
        console.warn(warning for each in made.values() for warning in each.warnings)
        texts = {component: each.text for component, each in made.items() if each.is_saved}
        home = scope.drop_view.found.patches.home
        if project:
            _write(home, texts, project.folder, console)
        else:
            _print(texts, home)
    if not texts:
        console.print_text("no edit to save; to save added or deleted files, name them")


def _write(home: PurePath, texts: Mapping[str, bytes | None], project: Folder, console: Console) -> None:
    """Write patches, and print their paths."""
    with os_errors_as_diagnostics(home), patches_written(home, texts, project):
        pass
    for component, text in texts.items():
        path = patch_path(component)
        if text is None:
            console.print_text(f"nothing is left in {path}: it is removed")
        else:
            print_path(path)


def _print(texts: Mapping[str, bytes | None], home: PurePath) -> None:
    """Print patches. Raises `Stop` if they could not be written."""
    for text in texts.values():
        print_diff(text or b"")
    errors = [error for component in texts for error in _refused(patch_path(component), home)]
    if errors:
        raise Stop(*errors)


def _without_files(
    words: tuple[str | None, ...], project: PurePath
) -> tuple[tuple[str | None, ...], dict[str, set[str]]]:
    """The words with components in place of files in them; and these files, by the paths of the components."""
    files: dict[str, set[str]] = {}
    components: tuple[str, ...] = ()
    if Path(project).is_dir():
        with os_errors_as_diagnostics(project), Folder.at(str(project)) as folder:
            components = tuple(load_record(folder).components)

    def component_of(word: str | None) -> str | None:
        for each in components:
            if word is not None and canonical_name(word).startswith(f"{each}/"):
                files.setdefault(each, set()).add(canonical_name(word).removeprefix(f"{each}/"))
                return each
        return word

    return tuple(dict.fromkeys(map(component_of, words))) if words[0] else (None, *map(component_of, words[1:])), files


def _made(scope: Scope, files: Mapping[str, set[str]]) -> dict[str, Made]:
    """The patches of the components in scope. Raises `Stop` if one cannot be made."""
    check_settled(path for path in scope.view.interrupted if scope.names is None or path in scope.names)
    plan = scope.viewed()
    made = dict[str, Made]()
    errors: list[Error] = [each for each in plan.refused if isinstance(each, UnknownBase) and scope.names is not None]
    for path in sorted(plan.before.components.keys() & plan.places.keys()):
        try:
            if result := _patch_of(path, scope, plan, files.get(path, set())):
                made[path] = result
        except Stop as stop:
            errors += stop.errors
    if errors:
        raise Stop(*errors)
    return made


def _patch_of(path: str, scope: Scope, plan: Plan, named: set[str]) -> Made | None:
    """The patch of one component with its edits; `None` if there are none to save. Raises `Stop`."""
    base, there, patch = plan.before.components[path], plan.places[path].files, plan.patches.get(path)
    if plan.places[path].occupancy != "present":
        return None
    if isinstance(patch, PatchInvalid | FileSystemProblem):
        raise Stop(patch)
    edited, left = _to_save(base, there, scope.drop_view.found.installed({path: there})[path])
    ours = patch.names if patch else ()
    if unknown := named - {*base.files, *there, *ours}:
        raise Stop(*(ComponentNotFound(f"{path}/{name}", scope.drop) for name in sorted(unknown)))
    paths = {why: tuple(f"{path}/{name}" for name in names) for why, names in left.items() if names and not named}
    warnings = tuple(edits_left_out(files, why) for why, files in paths.items())
    if not (named or edited):
        return Made(None, warnings) if warnings else None
    edits = Edits(
        path=path,
        edited=() if named else edited,
        named=named,
        executable=[name for name, state in there.items() if state.executable],
    )
    made = _saved(edits, patch, base, there, scope)
    return replace(made, warnings=(*warnings, *made.warnings))


def _to_save(
    base: RecordedComponent, there: Files, component: Component | None
) -> tuple[set[str], dict[Unsaved, list[str]]]:
    """The files whose edits are saved without being named, and those that are left out."""
    differences = file_differences(base.files, there)
    rewritten = [name for name in differences.edited if component and is_rewritten(component, name)]
    left: dict[Unsaved, list[str]] = {
        "rewritten": rewritten,
        "added": [*differences.added],
        "deleted": [*differences.deleted],
        "mode": [*differences.mode],
    }
    return {*differences.edited} - {*rewritten}, left


def _saved(edits: Edits, patch: Patch | None, base: RecordedComponent, there: Files, scope: Scope) -> Made:
    """The patch of a component with edits, whose contents are read. Raises `Stop`."""
    contents, path = scope.drop_view.found.texts, edits.path
    every = {*edits.edited, *edits.named, *(patch.names if patch else ())}
    bare = bare_texts(base, every, scope.selection.choices, contents)
    if bare is None:
        raise Stop(PatchConflict(patch_path(path), 1, path=path, name="", archive=base.archive, why="unkept"))
    ours = with_names(patch, bare) if patch else None
    if isinstance(ours, PatchFault):
        raise Stop(PatchInvalid(patch_path(path), ours.line, ours.reason))
    texts = {name for name in every if name in there and there[name].kind == "file"}
    others = {name for name in every if name in implied_folders(there) or (name in there and name not in texts)}
    disk = {**dict.fromkeys(others, _NO_TEXT), **contents.there(path, texts)}
    built = built_texts(path, base, edits.edited, scope.selection.choices, contents)
    is_known = patch is not None and is_kept(scope.view.folder, patch)
    edits = replace(edits, bare=bare, disk=disk, built=built, is_known=is_known)
    made = make_patch(edits, ours, contents.git)
    read = read_patch(made.text, path) if made.text else None
    if isinstance(read, PatchFault):
        raise Stop(PatchInvalid(patch_path(path), read.line, read.reason))
    return made


def _refused(path: str, home: PurePath) -> tuple[Error, ...]:
    """What would keep a patch from being written. Raises `OSError`."""
    if not Path(home).is_dir():
        return ()
    with Folder.at(str(home)) as top, deepest(top, path.rpartition("/")[0]) as folder:
        return (FileSystemProblem(folder.path, "permission denied"),) if why_closed(folder) else ()
