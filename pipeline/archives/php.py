"""PHP as plain data: what a module of PrestaShop says of itself, as far as it is written out; a namespace; a constant.

Comments, other strings and what is not PHP are passed over. Each alternative of the pattern takes time in proportion
to what it matches, whatever that is: what is not closed goes on to the end. Each begins with a character, not with a
condition, so that the text between them is skipped at once.
"""

import re
from typing import Final

from msgspec import Struct

_SPACE: Final = r"\s*+"
_TEXT: Final = r"""(?:'[^'\\\s]{1,64}+'|"[^"\\$\s]{1,64}+")"""
_NUMBER: Final = r"\d{1,9}+(?:\.\d{1,9}+)?+"
_WORD: Final = r"\w{1,255}+"
_IS: Final = rf"{_SPACE}={_SPACE}"
_LIST: Final = rf"{_IS}(?:(?i:array){_SPACE}\(|\[)"
_CONSTANT: Final = rf"(?i:onst)(?:\s++[\w?|\\]++)??\s++(?P<NAME>{_WORD}){_IS}(?P<VALUE>{_TEXT}){_SPACE}[;,]"
_PROPERTY: Final = (
    rf"dependencies{_LIST}(?P<needs>(?:{_SPACE}{_TEXT}{_SPACE},?)*+){_SPACE}[\])]",
    rf"ps_versions_compliancy{_LIST}"
    rf"(?P<limits>(?:{_SPACE}{_TEXT}{_SPACE}=>{_SPACE}(?:{_TEXT}|{_WORD}){_SPACE},?)*+){_SPACE}[\])]",
    rf"version{_IS}(?:(?P<version>{_TEXT})|(?P<number>{_NUMBER})|"
    rf"(?P<of>{_WORD}){_SPACE}::{_SPACE}(?P<named>{_WORD})){_SPACE};",
)
_TOKEN: Final = "|".join(
    (
        r"(?s)\?>.*?(?:<\?|\Z)",
        r"/\*.*?(?:\*/|\Z)",
        r"//.*?(?=[\r\n]|\?>|\Z)",
        r"\#(?!\[).*?(?=[\r\n]|\?>|\Z)",
        r"""<<<[ \t]*+(["']?)(?P<label>\w++)\1[\r\n].*?(?:[\r\n][ \t]*+(?P=label)\b|\Z)""",
        r"c(?<!\wc)" + _CONSTANT.replace("NAME", "name").replace("VALUE", "value"),
        r"C(?<!\wC)" + _CONSTANT,
        rf"\$this{_SPACE}->{_SPACE}(?:{'|'.join(_PROPERTY)})",
        r"'[^'\\]*+(?:\\(?:.|\Z)[^'\\]*+)*+(?:'|\Z)",
        r'"[^"\\]*+(?:\\(?:.|\Z)[^"\\]*+)*+(?:"|\Z)',
    )
).encode()
_PAIR: Final = f"({_TEXT}){_SPACE}=>{_SPACE}({_TEXT})".encode()
_COMMENT: Final = rb"(?s)/\*.*?(?:\*/|\Z)|(?://|#)[^\n]*"
_NAMESPACE: Final = rb"(?mi)(?:^[ \t]{0,9}|(?:[;>]|<\?php)\s{0,9})namespace\s{1,9}(\w{1,255})[\w\\]{0,255}\s{0,9}[;{]"
_OWN: Final = frozenset({b"self", b"static"})


class ModuleFacts(Struct, frozen=True):
    """What the PHP of a module of PrestaShop says of it."""

    version: str | None
    """The first text, number, or constant of the class with one value in the file, that `$this->version` is set to."""
    needs: tuple[str, ...]
    """The modules that the last list of texts names that `$this->dependencies` is set to."""
    limits: dict[str, str]
    """The versions that the last list names that `$this->ps_versions_compliancy` is set to, by their keys."""


def module_facts(php: bytes, module: str) -> ModuleFacts:
    """Read what the PHP of a module says of it, in one pass."""
    constants: dict[bytes, set[bytes]] = {}
    versions: list[tuple[bytes, bytes]] = []
    needs = limits = b""
    for token in re.finditer(_TOKEN, b"?>" + php):
        match token.lastgroup:
            case "value":
                constants.setdefault(token["name"], set()).add(token["value"])
            case "VALUE":
                constants.setdefault(token["NAME"], set()).add(token["VALUE"])
            case "needs":
                needs = token["needs"]
            case "limits":
                limits = token["limits"]
            case "version":
                versions.append((token["version"], b""))
            case "number":
                versions.append((b"'%.14g'" % float(token["number"]), b""))  # as PHP prints it
            case "named" if token["of"].lower() in {*_OWN, module.lower().encode(errors="replace")}:
                versions.append((b"", token["named"]))
    known = ({text} if text else constants.get(name, set()) for text, name in versions)
    return ModuleFacts(
        next((_text(values.pop()) for values in known if len(values) == 1), None),
        tuple(map(_text, re.findall(_TEXT.encode(), needs))),
        {_text(key): _text(text) for key, text in re.findall(_PAIR, limits)},
    )


def _text(quoted: bytes) -> str:
    return quoted[1:-1].decode(errors="replace")


def namespace_in(php: bytes) -> str | None:
    """The first part of the namespace that a PHP file declares."""
    space = re.search(_NAMESPACE, re.sub(_COMMENT, b" ", php)) if b"namespace" in php.lower() else None
    return space[1].decode(errors="replace") if space else None


def constant_in(php: bytes, name: str) -> str | None:
    """The text that a constant has, or a variable (`$version`), by the first line that sets it to one."""
    word = re.escape(name)
    text = re.search(rf"""(?:\b|(?=\$)){word}['"]?\s{{0,9}}[=,]\s{{0,9}}['"]([^'"\s]{{1,64}})['"]""".encode(), php)
    return text[1].decode(errors="replace") if text else None
