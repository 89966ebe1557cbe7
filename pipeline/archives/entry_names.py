"""Entry names: which names of entries are plain relative paths, and which are equivalent.

The rules are in `docs/archives.md`.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from toolz import groupby

from pipeline.report.diagnostics.archives import DISTRUST, UNPACK, Flaw, Mend

PART_LIMIT: Final = 255
"""Bytes of one part of a name."""
NAME_LIMIT: Final = 1024
"""Bytes of a whole name."""
PARTS_LIMIT: Final = 32

_SURROGATE: Final = "[\ud800-\udfff]"
_FORBIDDEN: Final = "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]"
_DRIVE: Final = r"[A-Za-z]:"
_INVISIBLE: Final = "[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]"
"""Characters that Apple's file systems ignore when they compare names."""
_REPOSITORY: Final = r"(?i)(?:\A|/)(?:\.git|git~1)(?:[ .]*|:[^/]*)(?:/|\Z)"
"""A part that is `.git`, or what Windows treats as `.git`."""
_VMS_VERSION: Final = r"(?a);\d*$"
"""The version of a file on VMS, at the end of its name; `unzip` removes it."""
_RUNS: Final = (
    r"(?ias).*\.(?:php[0-9]?|phtml|pht|phar|inc|module|install|theme|engine|profile|cgi|htaccess)"
    r"|(?:.*/)?\.user\.ini"
)
"""Files that a web server or a system may run, or that configure what a server runs."""
_JUNK_FOLDER: Final = "__MACOSX"
_JUNK_FILES: Final = frozenset({".DS_Store", "Thumbs.db", "desktop.ini"})


def all_plain(names: Sequence[str]) -> bool:
    """Whether a quick check shows that no name breaks a rule. It spares most archives a check of
    each name. `False` proves nothing.
    """
    text = f"/{'/ /'.join(names)}/"
    return (
        text.isascii()
        and text.isprintable()
        and max(map(len, names), default=0) <= PART_LIMIT
        and not any(mark in text for mark in ("//", "/./", "/../", "\\", ":", ";", "~"))
        and ("/.git" not in text.lower() or not re.search(_REPOSITORY, text))
        and all(name.count("/") < PARTS_LIMIT for name in names)
    )


def is_unsafe_text(text: str) -> bool:
    """Whether a text has lone surrogates, or characters that no name may have."""
    return bool(re.search(_FORBIDDEN, text) or re.search(_SURROGATE, text))


def leads_into_repository(name: str) -> bool:
    """Whether a part of a path is `.git` on some file system."""
    return bool(re.search(_REPOSITORY, re.sub(_INVISIBLE, "", name)))


def can_run(name: str) -> bool:
    """Whether a web server or a system may run a file, or configure itself from it."""
    return bool(re.fullmatch(_RUNS, name))


def is_absolute(name: str) -> bool:
    """Whether a path is absolute on any system."""
    return name.startswith("/") or bool(re.match(_DRIVE, name))


def is_within(name: str, folder: str) -> bool:
    """Whether a path is a folder or inside it; nothing is inside a folder with an empty name."""
    return bool(folder) and f"{name}/".startswith(f"{folder}/")


def last_part(path: str) -> str:
    """The last part of a path: the name of a file, a folder or a component."""
    return path.rpartition("/")[2]


def folders_above(name: str) -> Iterator[str]:
    """The folders on a path, from the top."""
    at = name.find("/")
    while at >= 0:
        yield name[:at]
        at = name.find("/", at + 1)


def clashes(names: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Pairs of paths, of entries or of their folders, that differ only in case.

    A disk that ignores case loses one of each pair.
    """
    return _pairs(names, lambda path: unicodedata.normalize("NFC", path).casefold())


def alike(names: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Pairs of paths, of entries or of their folders, that differ only in Unicode normalisation."""
    return _pairs(names, lambda path: unicodedata.normalize("NFC", path))


def _pairs(names: Iterable[str], same: Callable[[str], str]) -> tuple[tuple[str, str], ...]:
    paths = dict.fromkeys(path for name in names for path in (*folders_above(name), name))
    spellings: dict[str, list[str]] = groupby(same, paths)
    return tuple((first, other) for first, *others in spellings.values() for other in others)


def _encode(name: str) -> bytes:
    return name.encode(errors="surrogatepass")


_SHORTEN: Final = Mend("shorten it, and pack the archive again")
_WRITE_UTF_8: Final = Mend("pack it again with a program that writes UTF-8")
_WRITE_SLASHES: Final = Mend("pack it again with a program that writes `/`")
_RENAME: Final = Mend("rename the file, and pack the archive again")
_NOT_CANONICAL: Final = "its name has an empty part or a `.`"
_OF_VMS: Final = "its name ends in `;` or a version of VMS such as `;1`, which some programs remove"
_NAME_RULES: Final[tuple[tuple[Flaw, Callable[[str], object]], ...]] = (
    (
        Flaw(f"a part of its name is longer than {PART_LIMIT} bytes", _SHORTEN),
        lambda name: max(map(len, _encode(name).split(b"/"))) > PART_LIMIT,
    ),
    (
        Flaw(f"its name is longer than {NAME_LIMIT:,} bytes", _SHORTEN),
        lambda name: len(_encode(name)) > NAME_LIMIT,
    ),
    (
        Flaw(f"its name has more than {PARTS_LIMIT} parts", _SHORTEN),
        lambda name: name.count("/") >= PARTS_LIMIT,
    ),
    (
        Flaw("its name claims to be UTF-8, but is not", _WRITE_UTF_8),
        lambda name: re.search(_SURROGATE, name),
    ),
    (
        Flaw("its name has a control or bidirectional character", DISTRUST),
        lambda name: re.search(_FORBIDDEN, name),
    ),
    (
        Flaw("its name has a backslash where others have a slash", _WRITE_SLASHES),
        lambda name: "\\" in name,
    ),
    (Flaw(_NOT_CANONICAL, DISTRUST), lambda name: not name),
    (Flaw("its name is absolute", UNPACK), is_absolute),
    (Flaw("its name has `..`", DISTRUST), lambda name: ".." in name.split("/")),
    (Flaw(_NOT_CANONICAL, UNPACK), lambda name: not {"", "."}.isdisjoint(name.split("/"))),
    (Flaw("its name leads into `.git`", DISTRUST), leads_into_repository),
    (Flaw(_OF_VMS, _RENAME), lambda name: re.search(_VMS_VERSION, name)),
)
"""Reasons why a name is not a plain relative path, and the remedy for an archive that has one."""


def name_fault(name: str) -> str | None:
    """The first reason why a name is not a plain relative path."""
    if all_plain((name,)):
        return None
    return next((flaw.what for flaw, breaks in _NAME_RULES if breaks(name)), None)


def name_flaw(name: str) -> Flaw | None:
    """The first reason why an entry's name is not a plain relative path."""
    return next((flaw for flaw, breaks in _NAME_RULES if breaks(name)), None)


def stem_of(file: str) -> str:
    """The name of a file without its suffix."""
    stem = file.rpartition(".")[0]
    return stem or file


def is_junk(name: str) -> bool:
    """Whether an entry is left over from an operating system; junk is neither extracted
    nor counted.
    """
    last = last_part(name)
    return (
        last in _JUNK_FILES
        or last.startswith("._")
        or (_JUNK_FOLDER in name and _JUNK_FOLDER in name.split("/"))
    )
