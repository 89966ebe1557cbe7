"""Create: the command that builds a project. Resolve, tell, look, select, plan, apply."""

import os
import time
from pathlib import Path, PurePath

import msgspec

from io_edges.build import extract, staging, swap
from io_edges.console import Console, print_line
from io_edges.disk import real_disk
from io_edges.drop import find_archives, look_into
from io_edges.flags import CreateFlags
from io_edges.hooks import list_scripts, run_hooks
from io_edges.stop import Stop, filesystem, require
from io_edges.targets import compare
from pipeline.archives import Archive, ArchiveFile
from pipeline.emit import decisions
from pipeline.hooks import Hook, Stage, plan_hooks
from pipeline.layers import Settings
from pipeline.notes import ChangedDrop, MissingHookFolder
from pipeline.plan import Plan, archive_events, component_events, hook_events, path_of, plan_steps, summary
from pipeline.problems import OutputConflict
from pipeline.resolve import Request, resolve
from pipeline.select import Selection, select, stays_closed


def create(request: Request, drop: str, flags: CreateFlags, console: Console) -> None:
    """Build the project of a drop, a folder as the user wrote it. Raises `Stop`."""
    started = time.monotonic()
    settings = _settle(request, console)
    files = find_archives(drop, request.start, settings.theme)
    selection = _choose(settings, files, drop, console)
    project = _project(request.start, flags.output)
    plan = _plan(settings, selection, project, flags.force, console)
    console.tell(*component_events(plan))
    if flags.dry_run:
        console.tell(*hook_events(plan))
        console.say("dry run: nothing was written")
    else:
        _apply(plan, settings, files, drop, console)
        console.tell(summary(plan, time.monotonic() - started))
    print_line(str(project))


def _project(start: PurePath, output: str) -> PurePath:
    """The absolute path of the project, which need not be there yet."""
    project = Path(os.path.normpath(start / output))
    with filesystem(project):
        if os.path.lexists(project) and not project.is_dir():
            raise Stop(OutputConflict(output, found="file"))
    return project


def _settle(request: Request, console: Console) -> Settings:
    """Resolve the settings and tell every decision."""
    resolution = require(resolve(request, real_disk(request.start)))
    settings = resolution.settings
    console.log_format = settings.log_format
    if console.verbose:
        console.say(*(f"looked at {probe.file}: {probe.verdict}" for probe in resolution.located.probed))
    console.tell(*decisions(settings))
    console.warn(settings.notes)
    return settings


def _choose(settings: Settings, files: tuple[ArchiveFile, ...], drop: str, console: Console) -> Selection:
    """Look into the archives and choose among them."""
    archives = tuple(Archive(file=file) if stays_closed(settings, file) else look_into(file) for file in files)
    selection = require(select(settings, archives, drop))
    console.tell(*archive_events(selection))
    console.warn(selection.notes)
    return selection


def _plan(settings: Settings, selection: Selection, project: PurePath, force: bool, console: Console) -> Plan:
    chosen = tuple(choice for choice in selection.selected if choice.archive.files)
    targets = {path_of(choice): compare(choice, project) for choice in chosen}
    steps = require(plan_steps(chosen, targets, force=force))
    return Plan(
        project=project,
        steps=steps,
        init=_hooks("init", "hooks.initScriptsDir", settings.hooks_init_scripts_dir, settings, console),
        post=_hooks("post", "hooks.postScriptsDir", settings.hooks_post_scripts_dir, settings, console),
    )


def _hooks(stage: Stage, leaf: str, folder: PurePath, settings: Settings, console: Console) -> tuple[Hook, ...]:
    """Plan the scripts of one folder; a missing one is worth a warning only if someone named it."""
    scripts = list_scripts(folder)
    named = settings.decision(leaf).winner
    if scripts is None and named.layer != "default":
        console.warn((MissingHookFolder(leaf, str(named.value), named.source),))
    hooks, notes = plan_hooks(stage, scripts or ())
    console.warn(notes)
    return hooks


def _apply(plan: Plan, settings: Settings, files: tuple[ArchiveFile, ...], drop: str, console: Console) -> None:
    """Extract and verify everything, run the init scripts, put the components in place, run the post scripts."""
    with staging(plan.project, console) as folder:
        extract(plan, folder)
        before = _stamps(files)
        variables = _variables(plan, folder)
        run_hooks(plan.init, plan.project, variables, settings.hooks_on_failure, console)
        if _stamps(files) != before:
            console.warn((ChangedDrop(drop),))
        swap(plan, folder, time.strftime("%Y%m%d-%H%M%S"), console)
        run_hooks(plan.post, plan.project, variables, settings.hooks_on_failure, console)


def _variables(plan: Plan, folder: Path) -> dict[str, str]:
    """What hook scripts are told: the project, the theme and, in a JSON file, the plan."""
    file = folder / "plan.json"
    with filesystem(file):
        file.write_bytes(msgspec.json.encode({"project": str(plan.project), "components": component_events(plan)}))
    themes = [step.choice.component.name for step in plan.steps if step.choice.component.kind == "theme"]
    return {
        "TOOL_HOOK_PROJECT": str(plan.project),
        "TOOL_HOOK_THEME": "".join(themes),
        "TOOL_HOOK_PLAN": str(file),
    }


def _stamps(files: tuple[ArchiveFile, ...]) -> tuple[object, ...]:
    """What tells whether the archives of a drop were changed."""
    folders = {file.path.parent for file in files}
    names = {path.name for folder in folders for path in Path(folder).iterdir() if path.suffix.lower() == ".zip"}
    there = [Path(file.path) for file in files if Path(file.path).exists()]
    return names, [(path, path.stat().st_size, path.stat().st_mtime_ns) for path in there]
