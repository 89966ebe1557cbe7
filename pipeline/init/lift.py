"""Lift: the text that replaces a 0.x file.

Takes the document of a legacy dot-file; gives its version 1 text, or why it is left as it is. Laws: the text
resolves to the same settings; lifting it again changes nothing (`docs/configuration.md`).
"""

from typing import Literal, TypeAlias

from msgspec import Struct
from returns.result import Success

from pipeline.config.layers import Layer
from pipeline.config.legacy_keys import KEYS, is_flat
from pipeline.config.tree import Document, Tree
from pipeline.init.config_text import bounded, config_text
from pipeline.migrate import migrate
from pipeline.normalise import normalise
from pipeline.parse import parse
from pipeline.report.outcome import Outcome
from pipeline.schema import SETTINGS
from pipeline.validate import validate

Unlifted: TypeAlias = Literal["no object", "no 0.x shape", "no 0.x key"]
"""Why a file is left unchanged."""


class Lifted(Struct, frozen=True):
    """A legacy file as it was, and its new text."""

    original: bytes
    text: str


def lift(document: Document) -> Outcome[Lifted | Unlifted]:
    """Lift a legacy file. Errors: those of `parse`, also for a text that would be too long to read."""
    return parse(document).bind(lambda tree: _lifted(document, tree))


def _lifted(document: Document, tree: Tree) -> Outcome[Lifted | Unlifted]:
    if not isinstance(tree.data, dict):
        return Success("no object")
    if not is_flat(tree):
        return Success("no 0.x shape")
    if tree.data and KEYS.isdisjoint(tree.data):
        return Success("no 0.x key")
    return validate(migrate(normalise(tree))).bind(lambda layer: _text(document, layer))


def _text(document: Document, layer: Layer) -> Outcome[Lifted | Unlifted]:
    values = {
        setting: layer.assignments[setting.path][0].value for setting in SETTINGS if setting.path in layer.assignments
    }
    return bounded(config_text(values), document.file.display_path).map(lambda text: Lifted(document.content, text))
