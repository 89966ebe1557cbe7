"""Formats: marker files as plain data: JSON, YAML, TOML, XML, PHP.

The files come from anywhere, and hostile ones are slow to read, so each format has a limit. YAML
has a module of its own. XML with a document type is refused, whatever the encoding: it could define
entities that grow without bound, and no marker has one.

PHP is searched for a namespace or a constant; the package `php` reads classes.
"""

import re
from collections.abc import Callable
from typing import Any, Final

import msgspec

from pipeline.archives.yaml_files import read_yaml

JSON_LIMIT: Final = 1024 * 1024
"""The largest JSON file that is read, in bytes."""
SLOW_LIMIT: Final = 64 * 1024
"""The largest file in another format that is read, in bytes."""
_DOTS_LIMIT: Final = 32
"""The most dots in one line of TOML: each may nest a key deeper, and deep keys are slow to read."""
_CHILD: Final = 2
"""The depth of a child of the root in XML."""


def read_json(content: bytes) -> Any:
    """The data; `None` if the content is not JSON."""
    try:
        return msgspec.json.decode(content.removeprefix(b"\xef\xbb\xbf"))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def read_toml(content: bytes) -> Any:
    """The data; `None` if the content is not TOML."""
    import tomllib

    if any(line.count(b".") > _DOTS_LIMIT for line in content.splitlines()):
        return None
    try:
        return tomllib.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return None


class _DoctypeError(Exception):
    """The document has a document type."""


def read_xml(content: bytes) -> dict[str, str]:
    """The text of each child of the root, by tag; empty if the content is not XML or has a
    document type.
    """
    from xml.parsers import expat

    texts: dict[str, str] = {}
    path: list[str] = []
    parser = expat.ParserCreate()
    parser.buffer_text = True

    def doctype(*_: object) -> None:
        raise _DoctypeError

    def text(data: str) -> None:
        if len(path) == _CHILD:
            texts[path[1]] = texts.get(path[1], "") + data

    parser.StartDoctypeDeclHandler = doctype
    parser.StartElementHandler = lambda tag, _: path.append(tag)
    parser.EndElementHandler = lambda _: path.pop()
    parser.CharacterDataHandler = text
    try:
        parser.Parse(content, True)
    except (expat.ExpatError, _DoctypeError, ValueError, LookupError):
        return {}
    return {tag: text.strip() for tag, text in texts.items()}


_READERS: Final[dict[str, tuple[Callable[[bytes], Any], int]]] = {
    ".json": (read_json, JSON_LIMIT),
    ".yml": (lambda content: read_yaml(content).data, SLOW_LIMIT),
    ".toml": (read_toml, SLOW_LIMIT),
    ".xml": (read_xml, SLOW_LIMIT),
}
"""The reader of each format and its limit in bytes, by the suffix of the file."""


def suffix_of(name: str) -> str:
    """The suffix of a file's name, such as `.yml`."""
    return name[name.rfind(".") :]


def read_plain(name: str, read: Callable[[str, int], bytes]) -> Any:
    """The data of a file, given a function that reads its first bytes; `None` if it exceeds the
    limit of its format.
    """
    reader, limit = _READERS[suffix_of(name)]
    content = read(name, limit + 1)
    if len(content) > limit:
        return None
    return reader(content)


_PHP_COMMENT: Final = rb"(?s)/\*.*?(?:\*/|\Z)|(?://|#)[^\n]*"
_NAMESPACE: Final = (
    rb"(?mi)(?:^[ "
    rb"\t]{0,9}|(?:[;>]|<\?php)\s{0,9})namespace\s{1,9}(\w{1,255})[\w\\]{0,255}\s{0,9}[;{]"
)


def namespace_in(php: bytes) -> str | None:
    """The first part of the namespace that a PHP file declares."""
    if b"namespace" not in php.lower():
        return None
    namespace = re.search(_NAMESPACE, re.sub(_PHP_COMMENT, b" ", php))
    if namespace is None:
        return None
    return namespace[1].decode(errors="replace")


def constant_in(php: bytes, name: str) -> str | None:
    """The text of a constant or variable (`$version`), from the first line that assigns one."""
    word = re.escape(name)
    text = re.search(
        rf"""(?:\b|(?=\$)){word}['"]?\s{{0,9}}[=,]\s{{0,9}}['"]([^'"\s]{{1,64}})['"]""".encode(),
        php,
    )
    if text is None:
        return None
    return text[1].decode(errors="replace")
