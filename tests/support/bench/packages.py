"""The packages that the bench needs, as npm installs them, and the drop that it makes of their files."""

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
LOADERS: Final = {"c12": "3.3.4", "jiti": "2.7.0"}
"""What reads a configuration in TypeScript, to compare with."""
CONTENTS: Final = {
    "animate.css": "4.1.1",
    "backbone": "1.6.0",
    "bootstrap": "5.3.3",
    "chart.js": "4.4.3",
    "codemirror": "5.65.16",
    "datatables.net": "2.0.8",
    "dropzone": "5.9.3",
    "flag-icons": "7.2.3",
    "flatpickr": "4.6.13",
    "handlebars": "4.7.8",
    "highlight.js": "11.9.0",
    "jquery": "3.7.1",
    "leaflet": "1.9.4",
    "lodash": "4.17.21",
    "moment": "2.30.1",
    "mustache": "4.2.0",
    "nouislider": "15.8.1",
    "photoswipe": "5.4.4",
    "prismjs": "1.29.0",
    "select2": "4.0.13",
    "slick-carousel": "1.8.1",
    "sortablejs": "1.15.2",
    "swiper": "11.1.4",
    "tinymce": "6.8.3",
    "toastr": "2.1.4",
    "underscore": "1.13.6",
    "video.js": "8.12.0",
    "vue": "3.4.27",
}
"""What shops' modules are full of: scripts, styles, pictures and maps, large and small. Each makes an archive."""
DATE: Final = (2026, 1, 1, 0, 0, 0)


def install() -> None:
    """Let npm install what is missing."""
    manifest = json.dumps({"private": True, "dependencies": {**CONTENTS, **LOADERS}}, indent=2)
    file = FOLDER / "package.json"
    if file.is_file() and file.read_text(encoding="utf-8") == manifest and C12.is_file():
        return
    FOLDER.mkdir(exist_ok=True)
    file.write_text(manifest, encoding="utf-8")
    quiet = ("--silent", "--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts")
    subprocess.run(["npm", "install", *quiet, "--prefix", FOLDER], check=True)


def lay_drop(drop: Path) -> tuple[int, int]:
    """Pack each package as the archive of a module; give how many files they have in all, and how many bytes."""
    drop.mkdir()
    packed = [pack(MODULES / name, drop / f"{name}.zip") for name in CONTENTS]
    return sum(files for files, _ in packed), sum(size for _, size in packed)


def pack(folder: Path, archive: Path, version: str = "1.0.0") -> tuple[int, int]:
    """Pack a folder as the archive of a module of the same name; give its number of files and of bytes."""
    name = archive.stem.replace(".", "_")
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink()]
    files = [path for path in files if "node_modules" not in path.relative_to(folder).parts]
    contents = {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}
    contents["module.json"] = json.dumps({"name": name, "version": version}).encode()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        for path, content in contents.items():
            file.writestr(zipfile.ZipInfo(f"{name}/{path}", DATE), content, zipfile.ZIP_DEFLATED)
    return len(contents), sum(map(len, contents.values()))


def lay_many(drop: Path, count: int) -> None:
    """Lay so many small modules."""
    drop.mkdir()
    for number in range(count):
        with zipfile.ZipFile(drop / f"m{number}.zip", "w") as file:
            file.writestr(f"m{number}/module.json", json.dumps({"name": f"m{number}", "version": "1.0.0"}))
            for asset in range(12):
                file.writestr(f"m{number}/assets/{asset}.svg", f"<svg id='{asset}'/>")
