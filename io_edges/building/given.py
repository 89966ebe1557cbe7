"""Given: what the archives of the drop give a component."""

from collections.abc import Collection, Iterable
from hashlib import sha256

from returns.result import Failure, Success

from io_edges.archives.data import Damage
from io_edges.archives.members import Opener
from io_edges.archives.zips import OpenArchive, Vetted
from pipeline.archives.archive import Entry, contents
from pipeline.building.record import Files, FileState
from pipeline.report.outcome import BuildOutcome
from pipeline.selection.choices import Choice


def files_given(choices: Iterable[Choice], vetted: Vetted | None) -> list[BuildOutcome[Files]]:
    """The files that building components gives, with digests, or why an archive is refused. Raises `OSError`."""
    with Opener(vetted) as opener:
        return [_files_of(choice, opener) for choice in choices]


def _files_of(choice: Choice, opener: Opener) -> BuildOutcome[Files]:
    archive, root = choice.archive, choice.component.root
    try:
        opened = opener.open(archive.file)
        if opened.refusals:
            return Failure(opened.refusals)
        entries = without_parents(contents(opened.index.below(root), root))
        return Success({name: _state(entry, opened.opened) for name, entry in entries})
    except Damage as damage:
        return Failure((damage.rejection_of(archive.file),))


def without_parents(entries: tuple[tuple[str, Entry], ...]) -> tuple[tuple[str, Entry], ...]:
    """Entries without the folders that others imply."""
    implied: set[str] = set()
    for name, _ in entries:
        above = name.rpartition("/")[0]
        while above and above not in implied:
            implied.add(above)
            above = above.rpartition("/")[0]
    return tuple((name, entry) for name, entry in entries if entry.kind != "folder" or (name and name not in implied))


def _state(entry: Entry, opened: OpenArchive) -> FileState:
    if entry.kind == "folder":
        return FileState(kind="folder")
    if entry.kind == "link":
        return FileState(kind="link", target=entry.target)
    digest = sha256()
    for chunk in opened.chunks(entry):
        digest.update(chunk)
    return FileState(executable=entry.executable, digest=digest.hexdigest())


def texts_given(choice: Choice, names: Collection[str], most: int, vetted: Vetted | None) -> dict[str, bytes]:
    """The beginnings of files that an archive of the drop has, at most so many bytes. Raises `Damage` and `OSError`."""
    with Opener(vetted) as opener:
        opened = opener.open(choice.archive.file)
        root = choice.component.root
        entries = {name: entry for name, entry in contents(opened.index.below(root), root) if name in names}
        return {name: _first(opened.opened.chunks(entry), most) for name, entry in entries.items()}


def _first(chunks: Iterable[bytes], most: int) -> bytes:
    content = bytearray()
    for chunk in chunks:
        content += chunk
        if len(content) >= most:
            break
    return bytes(content[:most])
