"""Drupal 7: themes and modules, which an `.info` without a `type` describes. Its stem
is the name.
"""

from collections.abc import Iterator
from typing import Final

from pipeline.archives.markers import Identification, Root, unbuilt, version_of
from pipeline.archives.places import Places
from pipeline.report.events import ComponentKind
from pipeline.systems.info_files import (
    EACH_SITE,
    GROUPS,
    INFO,
    NEXT_STEPS,
    SITES,
    component_of,
    constraint,
    described,
    folders_in,
    info_of,
    is_of_core,
    unread_info,
    unusable_info,
)
from pipeline.systems.system import HERE, Folders, Shown, Sign, System, VersionFile
from pipeline.values import replace

_NAME: Final = "Drupal 7"
_BOOTSTRAP: Final = "includes/bootstrap.inc"
_OTHERS: Final = (".engine", ".info.yml")
"""Suffixes of files that a theme does not have: those of engines, and those for Drupal 8."""


def _recognise(root: Root) -> Iterator[Identification]:
    """`<name>.info` without a `type`."""
    return described(root, INFO, _of_info)


def _of_info(root: Root, stem: str, marker: str) -> Identification | None:
    info, unseen = info_of(root, marker)
    if info.get("type"):  # of Backdrop
        return None
    if info.get("name") and f"{stem}.profile" in root.top:
        version = version_of(info.get("version"))
        return unbuilt(
            "profile", marker, f"beside {stem}.profile", name=stem, version=version, system=_NAME
        )
    kind, field = _kind_of(root, stem, info.get("name"))
    if kind is None:
        return None
    return replace(
        component_of(root, stem, marker, kind, info),
        field=field,
        runs_on=constraint(info.get("core")),
        system=_NAME,
        unusable=tuple(unusable_info(_NAME, marker, "core", info, unseen)),
    )


def _kind_of(root: Root, stem: str, name: str | None) -> tuple[ComponentKind | None, str]:
    """A module if `<name>.module` is beside it; a theme if there is no module, and no file that
    themes lack.
    """
    if name and f"{stem}.module" in root.names:
        return "module", f"beside {stem}.module"
    others = any(f"{stem}{suffix}" in root.top for suffix in _OTHERS)
    is_theme = name and not others and not any(file.endswith(".module") for file in root.names)
    if is_theme:
        return "theme", "no .module file"
    return None, ""


DRUPAL_7: Final = System(
    name=_NAME,
    found_by=Sign(_BOOTSTRAP),
    releases=(Sign(_BOOTSTRAP, beside=("index.php",)), Sign(_BOOTSTRAP, beside=("modules/",))),
    versions=(VersionFile(_BOOTSTRAP, "VERSION"),),
    kin=("Drupal",),
    folders=Folders(
        Places(f"{SITES}/themes", f"{SITES}/modules"), inner=GROUPS, own=folders_in(HERE, EACH_SITE)
    ),
    recognise=_recognise,
    endings=(INFO,),
    unread=unread_info,
    accepts=is_of_core,
    is_nesting=True,
    next_steps=NEXT_STEPS,
    templates=".tpl.php",
    shown=Shown(
        theme="`<name>.info` with `name`, without `type` and without a `*.module` anywhere",
        module="`<name>.info` with `name`, beside `<name>.module`",
        overrides="templates of modules and base themes with the same name",
    ),
)
