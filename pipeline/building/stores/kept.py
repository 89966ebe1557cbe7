"""Kept: what the archives that are kept were built as, and which of them go when there is no room for all.

Beside each archive, `.tool/archives/<digest>.zip`, a file says it: the name and the content of an archive alone do not
say what it was built as, since the user, the drop and the project had a say in that.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from msgspec import Struct

from pipeline.archives.places import is_component_path
from pipeline.building.stores.layout import is_digest
from pipeline.building.stores.record import RecordedComponent
from pipeline.building.stores.sealed import seal, unseal

SHORTEST: Final = 6
"""How many digits of a digest are enough to name an archive."""


class BuiltAs(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A component that was built from an archive."""

    path: str
    archive: str
    """The name of the archive, as the record has it."""
    content: str
    """The archive's own description of the component, as in `Archive`: which one of a bundle it is."""
    version: str | None = None
    patch: str = ""
    """The digest of the patch that it was built with last; empty without one."""


class Kept(Struct, frozen=True):
    """Everything that a kept archive was built as, the last one last."""

    built: tuple[BuiltAs, ...] = ()


class KeptBuild(Struct, frozen=True):
    """One component that a kept archive was built as."""

    digest: str
    built: BuiltAs
    is_damaged: bool = False
    """Whether the archive is not as it was, so that it can be built no more."""


def read_kept(data: bytes) -> Kept:
    """Decode what an archive was built as; nothing if that is damaged, or names what no component can be."""
    kept = unseal(data, Kept)
    if kept is None:
        return Kept()
    return Kept(tuple(filter(_is_sound, kept.built)))


def _is_sound(built: BuiltAs) -> bool:
    return is_component_path(built.path) and (not built.patch or is_digest(built.patch))


def with_built(kept: Kept, path: str, component: RecordedComponent) -> Kept:
    """The same with one more component that was built from the archive, which is the last one."""
    built = BuiltAs(
        path=path,
        archive=component.archive,
        content=component.content,
        version=component.version,
        patch=component.patch,
    )
    others = (other for other in kept.built if (other.path, other.content) != (path, component.content))
    return Kept((*others, built))


def write_kept(kept: Kept) -> bytes:
    """Encode what an archive was built as."""
    return seal(kept)


def without_room(
    sizes: Mapping[str, int], needed: Collection[str], by_age: Sequence[str], limit: int | None
) -> tuple[str, ...]:
    """The archives that go, given the sizes of all by their digests: the oldest, until the others are within a limit.

    One that is needed stays, and counts. `by_age` are digests, the newest last; one that is not among them is older.
    """
    if limit is None:
        return ()
    ages = {digest: age for age, digest in enumerate(by_age)}
    total = sum(sizes.values())
    forgotten = list[str]()
    for digest in sorted(sizes.keys() - {*needed}, key=lambda each: (ages.get(each, -1), each)):
        if total <= limit:
            break
        total -= sizes[digest]
        forgotten.append(digest)
    return tuple(forgotten)
