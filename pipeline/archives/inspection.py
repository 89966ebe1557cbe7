"""Inspection: what an archive is, and why, for people and programs. `tool inspect` prints
it (`docs/archives.md`).
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, Literal, TypeAlias, get_args

from msgspec import UNSET, Struct, UnsetType

from pipeline.archives.archive import Archive, Component
from pipeline.report.diagnostics.archives import ArchiveRejected, Flaw
from pipeline.report.diagnostics.disk import FileSystemProblem
from pipeline.report.escape import escape, to_json
from pipeline.report.events import ArchiveKind, ComponentKind
from pipeline.report.layout import PIPE, Row, Screen, Tone, paragraph, table
from pipeline.report.wording import clause, counted, shortened
from pipeline.schema import LogFormat

InspectionKind: TypeAlias = Literal[ArchiveKind, "bundle", "unknown"]
_OF_COMPONENT: Final = (
    *(
        "name",
        "named_by",
        "version",
        "version_by",
        "system",
        "evidence",
        "field",
        "parent",
        "runs_on",
        "php",
    ),
)
"""The fields that a component has under the same name."""
_NONE: Final = Component(kind="other", name="")
"""Takes the place of the component of an archive that could not be recognised."""


class Refusal(Struct, frozen=True):
    """A reason to refuse an archive, or one entry of it, as a clause."""

    reason: str
    entry: str | None = None


class Inspection(Struct, frozen=True, kw_only=True, tag="inspection", tag_field="event"):
    """One archive, or one member of a bundle, as `tool inspect --log-format=json` prints it on
    standard output.

    Unknown values are null; `bytes` is the size of the component's files. `named_by` says what the
    name comes from, if not from the marker; it is `guessed` if the folder has the name of a
    download. `version_by` is the file whose name has the version, if no marker has it. `requires`
    lists modules, after their project and a colon if it is named. `runs_on` are the versions of its
    system that it accepts, as Composer writes them; `php` is the PHP that it needs.

    If components are named, `selected` and `reason` say whether the drop's archive is built and
    why; `built_from` and `built_version` are the archive and the version in the project. Otherwise
    these four are absent. Of a component without an archive in the drop, `archive` is its path in
    the project.
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
    kind: InspectionKind = "unknown"
    if component.evidence is not None or (archive.file_count > 0 and not archive.file.inner):
        kind = component.kind
    described: dict[str, Any] = {
        field: getattr(component, field) or None for field in _OF_COMPONENT
    }
    return Inspection(
        archive=archive.file.display_path,
        kind=kind,
        **described,
        guessed=component.is_guessed,
        folder=component.root or None,
        requires=component.requires,
        entries=archive.entries,
        files=archive.file_count,
        bytes=archive.size,
        refusals=tuple(map(_refusal_of, archive.refusals)),
    )


def bundle(display_path: str, members: tuple[Inspection, ...]) -> Inspection:
    """The inspection of an archive that holds several components."""
    return Inspection(
        archive=display_path, kind="bundle", members=tuple(member.archive for member in members)
    )


def inspection_lines(
    inspections: Iterable[Inspection], log_format: LogFormat, screen: Screen = PIPE
) -> tuple[str, ...]:
    """The lines for inspections: in JSON one each; in text a block each, with an empty
    line between.
    """
    if log_format == "json":
        return tuple(to_json(each) for each in inspections)
    return tuple(line for each in inspections for line in ("", *_block(each, screen)))[1:]


def inspection_table(
    inspections: Iterable[Inspection], flaws: Mapping[str, Flaw], screen: Screen
) -> tuple[str, ...]:
    """The lines for several archives, in columns; the last column has a remark.

    `flaws` has the first flaw of each archive that is refused, by its path.
    """
    blank = "-"
    if screen.accessible:
        blank = ""
    return table([_row(each, flaws.get(each.archive), blank) for each in inspections], screen)


def _row(inspected: Inspection, flaw: Flaw | None, blank: str) -> Row:
    words, tone = _remark(inspected)
    if flaw:
        words = f"refused: {_of_entry(flaw.what, flaw.entry)}"
        tone = "error"
    name = inspected.name or blank
    version = inspected.version or blank
    system = inspected.system or blank
    return Row((inspected.archive, inspected.kind, name, version, system, words), tone)


def _remark(inspected: Inspection) -> tuple[str, Tone]:
    """Why an archive without flaws is not built, which of its fields are guesses, or the size of
    a bundle.
    """
    if inspected.kind == "bundle":
        return counted(len(inspected.members), "component"), ""
    if inspected.kind == "unknown":
        return "not built: no marker", "skipped"
    if inspected.kind not in get_args(ComponentKind):
        return "not built: neither a theme nor a module", "skipped"
    guesses = list[str]()
    if not inspected.evidence:
        guesses.append("no marker")
    if inspected.guessed:
        guesses.append(
            f"name by {(inspected.named_by or '').rpartition(' (')[2].removesuffix(')')}"
        )
    if inspected.version_by:
        guesses.append("version by file name")
    if guesses:
        return f"guessed: {', '.join(guesses)}", "warning"
    return "", ""


def flaw_of(refusal: ArchiveRejected | FileSystemProblem) -> Flaw:
    """Why an archive is refused or cannot be read."""
    if isinstance(refusal, ArchiveRejected):
        return refusal.flaw
    return Flaw(refusal.cause)


def _refusal_of(refusal: ArchiveRejected | FileSystemProblem) -> Refusal:
    flaw = flaw_of(refusal)
    return Refusal(str(flaw), flaw.entry)


def _of_entry(reason: str, entry: str | None) -> str:
    if not entry:
        return reason
    return f"{shortened(entry)}: {reason}"


def _block(inspected: Inspection, screen: Screen) -> Iterator[str]:
    yield escape(inspected.archive)
    for label, value in _facts(inspected):
        if not value:
            continue
        lead = f"  {label:<9} "
        if screen.accessible:
            lead = f"  {label} "
        yield from paragraph(value, screen, lead, hanging=len(lead))


def _facts(inspected: Inspection) -> tuple[tuple[str, str | UnsetType | None], ...]:
    """Each fact with its label, including unknown ones."""
    named_by = inspected.named_by
    if named_by and inspected.guessed:
        named_by += "; to give another, rename the archive"
    version = inspected.version
    if version:
        version += clause(", as {} is called", inspected.version_by)
    left_out = "left out"
    if inspected.selected:
        left_out = "built"
    return (
        ("kind", inspected.kind),
        ("name", inspected.name),
        ("named by", named_by),
        ("version", version),
        ("system", inspected.system),
        ("evidence", _evidence(inspected)),
        ("folder", inspected.folder),
        ("builds on", inspected.parent),
        ("needs", ", ".join(inspected.requires)),
        ("runs on", inspected.runs_on and f"{inspected.system} {inspected.runs_on}"),
        ("PHP", inspected.php),
        ("holds", _holds(inspected)),
        (left_out, inspected.reason),
        ("on disk", _on_disk(inspected)),
        *(("member", member) for member in inspected.members),
        *(("refused", _of_entry(refusal.reason, refusal.entry)) for refusal in inspected.refusals),
    )


def _evidence(inspected: Inspection) -> str | None:
    is_recorded_alone = bool(inspected.built_from) and not inspected.entries
    if inspected.kind in {"bundle", "unknown"} or is_recorded_alone:
        return None
    if not inspected.evidence:
        return "none: it goes by its name and place"
    return f"{inspected.evidence} ({inspected.field})"


def _on_disk(inspected: Inspection) -> str | None:
    if not inspected.built_from:
        return None
    return f"{clause('version {}, ', inspected.built_version)}built from {inspected.built_from}"


def _holds(inspected: Inspection) -> str | None:
    if inspected.kind == "bundle":
        return counted(len(inspected.members), "component")
    files = counted(inspected.files, "file")
    if not inspected.name:
        return None
    if not inspected.entries:  # no archive: a component that the record or only the disk has
        return files
    entries = f"{inspected.entries:,} entries"
    if inspected.entries == 1:
        entries = "1 entry"
    return f"{files} of {counted(inspected.bytes, 'byte')}, in {entries}"
