"""Files only: archives of nothing but data, which no system runs: dumps, fonts, documents, pictures, translations."""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from pipeline.archives.markers import Identification, Root, unbuilt

_PAGES: Final = (".html", ".htm", ".xhtml")
_WITH_PAGES: Final = (".css", ".js", ".map", ".scss", ".sass", ".less")
_TABLE: Final = """
    a dump of a database: .sql .sql.gz .sql.bz2 .sql.xz .dump .sqlite .sqlite3
    translations: .po .pot .mo .xlf .xliff .l10n.php
    fonts: .ttf .otf .woff .woff2 .eot .pfb .afm
    pages of HTML: .html .htm .xhtml
    exported data: .csv .tsv .xml .json .yml .yaml .xls .xlsx .ods .wie .wpress
    documents: .pdf .doc .docx .odt .rtf .epub .ppt .pptx .odp
    recordings: .mp3 .mp4 .m4a .mov .avi .wav .ogg .webm
    images: .png .jpg .jpeg .gif .webp .svg .ico .bmp .tif .tiff .avif .heic .psd .ai .eps .sketch .fig .xd .indd
    texts: .txt .md .rst
"""
_ROWS: Final = (line.strip().partition(": ") for line in _TABLE.strip().splitlines())
DATA: Final = tuple((which, tuple(suffixes.split())) for which, _, suffixes in _ROWS)
"""The name of each kind of data, and the suffixes of its files; the first row with a file counts."""
_PLAIN: Final = frozenset({"authors", "changelog", "copying", "licence", "license", "notice", "ofl", "readme"})
"""Files without a suffix that are texts."""
_CODE: Final = ("composer.json", "package.json", ".info.yml")
"""How the names of files end that are no data, whatever their suffix."""
_GUARD: Final = "/index.php"
"""The file that keeps a folder from being listed, if it is below the root."""


def files_only(root: Root) -> Iterator[Identification]:
    """Every file is data; pages may have style sheets and scripts, and folders their guards."""
    names = {name.lower() for name in root.names}
    has_pages = any(name.endswith(_PAGES) for name in names)
    known = tuple(suffix for _, suffixes in DATA for suffix in suffixes) + (_WITH_PAGES if has_pages else ())
    if not all(name.endswith(known) or _is_plain(name) for name in names) or any(
        name.endswith(_CODE) for name in names
    ):
        return
    found = ((which, sorted(name for name in root.names if name.lower().endswith(ends))) for which, ends in DATA)
    yield from (replace(unbuilt("data", those[0], "file name"), data=which) for which, those in found if those)


def _is_plain(name: str) -> bool:
    last = name.rpartition("/")[2]
    return last in _PLAIN or last.startswith(".") or name.endswith(_GUARD)
