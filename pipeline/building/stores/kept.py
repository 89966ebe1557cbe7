"""Kept: the components that kept archives were built as, and which archives are deleted
to save space.

A file beside each kept archive, `.tool/archives/<digest>.zip`, lists these components. The archive
alone does not determine them, because the user, the drop and the project take part in the decision.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from msgspec import Struct

from pipeline.archives.places import is_component_path
from pipeline.building.stores.layout import is_digest
from pipeline.building.stores.record import RecordedComponent
from pipeline.building.stores.sealed import seal, unseal

SHORTEST: Final = 6
"""The fewest digits of a digest that name an archive."""


class BuiltAs(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A component that was built from an archive."""

    path: str
    archive: str
    """The name of the archive, as the record has it."""
    content: str
    """The digest of the component's files, as in `Archive`; it identifies the component
    in a bundle.
    """
    version: str | None = None
    patch: str = ""
    """The digest of the patch of the last build; empty without a patch."""


class KeptBuilds(Struct, frozen=True):
    """All components that a kept archive was built as, the last built last."""

    built: tuple[BuiltAs, ...] = ()


class KeptBuild(Struct, frozen=True):
    """One component that a kept archive was built as."""

    digest: str
    built: BuiltAs
    is_damaged: bool = False
    """Whether the archive is damaged, so that it cannot be built."""


def read_kept(data: bytes) -> KeptBuilds:
    """Decode the components that an archive was built as; without damaged or impossible entries."""
    kept = unseal(data, KeptBuilds)
    if kept is None:
        return KeptBuilds()
    return KeptBuilds(tuple(filter(_is_sound, kept.built)))


def _is_sound(built: BuiltAs) -> bool:
    return is_component_path(built.path) and (not built.patch or is_digest(built.patch))


def with_built(kept: KeptBuilds, path: str, component: RecordedComponent) -> KeptBuilds:
    """The list with one more component that was built from the archive, as the last."""
    built = BuiltAs(
        path=path,
        archive=component.archive,
        content=component.content,
        version=component.version,
        patch=component.patch,
    )
    others = (
        other for other in kept.built if (other.path, other.content) != (path, component.content)
    )
    return KeptBuilds((*others, built))


def write_kept(kept: KeptBuilds) -> bytes:
    """Encode the components that an archive was built as."""
    return seal(kept)


def without_room(
    sizes: Mapping[str, int], needed: Collection[str], by_age: Sequence[str], limit: int | None
) -> tuple[str, ...]:
    """The digests of the archives to delete: the oldest, until the others fit into `limit` bytes.

    `sizes` has the bytes of each archive. Archives in `needed` stay, and count. `by_age` has
    digests, the newest last; an archive that is not in it counts as older.
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
