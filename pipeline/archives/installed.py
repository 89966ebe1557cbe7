"""Installed: what a component in a project says that it is, by the markers that its archive is recognised by."""

from collections.abc import Callable, Collection

from msgspec.structs import replace

from pipeline.archives.archive import Component, is_junk
from pipeline.archives.markers import make_root
from pipeline.archives.recognise import component_at
from pipeline.archives.systems import RECOGNISERS
from pipeline.report.events import ComponentKind


def installed(
    kind: ComponentKind, name: str, names: Collection[str], peek: Callable[[str, int], bytes | None]
) -> Component | None:
    """What the first marker says that is about a component of this kind and name; its evidence is a path in it.

    Takes the paths of its files and links, relative to it, and what reads the first bytes of one, up to a limit.
    `None` if there is no such marker.
    """
    prefix = f"{name}/"

    def read(path: str, limit: int) -> bytes:
        return peek(path.removeprefix(prefix), limit) or b""

    root = make_root(prefix, (each for each in names if not is_junk(each)), read)
    for recogniser in RECOGNISERS:
        for marked in recogniser(root):
            if marked.kind == kind and marked.name in {"", name}:
                component = component_at(root, "", marked)
                return replace(component, name=name, evidence=marked.evidence, root="", named_by="", is_guessed=False)
    return None
