"""Recognise: determine from its contents what an archive is: kind, name, version, and the evidence.

Takes the entries of an archive and a function that reads them; gives what was recognised: one archive, or the members
of a bundle, with the component or why there is none. Markers are looked for at the archive's root and, as long as there
is none and a single folder is all there is, inside that folder. The rules are in `docs/archives.md`.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import islice
from typing import Final

from msgspec import convert
from toolz import concat, unique

from pipeline.archives.archive import Archive, ArchiveFile, Component, Entry
from pipeline.archives.composer import BY_PACKAGE, has_type
from pipeline.archives.entry_names import PARTS_LIMIT, is_junk
from pipeline.archives.markers import BY_FILE_NAME, TOOLS, Identification, Recogniser, Root, make_root, with_name
from pipeline.archives.naming import Hint, by_folder, is_safe, name_by_folder, version_at_end, words
from pipeline.recognition.others import EXTENSIONS, WHOLE_SYSTEMS, foreign, joomla, whole_system
from pipeline.recognition.packages import composer, is_package
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.archives import (
    ArchiveRejected,
    drop_ins,
    lenient_marker,
    not_built,
    unrecognised_archive,
)
from pipeline.report.events import ComponentKind
from pipeline.report.wording import shortened
from pipeline.systems.system import Fallback
from pipeline.systems.table import SYSTEMS, system_called
from pipeline.values import replace

_UNSAFE: Final = r"[^A-Za-z0-9_.-]+"
_GENERIC: Final[dict[ComponentKind, list[str]]] = {
    "theme": ["theme.json", "theme.yml", "theme.toml"],
    "module": ["module.json", "module.yml", "module.toml"],
}
"""Markers that no system has, of each kind."""
MARKERS: Final = (*concat(system.markers for system in SYSTEMS), *concat(_GENERIC.values()))
"""Markers with a fixed name that are reported if they identify nothing."""
_IN_TOP: Final = frozenset(concat(system.hints for system in SYSTEMS))
DESCRIBED: Final = tuple(unique(concat(system.endings for system in SYSTEMS)))
"""Markers that have their name, or the end of it, in common with other files."""
_SOURCES: Final = ("package.json", "_dev/", "src/")
"""What the sources of a theme have at the root."""
_FEW: Final = 4
"""How many PHP files a folder may have that is not called like one of them, to be looked into deep in a bundle."""
_IN_FOLDERS: Final = frozenset(
    path
    for path in (*MARKERS, *(sign.marker for _, sign in WHOLE_SYSTEMS), *(signs[0] for _, signs in EXTENSIONS))
    if "/" in path
)
"""Every marker that is not at the root itself."""
_ENDS: Final = tuple(words(".php .css .info .yml .ini .json .toml .xml .tpl .zip"))
"""How the name of every other marker ends."""


def generic(root: Root) -> Iterator[Identification]:
    """`theme.json`, `.yml` or `.toml` with `name`; likewise for modules."""
    for kind, markers in _GENERIC.items():
        yield from islice((each for marker in markers for each in with_name(kind, marker, root.plain(marker))), 1)


def fallback(kind: Fallback) -> tuple[Recogniser, ...]:
    """What the systems have of one kind of fallbacks, in the order of the systems."""
    return tuple(system.fallbacks[kind] for system in SYSTEMS if kind in system.fallbacks)


def by_file_name(root: Root) -> Iterator[Identification]:
    """What the name of a file alone shows, unless a package says that it is something else."""
    if not (is_package(root) and has_type(root)):
        yield from concat(recogniser(root) for recogniser in fallback("file name"))


RECOGNISERS: Final[tuple[Recogniser, ...]] = (
    *(whole_system, *(system.recognise for system in SYSTEMS)),
    *(foreign, generic, *fallback("old shape"), composer, joomla, by_file_name),
)
"""Every recogniser, in the order in which they are tried. The last is the least certain: any PHP code would do."""


def recognisers_of(root: Root) -> tuple[Recogniser, ...]:
    """The recognisers to try: none if no file at the root is called like a marker, and none of those in folders."""
    is_named = any(name.endswith(_ENDS) for name in root.top)
    return RECOGNISERS if is_named or not _IN_FOLDERS.isdisjoint(root.names) else ()


def may_have_marker(root: Root) -> bool:
    """Whether a folder may have a marker, by the names of its files alone: much PHP is rather a library's."""
    code = [name for name in root.top if name.endswith(".php") and name not in TOOLS]
    is_named = any(f"{name}.php" in code for name in root.suggested)
    is_marked = any(name in _IN_TOP or name.endswith(DESCRIBED) for name in root.top)
    return is_named or is_marked or 0 < len(code) <= _FEW or any(name in root.names for name in MARKERS)


def find_roots(entries: Iterable[Entry], read: Callable[[str, int], bytes]) -> tuple[Root, ...]:
    """The archive's root, then each folder that is the only thing in the one before; none if there is no file.

    `read` returns the first bytes of an entry, by its name, up to a limit; empty if it cannot be read.
    """
    names = [entry.name for entry in entries if entry.kind != "folder" and not is_junk(entry.name)]
    roots = [make_root("", names, read)] if names else []
    while roots and not roots[-1].top and len(roots) < PARTS_LIMIT:
        folder, *others = {name.partition("/")[0] for name in roots[-1].names}
        if others:
            break
        roots.append(roots[-1].at(f"{folder}/"))
    return tuple(roots)


def recognise(file: ArchiveFile, roots: tuple[Root, ...]) -> tuple[Archive, ...]:
    """Recognise an archive by the markers at its roots: a component, and the modules that it brings along."""
    for root in roots:
        recognition = recognised_at(file, root)
        if recognition:
            return (recognition, *brought_along(root, recognition))
    return ()


def is_by_package(recognition: Archive) -> bool:
    """Whether only its `composer.json` says what an archive is, so that a folder in it may be the component."""
    return recognition.component is not None and recognition.component.field == BY_PACKAGE


def has_marker(root: Root) -> bool:
    """Whether a folder has a marker, whatever it says."""
    return any(True for recogniser in recognisers_of(root) for _ in recogniser(root))


def component_at(root: Root, file: str, marked: Identification) -> Component:
    """The component that a marker at a root identifies; `file` is the name of the archive, empty for a folder."""
    name = Hint(marked.name, "")
    is_guessed = False
    if not marked.name:
        name, is_guessed = name_by_folder(root.prefix, file, marked.hints, system_called(marked.system).naming)
    brings = system_called(marked.system).brings if marked.kind == "theme" else ""
    lacks = _lacking(root, marked)
    apart = brings.partition("/")[0]
    if not (apart and root.holds(f"{apart}/")):
        apart = ""
    return replace(
        convert(marked, Component, from_attributes=True),
        apart=apart,
        name=name.name,
        named_by=name.by,
        is_guessed=is_guessed,
        evidence=root.prefix + marked.evidence,
        root=root.prefix,
        requires=tuple(need for need in marked.requires if need.rpartition(":")[2] != name.name),
        parent=marked.parent if marked.parent and is_safe(marked.parent) else None,
        lacks=lacks,
        has_sources=bool(lacks) and any(map(root.holds, _SOURCES)),
    )


def _lacking(root: Root, marked: Identification) -> tuple[str, ...]:
    """The files of which a system demands one from a theme, if there is none of them."""
    demands = system_called(marked.system).demands
    if marked.kind != "theme" or marked.parent or not demands or not root.names.keys().isdisjoint(demands):
        return ()
    return demands


def recognised_at(file: ArchiveFile, root: Root) -> Archive | None:
    """Recognise an archive by the markers at a root, or refuse contradictory ones; `None` if there are no markers."""
    groups = [group for recogniser in recognisers_of(root) if (group := tuple(recogniser(root)))]
    if not groups:
        return None
    main = _main_of(groups[0])
    if not (main and main.what) and (reason := _contradiction(root, concat(groups))):
        return _refused(file, reason)
    if main is None:
        markers = ", ".join(root.prefix + each.evidence for each in groups[0])
        reason = f"several files say what it is, and none has the name of its folder: {markers}"
        return _refused(file, f"{reason}; name the folder as the right one")
    recognition = recognition_of(file, root, main)
    if main.system and recognition.component:
        return replace(recognition, others=tuple(_as_others(root, file, main, groups[1:])))
    return recognition


def _as_others(
    root: Root, file: ArchiveFile, main: Identification, groups: Iterable[tuple[Identification, ...]]
) -> Iterator[Component]:
    """The component as other systems read it by their own markers."""
    for group in groups:
        other = _main_of(group)
        if other and other.system not in {"", main.system} and other.field not in {BY_FILE_NAME, BY_PACKAGE}:
            component = component_at(root, file.own_file, other)
            yield replace(component, name=harmless(component.name))


def _contradiction(root: Root, identifications: Iterable[Identification]) -> str | None:
    """Why an archive with markers of both kinds is refused; `None` if it has markers of one."""
    certain = [each for each in identifications if each.field != BY_FILE_NAME]
    markers = {each.kind: root.prefix + each.evidence for each in reversed(certain)}
    if not {"theme", "module"} <= markers.keys():
        return None
    return f"it is both a theme ({markers['theme']}) and a module ({markers['module']}); pack each by itself"


def recognition_of(file: ArchiveFile, root: Root, marked: Identification) -> Archive:
    """Recognise an archive by one marker at a root, with the warnings on it."""
    component = component_at(root, file.own_file, marked)
    kind = called_kind(file)
    if marked.what and kind:
        return safely(file, replace(component, kind=kind, what=None))
    recognition = safely(file, replace(component, name=harmless(component.name)) if component.what else component)
    return replace(recognition, warnings=tuple(_warnings_on(file, component, marked)))


def called_kind(file: ArchiveFile) -> ComponentKind | None:
    """The kind that the user gives an archive, by its folder in the drop or by the theme setting."""
    if file.member:
        return None
    return "theme" if file.is_theme_setting or file.shelf == "themes" else "module" if file.shelf else None


def _warnings_on(file: ArchiveFile, component: Component, marked: Identification) -> Iterator[WarningDiagnostic]:
    archive = file.display_path
    if component.what:
        yield not_built(archive, component.what, component.which)
    elif component.field == BY_PACKAGE and system_called(component.system).name:
        yield unrecognised_archive(archive, component.name, component.built_kind, system=component.system)
    elif component.field == BY_FILE_NAME and not file.shelf:
        yield unrecognised_archive(archive, component.name)
    if marked.is_lenient:
        yield lenient_marker(archive, component.evidence or "")
    if marked.drop_ins:
        yield drop_ins(archive, marked.drop_ins)


def _main_of(rivals: tuple[Identification, ...]) -> Identification | None:
    """The one that all others need, or whose name theirs begin with: `views`, which `views_ui` belongs to."""
    for one in rivals:
        others = (each for each in rivals if each.name != one.name)
        if all(one.name in concat(other.needs) or other.name.startswith(one.name) for other in others):
            return one
    return None


def brought_along(root: Root, theme: Archive) -> Iterator[Archive]:
    """The modules that a theme brings along."""
    component = theme.component
    brings = system_called(component.system).brings if component and component.kind == "theme" else ""
    if component and brings:
        for folder in root.at(brings).subfolders():
            recognition = recognised_at(theme.file.at(folder.prefix.removeprefix(root.prefix).rstrip("/")), folder)
            if recognition and not (recognition.component and recognition.component.kind != "module"):
                known = recognition.component and replace(recognition.component, bundled_in=component.name)
                yield replace(recognition, component=known)


def _refused(file: ArchiveFile, reason: str) -> Archive:
    return Archive(file=file, refusals=(ArchiveRejected(file.display_path, reason),))


def harmless(name: str) -> str:
    """A name that may be shown and compared, made of any."""
    plain = re.sub(_UNSAFE, "-", name).strip(".-")
    return plain if is_safe(plain) else "unnamed"


def safely(file: ArchiveFile, component: Component) -> Archive:
    """An archive with its component, or refused if the name is not safe as a folder name.

    The name of the archive may have the version, if no marker has one.
    """
    if is_safe(component.name):
        version = version_at_end(file.stem) if file.own_file and component.version is None else None
        known = replace(component, version=version, version_by=file.own_file) if version else component
        return Archive(file=file, component=known)
    reason = f"its name, `{shortened(component.name)}`, is not safe as a folder name"
    verb = "rename the archive, with" if component.named_by else "let it have"
    return _refused(file, f"{reason}; {verb} letters, digits, `_`, `-` and `.` alone")


def installed(
    kind: ComponentKind,
    folder: str,
    names: Collection[str],
    peek: Callable[[str, int], bytes | None],
    *,
    any_name: bool = False,
) -> Component | None:
    """The component that the first marker of this kind describes; its evidence is a path in the component.

    The component is called like its folder, unless it may have `any_name`. Takes the paths of its files and links, and
    what reads the first bytes of one, up to a limit. `None` if there is no such marker.
    """
    prefix = f"{folder}/"

    def read(path: str, limit: int) -> bytes:
        return peek(path.removeprefix(prefix), limit) or b""

    root = make_root(prefix, (each for each in names if not is_junk(each)), read)
    for recogniser in recognisers_of(root):
        for marked in recogniser(root):
            if marked.kind == kind and (any_name or marked.name in {"", folder}):
                component = component_at(root, "", marked)
                name = marked.name or folder
                by = by_folder(folder) if any_name and not marked.name else ""
                return replace(component, name=name, evidence=marked.evidence, root="", named_by=by, is_guessed=False)
    return None
