"""Recognise: determine from its contents what an archive is: kind, name, version, and the evidence.

Takes the entries of an archive and a function that reads them; gives what was recognised: one component, or the
members of a bundle. Markers are looked for at the archive's root and, as long as there is none and a single folder
is all there is, inside that folder. The rules are in `docs/archives.md`.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import PurePath
from typing import Final

from msgspec import Struct
from msgspec.structs import replace
from toolz import groupby

from pipeline.archives.archive import ArchiveFile, Component, Entry, is_junk
from pipeline.archives.drupal import unread_info
from pipeline.archives.entry_names import PARTS_LIMIT
from pipeline.archives.markers import Identification, Recogniser, Root, make_root, without_suffix
from pipeline.archives.systems import MARKERS, RECOGNISERS
from pipeline.report.build_problems import ArchiveRejected
from pipeline.report.drop_notes import EmptyArchive, PassedOver, UnreadMarker, UnrecognisedArchive
from pipeline.report.events import ComponentKind
from pipeline.report.notes import Note

_SAFE: Final = re.compile(r"(?!\.)(?!.*\.$)[A-Za-z0-9_.-]{1,255}")
SHOWN_LIMIT: Final = 300
"""How many characters of a refused name are shown."""
_UNSAFE: Final = r"[^A-Za-z0-9_.-]+"
_RESERVED: Final = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)", re.IGNORECASE)
"""What Windows treats as a device, whatever follows the dot."""
_THEME_WORD: Final = r"(?i)(?<![a-z])theme(?![a-z])"
_BUNDLED: Final = "dependencies/modules/"
"""Where a PrestaShop theme keeps the modules that it brings along; its `modules/` has template overrides."""
MEMBER_LIMIT: Final = 1000
"""The most folders, or archives, in one folder that are looked into."""
_PAPERS: Final = frozenset(
    {
        *("doc", "docs", "documentation", "documentations", "guide", "user guide", "manual", "manuals", "instructions"),
        *("help", "licence", "license", "licensing", "changelog", "meta-inf"),
    }
)
"""Folders of documentation, which may be beside the only component of a bundle."""
_TEXTS: Final = frozenset(
    {
        *("", ".txt", ".md", ".rst", ".html", ".htm", ".pdf", ".rtf", ".doc", ".docx", ".odt", ".url"),
        *(".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg"),
    }
)
"""Suffixes of files that people read or look at."""


class Recognition(Struct, frozen=True, kw_only=True):
    """One thing that was seen in an archive: a component, or why it is not one."""

    file: ArchiveFile
    component: Component | None = None
    refusals: tuple[ArchiveRejected, ...] = ()
    notes: tuple[Note, ...] = ()
    weak: bool = False
    """Whether it may just as well be a plain folder of code."""


def find_roots(entries: Iterable[Entry], read: Callable[[str, int], bytes]) -> tuple[Root, ...]:
    """The archive's root, then each folder that is the only thing in the one before; none if there is no file.

    `read` returns the first bytes of an entry, by its name, up to a limit; empty if it cannot be read.
    """
    names = [entry.name for entry in entries if entry.kind != "folder" and not is_junk(entry.name)]
    return tuple(_chain(names, read))


def recognise(file: ArchiveFile, roots: tuple[Root, ...]) -> tuple[Recognition, ...]:
    """Recognise an archive by the markers at its roots: a component, and what it brings along."""
    for root in roots:
        recognition = _recognised_at(file, root)
        if recognition:
            return (recognition, *_brought_along(file, root, recognition))
    return ()


def recognise_folders(file: ArchiveFile, roots: tuple[Root, ...]) -> tuple[Recognition, ...]:
    """Recognise an archive without a marker at its roots by those in its folders: the members of a bundle."""
    return _folders_of_a_bundle(file, roots[-1]) if roots else ()


def by_name(file: ArchiveFile, roots: tuple[Root, ...]) -> Recognition:
    """Recognise an archive without a marker by its place and its name."""
    guessed = kind_of(file)
    component = unmarked(guessed or "module", file, roots[1] if len(roots) > 1 else None)
    unsure = (UnrecognisedArchive(file.display_path, component.name),) if guessed is None and roots else ()
    empty = () if roots else (EmptyArchive(file.display_path),)
    silent = (UnreadMarker(file.display_path, root.prefix + each) for root in roots for each in _unread(root))
    recognition = _safely(file, component)
    return replace(recognition, notes=(*(unsure if recognition.component else ()), *empty, *islice(silent, 1)))


def passed_over(file: ArchiveFile, roots: tuple[Root, ...], *, nested: bool) -> Recognition:
    """Skip an archive in a bundle that has no marker, so may be documentation, or that is itself a bundle."""
    name = re.sub(_UNSAFE, "-", unmarked("module", file, roots[1] if len(roots) > 1 else None).name).strip(".-")
    safe = Component(kind="module", name=name if _is_safe(name) else "unnamed")
    return Recognition(file=file, component=safe, notes=(PassedOver(file.display_path, nested),))


def unmarked(kind: ComponentKind, file: ArchiveFile, top: Root | None = None) -> Component:
    """A component without a marker, named after its common top folder, else its file."""
    name = without_suffix((top.folder if top else "") or file.stem)
    return Component(kind=kind, name=name, root=top.prefix if top else "")


def kind_of(file: ArchiveFile) -> ComponentKind | None:
    """The kind that the archive's place, the theme setting or its name suggests; `None` if none does."""
    if file.shelf:
        return "theme" if file.shelf == "themes" else "module"
    return "theme" if file.is_theme_setting or re.search(_THEME_WORD, file.stem) else None


def subfolders(root: Root, within: str = "") -> tuple[Root, ...]:
    """The folders directly in a folder of a root, in order."""
    inside = (name[len(within) :] for name in root.names if name.startswith(within))
    grouped: dict[str, list[str]] = groupby(lambda name: name.partition("/")[0], (n for n in inside if "/" in n))
    return tuple(
        make_root(f"{root.prefix}{within}{folder}/", (name[len(folder) + 1 :] for name in names), root.read)
        for folder, names in sorted(grouped.items())
    )


def has_marker(root: Root) -> bool:
    """Whether a folder has a marker, whatever it says."""
    return any(True for row in RECOGNISERS for _ in row.reads(root))


def is_paper(folder: str) -> bool:
    """Whether a folder has documentation, or is hidden, by its name."""
    return folder.startswith(".") or folder.lower() in _PAPERS


def is_text(file: str) -> bool:
    """Whether a file is one that people read or look at, or is hidden, by its name."""
    return file.startswith(".") or PurePath(file).suffix.lower() in _TEXTS


def _chain(names: list[str], read: Callable[[str, int], bytes]) -> Iterator[Root]:
    prefix = ""
    while names and prefix.count("/") < PARTS_LIMIT:
        root = make_root(prefix, names, read)
        yield root
        if root.top or len({name.partition("/")[0] for name in names}) > 1:
            return
        folder = names[0].partition("/")[0] + "/"
        prefix, names = prefix + folder, [name[len(folder) :] for name in names]


def _unread(root: Root) -> Iterator[str]:
    """The files named like markers at a root where none identifies anything."""
    yield from (each for each in MARKERS if each in root.names)
    yield from unread_info(root)


def _recognised_at(file: ArchiveFile, root: Root) -> Recognition | None:
    """What the markers at a root say, or that they contradict one another; `None` if there are none."""
    groups = [(row, tuple(row.reads(root))) for row in RECOGNISERS]
    identifications = [(row, each) for row, group in groups for each in group]
    by_kind: dict[ComponentKind, list[tuple[Recogniser, Identification]]] = groupby(
        lambda pair: pair[1].kind, identifications
    )
    if len(by_kind) > 1:
        theme, module = (root.prefix + by_kind[kind][0][1].marker for kind in ("theme", "module"))
        return _refused(file, f"it is both a theme ({theme}) and a module ({module}); pack each by itself")
    if not identifications:
        return None
    rivals = next(group for _, group in groups if group)
    if len({each.name for each in rivals}) > 1:
        markers = ", ".join(root.prefix + each.marker for each in rivals)
        reason = f"several files say what it is, and none has the name of its folder: {markers}"
        return _refused(file, f"{reason}; name the folder as the right one")
    (row, first), *_ = identifications
    return replace(_safely(file, _component(file, root, row.system, first)), weak=row.weak)


def _component(file: ArchiveFile, root: Root, system: str, identification: Identification) -> Component:
    return Component(
        kind=identification.kind,
        name=identification.name if identification.name is not None else without_suffix(root.folder or file.stem),
        version=identification.version,
        evidence=root.prefix + identification.marker,
        field=identification.field,
        root=root.prefix,
        system=identification.system or system,
        requires=tuple(name for name in identification.requires if name != identification.name),
        parent=identification.parent if identification.parent and _is_safe(identification.parent) else None,
    )


def _brought_along(file: ArchiveFile, root: Root, theme: Recognition) -> Iterator[Recognition]:
    """The modules that a PrestaShop theme brings along."""
    if theme.component and theme.component.kind == "theme" and theme.component.system == "PrestaShop":
        for folder in subfolders(root, _BUNDLED)[:MEMBER_LIMIT]:
            recognition = _recognised_at(file.at(folder.prefix.removeprefix(root.prefix).rstrip("/")), folder)
            if recognition and not (recognition.component and recognition.component.kind == "theme"):
                known = recognition.component and replace(recognition.component, bundled_in=theme.component.name)
                yield replace(recognition, component=known)


def _folders_of_a_bundle(file: ArchiveFile, root: Root) -> tuple[Recognition, ...]:
    """The components side by side in a folder.

    A single one is a bundle only if there is nothing but documentation beside it. A PHP file named after its folder
    does not count if there is code beside the folders, or if no folder has another marker.
    """
    folders = subfolders(root)
    if len(folders) > MEMBER_LIMIT:
        return ()
    recognitions = {
        folder.folder: recognition
        for folder in folders
        if (recognition := _recognised_at(file.at(folder.folder), folder))
    }
    all_count = not root.has_code and not all(recognition.weak for recognition in recognitions.values())
    members = {folder: each for folder, each in recognitions.items() if all_count or not each.weak}
    others = any(each.folder not in members and not is_paper(each.folder) for each in folders)
    if not members or (len(members) == 1 and (root.has_code or others)):
        return ()
    return tuple(
        recognition
        for folder in folders
        if folder.folder in members
        for recognition in (
            members[folder.folder],
            *_brought_along(file.at(folder.folder), folder, members[folder.folder]),
        )
    )


def _refused(file: ArchiveFile, reason: str) -> Recognition:
    return Recognition(file=file, refusals=(ArchiveRejected(file.display_path, reason),))


def _is_safe(name: str) -> bool:
    return bool(_SAFE.fullmatch(name)) and not _RESERVED.match(name)


def _safely(file: ArchiveFile, component: Component) -> Recognition:
    if _is_safe(component.name):
        return Recognition(file=file, component=component)
    reason = f"its name, `{component.name[:SHOWN_LIMIT]}`, is not safe as a folder name"
    return _refused(file, f"{reason}; let it have letters, digits, `_`, `-` and `.` alone")
