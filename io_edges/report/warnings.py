"""Warnings: every note in words."""

import glob
import shlex
from pathlib import PurePath
from typing import assert_never

from io_edges.report.prose import listed, meant
from pipeline.report import drop_notes, notes, run_notes
from pipeline.report.drop_notes import DropNote, UnusedKind
from pipeline.report.events import WarningEvent
from pipeline.report.notes import LegacyNote, Note


def warning(note: Note) -> WarningEvent:
    """Put a note in words."""
    message, source = _in_words(note)
    return WarningEvent(str(note.__struct_config__.tag), message, source or None)


def _in_words(note: Note) -> tuple[str, str]:
    """The message and the source, which is empty if there is none."""
    if isinstance(note, LegacyNote):
        return _of_legacy(note)
    if isinstance(note, DropNote):
        return _of_drop(note)
    match note:
        case notes.ShadowedConfig(config_file, shadowed_files):
            return f"{listed(shadowed_files)} not read: `{config_file}` comes first", config_file
        case notes.MisspeltVariable(variable, near):
            return f"`{variable}` is not read; {meant((near,))}", variable
        case notes.ConfigKept(file, backup, lost):
            what = f"`{file}` is overwritten" if lost == "config" else f"the key `tool` of `{file}` is set anew"
            return f"{what}; the original is kept in `{backup}`", file
        case run_notes.MissingHookFolder(leaf, folder, source):
            return f"{leaf} names `{folder}`, which is no folder", str(source)
        case run_notes.SkippedHook(stage, script, suffix):
            return f"the {stage} script `{script}` is skipped: {_unrunnable(suffix)}", script
        case run_notes.FailedHook(stage, script, status):
            return f"the {stage} script `{script}` failed: {status}; going on", script
        case run_notes.ChangedDrop(drop):
            return "the init scripts changed the drop; run again to build what is there", drop
        case run_notes.BackedUp(component, files, backup, dry, is_archives):
            would, which = "would be " * dry, listed(files)
            if is_archives:
                return f"the archive's {which} of `{component}` {would}put in `{backup}`; yours stays", component
            return f"{which} of `{component}` {would}moved to `{backup}`", component
        case run_notes.KeptComponents(left_out, gone, in_doubt):
            parts = ((left_out, "not selected"), (gone, "without an archive in the drop"))
            which = "; ".join(f"{what}: {listed(paths)}" for paths, what in parts if paths)
            doubt = "nothing is removed while an archive is refused, or if the archives are elsewhere"
            return f"built before and kept, {which}; {doubt if in_doubt else '`--prune` removes them'}", ""
        case run_notes.InPlace(component, cause):
            return f"the files of `{component}` were replaced one by one: {cause}", component
        case run_notes.Repacked(archive, path):
            return f"`{archive}` was packed again; its files are those that `{path}` was built from", archive
        case run_notes.LiveRun():
            return "another run is building this project; what is there may be about to change", ""
        case run_notes.InterruptedRun(dry):
            return "an earlier run was interrupted; " + ("the next one finishes it" if dry else "cleaned up"), ""
        case run_notes.NotLocked(project, cause):
            return f"the project cannot be locked: {cause}; do not start a second run", project
        case run_notes.CacheDamaged(file, foreign):
            fate = "is not a cache and is left alone; set `cache.file`" if foreign else "was damaged and is rebuilt"
            return f"the cache file {fate}", file
        case run_notes.CacheUnwritable(file, cause):
            return f"the cache cannot be written: {cause}; the next run will be slower", file
        case run_notes.LeftOver(path, cause):
            return f"`{path}` could not be removed: {cause}", path
        case _:
            assert_never(note)


def _of_legacy(note: LegacyNote) -> tuple[str, str]:
    match note:
        case notes.LegacyMoved(key, leaf, source):
            return f"`{key}` of the 0.x file is read as `{leaf}`", str(source)
        case notes.LegacyDropped(key, reason, source):
            what = f"`{key}` of the 0.x file" if key else "the 0.x file"
            return f"{what} is ignored: {reason}", str(source)
        case notes.LegacyLifted(file, backup):
            return f"the 0.x file was rewritten in the version 1 shape; the original is kept in `{backup}`", file
        case notes.LegacyKept(file, cause):
            return f"the 0.x file is not rewritten in the version 1 shape: {cause}", file
        case notes.LegacyUnread(file, config_file):
            return f"the 0.x file is not read: `{config_file}` comes before it", file
        case _:
            assert_never(note)


def _unused(drop: str, kind: UnusedKind, names: tuple[str, ...]) -> str:
    """Why something in the drop is not read, and what to do; one phrase for one and for several."""
    folder = shlex.quote(str(PurePath(drop, names[0])))
    reasons: dict[UnusedKind, str] = {
        "other format": "not read, only `.zip` is; unpack it, and pack what is in it with `zip -r`",
        "unfinished": "not read: a download that has not finished; wait for it, or get it again",
        "unpacked": "not read, only archives are, though it looks like a component; pack it with `zip -r`",
        "folder": "not read: a folder, though it is called an archive; pack what is in it with `zip -r`",
        "broken link": "not read: a link to nothing; remove it, or put the archive in its place",
        "deeper": f"not looked into, though there are archives in it; move them up, or run `tool create {folder}`",
    }
    return reasons[kind]


def _of_drop(note: DropNote) -> tuple[str, str]:
    match note:
        case drop_notes.NothingToBuild(drop, archives):
            what = f"no archive in `{drop}` is selected" if archives else f"no `.zip` file in `{drop}`"
            return f"nothing to build: {what}", drop
        case drop_notes.UnusedFiles(drop, kind, names):
            return f"{listed(names)} {_unused(drop, kind, names)}", drop
        case drop_notes.UnmatchedPattern(leaf, pattern, source, near):
            is_several = "," in pattern and source.name.startswith("--")
            advice = "give the flag once for each" if is_several else meant(near)
            return f"`{pattern}` of {leaf} matches no module{'; ' * bool(advice)}{advice}", str(source)
        case drop_notes.UnrecognisedArchive(archive, name):
            return f"no marker found; taken for the module `{name}`", archive
        case drop_notes.UnreadMarker(archive, marker):
            return (
                f"`{marker}` cannot be used as a marker: no name or type in it, too large, or not what its name says",
                archive,
            )
        case drop_notes.DamagedArchive(archive, reason, entry):
            return f"it would be refused if it were selected: {f'`{entry}`: ' if entry else ''}{reason}", archive
        case drop_notes.DuplicateArchive(archive, built_archive):
            return f"same content as `{built_archive}`, which is built", archive
        case drop_notes.EmptyArchive(archive):
            return "it has no files; nothing is built from it", archive
        case drop_notes.PassedOver(archive, nested):
            what = "it is a bundle in a bundle, which is not opened" if nested else "nothing in it tells what it is"
            return f"{what}; put it in the drop by itself if it is to be built", archive
        case drop_notes.LeftAlone(archive, names):
            return f"it is a bundle; all or part of {listed(names)} belongs to no component and is not built", archive
        case drop_notes.OlderArchive(archive, version, newer_archive, newer_version):
            return f"version {version} is left out for {newer_version} in `{newer_archive}`", archive
        case drop_notes.NeededModule():
            return _of_need(note)
        case drop_notes.NeededTheme(theme, needed_by, file, source, by_flag):
            advice = "take it out of `--exclude`" if by_flag else f"`--include={glob.escape(file)}` brings it in"
            return f"the theme `{theme}` is left out, and `{needed_by}` builds on it; {advice}", str(source or "")
        case drop_notes.CircularNeeds(kind, names):
            how = "builds on" if kind == "theme" else "needs"
            return f"{kind}s form a circle: each {how} the next: {listed((*names, names[0]))}", names[0]
        case drop_notes.MixedSystems(counts):
            mixture = ", ".join(f"{count} of {system}" for system, count in counts)
            return f"components of different systems are built together: {mixture}", ""
        case _:
            assert_never(note)


def _of_need(note: drop_notes.NeededModule) -> tuple[str, str]:
    """Who needs a module, and what includes it: if a flag leaves it out, no other flag can overrule that."""
    advice = f"`--include={note.module}` brings it in"
    if note.by_flag:
        only = note.leaf == "modules.only"
        advice = f"add `--only={note.module}`" if only else "take it out of `--exclude`"
    return f"`{note.module}` is left out, and {listed(note.needed_by)} {_needs(note)} it; {advice}", str(
        note.source or ""
    )


def _needs(note: drop_notes.NeededModule) -> str:
    return "needs" if len(note.needed_by) == 1 else "need"


def _unrunnable(suffix: str) -> str:
    if suffix in {".js", ".ts", ".mjs", ".cjs", ".mts", ".cts"}:
        return "add a first line such as `#!/usr/bin/env node` and make it executable"
    return "it is not executable, and only `.sh` and `.py` files run without"
