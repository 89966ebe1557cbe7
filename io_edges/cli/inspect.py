"""Inspect: the command that shows what archives are, and why."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePath
from typing import Annotated

from cyclopts import Parameter
from msgspec.structs import replace
from toolz import groupby, unique

from io_edges.archives.data import Damage
from io_edges.archives.examine import Examined, examine
from io_edges.archives.find import find_archives, find_unused
from io_edges.archives.members import open_inner
from io_edges.archives.zips import OpenArchive, open_archive
from io_edges.cli.flags import PrintFlags, not_empty
from io_edges.cli.session import RunConsole
from io_edges.report.console import Console, print_line
from io_edges.system.stop import Stop, cause_of
from pipeline.archives.archive import Archive, ArchiveFile, Entry, Key
from pipeline.archives.inspection import Inspection, bundle, inspection, inspection_lines, inspection_table
from pipeline.report.problems import Problem
from pipeline.report.problems.archives import ArchiveRejected
from pipeline.report.problems.disk import FileSystemProblem
from pipeline.report.subject import Note
from pipeline.schema import AUTO


def inspect(
    *archives: Annotated[
        str,
        Parameter(
            validator=not_empty,
            metavar="ARCHIVE|FOLDER",
            required=True,
            help="The .zip files to look into; of a folder, all in it, and in themes/ and modules/ in it.",
        ),
    ],
    flags: PrintFlags = PrintFlags(),
    console: RunConsole,
) -> None:
    """Print what archives are: of one all that is known, and why; of several a table. Build nothing.

    Examples:
      Tell what every archive in drop/ is:
        tool inspect drop
      Print what an archive is, for a program:
        tool inspect shop_banner.zip --log-format=json

    Documentation: tool help inspect.md
    """
    console.listen(quiet=flags.quiet, verbose=flags.verbose)
    in_table = console.log_format == "text" and (len(archives) > 1 or _is_folder(archives[0]))
    problems, notes, rows = list[Problem](), list[Note](), list[Inspection]()
    for archive in _archives(archives, problems, console):
        examined = _verified(_examined(archive))
        problems += unique(refusal for each in examined for refusal in each.archive.refusals)
        notes += (note for each in examined for note in each.archive.notes)
        if in_table:
            rows += _inspections(examined)
        else:
            _print(inspection_lines(_inspections(examined), console.log_format, console.product_screen))
    _print(inspection_table(rows, console.product_screen))
    console.warn(notes)
    if problems:
        raise Stop(*problems)


def _is_folder(name: str) -> bool:
    return os.path.isdir(name)  # noqa: PTH112 - which looks at any text, also one that is no path


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        print_line(line)


def _archives(names: tuple[str, ...], problems: list[Problem], console: Console) -> Iterator[str]:
    """The archives among the names, and those in folders; what cannot be listed is added to the problems."""
    for name in names:
        if not _is_folder(name):
            yield name
            continue
        try:
            files = find_archives(name, PurePath(), AUTO)
            console.warn(find_unused(name, PurePath()))
        except Stop as stop:
            problems += stop.problems
            continue
        yield from (str(PurePath(name, file.display_path)) for file in files)
        if not files:
            console.say(f"no archives in `{name}`")


def _examined(archive: str) -> tuple[Examined, ...]:
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


def _inspections(examined: tuple[Examined, ...]) -> Iterator[Inspection]:
    """The inspections of one file: first the bundle, if it is one; none for a file that cannot be read."""
    inspections = tuple(
        inspection(each.archive, each.entries)
        for each in examined
        if not any(isinstance(refusal, FileSystemProblem) for refusal in each.archive.refusals)
    )
    file = examined[0].archive.file
    if file.member:
        yield bundle(file.whole, inspections)
    elif len(inspections) > 1:
        inspections = (
            replace(inspections[0], members=tuple(each.archive for each in inspections[1:])),
            *inspections[1:],
        )
    yield from inspections


def _verified(examined: tuple[Examined, ...]) -> tuple[Examined, ...]:
    """Read what would be extracted from archives without refusals, to find the damage that a build would find."""
    sound = [each for each in examined if each.archive.component and not each.archive.refusals]
    if not sound:
        return examined
    path = examined[0].archive.file.path
    refusals: dict[Key, ArchiveRejected | FileSystemProblem] = {}
    try:
        with open_archive(path) as opened:
            refusals.update(_damages(sound, opened))
    except Damage as damage:
        refusals = {each.archive.key: damage.rejection_of(each.archive.file) for each in sound}
    except OSError as error:
        refusals = {each.archive.key: FileSystemProblem(str(path), cause_of(error)) for each in sound}
    return tuple(
        replace(each, archive=replace(each.archive, refusals=(refusals[each.archive.key],)))
        if each.archive.key in refusals
        else each
        for each in examined
    )


def _damages(examined: list[Examined], outer: OpenArchive) -> Iterator[tuple[Key, ArchiveRejected]]:
    """The damage in an archive file: each archive in it is opened once, however many members it has."""
    groups: dict[str, list[Examined]] = groupby(lambda each: each.archive.file.inner, examined)
    entries = {entry.name: entry for entry in outer.entries if entry.name in groups}
    for inner, group in groups.items():
        yield from _damages_in(group, open_inner(outer, entries.get(inner), inner) if inner else outer)


def _damages_in(examined: list[Examined], opened: OpenArchive) -> Iterator[tuple[Key, ArchiveRejected]]:
    """The damage in one archive: each entry is read once, even if a theme shares it with a module in it."""
    read: dict[str, Damage | None] = {}
    for each in examined:
        root = each.archive.component.root if each.archive.component else ""
        for entry in each.entries:
            if entry.kind == "file" and entry.name.startswith(root):
                if entry.name not in read:
                    read[entry.name] = _damage(opened, entry)
                if damage := read[entry.name]:
                    yield each.archive.key, damage.rejection_of(each.archive.file)
                    break


def _damage(opened: OpenArchive, entry: Entry) -> Damage | None:
    try:
        for _ in opened.chunks(entry):
            pass
    except Damage as damage:
        return damage
    return None
