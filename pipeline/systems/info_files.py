"""Info files: what the markers of Drupal and Backdrop, `<name>.info.yml` and `<name>.info`, have
in common.

The stem of an info file is the machine name. If a root has several, those named after the folder
count, otherwise all.
"""

import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, Final

from pipeline.archives.archive import Unusable
from pipeline.archives.headers import BLANKS
from pipeline.archives.info import Info, read_info, read_loosely
from pipeline.archives.markers import Identification, Root, items_of, text_of, version_of
from pipeline.archives.places import joined
from pipeline.report.events import ComponentKind
from pipeline.systems.system import CHOOSE_ANOTHER, NextStep

KINDS: Final[dict[str, ComponentKind]] = {"theme": "theme", "module": "module"}
TYPES: Final = frozenset({*KINDS, "profile", "layout"})
"""The types that an info file may name."""
SEVERAL: Final = 8
"""The most info files that are read at one root."""
GROUPS: Final = ("contrib", "custom")
"""Folders inside those of components: for contributed ones, and for the site's own."""
SITES: Final = "sites/all"
"""The folder with more folders of themes and modules, besides those at the root."""
EACH_SITE: Final = "sites/*"
INFO: Final = ".info"
NEXT_STEPS: Final = (
    NextStep(
        text="clear the caches, then run the database update",
        of=frozenset({"updated", "removed", "brought back"}),
    ),
    NextStep(
        text="if {} was enabled, undo the run, uninstall it and remove it again",
        before="uninstall {}",
        of=frozenset({"removed"}),
        kinds=frozenset({"module"}),
    ),
    CHOOSE_ANOTHER,
)
_PHP_NAME: Final = r"(?a)[A-Za-z_][A-Za-z0-9_]*"
_LONGEST: Final = 200
"""How many characters of a constraint are read."""
_CORE: Final = "drupal:"
_INSIDE: Final = 1000
"""The most modules inside a component that are listed."""


def folders_in(*folders: str) -> tuple[str, ...]:
    """The folders of themes, modules and profiles inside each of some folders."""
    return tuple(
        joined(folder, kind) for folder in folders for kind in ("themes", "modules", "profiles")
    )


def described(
    root: Root, suffix: str, reads: Callable[[Root, str, str], Identification | None]
) -> Iterator[Identification]:
    """The components that the info files at a root describe: those named after the folder,
    otherwise all.
    """
    stems = stems_of(root, suffix)
    own = [stem for stem in root.suggested if stem in stems]
    for group in (own, stems):
        identifications = [reads(root, stem, stem + suffix) for stem in group[:SEVERAL]]
        if any(identifications):
            return filter(None, identifications)
    return iter(())


def stems_of(root: Root, suffix: str) -> list[str]:
    """The stems of the info files at a root, except those of test modules."""
    stems = (name.removesuffix(suffix) for name in root.top if name.endswith(suffix))
    return [stem for stem in stems if stem and not stem.endswith(".tests")]


def component_of(
    root: Root, stem: str, marker: str, kind: ComponentKind, fields: Info
) -> Identification:
    """The component that the fields of an info file describe."""
    parent = text_of(fields.get("base theme"))
    if kind == "module":
        parent = None
    return Identification(
        kind=kind,
        evidence=marker,
        field="type",
        name=stem,
        version=version_of(fields.get("version")),
        requires=_modules(fields.get("dependencies")),
        php=version_of(fields.get("php")) or "",
        provides=_inside(root, marker.removeprefix(stem)),
        parent=parent,
    )


def constraint(value: Any) -> str:
    """A constraint on the version of the system; empty if there is none."""
    if isinstance(value, str):
        return value[:_LONGEST]
    return ""


def _inside(root: Root, suffix: str) -> tuple[str, ...]:
    """The names of the info files below a root."""
    names = {
        name.rpartition("/")[2].removesuffix(suffix) for name in root.names if name.endswith(suffix)
    }
    return tuple(sorted(names))[:_INSIDE]


def _modules(needs: Any) -> tuple[str, ...]:
    """The modules that a list of `project:module (>=1.2)` names, each once, with the project if its
    name differs.

    Modules of `drupal`, the system itself, are left out. A name extends up to the bracket, whatever
    is in it: `pay ; optional`.
    """
    names = dict[str, None]()
    for need in items_of(needs):
        if isinstance(need, str) and not need.strip().startswith(_CORE):
            names[_module(need)] = None
    return tuple(filter(None, names))


def _module(need: str) -> str:
    """The module that is needed, as `module` or `project:module`; empty if none is named."""
    project, *rest = [part.strip(BLANKS) for part in need.split(":")]
    if not rest:
        return project.partition("(")[0].strip(BLANKS)
    name = rest[0].partition("(")[0].strip(BLANKS)
    if name and project not in {"", name}:
        return f"{project}:{name}"
    return name


def unread_info(root: Root) -> Iterator[str]:
    """The `.info` files at a root that identify nothing: broken, too large, or without a
    type and a name.
    """
    for stem in islice(stems_of(root, INFO), SEVERAL):
        fields, _ = info_of(root, stem + INFO)
        if not text_of(fields.get("type")) and not fields.get("name"):
            yield stem + INFO


def info_of(root: Root, marker: str) -> tuple[Info, tuple[str, ...]]:
    """The fields of an `.info` file as its system reads them, and those that people see but the
    system does not.

    A name or a type of the latter kind has the value that people would read.
    """
    content = root.lines(marker)
    info = read_info(content)
    loose = read_loosely(content)
    unseen = dict[str, str]()
    if loose.get("name") and not text_of(info.get("name")):
        unseen["name"] = loose["name"]
    if "core" not in info and loose.get("type") in TYPES and text_of(info.get("type")) not in TYPES:
        unseen["type"] = loose["type"]
    return {**info, **unseen}, tuple(unseen)


def is_of_core(version: str, runs_on: str) -> bool:
    """Whether a component names the core of a version, such as `7.x`."""
    return runs_on == f"{version.partition('.')[0]}.x"


def unusable_info(
    system: str, marker: str, core: str, info: Info, unseen: tuple[str, ...]
) -> Iterator[Unusable]:
    """What a system does not see of an info file, or refuses because of it; `core` is the field
    with the version that the component is for.
    """
    yield from unusable_name(system, marker, marker.removesuffix(INFO))
    for field in unseen:
        yield Unusable(marker, f"{system} reads no `{field}` in it")
    if not unseen and not text_of(info.get(core)):
        yield Unusable(marker, f"it has no `{core}`")


def unusable_name(system: str, marker: str, stem: str) -> Iterator[Unusable]:
    """A system does not see a component whose name cannot begin that of a PHP function."""
    if not re.fullmatch(_PHP_NAME, stem):
        yield Unusable(
            marker, f"{system} looks for names of letters, digits and `_` alone, none in front"
        )
