"""Trees for tests of single stages: from a text, as parse would make them."""

from pipeline.config.tree import ConfigFile, Document, Tree, format_path
from pipeline.parse import parse
from tests.support.disks import START


def tree_of(text: str, file: ConfigFile | None = None) -> Tree:
    """The tree of a JSON text."""
    return parse(Document(file or ConfigFile.at("tool.config.json", START), text.encode())).unwrap()


def written(tree: Tree) -> dict[str, tuple[str, str]]:
    """For each marked path, as spelled by position in the data, how the user spelled it and where."""
    return {
        format_path(path): (format_path(position.written), str(position.value))
        for path, position in tree.positions.items()
    }
