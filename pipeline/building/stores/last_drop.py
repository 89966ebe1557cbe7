"""Last drop: the drop of the last `tool create` in the project that could read one, however
that run ended.
"""

from msgspec import Struct

from pipeline.building.stores.sealed import seal, unseal


class LastDrop(Struct, frozen=True):
    """The drop that a command uses if none is named."""

    folder: str = ""
    """The drop, relative to the project if it is in it, else absolute; empty if there was none."""
    with_names: bool = False
    """Whether the run named components; then only commands that change nothing use the drop."""


def read_last_drop(data: bytes) -> LastDrop:
    """Decode the last drop; without a folder if the file is damaged, so that the user has to
    name the drop.
    """
    return unseal(data, LastDrop) or LastDrop()


def write_last_drop(drop: LastDrop) -> bytes:
    """Encode the last drop."""
    return seal(drop)
