"""Trees for tests of single stages, as parse would make them of a text, and what is reported of 0.x
keys.
"""

import re
from collections.abc import Iterable
from typing import Final

from pipeline.config.tree import ConfigFile, Document, Tree, format_path
from pipeline.parse import parse
from pipeline.report.diagnostic import WarningDiagnostic
from tests.support.disks import START

_LEGACY_KEY: Final = re.compile(
    r"the 0\.x (?:key `(.*)`|file) is (?:read as `([\w.]+)`|ignored: (.*))", re.DOTALL
)


def tree_of(text: str, file: ConfigFile | None = None) -> Tree:
    """The tree of a JSON text."""
    return parse(Document(file or ConfigFile.at("tool.config.json", START), text.encode())).unwrap()


def written(tree: Tree) -> dict[str, tuple[str, str]]:
    """For each marked path, as spelled by position in the data, how the user spelled
    it and where.
    """
    return {
        format_path(path): (format_path(position.written), str(position.value))
        for path, position in tree.positions.items()
    }


def legacy_keys(warnings: Iterable[WarningDiagnostic]) -> list[tuple[str, str, str]]:
    """Each key that is not taken over unchanged, with the setting that it is read as, or the reason
    why it is ignored.
    """
    found = (_LEGACY_KEY.fullmatch(each.message) for each in warnings if each.code == "legacy-key")
    return [(match[1] or "", match[2] or "", match[3] or "") for match in found if match]
