"""Recognise: determine from its contents what an archive is: kind, name, version, and the evidence.

Takes the entries of an archive and a function that reads them; gives what was recognised: one archive, or the members
of a bundle, with the component or why there is none. Markers are looked for at the archive's root and, as long as there
is none and a single folder is all there is, inside that folder. The rules are in `docs/archives.md`.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from msgspec import convert
from msgspec.structs import replace
from toolz import concat

from pipeline.archives.archive import Archive, ArchiveFile, Component, Entry
from pipeline.archives.composer import BY_PACKAGE
from pipeline.archives.entry_names import PARTS_LIMIT, is_junk
from pipeline.archives.markers import Identification, Root, make_root
from pipeline.archives.naming import Hint, is_safe, name_by_folder, version_at_end
from pipeline.archives.prestashop import BY_FILE_NAME
from pipeline.archives.systems import recognisers_of
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.archives import (
    ArchiveRejected,
    drop_ins,
    not_built,
    unrecognised_archive,
)
from pipeline.report.events import ComponentKind
from pipeline.report.wording import shortened

_UNSAFE: Final = r"[^A-Za-z0-9_.-]+"
_BUNDLED: Final = "dependencies/modules/"
"""Where a PrestaShop theme keeps the modules that it brings along; its `modules/` has template overrides."""


def find_roots(entries: Iterable[Entry], read: Callable[[str, int], bytes]) -> tuple[Root, ...]:
    """The archive's root, then each folder that is the only thing in the one before; none if there is no file.

    `read` returns the first bytes of an entry, by its name, up to a limit; empty if it cannot be read.
    """
    names = [entry.name for entry in entries if entry.kind != "folder" and not is_junk(entry.name)]
    return tuple(_chain(names, read))


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
    name, is_guessed = Hint(marked.name, ""), False
    if not marked.name:
        name, is_guessed = name_by_folder(root.prefix, file, marked.hints, marked.system)
    return replace(
        convert(marked, Component, from_attributes=True),
        name=name.name,
        named_by=name.by,
        is_guessed=is_guessed,
        evidence=root.prefix + marked.evidence,
        root=root.prefix,
        requires=tuple(need for need in marked.requires if need.rpartition(":")[2] != name.name),
        parent=marked.parent if marked.parent and is_safe(marked.parent) else None,
    )


def _chain(names: list[str], read: Callable[[str, int], bytes]) -> Iterator[Root]:
    prefix = ""
    while names and prefix.count("/") < PARTS_LIMIT:
        root = make_root(prefix, names, read)
        yield root
        if root.top or len({name.partition("/")[0] for name in names}) > 1:
            return
        folder = names[0].partition("/")[0] + "/"
        prefix, names = prefix + folder, [name[len(folder) :] for name in names]


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
    return recognition_of(file, root, main)


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
    return replace(recognition, warnings=tuple(_warnings_on(file, component, marked.drop_ins)))


def called_kind(file: ArchiveFile) -> ComponentKind | None:
    """The kind that the user gives an archive, by its folder in the drop or by the theme setting."""
    if file.member:
        return None
    return "theme" if file.is_theme_setting or file.shelf == "themes" else "module" if file.shelf else None


def _warnings_on(file: ArchiveFile, component: Component, beside: tuple[str, ...]) -> Iterator[WarningDiagnostic]:
    archive = file.display_path
    if component.what:
        yield not_built(archive, component.what, component.which)
    elif component.field == BY_PACKAGE and component.system:
        yield unrecognised_archive(archive, component.name, component.built_kind, system=component.system)
    elif component.field == BY_FILE_NAME and not file.shelf:
        yield unrecognised_archive(archive, component.name)
    if beside:
        yield drop_ins(archive, beside)


def _main_of(rivals: tuple[Identification, ...]) -> Identification | None:
    """The one that all others need, or whose name theirs begin with: `views`, which `views_ui` belongs to."""
    for one in rivals:
        others = (each for each in rivals if each.name != one.name)
        if all(one.name in concat(other.needs) or other.name.startswith(one.name) for other in others):
            return one
    return None


def brought_along(root: Root, theme: Archive) -> Iterator[Archive]:
    """The modules that a PrestaShop theme brings along."""
    if theme.component and theme.component.kind == "theme" and theme.component.system == "PrestaShop":
        for folder in root.subfolders(_BUNDLED):
            recognition = recognised_at(theme.file.at(folder.prefix.removeprefix(root.prefix).rstrip("/")), folder)
            if recognition and not (recognition.component and recognition.component.kind != "module"):
                known = recognition.component and replace(recognition.component, bundled_in=theme.component.name)
                yield replace(recognition, component=known)


def _refused(file: ArchiveFile, reason: str) -> Archive:
    return Archive(file=file, refusals=(ArchiveRejected(file.display_path, reason),))


def _with_version(component: Component, file: ArchiveFile) -> Component:
    """The component with the version in the name of its archive, if no marker has one."""
    version = version_at_end(file.stem) if file.own_file and component.version is None else None
    return replace(component, version=version, version_by=file.own_file) if version else component


def harmless(name: str) -> str:
    """A name that may be shown and compared, made of any."""
    plain = re.sub(_UNSAFE, "-", name).strip(".-")
    return plain if is_safe(plain) else "unnamed"


def safely(file: ArchiveFile, component: Component) -> Archive:
    """An archive with its component, or refused if the name is not safe as a folder name."""
    if is_safe(component.name):
        return Archive(file=file, component=_with_version(component, file))
    reason = f"its name, `{shortened(component.name)}`, is not safe as a folder name"
    verb = "rename the archive, with" if component.named_by else "let it have"
    return _refused(file, f"{reason}; {verb} letters, digits, `_`, `-` and `.` alone")
