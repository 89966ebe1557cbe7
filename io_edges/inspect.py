"""Inspect: the command that says what archives are, and why."""

from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace
from toolz import unique

from io_edges.console import Console, print_line
from io_edges.disk import why
from io_edges.drop import Look, examine
from io_edges.members import open_member
from io_edges.stop import Stop
from io_edges.zips import Damage
from pipeline.archives import Archive, ArchiveFile
from pipeline.inspection import Inspection, bundle, inspection, tell
from pipeline.problems import ArchiveRejected, FileSystemProblem, Problem


def inspect(archives: tuple[str, ...], console: Console) -> None:
    """Print what each archive is; then stop with all that would be refused. Raises `Stop`."""
    problems: list[Problem] = []
    first = True
    for archive in archives:
        looks = tuple(map(_verified, _looks(archive)))
        problems += unique(refusal for look in looks for refusal in look.archive.refusals)
        lines = tell(_seen(looks), console.log_format)
        if lines:
            gap = ("",) if not first and console.log_format == "text" else ()
            print_line("\n".join((*gap, *lines)))
            first = False
        console.warn(note for look in looks for note in look.archive.notes)
    if problems:
        raise Stop(*problems)


def _looks(archive: str) -> tuple[Look, ...]:
    """Look into an archive; what is there and no file is not opened, for that might never end."""
    path = Path(archive)
    file = ArchiveFile(path=path, shown=archive)
    try:
        if path.is_file() or not path.exists():
            return examine(file)
        cause = "it is no regular file"
    except OSError as error:
        cause = why(error)
    return (Look(Archive(file=file, refusals=(FileSystemProblem(archive, cause),))),)


def _seen(looks: tuple[Look, ...]) -> Iterator[Inspection]:
    """What is told of one file: the bundle first, if it is one; nothing of a file that cannot be read."""
    found = tuple(
        inspection(look.archive, look.entries)
        for look in looks
        if not any(isinstance(refusal, FileSystemProblem) for refusal in look.archive.refusals)
    )
    file = looks[0].archive.file
    if file.member:
        yield bundle(file.shown.removesuffix(f"!{file.member}"), found)
    elif len(found) > 1:
        found = (replace(found[0], members=tuple(each.archive for each in found[1:])), *found[1:])
    yield from found


def _verified(look: Look) -> Look:
    """Read what would be extracted, if nothing speaks against it, so that damage is found that a build would find."""
    archive = look.archive
    if archive.refusals or archive.component is None:
        return look
    try:
        with open_member(archive.file) as opened:
            for entry in opened.entries:
                if entry.kind == "file" and entry.name.startswith(archive.component.root):
                    for _ in opened.chunks(entry):
                        pass
    except Damage as damage:
        refusal = ArchiveRejected(archive.file.shown, damage.reason, damage.entry)
        return replace(look, archive=replace(archive, refusals=(refusal,)))
    except OSError as error:
        problem = FileSystemProblem(str(archive.file.path), why(error))
        return replace(look, archive=replace(archive, refusals=(problem,)))
    return look
