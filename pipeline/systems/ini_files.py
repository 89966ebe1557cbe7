"""Ini files: what the markers of Omeka S and Omeka Classic have in common."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from pipeline.archives.markers import Identification, Root, names_in, version_of
from pipeline.archives.naming import FolderRules, Hint
from pipeline.report.events import ComponentKind
from pipeline.systems.info_files import constraint

RULES: Final = FolderRules(
    prefixes=("omeka-s-theme-", "omeka-theme-", "theme-", "omeka-s-module-", "omeka-plugin-", "plugin-")
)


class IniMarker(Struct, frozen=True):
    """A marker of a kind, the section that counts in it, and the field of what the component needs."""

    kind: ComponentKind
    path: str
    section: str
    needs: str


def described_by_ini(
    root: Root, system: str, markers: tuple[IniMarker, ...], names: tuple[str, ...], hints: tuple[Hint, ...]
) -> Iterator[Identification]:
    """The components that the markers of a system describe, if they have one of some fields."""
    for marker in markers:
        info = root.info(marker.path, marker.section) if marker.path in root.names else {}
        if field := next((key for key in names if info.get(key)), None):
            yield Identification(
                kind=marker.kind,
                evidence=marker.path,
                field=field,
                title=(marker.kind == "theme" and info.get(field)) or "",
                hints=hints,
                system=system,
                version=version_of(info.get("version")),
                runs_on=constraint(info.get("omeka_version_constraint")),
                requires=names_in((info.get(marker.needs) or "").split(",")),
            )
