"""Inspect: the command that shows what archives are, and why."""

import os
from collections import deque
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePath
from typing import Annotated

from cyclopts import Parameter
from msgspec.structs import replace
from toolz import unique

from io_edges.archives.data import Damage
from io_edges.archives.examine import look_into
from io_edges.archives.find import find_archives, find_unused
from io_edges.archives.zips import Opener
from io_edges.cli.flags import LogFlags, not_empty
from io_edges.cli.session import RunConsole
from io_edges.report.console import Console, print_line
from io_edges.system.stop import Stop, cause_of
from pipeline.archives.archive import Archive, ArchiveFile
from pipeline.archives.inspection import Inspection, bundle, inspection, inspection_lines, inspection_table
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics import Error
from pipeline.report.diagnostics.archives import ArchiveRejected
from pipeline.report.diagnostics.disk import FileSystemProblem
from pipeline.schema import AUTO


def inspect(
    *archives: Annotated[
        str,
        Parameter(
            validator=not_empty,
            name="ARCHIVE",
            required=True,
            help="Archives, or folders with archives, also in their themes/ and modules/.",
        ),
    ],
    flags: LogFlags = LogFlags(),
    console: RunConsole,
) -> None:
    """Print what an archive is, and why; print a table of several.

    Examples:
      Tell what every archive in drop/ is:
        tool inspect drop
      Print what an archive is, for a program:
        tool inspect shop_banner.zip --log-format=json

    Documentation: tool help archives
    """
    console.listen(quiet=flags.quiet, verbose=flags.verbose)
    in_table = console.log_format == "text" and (len(archives) > 1 or _is_folder(archives[0]))
    errors, warnings, rows = list[Error](), list[WarningDiagnostic](), list[Inspection]()
    for archive in _archives(archives, errors, console):
        examined = _verified(_examined(archive))
        errors += unique(refusal for each in examined for refusal in each.refusals)
        warnings += (warning for each in examined for warning in each.warnings)
        if in_table:
            rows += _inspections(examined)
        else:
            _print(inspection_lines(_inspections(examined), console.log_format, console.product_screen))
    _print(inspection_table(rows, console.product_screen))
    console.warn(warnings)
    if errors:
        raise Stop(*errors)


def _is_folder(name: str) -> bool:
    return os.path.isdir(name)  # noqa: PTH112 - which looks at any text, also one that is no path


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        print_line(line)


def _archives(names: tuple[str, ...], errors: list[Error], console: Console) -> Iterator[str]:
    """The archives among the names, and those in folders; what cannot be listed is added to the errors."""
    for name in names:
        if not _is_folder(name):
            yield name
            continue
        try:
            files = find_archives(name, PurePath(), AUTO)
            console.warn(find_unused(name, PurePath()))
        except Stop as stop:
            errors += stop.errors
            continue
        yield from (str(PurePath(name, file.display_path)) for file in files)
        if not files:
            console.print_text(f"no archives in `{name}`")


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
    with Opener() as opener:
        return tuple(each if each.refusals else replace(each, refusals=_damage(each, opener)) for each in examined)


def _damage(archive: Archive, opener: Opener) -> tuple[ArchiveRejected | FileSystemProblem, ...]:
    """What is found in reading what would be extracted from an archive: nothing, or the first damage."""
    try:
        if archive.component:
            opened = opener.open(archive.file)
            for entry in opened.index.below(archive.component.root):
                if entry.kind == "file":
                    deque(opened.chunks(entry), maxlen=0)
    except Damage as damage:
        return (damage.rejection_of(archive.file),)
    except OSError as error:
        return (FileSystemProblem(str(archive.file.path), cause_of(error)),)
    return ()
