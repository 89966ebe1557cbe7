"""Drop warnings: the notes on recognising and selecting archives in words."""

import shlex
from pathlib import PurePath
from typing import assert_never

from io_edges.report.wording import Prose, adding, are, excluding, listed, meant
from pipeline.report import drop_notes
from pipeline.report.drop_notes import DropNote, UnusedKind
from pipeline.report.source import Source


def of_drop(note: DropNote, lists_below: frozenset[str] | None) -> Prose:
    """Put a note on the drop in words; `lists_below` is what `wording.adding` goes by."""
    match note:
        case drop_notes.NothingToBuild():
            return _nothing(note)
        case drop_notes.UnusedFiles(drop, kind, names):
            why, advice = _unused(drop, kind, names)
            return Prose(message=f"{listed(names)} {are(names)} {why}", help=advice, source=Source(drop))
        case drop_notes.UnmatchedPattern(leaf, pattern, source, near, others):
            is_several = "," in pattern and source.name.startswith("--")
            advice = "give the flag once for each" if is_several else meant(near) or "check the name, also its case"
            verb = "match" if others else "matches"
            return Prose(message=f"{listed((pattern, *others))} of {leaf} {verb} no module", help=advice, source=source)
        case drop_notes.NeededModule(module, needed_by, source=source):
            message = f"`{module}` is left out, and {listed(needed_by)} need{'s' * (len(needed_by) == 1)} it"
            return Prose(message=message, help=_including(note, lists_below), source=source)
        case drop_notes.NeededTheme(theme, needed_by, file, source, by_flag):
            flags = adding("--include", file, lists_below)
            advice = "take it out of `--exclude`" if by_flag else f"`{flags}` brings it in"
            message = f"the theme `{theme}` is left out, and `{needed_by}` builds on it"
            return Prose(message=message, help=advice, source=source)
        case drop_notes.CircularNeeds(kind, names):
            how = "builds on" if kind == "theme" else "needs"
            message = f"{kind}s form a circle: each {how} the next: {listed((*names, names[0]))}"
            return Prose(message=message, help="tell whoever makes them", source=Source(names[0]))
        case drop_notes.MixedSystems(counts):
            mixture = ", ".join(f"{count} of {system}" for system, count in counts)
            message = f"components of different systems are built together: {mixture}"
            return Prose(message=message, help="leave out those that are not for yours")
        case _:
            return _of_archive(note, lists_below)


def _of_archive(note: drop_notes.ArchiveNote, lists_below: frozenset[str] | None) -> Prose:
    """The notes on one archive, which the message names."""
    message, advice = _told(note, lists_below)
    return Prose(message=message, help=advice, source=Source(note.archive))


def _told(note: drop_notes.ArchiveNote, lists_below: frozenset[str] | None) -> tuple[str, str]:
    match note:
        case drop_notes.UnrecognisedArchive(name=name):
            advice = "if it is a theme, put it in `themes/` of the drop"
            return f"no marker found; taken for the module `{name}`", advice
        case drop_notes.UnreadMarker(marker=marker):
            why = "no name or type in it, too large, or not what its name says"
            return (
                f"`{marker}` cannot be used as a marker: {why}",
                "fix it, or download it again",
            )
        case drop_notes.DamagedArchive(reason=reason, entry=entry):
            which = f"`{entry}`: " if entry else ""
            what, _, advice = reason.partition("; ")
            message = f"it would be refused if it were selected: {which}{what}"
            return message, f"{advice or 'get the archive again'}; or remove it"
        case drop_notes.DuplicateArchive(built_archive=built):
            return f"it has the same content as `{built}`, which is built", "remove one of them"
        case drop_notes.EmptyArchive():
            return "it has no files; nothing is built from it", "download it again, or remove it"
        case drop_notes.PassedOver(nested=nested):
            what = "it is a bundle in a bundle, which is not opened" if nested else "it has no marker, and is not built"
            return what, "put it in the drop by itself if it is to be built"
        case drop_notes.LeftAlone(names=names):
            message = f"it is a bundle; all or part of {listed(names)} belongs to no component and is not built"
            return message, "unpack it and put what is in it in the drop, if it is needed"
        case drop_notes.OlderArchive(version=version, newer_archive=newer, newer_version=newer_version):
            message = f"version {version} is left out for {newer_version} in `{newer}`"
            return message, f"remove it; or take it with `{excluding(newer, lists_below)}`"
        case _:
            assert_never(note)


def _nothing(note: drop_notes.NothingToBuild) -> Prose:
    where = "the current folder" if note.drop == "." else f"`{note.drop}`"
    if note.archives:
        message = f"nothing to build: no archive in {where} is selected"
        return Prose(message=message, help="the log has the reason for each archive", source=Source(note.drop))
    message = f"nothing to build: no `.zip` file in {where}"
    advice = "put archives there, or name their folder: `tool create FOLDER`"
    return Prose(message=message, help=advice, source=Source(note.drop))


def _unused(drop: str, kind: UnusedKind, names: tuple[str, ...]) -> tuple[str, str]:
    """Why something in the drop is not read, and what to do."""
    folder = shlex.quote(str(PurePath(drop, names[0])))
    is_one = len(names) == 1
    it, each = ("it", "it") if is_one else ("them", "each")
    pack = f"pack what is in {each} with `zip -r`"
    reasons: dict[UnusedKind, tuple[str, str]] = {
        "other format": ("not read: only `.zip` archives are", f"unpack {it}, and {pack}"),
        "unfinished": (
            f"not read: {'a download that has' if is_one else 'downloads that have'} not finished",
            f"wait for {it}, or get {it} again",
        ),
        "unpacked": (
            f"not read: only archives are, though {'it looks' if is_one else 'they look'} like a component",
            f"pack {each} with `zip -r`",
        ),
        "folder": (
            f"not read: {'a folder, though it is' if is_one else 'folders, though they are'} called an archive",
            pack,
        ),
        "broken link": (
            f"not read: {'a link' if is_one else 'links'} to nothing",
            f"remove {it}, or put {'the archive in its' if is_one else 'the archives in their'} place",
        ),
        "deeper": (
            f"not looked into, though there are archives in {it}",
            f"move them up, or name {'their folder' if is_one else 'one of the folders'} instead: `{folder}`",
        ),
    }
    return reasons[kind]


def _including(note: drop_notes.NeededModule, lists_below: frozenset[str] | None) -> str:
    """What includes a module that is needed: if a flag leaves it out, no other flag can overrule that."""
    if not note.by_flag:
        return f"`{adding('--include', note.module, lists_below)}` brings it in"
    return f"add `--only={note.module}`" if note.leaf == "modules.only" else "take it out of `--exclude`"
