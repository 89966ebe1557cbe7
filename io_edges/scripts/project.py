"""Project: the folder that a script may read (`docs/scripts.md`).

It imports little, since it is loaded before the rest of the tool (`deno.start_ahead`).
"""

import os
from pathlib import Path
from typing import Final

NEAREST: Final = "the nearest folder with `.git`"
_TOPMOST: Final = "the topmost folder with a `composer.json`, a `package.json` or a configuration"
_OWN: Final = (
    "its own folder: none above has `.git`, `composer.json`, `package.json` or a configuration"
)


def project_of(file: Path) -> tuple[Path, str]:
    """The project of a configuration, a preset or a script, given its absolute path, and the rule
    that applied.

    It is the nearest folder above the file with `.git`. Without one, it is the topmost with a
    `composer.json`, a `package.json` or a configuration, but never a folder that contains the home
    folder; else the file's own folder.
    """
    repository = next((folder for folder in file.parents if os.path.lexists(folder / ".git")), None)
    if repository:
        return repository, NEAREST
    from pipeline.config.tree import LEGACY
    from pipeline.locate import NAMES

    markers = ("composer.json", LEGACY, *NAMES)
    home = Path(os.path.expanduser("~"))  # noqa: PTH111 - `Path.home` raises where there is none
    below_home = [
        folder
        for folder in file.parents
        if not home.is_relative_to(folder) and folder != folder.parent
    ]
    marked = [folder for folder in below_home if any((folder / name).is_file() for name in markers)]
    if not marked:
        return file.parent, _OWN
    return marked[-1], _TOPMOST
