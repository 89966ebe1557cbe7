"""Inspection: what an archive is, and why, for a person or a program. `tool inspect` prints it (`docs/archives.md`)."""

from collections.abc import Iterable, Iterator
from typing import Any, Final, Literal, TypeAlias, get_args

from msgspec import UNSET, Struct, UnsetType

from pipeline.archives.archive import Archive, Component
from pipeline.archives.zip.structure import Refusal
from pipeline.report.diagnostics.archives import ArchiveRejected
from pipeline.report.diagnostics.disk import FileSystemProblem
from pipeline.report.escape import escape, to_json
from pipeline.report.events import ArchiveKind, ComponentKind
from pipeline.report.layout import PIPE, Row, Screen, Tone, paragraph, table
from pipeline.report.wording import counted
from pipeline.schema import LogFormat

InspectionKind: TypeAlias = Literal[ArchiveKind, "bundle", "unknown"]
_OF_COMPONENT: Final = (
    *("name", "named_by", "version", "version_by", "system", "evidence", "field", "parent", "runs_on", "php"),
)
"""The fields that a component has under the same name."""
_NONE: Final = Component(kind="other", name="")
"""Stands for the component of an archive that could not be recognised."""


class Inspection(Struct, frozen=True, kw_only=True, tag="inspection", tag_field="event"):
    """One archive, or one member of a bundle, as `tool inspect --log-format=json` prints it on standard output.

    Unknown values are null; `bytes` is the size of the component's files. `named_by` says what the name comes from, if
    not from the marker; it is `guessed` if the folder has the name of a download. `version_by` is the file whose name
    has the version, if no marker has it. `requires` lists modules, after their project and a colon if it is named.
    `runs_on` are the versions of its system that it accepts, as Composer writes them; `php` is the PHP that it needs.

    If components are named, `selected` and `reason` say whether the drop's archive is built and why; `built_from` and
    `built_version` are the archive and the version in the project. Otherwise these four are absent. Of a component
    without an archive in the drop, `archive` is its path in the project.
    """

    archive: str
    kind: InspectionKind
    name: str | None = None
    named_by: str | None = None
    guessed: bool = False
    version: str | None = None
    version_by: str | None = None
    system: str | None = None
    evidence: str | None = None
    field: str | None = None
    folder: str | None = None
    parent: str | None = None
    requires: tuple[str, ...] = ()
    runs_on: str | None = None
    php: str | None = None
    entries: int = 0
    files: int = 0
    bytes: int = 0
    members: tuple[str, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    selected: bool | UnsetType = UNSET
    reason: str | UnsetType = UNSET
    built_from: str | UnsetType = UNSET
    built_version: str | UnsetType = UNSET


def inspection(archive: Archive) -> Inspection:
    """The inspection of an archive."""
    component = archive.component or _NONE
    is_known = component.evidence is not None or (archive.files > 0 and not archive.file.inner)
    described: dict[str, Any] = {field: getattr(component, field) or None for field in _OF_COMPONENT}
    return Inspection(
        archive=archive.file.display_path,
        kind=component.kind if is_known else "unknown",
        **described,
        guessed=component.is_guessed,
        folder=component.root or None,
        requires=component.requires,
        entries=archive.entries,
        files=archive.files,
        bytes=archive.size,
        refusals=tuple(map(refusal_of, archive.refusals)),
    )


def bundle(display_path: str, members: tuple[Inspection, ...]) -> Inspection:
    """The inspection of an archive that holds several components."""
    return Inspection(archive=display_path, kind="bundle", members=tuple(member.archive for member in members))


def inspection_lines(
    inspections: Iterable[Inspection], log_format: LogFormat, screen: Screen = PIPE
) -> tuple[str, ...]:
    """The lines for inspections: in JSON one each; in text a block each, with an empty line between."""
    if log_format == "json":
        return tuple(to_json(each) for each in inspections)
    return tuple(line for each in inspections for line in ("", *_block(each, screen)))[1:]


def inspection_table(inspections: Iterable[Inspection], screen: Screen) -> tuple[str, ...]:
    """The lines for several archives, in columns; the last column has a remark."""
    return table([_row(each, "" if screen.accessible else "-") for each in inspections], screen)


def _row(inspected: Inspection, blank: str) -> Row:
    cells = (inspected.name, inspected.version, inspected.system)
    words, tone = _remark(inspected)
    return Row((inspected.archive, inspected.kind, *(cell or blank for cell in cells), words), tone)


def _remark(inspected: Inspection) -> tuple[str, Tone]:
    """Why an archive is not built, which of its fields are guessed, or the size of a bundle."""
    if inspected.refusals:
        return f"refused: {str(inspected.refusals[0]).partition(';')[0]}", "error"
    if inspected.kind == "bundle":
        return counted(len(inspected.members), "component"), ""
    if inspected.kind not in get_args(ComponentKind):
        return f"not built: {'no marker' if inspected.kind == 'unknown' else 'neither theme nor module'}", "skipped"
    guesses = (
        (not inspected.evidence, "no marker"),
        (inspected.guessed, f"name by {(inspected.named_by or '').rpartition(' (')[2].removesuffix(')')}"),
        (inspected.version_by, "version by file name"),
    )
    guessed = ", ".join(text for is_guess, text in guesses if is_guess)
    return (f"guessed: {guessed}", "warning") if guessed else ("", "")


def refusal_of(refusal: ArchiveRejected | FileSystemProblem) -> Refusal:
    """Why an archive is refused, or cannot be read."""
    if isinstance(refusal, ArchiveRejected):
        return Refusal(refusal.reason, refusal.entry)
    return Refusal(refusal.cause, None)


def _block(inspected: Inspection, screen: Screen) -> Iterator[str]:
    yield escape(inspected.archive)
    advice = "; to give another, rename the archive" if inspected.guessed else ""
    by_file = f", as {inspected.version_by} is called" if inspected.version_by else ""
    rows = (
        ("kind", inspected.kind),
        ("name", inspected.name),
        ("named by", inspected.named_by and inspected.named_by + advice),
        ("version", inspected.version and inspected.version + by_file),
        ("system", inspected.system),
        ("evidence", _evidence(inspected)),
        ("folder", inspected.folder),
        ("builds on", inspected.parent),
        ("needs", ", ".join(inspected.requires)),
        ("runs on", inspected.runs_on and f"{inspected.system} {inspected.runs_on}"),
        ("PHP", inspected.php),
        ("holds", _holds(inspected)),
        ("built" if inspected.selected else "left out", inspected.reason),
        ("on disk", _on_disk(inspected)),
        *(("member", member) for member in inspected.members),
        *(("refused", str(refusal)) for refusal in inspected.refusals),
    )
    for label, value in rows:
        if value:
            lead = f"  {label} " if screen.accessible else f"  {label:<9} "
            yield from paragraph(value, screen, lead, hanging=len(lead))


def _evidence(inspected: Inspection) -> str | None:
    is_recorded_alone = bool(inspected.built_from) and not inspected.entries
    if inspected.kind in {"bundle", "unknown"} or is_recorded_alone:
        return None
    return f"{inspected.evidence} ({inspected.field})" if inspected.evidence else "none: it goes by its name and place"


def _on_disk(inspected: Inspection) -> str | None:
    if not inspected.built_from:
        return None
    version = f"version {inspected.built_version}, " if inspected.built_version else ""
    return f"{version}built from {inspected.built_from}"


def _holds(inspected: Inspection) -> str | None:
    if inspected.kind == "bundle":
        return counted(len(inspected.members), "component")
    files = counted(inspected.files, "file")
    if not inspected.name:
        return None
    if not inspected.entries:  # no archive: a component that the record or only the disk has
        return files
    entries = "1 entry" if inspected.entries == 1 else f"{inspected.entries:,} entries"
    return f"{files} of {counted(inspected.bytes, 'byte')}, in {entries}"
