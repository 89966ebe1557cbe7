"""Lift: the text that takes the place of a 0.x file.

Takes the document of a legacy dot-file; gives its version 1 text, or nothing where it has the version 1 shape
already. Laws: the text resolves to the same settings; lifting it again gives nothing (`docs/legacy.md`).
"""

from msgspec import Struct
from returns.result import Success

from pipeline.config_text import config_text
from pipeline.layers import Layer
from pipeline.migrate import migrate
from pipeline.normalise import normalise
from pipeline.notes import Note
from pipeline.outcome import Outcome
from pipeline.parse import parse
from pipeline.schema import LEAVES
from pipeline.tree import Document, is_flat
from pipeline.validate import validate


class Lifted(Struct, frozen=True):
    """A legacy file as it was, its new text, and what moved and was dropped on the way."""

    original: bytes
    text: str
    notes: tuple[Note, ...]


def lift(document: Document) -> Outcome[Lifted | None]:
    """Lift a legacy file. Problems: those of `parse`."""
    return parse(document).bind(
        lambda tree: (
            validate(migrate(normalise(tree))).map(lambda layer: _lifted(document, layer))
            if is_flat(tree)
            else Success(None)
        )
    )


def _lifted(document: Document, layer: Layer) -> Lifted | None:
    values = {leaf: layer.origins[leaf.path][0].value for leaf in LEAVES if leaf.path in layer.origins}
    return Lifted(document.content, config_text(values), layer.notes)
