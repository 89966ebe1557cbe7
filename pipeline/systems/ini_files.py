"""Ini files: what the markers of Omeka S and Omeka Classic have in common.

Both systems read them with PHP's own reader, which refuses a whole file for one fault, and then
nest names with dots.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeAlias

from msgspec import Struct

from pipeline.archives.archive import Unusable
from pipeline.archives.constraints import is_constraint
from pipeline.archives.info import Info, read_loosely
from pipeline.archives.ini import Ini, IniFault, read_ini
from pipeline.archives.markers import Identification, Root, names_in, text_of, version_of
from pipeline.archives.naming import FolderRules
from pipeline.report.events import ComponentKind
from pipeline.systems.info_files import constraint
from pipeline.systems.system import CHOOSE_ANOTHER, NextStep

RULES: Final = FolderRules(
    prefixes=(
        "omeka-s-theme-",
        "omeka-theme-",
        "theme-",
        "omeka-s-module-",
        "omeka-plugin-",
        "plugin-",
    )
)
NEXT_STEPS: Final = (
    NextStep(
        text='click "Upgrade" in the administration for {}, left out until then',
        kinds=frozenset({"module"}),
        only_raised=True,
    ),
    CHOOSE_ANOTHER,
)
_DEEPEST: Final = 8
"""How many dots in a name may nest it."""
Section: TypeAlias = Callable[[Ini, str], Info]
"""Returns the fields of a section as a system reads them. It raises `UnreadableError`."""


class UnreadableError(Exception):
    """What a system cannot read in a file, as a clause without the system's name."""


class IniMarker(Struct, frozen=True):
    """A kind of marker, and the section in it that counts."""

    kind: ComponentKind
    path: str
    section: str
    needs: str
    """The fields with the component's needs, and with the versions that it runs on."""
    runs_on: str
    is_constraint: bool = False
    """Whether the latter field is a constraint for Composer."""
    wanted: tuple[str, ...] = ()
    """The fields without which the system refuses the component."""


def described_by_ini(
    root: Root,
    system: str,
    markers: tuple[IniMarker, ...],
    names: tuple[str, ...],
    section: Section,
) -> Iterator[Identification]:
    """The components that the markers of a system describe, if they have one of some fields."""
    for marker in markers:
        if marker.path not in root.names:
            continue
        content = root.lines(marker.path)
        loose = read_loosely(content, marker.section)
        unread = list[str]()
        try:
            fields = section(_ini(content), marker.section)
            unread += (
                f"reads no `{field}` in it" for field in marker.wanted if field not in fields
            )
            runs_on = constraint(fields.get(marker.runs_on))
            if marker.is_constraint and marker.runs_on in fields and not is_constraint(runs_on):
                unread.append(f"reads no constraint in `{marker.runs_on}`")
        except UnreadableError as fault:
            fields = loose
            unread.append(str(fault))
        if field := next(
            (key for key in names if text_of(fields.get(key)) or loose.get(key)), None
        ):
            yield Identification(
                kind=marker.kind,
                evidence=marker.path,
                field=field,
                title=(marker.kind == "theme" and (text_of(fields.get(field)) or loose.get(field)))
                or "",
                system=system,
                version=version_of(fields.get("version")),
                runs_on=constraint(fields.get(marker.runs_on)),
                requires=_needs(fields.get(marker.needs)),
                unusable=tuple(Unusable(marker.path, f"{system} {each}") for each in unread),
            )


def _ini(content: bytes) -> Ini:
    ini = read_ini(content)
    if not isinstance(ini, IniFault):
        return ini
    stops = f"at `{ini.at}`" if ini.at.strip() else "at the end"
    raise UnreadableError(
        f"cannot read it, as PHP stops in line {ini.line} {stops}; put texts in quotes"
    )


def _needs(value: Any) -> tuple[str, ...]:
    """The names in a list, or in a text with commas."""
    return names_in(value) or names_in((text_of(value) or "").split(","))


def nest(fields: dict[str, Any], values: Mapping[str, Any]) -> None:
    """Build nested fields: names with dots become mappings."""
    for name, value in values.items():
        *parents, last = name.split(".", _DEEPEST)
        inner = fields
        for parent in parents:
            inner = inner.setdefault(parent, {})
            if not isinstance(inner, dict) or not parent:
                raise UnreadableError(f"cannot read it, as `{name}` is beside `{parent}`")
        if not last:
            raise UnreadableError(f"cannot read it, as nothing is behind the dot of `{name}`")
        inner[last] = value
