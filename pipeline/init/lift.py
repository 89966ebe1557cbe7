"""Lift: the text that replaces a 0.x file.

Takes the document of a legacy dot-file; gives its version 1 text, if it is in the 0.x shape. Laws:
the text resolves to the same settings; lifting it again changes nothing (`docs/configuration.md`).
"""

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


def lift(document: Document) -> Outcome[str | None]:
    """Lift a legacy file; `None` if it has the version 1 shape, or keys that 0.x did not have.

    Errors: those of `parse`, also if the new text would be too long to read.
    """
    return parse(document).bind(_lifted)


def _lifted(tree: Tree) -> Outcome[str | None]:
    data = tree.data
    if isinstance(data, dict) and is_flat(tree) and (not data or not KEYS.isdisjoint(data)):
        return validate(migrate(normalise(tree))).bind(
            lambda layer: bounded(_text(layer), tree.file.display_path)
        )
    return Success(None)


def _text(layer: Layer) -> str:
    return config_text(
        {
            each: layer.assignments[each.path][0].value
            for each in SETTINGS
            if each.path in layer.assignments
        }
    )
