"""Installed: recognise a component in a project by the markers by which archives are recognised."""

from collections.abc import Callable, Collection

from msgspec.structs import replace

from pipeline.archives.archive import Component
from pipeline.archives.entry_names import is_junk
from pipeline.archives.markers import make_root
from pipeline.archives.recognise import component_at
from pipeline.archives.systems import recognisers_of
from pipeline.report.events import ComponentKind


def installed(
    kind: ComponentKind,
    folder: str,
    names: Collection[str],
    peek: Callable[[str, int], bytes | None],
    *,
    any_name: bool = False,
) -> Component | None:
    """The component that the first marker of this kind describes; its evidence is a path in the component.

    The component is called like its folder, unless it may have `any_name`. Takes the paths of its files and links, and
    what reads the first bytes of one, up to a limit. `None` if there is no such marker.
    """
    prefix = f"{folder}/"

    def read(path: str, limit: int) -> bytes:
        return peek(path.removeprefix(prefix), limit) or b""

    root = make_root(prefix, (each for each in names if not is_junk(each)), read)
    for recogniser in recognisers_of(root):
        for marked in recogniser(root):
            if marked.kind == kind and (any_name or marked.name in {"", folder}):
                component = component_at(root, "", marked)
                name = marked.name or folder
                return replace(component, name=name, evidence=marked.evidence, root="", named_by="", is_guessed=False)
    return None
