"""Project: the folder that a configuration belongs to, and that a script of it may read (`docs/scripts.md`)."""

import os
from pathlib import Path


def project_of(file: Path) -> Path:
    """The project of a configuration, a preset or a script, which is given by its absolute path.

    The nearest folder above it with `.git`; without one, the topmost above it with a `package.json`; else its own.
    """
    above = file.parents
    marked = [folder for folder in above if (folder / "package.json").is_file()]
    return next((folder for folder in above if os.path.lexists(folder / ".git")), marked[-1] if marked else file.parent)
