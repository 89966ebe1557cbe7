"""Patch: the command that saves edits as patches, which are made to be committed (`docs/howto/updates.md`)."""

from collections.abc import Collection, Mapping
from contextlib import ExitStack
from pathlib import Path, PurePath
from typing import Annotated, Final

from cyclopts import Parameter
from msgspec.structs import replace

from io_edges.building.contents import bare_files, kept_patch
from io_edges.building.project import open_project, project_path
from io_edges.building.store import load_record
from io_edges.cli.diff import print_diff
from io_edges.cli.flags import Drop, Names, PlacesFlags, SettingFlags, Switch
from io_edges.cli.scope import Scope, read_only_scope
from io_edges.cli.session import RunConsole, request_of, resolve_and_report
from io_edges.report.console import Console, print_path
from io_edges.system.dir_chain import above, deepest
from io_edges.system.folder import Folder
from io_edges.system.mounts import why_closed
from io_edges.system.stop import Stop, os_errors_as_diagnostics
from io_edges.system.whole_file import write_whole
from pipeline.archives.prestashop import is_rewritten
from pipeline.building.given import patch_path
from pipeline.building.layout import MARKS, PATCHES, kept_path
from pipeline.building.names import canonical_name
from pipeline.building.patch_file import Patch, PatchFault, read_patch
from pipeline.building.patch_making import Edits, Made, move_patch, save_edits, source_of
from pipeline.building.patches import apply_patch
from pipeline.building.record import FileState, RecordedComponent, archive_name, implied_folders
from pipeline.building.status import file_differences
from pipeline.building.steps import Plan
from pipeline.report.diagnostics import Error
from pipeline.report.diagnostics.disk import FileSystemProblem
from pipeline.report.diagnostics.drop import ComponentNotFound
from pipeline.report.diagnostics.patches import Misfit, PatchConflict, PatchInvalid, keeping_patch

_MARKS: Final = {".gitattributes": b"*.patch -text\n", ".htaccess": MARKS[".htaccess"]}
"""What keeps git from changing the ends of lines, and a web server from handing patches out."""
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
      Merge the patch of one module with the archive in drop/ that it does not fit:
        tool patch drop shop_banner

    Documentation: tool help howto/updates
    """
    request = request_of(flags, settings, console)
    resolved = resolve_and_report(request, console).settings
    path = project_path(request.start, flags.output)
    with ExitStack() as stack:
        is_written = not flags.dry_run and Path(path).is_dir()
        project = stack.enter_context(open_project(path, 0, console)) if is_written else None
        words, files = _without_files((drop, *names), path)
        scope = stack.enter_context(read_only_scope(words, flags, request, resolved, console))
        made, errors = _made(scope, files)
        for component, each in made.items():
            console.warn(each.warnings)
            if project:
                _write(project.folder, component, each, console)
            elif each.text is not None:
                print_diff(each.text)
                errors += _refused(patch_path(component), scope)
    if errors:
        raise Stop(*errors)
    if not made:
        console.print_text("no edit to save; to save added or deleted files, name them")


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


def _made(scope: Scope, files: Mapping[str, set[str]]) -> tuple[dict[str, Made], tuple[Error, ...]]:
    """The patches of the components in scope, and why others cannot be made."""
    preview = scope.viewed()
    made, errors = dict[str, Made](), list[Error]()
    for path in sorted({*preview.before.components, *preview.patches} & preview.places.keys()):
        try:
            if result := _patch_of(path, scope, preview, files.get(path)):
                made[path] = result
        except Stop as stop:
            errors += stop.errors
    return made, tuple(errors)


def _patch_of(path: str, scope: Scope, preview: Plan, files: set[str] | None) -> Made | None:
    """The patch of one component; `None` if there is none, and nothing to save. Raises `Stop`."""
    patch, base = preview.patches.get(path), preview.before.components.get(path)
    if isinstance(patch, PatchInvalid):
        raise Stop(patch)
    choice = next((each for each in scope.in_scope.choices if each.path == path and each.is_built), None)
    made = Made(patch.text if patch else None)
    if base and preview.places[path].occupancy == "present":
        made = _saved(path, scope, preview, files) or made
    now = read_patch(made.text, path) if made.text else None
    if isinstance(now, PatchFault):
        raise Stop(PatchInvalid(patch_path(path), now.line, now.reason))
    if choice is None or now is None or files:
        return made if patch or made.text or made.warnings else None
    texts = scope.drop_view.found.texts.given(choice, now.names)
    if not apply_patch(now, texts).misplaced:
        return made
    name, origin = source_of(now)
    if base and not (origin or base.comes_from(choice.archive)):
        name, origin = base.archive, base.digest
    old = _texts_of(origin, path, base, now.names, scope)
    if old is None:
        raise Stop(_error(path, "unkept" if origin else "unnamed", name))
    archive = choice.archive
    edits = Edits(
        path=path,
        source=" ".join(filter(None, (archive_name(archive.file), choice.component.version))),
        digest=archive.digest,
        bare=texts,
        built={},
        disk={},
        edited=(),
    )
    moved = move_patch(edits, now, old, scope.drop_view.found.texts.git)
    kept = kept_path(base.patch, "patch") if base and base.patch else ""
    is_kept = bool(kept and scope.view.folder and scope.view.folder.status(kept))
    warnings = (keeping_patch(each, kept) if is_kept else each for each in moved.warnings)
    return replace(moved, warnings=(*made.warnings, *warnings))


def _saved(path: str, scope: Scope, preview: Plan, files: set[str] | None) -> Made | None:
    """The patch with the edits on the disk; `None` if there are none."""
    base, place, patch = preview.before.components[path], preview.places[path], preview.patches.get(path)
    patch = patch if isinstance(patch, Patch) else None
    differences, found = file_differences(base.files, place.files), scope.drop_view.found
    names = set(differences.edited)
    if files:
        unknown = [name for name in files if name not in {*base.files, *place.files, *(patch.names if patch else ())}]
        if unknown:
            raise Stop(*(ComponentNotFound(f"{path}/{name}", scope.drop) for name in sorted(unknown)))
        names = files & {*differences.edited, *differences.added, *differences.deleted, *(patch.names if patch else ())}
    elif names:
        (component,) = found.installed({path: place.files}).values()
        names -= {name for name in names if component and is_rewritten(component, name)}
    if not (names or patch):
        return None
    old = kept_patch(scope.view, path, base.patch)
    every = {*names, *(patch.names if patch else ()), *(old.names if old else ())}
    bare = _texts_of(base.digest, path, base, every, scope)
    if bare is None and not names:
        return None
    if bare is None:
        raise Stop(_error(path, "unkept", base.archive))
    texts = {name for name in every - implied_folders(place.files) if place.files.get(name, FileState()).kind == "file"}
    disk = {**dict.fromkeys(names - texts, _NO_TEXT), **found.texts.there(path, texts)}
    return save_edits(
        Edits(
            path=path,
            source=" ".join(filter(None, (base.archive, base.version))),
            digest=base.digest,
            bare=bare,
            built=_built(bare, old) if old or not base.patch else {},
            disk=disk,
            edited=names,
            dropped={name for name in files or () if name in disk and disk[name] == bare.get(name)},
            executable=[name for name, state in place.files.items() if state.executable],
        ),
        patch,
        found.texts.git,
    )


def _built(bare: Mapping[str, bytes], patch: Patch | None) -> dict[str, bytes]:
    """What was built from an archive that is kept or in the drop, with a patch."""
    done = apply_patch(patch, bare).files if patch else {}
    return {name: text for name, text in {**bare, **done}.items() if text is not None}


def _texts_of(
    digest: str, path: str, base: RecordedComponent | None, names: Collection[str], scope: Scope
) -> Mapping[str, bytes] | None:
    """The contents of an archive that is kept, or in the drop; `None` if it is neither."""
    content = base.content if base and base.digest == digest else ""
    if (kept := bare_files(scope.view, digest, names, content)) is not None:
        return kept
    for each in scope.selection.choices:
        if each.path == path and each.archive.digest == digest:
            return scope.drop_view.found.texts.given(each, names)
    return None


def _error(path: str, why: Misfit, archive: str) -> PatchConflict:
    return PatchConflict(patch_path(path), 1, path=path, name="", archive=archive, why=why)


def _refused(path: str, scope: Scope) -> tuple[Error, ...]:
    """What would keep a patch from being written. Raises `OSError`."""
    if scope.view.folder is None:
        return ()
    with deepest(scope.view.folder, path.rpartition("/")[0]) as folder:
        return (FileSystemProblem(folder.path, "permission denied"),) if why_closed(folder) else ()


def _write(project: Folder, component: str, made: Made, console: Console) -> None:
    """Write a patch, or remove one in which nothing is left; print its path. Raises `OSError`."""
    path = patch_path(component)
    if made.text is None:
        if project.status(path):
            with above(project, path) as (folder, name):
                folder.discard(name)
            console.print_text(f"nothing is left in {path}: it is removed")
        return
    for mark, content in _MARKS.items():  # first: after a kill no patch is without them
        with above(project, f"{PATCHES}/{mark}", make=True) as (folder, name):
            if folder.lstat(name) is None:
                write_whole(folder, name, content, over="nothing")
    with above(project, path, make=True) as (folder, name):
        if folder.read(name, len(made.text) + 1) != made.text:
            write_whole(folder, name, made.text, like=folder.lstat(name))
    print_path(path)
