"""Create: the command that builds a project. Resolve, tell, look, select, plan, apply."""

import os
import time
from pathlib import Path, PurePath

import msgspec
from msgspec import Struct

from io_edges.build import extract, staging, swap
from io_edges.console import Console, print_line
from io_edges.disk import real_disk
from io_edges.drop import find_archives, look_into
from io_edges.flags import CreateFlags
from io_edges.hooks import list_scripts, run_hooks
from io_edges.stop import Stop, filesystem, require
from io_edges.targets import compare
from pipeline.archives import Archive, ArchiveFile
from pipeline.choices import Choice
from pipeline.emit import decisions
from pipeline.escape import to_json
from pipeline.hooks import Hook, Stage, plan_hooks
from pipeline.layers import Settings
from pipeline.notes import ChangedDrop, MissingHookFolder
from pipeline.plan import Plan, archive_events, component_events, hook_events, path_of, plan_steps, summary
from pipeline.problems import OutputConflict
from pipeline.resolve import Request, resolve
from pipeline.select import select, stays_closed


class Run(Struct, frozen=True):
    """What one run of the command is about. `drop` is the folder as the user wrote it."""

    request: Request
    drop: str
    flags: CreateFlags
    console: Console

    @property
    def start(self) -> PurePath:
        """The current folder."""
        return self.request.start


def create(run: Run) -> None:
    """Build the project of a drop. Raises `Stop`."""
    started = time.monotonic()
    settings = _settle(run)
    files = find_archives(run.drop, run.start, settings.theme)
    plan = _plan(run, settings, _choose(run, settings, files))
    run.console.tell(*component_events(plan))
    if run.flags.dry_run:
        run.console.tell(*hook_events(plan))
        run.console.say("dry run: nothing was written")
    else:
        _apply(run, settings, plan, files)
        run.console.tell(summary(plan, time.monotonic() - started))
    print_line(str(plan.project))


def _settle(run: Run) -> Settings:
    """Resolve the settings and tell every decision."""
    resolution = require(resolve(run.request, real_disk(run.start, run.console.tell)))
    run.console.log_format = resolution.settings.log_format
    run.console.looked_at(resolution.located)
    run.console.tell(*decisions(resolution.settings))
    run.console.warn(resolution.settings.notes)
    return resolution.settings


def _choose(run: Run, settings: Settings, files: tuple[ArchiveFile, ...]) -> tuple[Choice, ...]:
    """Look into the archives and choose among them."""
    archives = tuple(
        archive
        for file in files
        for archive in ((Archive(file=file),) if stays_closed(settings, file) else look_into(file))
    )
    selection = select(settings, archives, run.drop)
    run.console.tell(*archive_events(selection))
    run.console.warn(selection.notes)
    return require(selection.selected)


def _plan(run: Run, settings: Settings, selected: tuple[Choice, ...]) -> Plan:
    """Compare what is selected with what stands in the project, and list the scripts."""
    project = _project(run.start, run.flags.output)
    chosen = tuple(choice for choice in selected if choice.archive.files)
    targets = {path_of(choice): compare(choice, project) for choice in chosen}
    return Plan(
        project=project,
        steps=require(plan_steps(chosen, targets, force=run.flags.force)),
        init=_hooks(run, settings, "init", "hooks.initScriptsDir", settings.hooks_init_scripts_dir),
        post=_hooks(run, settings, "post", "hooks.postScriptsDir", settings.hooks_post_scripts_dir),
    )


def _project(start: PurePath, output: str) -> PurePath:
    """The absolute path of the project, which need not be there yet."""
    project = Path(os.path.normpath(start / output))
    with filesystem(project):
        there = next(each for each in (project, *project.parents) if each.exists())
        if os.path.lexists(project) and there != project:
            raise Stop(OutputConflict(output, found="link"))  # it leads nowhere
        if not there.is_dir():
            raise Stop(OutputConflict(output if there == project else str(there), found="file"))
    return project


def _hooks(run: Run, settings: Settings, stage: Stage, leaf: str, folder: PurePath) -> tuple[Hook, ...]:
    """Plan the scripts of one folder; a missing one is worth a warning only if someone named it."""
    scripts = list_scripts(folder, run.start)
    named = settings.decision(leaf).winner
    if scripts is None and named.layer != "default":
        run.console.warn((MissingHookFolder(leaf, str(named.value), named.source),))
    hooks, notes = plan_hooks(stage, scripts or ())
    run.console.warn(notes)
    return hooks


def _apply(run: Run, settings: Settings, plan: Plan, files: tuple[ArchiveFile, ...]) -> None:
    """Extract and verify everything, run the init scripts, put the components in place, run the post scripts."""
    with staging(plan.project, run.console) as folder:
        extract(plan, folder)
        before = _stamps(files)
        variables = _variables(plan, folder)
        run_hooks(plan.init, plan.project, variables, settings.hooks_on_failure, run.console)
        if _stamps(files) != before:
            run.console.warn((ChangedDrop(run.drop),))
        swap(plan, folder, run.console)
        run_hooks(plan.post, plan.project, variables, settings.hooks_on_failure, run.console)


def _variables(plan: Plan, folder: Path) -> dict[str, str]:
    """What hook scripts are told: the project, the theme and, in a JSON file, the plan."""
    file = folder / "plan.json"
    with filesystem(file):
        content = {"project": str(plan.project), "components": msgspec.to_builtins(component_events(plan))}
        file.write_text(to_json(content), encoding="utf-8")
    themes = [step.choice.component.name for step in plan.steps if step.choice.component.kind == "theme"]
    return {
        "TOOL_HOOK_PROJECT": str(plan.project),
        "TOOL_HOOK_THEME": "".join(themes[:1]),  # those that it builds on come after it
        "TOOL_HOOK_PLAN": str(file),
    }


def _stamps(files: tuple[ArchiveFile, ...]) -> object:
    """What tells whether the archives of a drop were changed: their names, sizes and times."""
    folders = {file.path.parent for file in files}
    try:
        names = {path.name for folder in folders for path in Path(folder).iterdir() if path.suffix.lower() == ".zip"}
        statuses = [Path(file.path).stat() for file in files]
    except OSError as error:
        return str(error)
    return names, [(status.st_size, status.st_mtime_ns) for status in statuses]
