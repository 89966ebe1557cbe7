"""Corpora: archives as data, one row a case: what is in an archive, and what is to be
recognised in it.

`miniatures` has, for each system and each trap of a real release, the fewest files that show it,
in own words.

`shapes` are made after real archives; each has the rule of the system and the place in its code
that says so. Files and functions are those of WordPress 6, Drupal 7 and 10, Backdrop 1, PrestaShop
1.6 and 8, Omeka S 4, Omeka Classic 3, Drush 8, Composer 2, composer/semver 3 and
composer/installers 2. The files were looked up in the public repository of their project, and most
functions; those of the `.inc` and `.module` files of Drupal 7 and Backdrop, and of what installs,
loads or scans (`ArchiveDownloader`, `ThemeManager`, `ModuleCore`, `InfoParserDynamic`,
`ExtensionDiscovery`, `ModuleManagerFactory`), are as known.

`downloads` are what people really drop: releases, exports, backups, packages, repositories.

A file is a text; `{"zip": files}` is an archive, `{"base64": …}` are bytes. A name that ends in `/`
is a folder with what a function of `miniatures` makes:
`"modules/tides/": {"drupal": {"name": "tides"}}`, and `./` is the root.
"""

from base64 import b64decode
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec
from msgspec import Struct, field

from tests.support import miniatures
from tests.support.miniatures import Files, pack

_Row = TypeVar("_Row", bound=Struct)
_DATA = Path(__file__).parent / "data"


class Seen(NamedTuple):
    """What is to be seen in an archive."""

    kind: str
    name: str
    version: str | None
    evidence: str | None
    system: str
    member: str = ""


class Miniature(Struct, frozen=True):
    """An archive: what shows in it, its files, what is to be seen or why it is refused, and what
    its file is called.
    """

    shape: str = field(name="case")
    files: Any
    seen: tuple[Seen, ...] | str
    archive: str = "download.zip"
    by_marker: bool = True
    """Whether a marker gives the name, so that the archive may be called anything and lie
    in any folder.
    """


class Case(Struct, frozen=True):
    """An archive, and what is said of it: each component, then the codes of the warnings."""

    what: str = field(name="case")
    archive: str
    files: Any
    seen: tuple[str, ...]
    law: str = ""
    """The rule of the system."""
    where: str = ""
    """The file and the function of the system that say so."""


def files_of(row: Mapping[str, Any]) -> Files:
    """The names and contents of the files of a row."""
    files: dict[str, str | bytes] = {}
    for name, content in row.items():
        if name.endswith("/"):
            for maker, arguments in content.items():
                made = getattr(miniatures, maker)(**arguments)
                files |= {f"{name.removeprefix('./')}{each}": text for each, text in made.items()}
        elif isinstance(content, str):
            files[name] = content
        else:
            files[name] = (
                pack(files_of(content["zip"])) if "zip" in content else b64decode(content["base64"])
            )
    return files


def _read(name: str, row_type: type[_Row]) -> tuple[_Row, ...]:
    lines = (_DATA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    rows = (msgspec.json.decode(line) for line in lines)
    return tuple(
        msgspec.convert({**row, "files": files_of(row["files"])}, row_type) for row in rows
    )


MINIATURES = _read("miniatures", Miniature)
SHAPES = _read("shapes", Case)
DOWNLOADS = _read("downloads", Case)
