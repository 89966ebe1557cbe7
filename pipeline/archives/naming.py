"""Naming: what the names of folders and files say about a component's name and version.

Many systems identify a component by its folder. A download renames the folder, so that the name
must be guessed (`docs/archives.md`).
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from pipeline.archives.entry_names import stem_of


def words(table: str) -> frozenset[str]:
    """The words in a table of words."""
    return frozenset(table.split())


_SAFE: Final = r"(?!\.)(?!.*\.$)[A-Za-z0-9_.-]{1,255}"
_RESERVED: Final = r"(?i)(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)"
"""Names that Windows reserves for devices, with any suffix."""
_EDITIONS: Final = "basic|final|free|full|lite|lts|plus|premium|pro|stable"
_VERSION: Final = (
    r"v?((?:19|20)\d\d[-_]?\d\d[-_]?\d\d|(?<=v)\d+(?:[_-]\d+)*(?![.\w])|\d+(?:\.(?:\d+|x))+"
    rf"(?:-\d[\w.]*)?(?:[-_](?:alpha|beta|rc|dev|pl)[\w.]*)?(?:\+[\w.]+)?(?:[-_](?:{_EDITIONS}))?)"
)
"""A date, a number behind a `v`, or numbers with dots, with the suffixes that shops write
behind them.
"""
_BRANCH: Final = "main|master|trunk|develop|development|dev"
_DIGITS: Final = r"(?:-(?:\d+-g)?(?!(?:19|20)\d{6}$)[0-9a-f]{7,40})+$"
"""The digits of a commit, which GitHub and Composer write behind owner and repository, GitLab
behind the branch.
"""
_SUFFIX: Final = rf"(?i:(?:-|(?<!\d)\.){_VERSION}|-(?:{_BRANCH}))$"
_FILE_SUFFIX: Final = rf"(?i:(?:[-_ ]|(?<!\d)\.){_VERSION}|-(?:{_BRANCH}))$"
"""The same with spellings that people use in file names: `kit_3.15`, `kit_v3`."""
SLUG: Final = "[a-z0-9]+(?:-[a-z0-9]+)*"
"""The name by which other plugins refer to a WordPress plugin."""
_COPY: Final = r" ?\(\d+\)$"
"""The suffix that a browser adds when it downloads a file again."""
_OF_DOWNLOADS: Final = r"(?i)\d+|[0-9a-f]{7,40}"
"""File names that downloads produce, besides versions; they say nothing about the content."""

SHELVES: Final = words("modules plugins themes")
"""Folders of a site in which each folder may be a component."""
_GROUPS: Final = words("contrib custom")
"""Folders inside shelves that only group components."""
NEVER: Final = words("test tests fixtures vendor node_modules")
"""Folders that are never searched."""
DEVELOPMENT: Final = (
    words("""
    assets bin build ci cypress deploy dev docker e2e example examples frontend playwright scripts
    tools upgrade
    utils
    """)
    | NEVER
)
"""Folders beside a component that belong to its development."""
_PAPERS: Final = words("""
    doc docs documentation documentations guide manual manuals instructions help licence license
    licensing changelog
    meta-inf test tests
    """) | {"user guide"}
"""Folders of documentation and tests, which may lie beside the only component of a bundle."""
_TEXTS: Final = words("""
    .txt .md .rst .html .htm .pdf .rtf .doc .docx .odt .url .png .jpg .jpeg .gif .webp .svg
    """) | {""}
"""Suffixes of files that people read or view."""
_SET_ASIDE: Final = (
    r"(?i)[ ._-]+(?:(?:off|old|bak|backup|copy|disabled|inactive|orig|save)\d*|\(\d+\)"
    r"|(?:19|20)\d\d[-_.]?\d\d[-_.]?\d\d\b.*)"
)
"""What people add to the name of a folder that should not be used."""
_PRODUCTS: Final = words(
    "addon addons basic child extension for free lite plugin plus premium pro theme"
)
"""Words that turn a component's name into that of another product, so they are no branch."""
_SAYS_NOTHING: Final = words("""
    app archive artifact artifacts build bundle code dist download export files htdocs latest module
    out output
    package packages plugin prod production public release releases source sources src tags target
    temp theme
    tmp upload uploads web www zip zipball
    """) | {*_BRANCH.split("|")}
"""Names that packers and downloads give to folders and archives; they say nothing about
the content.
"""
_STEMS: Final = words("bootstrap functions index init load loader main plugin wp-plugin")
"""File names that are never the name of a component."""
HintKind: TypeAlias = Literal["own", "package", "domain", "tail", "stem"]
"""Kinds of hints: a name for the system, a package's, a text domain, a name that counts if the
folder ends in it, a file's.
"""


_OF_SYSTEM: Final = frozenset({"own", "package"})
_COPIED: Final = frozenset({"package", "domain"})


class Hint(Struct, frozen=True):
    """A suggested name, and the path and field that suggest it: `a-main/a.php (Text Domain)`."""

    name: str
    by: str
    kind: HintKind = "own"


class FolderRules(Struct, frozen=True):
    """How the name of a component follows from its folder, in systems that go by the folder."""

    prefixes: tuple[str, ...] = ()
    """What the names of repositories begin with."""
    silent: frozenset[str] = frozenset()
    """Names of folders and archives that say nothing about the content, besides the
    general ones.
    """
    by_stem: tuple[str, ...] = ()
    """Words in a folder's name that make the stem of the main file count."""


ANY_FOLDER: Final = FolderRules()
"""The rules for systems without rules of their own."""


def is_safe(name: str) -> bool:
    """Whether every operating system accepts a name for a folder."""
    return bool(re.fullmatch(_SAFE, name)) and not re.match(_RESERVED, name)


def without_suffix(name: str) -> str:
    """Drop what a download adds to a folder's name, such as a version, branch or commit:
    `a-2.1.0`, `token-8.x-1.9`.
    """
    return re.sub(_SUFFIX, "", _without_digits(name))


def without_version(name: str) -> str:
    """Drop the same from the name of a file, where versions have more spellings:
    `a_3.15`, `a-main (1)`.
    """
    return re.sub(_FILE_SUFFIX, "", _without_digits(name))


def version_at_end(name: str) -> str | None:
    """The version at the end of a file's name: `8.x-2.20` in `token-8.x-2.20 (1)`, but not the
    branch `8.x-2.x`.
    """
    match = re.search(_FILE_SUFFIX, _without_digits(name))
    if match is None:
        return None
    version: str | None = match[1]
    if version and version.lower().endswith(".x"):
        return None
    return version


def _without_digits(name: str) -> str:
    return re.sub(_DIGITS, "", re.sub(_COPY, "", name))


@lru_cache(maxsize=64)
def suggested_by(folder: str) -> tuple[str, ...]:
    """The names that a folder suggests: its own, and its own without additions of a download, such
    as an owner.
    """
    plain = without_suffix(folder)
    names = [folder, plain]
    if re.search(_DIGITS, folder):
        parts = plain.split("-")
        names += ("-".join(parts[number:]) for number in range(1, len(parts)))
    return tuple(filter(None, dict.fromkeys(names)))


def name_by_folder(
    path: str, file: str, hints: Sequence[Hint], rules: FolderRules = ANY_FOLDER, title: str = ""
) -> tuple[Hint, bool]:
    """The name of a component, from the path of its folder in the archive, the name of the
    archive itself and the component's title.

    Without a folder, the name of the file takes its place; it is empty for a folder of a bundle.
    The first rule that applies gives the name:

    1. A folder where a site keeps components has the name that the site knows.
    2. A folder that no download made has its own name.
    3. An archive that a person renamed gives its file name, without a version.
    4. Otherwise the name is guessed from the hints and the folder's name.
    """
    folder = path.rstrip("/").rpartition("/")[2]
    own = re.sub(_COPY, "", stem_of(file))
    shown = Hint(own, f"{file} (file name)")
    if folder:
        shown = Hint(folder, f"{path} (folder)")
    if is_in_place(path) and is_safe(folder):
        return shown, False  # 1
    given = without_version(own)
    is_called = own and not says_nothing(own, rules) and not re.search(_DIGITS, own)
    is_whole = folder or (is_called and given == own)
    if is_whole and not _is_of_a_download(shown.name, hints, rules) and is_safe(shown.name):
        return shown, False  # 2
    if is_called and folder.lower() not in {own.lower(), given.lower()} and is_safe(given):
        return Hint(given, f"{file} (file name)"), False  # 3
    return _guessed(path, shown, hints, rules, title), True  # 4


def _guessed(path: str, shown: Hint, hints: Sequence[Hint], rules: FolderRules, title: str) -> Hint:
    """Guess the name of a component whose folder a download made: the first hint that counts, else
    the folder's name.

    A text domain counts less than a name for the system that matches the folder. If the title
    agrees with the folder, text domains and packages with other names do not count: such files are
    copied from one theme to the next.
    """
    plain = without_suffix(_telling(path, rules) or shown.name)
    is_hashed = re.search(_DIGITS, shown.name) is not None
    called = [_without_prefix(plain, rules)]
    if is_hashed:  # an owner may come first
        called += suggested_by(shown.name)
    titled = [name for name in called if _letters(name) == _letters(title)]
    counting = [
        hint
        for hint in hints
        if is_safe(hint.name)
        and _counts(hint, plain, rules, is_hashed=is_hashed)
        and not (titled and _is_copied(hint, titled[0]))
    ]
    if not counting:
        return Hint(_without_prefix(plain, rules), shown.by)
    if counting[0].kind == "domain":
        for hint in counting:
            if hint.kind in _OF_SYSTEM and _agrees(hint.name, shown.name):
                return hint
    return counting[0]


def _is_copied(hint: Hint, called: str) -> bool:
    """Whether a name has nothing in common with that of the folder."""
    name = _letters(hint.name)
    own = _letters(called)
    return hint.kind in _COPIED and name not in own and own not in name


def _letters(name: str) -> str:
    """The letters and digits of a name or title, by which both can be compared."""
    return re.sub(r"[\W_]+", "", name).casefold()


def _telling(path: str, rules: FolderRules) -> str:
    """The lowest folder on a path whose name is meaningful; empty if there is none."""
    for folder in reversed(path.split("/")):
        if folder and not says_nothing(folder, rules):
            return folder
    return ""


def _without_prefix(name: str, rules: FolderRules) -> str:
    """The name of a repository without its usual prefix."""
    for prefix in rules.prefixes:
        if name.lower().startswith(prefix):
            return name[len(prefix) :]
    return name


def _is_of_a_download(folder: str, hints: Sequence[Hint], rules: FolderRules) -> bool:
    """Whether a download made a folder: its name ends in a branch, a version or digits, or follows
    a known name.

    The main file's name alone does not make a name known: `gallery.php` may be in `gallery-kit`.
    """
    if without_suffix(folder) != folder or says_nothing(folder, rules):
        return True
    stems = {hint.name for hint in hints if hint.kind == "stem"}
    known = (hint.name for hint in hints if hint.kind != "stem")
    return folder not in stems and any(
        _is_of_a_branch(name, _without_prefix(folder, rules)) for name in known
    )


def _is_of_a_branch(name: str, folder: str) -> bool:
    """Whether a folder's name, in any case, ends in a branch rather than in a word of
    another product.
    """
    rest = folder.casefold().removeprefix(f"{name}-".casefold())
    return rest != folder.casefold() and not is_of_a_product(rest)


def _agrees(name: str, folder: str) -> bool:
    """Whether a name is that of a folder without the additions of a download."""
    return name in suggested_by(folder) or (
        folder == without_suffix(folder) and _is_of_a_branch(name, folder)
    )


def _counts(hint: Hint, plain: str, rules: FolderRules, *, is_hashed: bool) -> bool:
    """Whether a hint may give the name of a folder whose download suffix was removed."""
    name = hint.name.casefold()
    own = plain.casefold()
    is_end = own == name or own.endswith(f"-{name}") or own.startswith(f"{name}-")
    if (_SAYS_NOTHING | rules.silent).issuperset(name.split("-")):
        return False
    if hint.kind == "tail":
        return is_end
    if hint.kind == "stem":
        is_told = any(word in plain.lower() for word in rules.by_stem) or not is_safe(plain)
        return hint.name.lower() not in _STEMS and (is_told or (is_hashed and is_end))
    return hint.kind != "domain" or bool(re.fullmatch(SLUG, hint.name))


def is_of_a_product(rest: str) -> bool:
    """Whether a suffix turns the name of a component into that of another: `-child`, `_pro`."""
    return re.split(r"[ ._-]+", rest.lower().lstrip(" ._-"))[0] in _PRODUCTS


def is_set_aside(folder: str, name: str) -> bool:
    """Whether a folder's name is that of a component plus a word that marks it as
    unused: `kit.old`.
    """
    is_of_name = folder.casefold().startswith(name.casefold())
    return is_of_name and bool(re.fullmatch(_SET_ASIDE, folder[len(name) :]))


def says_nothing(own: str, rules: FolderRules = ANY_FOLDER) -> bool:
    """Whether an archive's name comes from a download or a packer, not from a person."""
    names = (own, without_version(own))
    silent = _SAYS_NOTHING | rules.silent
    return any(name.lower() in silent or _is_of_downloads(name) for name in names)


def _is_of_downloads(name: str) -> bool:
    """Whether a name is a number, a hash, or a version, which `_FILE_SUFFIX` wants
    behind a hyphen.
    """
    return bool(re.fullmatch(_OF_DOWNLOADS, name) or re.fullmatch(_FILE_SUFFIX, f"-{name}"))


def is_in_place(path: str) -> bool:
    """Whether a folder is where a site keeps its components, so that its name is the one that the
    site uses.
    """
    above = ["", *path.rstrip("/").split("/")[:-1]]
    return above[-1] in SHELVES or (above[-1] in _GROUPS and above[-2] in SHELVES)


def is_paper(folder: str) -> bool:
    """Whether a folder's name shows that it is hidden or has documentation or tests."""
    return folder.startswith(".") or folder.lower() in _PAPERS


def is_text(file: str) -> bool:
    """Whether a file's name shows that it is hidden or that people read or view it."""
    return file.startswith(".") or file[len(stem_of(file)) :].lower() in _TEXTS


def by_folder(folder: str) -> str:
    """The source of a component's name if the name is that of its folder in the project."""
    return f"{folder}/ (folder of the project)"
