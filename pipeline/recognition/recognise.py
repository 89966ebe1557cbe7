"""Recognise: determine an archive's kind, name, version and evidence from its contents.

Takes the entries of an archive and a function that reads them; gives what was recognised: one
archive, or the members of a bundle, with the component or why there is none. Markers are searched
for at the archive's root. If there is none and everything is in a single folder, the search goes on
there. The rules are in `docs/archives.md`.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import filterfalse
from typing import Final

from msgspec import convert
from toolz import concat

from pipeline.archives.archive import Archive, ArchiveFile, Component, Entry
from pipeline.archives.composer import BY_PACKAGE
from pipeline.archives.entry_names import PARTS_LIMIT, is_junk
from pipeline.archives.markers import BY_FILE_NAME, Identification, Root, make_root
from pipeline.archives.naming import Hint, by_folder, is_safe, name_by_folder, version_at_end
from pipeline.recognition.recognisers import recognisers_of
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.archives import (
    ArchiveRejected,
    Flaw,
    Mend,
    drop_ins,
    lenient_marker,
    not_built,
    unrecognised_archive,
)
from pipeline.report.events import ComponentKind
from pipeline.report.wording import shortened
from pipeline.systems.table import system_called
from pipeline.values import replace

_NOTHING: Final = "0"
"""A text that is nothing for PHP, as an empty one is."""
_UNSAFE: Final = r"[^A-Za-z0-9_.-]+"
_SOURCES: Final = ("package.json", "_dev/", "src/")
"""What the sources of a theme have at their root."""


def find_roots(entries: Iterable[Entry], read: Callable[[str, int], bytes]) -> tuple[Root, ...]:
    """The archive's root, then each folder that holds everything in the one before; empty if there
    is no file.

    `read` returns the first bytes of an entry, by its name, up to a limit; empty if it cannot
    be read.
    """
    names = [entry.name for entry in entries if entry.kind != "folder" and not is_junk(entry.name)]
    if not names:
        return ()
    roots = [make_root("", names, read)]
    while not roots[-1].top and len(roots) < PARTS_LIMIT:
        folder, *others = {name.partition("/")[0] for name in roots[-1].names}
        if others:
            break
        roots.append(roots[-1].at(f"{folder}/"))
    return tuple(roots)


def recognise(file: ArchiveFile, roots: tuple[Root, ...]) -> tuple[Archive, ...]:
    """Recognise an archive by the markers at its roots: a component, and the modules that
    it contains.
    """
    for root in roots:
        recognition = recognised_at(file, root)
        if recognition:
            return (recognition, *brought_along(root, recognition))
    return ()


def is_by_package(recognition: Archive) -> bool:
    """Whether only its `composer.json` identifies an archive, so that a folder in it may be
    the component.
    """
    return recognition.component is not None and recognition.component.field == BY_PACKAGE


def component_at(root: Root, file: str, marked: Identification) -> Component:
    """The component that a marker at a root identifies; `file` is the archive's name, empty for
    a folder.
    """
    system = system_called(marked.system)
    name = Hint(marked.name, "")
    is_guessed = False
    if not marked.name:
        name, is_guessed = name_by_folder(
            root.prefix, file, marked.hints, system.naming, marked.title
        )
    parent = marked.parent
    if parent == _NOTHING or not is_safe(parent or ""):
        parent = None
    apart = ""
    lacks: tuple[str, ...] = ()
    if marked.kind == "theme":
        apart = _apart(root, system.brings)
        if not marked.parent and root.names.keys().isdisjoint(system.demands):
            lacks = system.demands
    return replace(
        convert(marked, Component, from_attributes=True),
        apart=apart,
        name=name.name,
        named_by=name.by,
        is_guessed=is_guessed,
        evidence=root.prefix + marked.evidence,
        root=root.prefix,
        requires=tuple(need for need in marked.requires if need.rpartition(":")[2] != name.name),
        parent=parent,
        lacks=lacks,
        has_sources=bool(lacks) and any(map(root.holds, _SOURCES)),
    )


def _apart(root: Root, brings: str) -> str:
    """The folder of a theme that holds its own modules; empty if it has none."""
    folder = brings.partition("/")[0]
    if folder and root.holds(f"{folder}/"):
        return folder
    return ""


def recognised_at(file: ArchiveFile, root: Root) -> Archive | None:
    """Recognise an archive by the markers at a root, or refuse contradictory ones; `None` if there
    are no markers.
    """
    groups = list[tuple[Identification, ...]]()
    for recogniser in recognisers_of(root):
        group = tuple(recogniser(root))
        if group:
            groups.append(group)
    if not groups:
        return None
    main = _main_of(groups[0])
    if main is None or not main.what:
        contradiction = _contradiction(root, concat(groups))
        if contradiction:
            return _refused(file, contradiction)
    if main is None:
        markers = ", ".join(root.prefix + marked.evidence for marked in groups[0])
        what = f"several files say what it is, and none has the name of its folder: {markers}"
        return _refused(file, Flaw(what, Mend("name the folder as the right one")))
    recognition = recognition_of(file, root, main)
    if main.system and recognition.component:
        return replace(recognition, others=tuple(_as_others(root, file, main, groups[1:])))
    return recognition


def _as_others(
    root: Root,
    file: ArchiveFile,
    main: Identification,
    groups: Iterable[tuple[Identification, ...]],
) -> Iterator[Component]:
    """The component as other systems read it, by their own markers."""
    for group in groups:
        other = _main_of(group)
        if (
            other
            and other.system not in {"", main.system}
            and other.field not in {BY_FILE_NAME, BY_PACKAGE}
        ):
            component = component_at(root, file.own_file, other)
            yield replace(component, name=harmless(component.name))


def _contradiction(root: Root, identifications: Iterable[Identification]) -> Flaw | None:
    """Why an archive with markers of both kinds is refused; `None` if it has markers of
    only one.
    """
    markers = dict[str, str]()
    for marked in identifications:
        if marked.field != BY_FILE_NAME:
            markers.setdefault(marked.kind, root.prefix + marked.evidence)
    if not {"theme", "module"} <= markers.keys():
        return None
    what = f"it is both a theme ({markers['theme']}) and a module ({markers['module']})"
    return Flaw(what, Mend("pack each by itself"))


def recognition_of(file: ArchiveFile, root: Root, marked: Identification) -> Archive:
    """Recognise an archive by one marker at a root, with the warnings on it."""
    component = component_at(root, file.own_file, marked)
    kind = called_kind(file)
    if marked.what and kind:
        return safely(file, replace(component, kind=kind, what=None))
    warnings = tuple(_warnings_on(file, component, marked))
    if component.what:
        component = replace(component, name=harmless(component.name))
    return replace(safely(file, component), warnings=warnings)


def called_kind(file: ArchiveFile) -> ComponentKind | None:
    """The kind that the user gives an archive, by its folder in the drop or by the
    theme setting.
    """
    if file.member:
        return None
    if file.is_theme_setting or file.shelf == "themes":
        return "theme"
    if file.shelf:
        return "module"
    return None


def _warnings_on(
    file: ArchiveFile, component: Component, marked: Identification
) -> Iterator[WarningDiagnostic]:
    archive = file.display_path
    if component.what:
        yield not_built(archive, component.what, component.which)
    elif component.field == BY_PACKAGE and system_called(component.system).name:
        yield unrecognised_archive(
            archive, component.name, component.built_kind, system=component.system
        )
    elif component.field == BY_FILE_NAME and not file.shelf:
        yield unrecognised_archive(archive, component.name)
    if marked.is_lenient:
        yield lenient_marker(archive, component.evidence or "")
    if marked.drop_ins:
        yield drop_ins(archive, marked.drop_ins)


def _main_of(rivals: tuple[Identification, ...]) -> Identification | None:
    """The component that all others need, or whose name theirs begin with: `views`,
    with `views_ui`.
    """
    for one in rivals:
        if all(
            other.name.startswith(one.name) or one.name in concat(other.needs) for other in rivals
        ):
            return one
    return None


def brought_along(root: Root, theme: Archive) -> Iterator[Archive]:
    """The modules inside a theme."""
    component = theme.component
    if component is None or component.kind != "theme" or not system_called(component.system).brings:
        return
    for folder in root.at(system_called(component.system).brings).subfolders():
        recognition = recognised_at(
            theme.file.at(folder.prefix.removeprefix(root.prefix).rstrip("/")), folder
        )
        if recognition is None:
            continue
        module = recognition.component
        if module is None:  # it is refused
            yield recognition
        elif module.kind == "module":
            yield replace(recognition, component=replace(module, bundled_in=component.name))


def _refused(file: ArchiveFile, flaw: Flaw) -> Archive:
    return Archive(file=file, refusals=(ArchiveRejected(file.display_path, flaw),))


def harmless(name: str) -> str:
    """Any name, changed so that it may be shown and compared."""
    plain = re.sub(_UNSAFE, "-", name).strip(".-")
    if is_safe(plain):
        return plain
    return "unnamed"


def safely(file: ArchiveFile, component: Component) -> Archive:
    """An archive with its component, refused if the name is not safe for a folder.

    If no marker has a version, the name of the archive may have one.
    """
    if not is_safe(component.name):
        what = f"its name, `{shortened(component.name)}`, is not safe as a folder name"
        verb = "let it have"
        if component.named_by:
            verb = "rename the archive, with"
        return _refused(file, Flaw(what, Mend(f"{verb} letters, digits, `_`, `-` and `.` alone")))
    version = None
    if file.own_file and component.version is None:
        version = version_at_end(file.stem)
    if version:
        component = replace(component, version=version, version_by=file.own_file)
    return Archive(file=file, component=component)


def installed(
    kind: ComponentKind,
    folder: str,
    names: Collection[str],
    peek: Callable[[str, int], bytes | None],
    *,
    any_name: bool = False,
) -> Component | None:
    """The component that the first marker of a kind describes; its evidence is a path in
    the component.

    The component has the name of its folder, unless it may have `any_name`. Takes the paths of its
    files and links, and a function that reads the first bytes of one, up to a limit. `None` if
    there is no such marker.
    """
    prefix = f"{folder}/"

    def read(path: str, limit: int) -> bytes:
        return peek(path.removeprefix(prefix), limit) or b""

    root = make_root(prefix, filterfalse(is_junk, names), read)
    for recogniser in recognisers_of(root):
        for marked in recogniser(root):
            if marked.kind == kind and (any_name or marked.name in {"", folder}):
                name = marked.name or folder
                named_by = ""
                if any_name and not marked.name:
                    named_by = by_folder(folder)
                return replace(
                    component_at(root, "", marked),
                    name=name,
                    evidence=marked.evidence,
                    root="",
                    named_by=named_by,
                    is_guessed=False,
                )
    return None
