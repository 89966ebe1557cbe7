"""The packages that the bench needs, as npm installs them, and the drop that it makes of
their files.
"""

import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Final

FOLDER: Final = Path(sys.prefix) / "bench"
"""Where they are installed."""
MODULES: Final = FOLDER / "node_modules"
C12: Final = MODULES / "c12" / "dist" / "index.mjs"
DATA: Final = Path(__file__).parents[1] / "data" / "bench"
_MANIFEST: Final = (DATA / "package.json").read_text(encoding="utf-8")
CONTENTS: Final[dict[str, str]] = json.loads(_MANIFEST)["dependencies"]
"""What shops' modules are full of: scripts, styles, pictures and maps, large and small. Each
makes an archive.
"""
LOADERS: Final[dict[str, str]] = json.loads(_MANIFEST)["devDependencies"]
"""What reads a configuration in TypeScript, to compare with."""
DATE: Final = (2026, 1, 1, 0, 0, 0)


def install() -> None:
    """Let npm install what is missing."""
    file = FOLDER / "package.json"
    if file.is_file() and file.read_text(encoding="utf-8") == _MANIFEST and C12.is_file():
        return
    FOLDER.mkdir(exist_ok=True)
    file.write_text(_MANIFEST, encoding="utf-8")
    quiet = (
        "--silent",
        "--no-audit",
        "--no-fund",
        "--no-package-lock",
        "--ignore-scripts",
        "--include=dev",
    )
    subprocess.run(["npm", "install", *quiet, "--prefix", FOLDER], check=True)


def lay_drop(drop: Path) -> tuple[int, int]:
    """Pack each package as the archive of a module; give how many files they have in all, and
    how many bytes.
    """
    drop.mkdir()
    packed = [pack(MODULES / name, drop / f"{name}.zip") for name in CONTENTS]
    return sum(files for files, _ in packed), sum(size for _, size in packed)


def pack(folder: Path, archive: Path, version: str = "1.0.0") -> tuple[int, int]:
    """Pack a folder as the archive of a module of the same name; give its number of files
    and of bytes.
    """
    name = archive.stem.replace(".", "_")
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink()]
    files = [path for path in files if "node_modules" not in path.relative_to(folder).parts]
    contents = {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}
    contents["module.json"] = json.dumps({"name": name, "version": version}).encode()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        for path, content in contents.items():
            file.writestr(zipfile.ZipInfo(f"{name}/{path}", DATE), content, zipfile.ZIP_DEFLATED)
    return len(contents), sum(map(len, contents.values()))


def lay_modules(drop: Path, modules: int, folders: int) -> None:
    """Lay so many modules with so many folders each, of 50 small files each."""
    drop.mkdir(parents=True)
    for module in range(modules):
        with zipfile.ZipFile(drop / f"m{module}.zip", "w", zipfile.ZIP_DEFLATED) as file:
            file.writestr(
                f"m{module}/module.json", json.dumps({"name": f"m{module}", "version": "1.0.0"})
            )
            for folder in range(folders):
                for number in range(50):
                    content = f"<?php // {module} {folder} {number}\n" * 3
                    file.writestr(f"m{module}/folder{folder}/file{number}.php", content)


def lay_many(drop: Path, count: int) -> None:
    """Lay so many small modules."""
    drop.mkdir()
    for number in range(count):
        with zipfile.ZipFile(drop / f"m{number}.zip", "w") as file:
            file.writestr(
                f"m{number}/module.json", json.dumps({"name": f"m{number}", "version": "1.0.0"})
            )
            for asset in range(12):
                file.writestr(f"m{number}/assets/{asset}.svg", f"<svg id='{asset}'/>")
