"""Inspect: the command that shows what archives are, and why."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePath
from typing import Annotated

from cyclopts import Parameter
from msgspec.structs import replace
from toolz import unique

from io_edges.archives.data import Damage
from io_edges.archives.examine import look_into
from io_edges.archives.find import find_archives, find_unused
from io_edges.archives.zips import OpenArchive, Opener
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
        problems += unique(refusal for each in examined for refusal in each.refusals)
        notes += (note for each in examined for note in each.notes)
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


def _examined(archive: str) -> tuple[Archive, ...]:
    """Look into an archive; anything but a regular file is not opened, since reading it might never end."""
    path = Path(archive)
    file = ArchiveFile(path=path, display_path=archive)
    try:
        if path.is_file() or not path.exists():
            return look_into(file)
        cause = "not a regular file"
    except OSError as error:
        cause = cause_of(error)
    return (Archive(file=file, refusals=(FileSystemProblem(archive, cause),)),)


def _inspections(examined: tuple[Archive, ...]) -> Iterator[Inspection]:
    """The inspections of one file: first the bundle, if it is one; none for a file that cannot be read."""
    inspections = tuple(
        inspection(each)
        for each in examined
        if not any(isinstance(refusal, FileSystemProblem) for refusal in each.refusals)
    )
    file = examined[0].file
    if file.member:
        yield bundle(file.whole, inspections)
    elif len(inspections) > 1:
        inspections = (
            replace(inspections[0], members=tuple(each.archive for each in inspections[1:])),
            *inspections[1:],
        )
    yield from inspections


def _verified(examined: tuple[Archive, ...]) -> tuple[Archive, ...]:
    """Read what would be extracted from archives without refusals, to find the damage that a build would find."""
    sound = [each for each in examined if each.component and not each.refusals]
    if not sound:
        return examined
    path = examined[0].file.path
    refusals: dict[Key, ArchiveRejected | FileSystemProblem] = {}
    try:
        refusals.update(_damages(sound))
    except Damage as damage:
        refusals = {each.key: damage.rejection_of(each.file) for each in sound}
    except OSError as error:
        refusals = {each.key: FileSystemProblem(str(path), cause_of(error)) for each in sound}
    return tuple(replace(each, refusals=(refusals[each.key],)) if each.key in refusals else each for each in examined)


def _damages(sound: list[Archive]) -> Iterator[tuple[Key, ArchiveRejected]]:
    """The damage in an archive file: each entry is read once, even if a theme shares it with a module in it."""
    read: dict[tuple[str, str], Damage | None] = {}
    with Opener() as opener:
        for each in sound:
            opened = opener.open(each.file)
            for entry in opened.index.below(each.component.root if each.component else ""):
                if entry.kind == "file":
                    place = each.file.inner, entry.name
                    if place not in read:
                        read[place] = _damage(opened, entry)
                    if damage := read[place]:
                        yield each.key, damage.rejection_of(each.file)
                        break


def _damage(opened: OpenArchive, entry: Entry) -> Damage | None:
    try:
        for _ in opened.chunks(entry):
            pass
    except Damage as damage:
        return damage
    return None
