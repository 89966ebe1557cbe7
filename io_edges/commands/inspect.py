"""Inspect: the command that shows what archives are, and why."""

from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace
from toolz import groupby, unique

from io_edges.archives.examine import Examined, examine
from io_edges.archives.members import open_inner
from io_edges.archives.zips import Damage, OpenArchive, open_archive
from io_edges.report.console import Console, print_line
from io_edges.system.stop import Stop, cause_of
from pipeline.archives.archive import Archive, ArchiveFile, Entry, Key
from pipeline.archives.inspection import Inspection, bundle, inspection, tell
from pipeline.report.build_problems import ArchiveRejected, BuildProblem, FileSystemProblem


def inspect(archives: tuple[str, ...], console: Console) -> None:
    """Print what each archive is. Raises `Stop` with every refusal at the end."""
    problems: list[BuildProblem] = []
    first = True
    for archive in archives:
        looks = _verified(_looks(archive))
        problems += unique(refusal for look in looks for refusal in look.archive.refusals)
        lines = tell(_seen(looks), console.log_format)
        if lines:
            gap = ("",) if not first and console.log_format == "text" else ()
            print_line("\n".join((*gap, *lines)))
            first = False
        console.warn(note for look in looks for note in look.archive.notes)
    if problems:
        raise Stop(*problems)


def _looks(archive: str) -> tuple[Examined, ...]:
    """Look into an archive; anything but a regular file is not opened, since reading it might never end."""
    path = Path(archive)
    file = ArchiveFile(path=path, display_path=archive)
    try:
        if path.is_file() or not path.exists():
            return examine(file)
        cause = "not a regular file"
    except OSError as error:
        cause = cause_of(error)
    return (Examined(Archive(file=file, refusals=(FileSystemProblem(archive, cause),))),)


def _seen(looks: tuple[Examined, ...]) -> Iterator[Inspection]:
    """The inspections of one file: first the bundle, if it is one; none for a file that cannot be read."""
    found = tuple(
        inspection(look.archive, look.entries)
        for look in looks
        if not any(isinstance(refusal, FileSystemProblem) for refusal in look.archive.refusals)
    )
    file = looks[0].archive.file
    if file.member:
        yield bundle(file.whole, found)
    elif len(found) > 1:
        found = (replace(found[0], members=tuple(each.archive for each in found[1:])), *found[1:])
    yield from found


def _verified(looks: tuple[Examined, ...]) -> tuple[Examined, ...]:
    """Read what would be extracted from archives without refusals, to find the damage that a build would find."""
    sound = [look for look in looks if look.archive.component and not look.archive.refusals]
    if not sound:
        return looks
    path = looks[0].archive.file.path
    refusals: dict[Key, ArchiveRejected | FileSystemProblem] = {}
    try:
        with open_archive(path) as opened:
            refusals.update(_damages(sound, opened))
    except Damage as damage:
        refusals = {look.archive.key: damage.rejection_of(look.archive.file) for look in sound}
    except OSError as error:
        refusals = {look.archive.key: FileSystemProblem(str(path), cause_of(error)) for look in sound}
    return tuple(
        replace(look, archive=replace(look.archive, refusals=(refusals[look.archive.key],)))
        if look.archive.key in refusals
        else look
        for look in looks
    )


def _damages(looks: list[Examined], outer: OpenArchive) -> Iterator[tuple[Key, ArchiveRejected]]:
    """The damage in an archive file: each archive in it is opened once, however many members it has."""
    groups: dict[str, list[Examined]] = groupby(lambda look: look.archive.file.inner, looks)
    entries = {entry.name: entry for entry in outer.entries if entry.name in groups}
    for inner, group in groups.items():
        yield from _damages_in(group, open_inner(outer, entries.get(inner), inner) if inner else outer)


def _damages_in(looks: list[Examined], opened: OpenArchive) -> Iterator[tuple[Key, ArchiveRejected]]:
    """The damage in one archive: each entry is read once, even if a theme shares it with a module in it."""
    read: dict[str, Damage | None] = {}
    for look in looks:
        root = look.archive.component.root if look.archive.component else ""
        for entry in look.entries:
            if entry.kind == "file" and entry.name.startswith(root):
                if entry.name not in read:
                    read[entry.name] = _damage(opened, entry)
                if damage := read[entry.name]:
                    yield look.archive.key, damage.rejection_of(look.archive.file)
                    break


def _damage(opened: OpenArchive, entry: Entry) -> Damage | None:
    try:
        for _ in opened.chunks(entry):
            pass
    except Damage as damage:
        return damage
    return None
