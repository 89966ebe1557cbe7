"""Backdrop: themes and modules, which an `.info` with a `type` describes. Its stem is the name."""

from collections.abc import Iterator
from typing import Final

from pipeline.archives.info import Info
from pipeline.archives.markers import Identification, Root, text_of, unbuilt, version_of
from pipeline.report.diagnostics.archives import Unbuilt
from pipeline.systems.info_files import (
    EACH_SITE,
    GROUPS,
    INFO,
    KINDS,
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

_NAME: Final = "Backdrop"
_BOOTSTRAP: Final = "core/includes/bootstrap.inc"
_VERSION: Final = "BACKDROP_VERSION"
_UNBUILT: Final[dict[str, Unbuilt]] = {"profile": "profile", "layout": "layout"}


def _recognise(root: Root) -> Iterator[Identification]:
    """`<name>.info` with a `type`."""
    return described(root, INFO, _of_info)


def _of_info(root: Root, stem: str, marker: str) -> Identification | None:
    info, unseen = info_of(root, marker)
    if other := _unbuilt(root, stem, marker, info):
        return other
    kind = KINDS.get(text_of(info.get("type")) or "")
    return kind and replace(
        component_of(root, stem, marker, kind, info),
        runs_on=constraint(info.get("backdrop")),
        system=_NAME,
        unusable=tuple(unusable_info(_NAME, marker, "backdrop", info, unseen)),
    )


def _unbuilt(root: Root, stem: str, marker: str, info: Info) -> Identification | None:
    """A profile or a layout, or a module without the file that Backdrop looks for."""
    declared = text_of(info.get("type"))
    own = {"name": stem, "version": version_of(info.get("version")), "system": _NAME}
    if declared in _UNBUILT:
        return unbuilt(_UNBUILT[declared], marker, "type", **own)
    if declared == "module" and f"{stem}.module" not in root.top:
        return unbuilt("tool", marker, "type", **own)
    if not declared and info.get("backdrop") and "regions" in info:
        return unbuilt("layout", marker, "regions", **own)
    return None


BACKDROP: Final = System(
    name=_NAME,
    found_by=Sign(_BOOTSTRAP, text=_VERSION.encode()),
    releases=(Sign(_BOOTSTRAP),),
    versions=(VersionFile(_BOOTSTRAP, _VERSION),),
    folders=Folders(inner=GROUPS, again=SITES, own=folders_in("core", HERE, EACH_SITE)),
    recognise=_recognise,
    endings=(INFO,),
    unread=unread_info,
    packages="backdrop",
    accepts=is_of_core,
    is_nesting=True,
    next_steps=NEXT_STEPS,
    templates=".tpl.php",
    shown=Shown(
        theme="`<name>.info` with `type = theme`",
        module="the same with `type = module`",
        overrides="templates of modules and base themes with the same name",
    ),
)
