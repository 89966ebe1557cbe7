"""Last drop: the folder of archives of the last `create` here that could read one, however that run ended."""

from msgspec import Struct

from pipeline.building.stores.sealed import seal, unseal


class LastDrop(Struct, frozen=True):
    """The drop that is used if none is named; without a folder there was none."""

    folder: str = ""
    """Relative to the project if it is in it, else absolute."""
    with_names: bool = False
    """Whether that run was about components that were named; then only commands that look take it."""


def read_last_drop(data: bytes) -> LastDrop:
    """Decode the last drop; none if the file is damaged, so that the user is asked for it."""
    return unseal(data, LastDrop) or LastDrop()


def write_last_drop(drop: LastDrop) -> bytes:
    """Encode the last drop."""
    return seal(drop)
