"""Trees for tests of single stages: from a text, as parse would make them."""

from pathlib import PurePath
from typing import Literal

from pipeline.config.tree import ConfigFile, ConfigKind, Document, Tree, spell
from pipeline.parse import parse

BASE = PurePath("/project")


def candidate_of(
    name: str = "tool.config.json", kind: ConfigKind = "json", layer: Literal["config", "preset"] = "config"
) -> ConfigFile:
    """A file in the project's folder."""
    return ConfigFile(path=BASE / name, display_path=name, kind=kind, layer=layer)


def tree_of(text: str, file: ConfigFile | None = None) -> Tree:
    """The tree of a JSON text."""
    return parse(Document(file or candidate_of(), text.encode())).unwrap()


def written(tree: Tree) -> dict[str, tuple[str, str]]:
    """For each marked path, as spelled by position in the data, how the user spelled it and where."""
    return {spell(path): (spell(position.written), str(position.value)) for path, position in tree.positions.items()}
