"""PHP as plain data: the version of a module of PrestaShop and what it needs, as far as it is written out; a namespace.

Comments, other strings and what is not PHP are passed over. Each alternative of the pattern takes time in proportion
to what it matches, whatever that is: what is not closed goes on to the end.
"""

import re
from typing import Final

_SPACE: Final = r"\s*+"
_TEXT: Final = r"""(?:'[^'\\\s]{1,64}+'|"[^"\\$\s]{1,64}+")"""
_NUMBER: Final = r"\d{1,9}+(?:\.\d{1,9}+)?+"
_WORD: Final = r"\w{1,255}+"
_TOKEN: Final = re.compile(
    "|".join(
        (
            r"(?:\A|\?>).*?(?:<\?|\Z)",
            r"/\*.*?(?:\*/|\Z)",
            r"(?://|#(?!\[)).*?(?=[\r\n]|\?>|\Z)",
            r"""<<<[ \t]*+(["']?)(?P<label>\w++)\1[\r\n].*?(?:[\r\n][ \t]*+(?P=label)\b|\Z)""",
            rf"\b(?i:const)(?:\s++[\w?|\\]++)??\s++(?P<constant>{_WORD}){_SPACE}={_SPACE}(?P<value>{_TEXT}){_SPACE}[;,]",
            rf"\$this{_SPACE}->{_SPACE}dependencies{_SPACE}={_SPACE}(?:(?i:array){_SPACE}\(|\[)"
            rf"(?P<needs>(?:{_SPACE}{_TEXT}{_SPACE},?)*+){_SPACE}[\])]",
            rf"\$this{_SPACE}->{_SPACE}ps_versions_compliancy{_SPACE}={_SPACE}(?:(?i:array){_SPACE}\(|\[)"
            rf"(?P<limits>(?:{_SPACE}{_TEXT}{_SPACE}=>{_SPACE}(?:{_TEXT}|{_WORD}){_SPACE},?)*+){_SPACE}[\])]",
            rf"\$this{_SPACE}->{_SPACE}version{_SPACE}={_SPACE}"
            rf"(?:(?P<version>{_TEXT})|(?P<number>{_NUMBER})|(?P<of>{_WORD}){_SPACE}::{_SPACE}(?P<named>{_WORD})){_SPACE};",
            r"'[^'\\]*+(?:\\(?:.|\Z)[^'\\]*+)*+(?:'|\Z)",
            r'"[^"\\]*+(?:\\(?:.|\Z)[^"\\]*+)*+(?:"|\Z)',
        )
    ).encode(),
    re.DOTALL,
)
_COMMENT: Final = rb"(?s)/\*.*?(?:\*/|\Z)|(?://|#)[^\n]*"
_NAMESPACE: Final = rb"(?mi)(?:^[ \t]{0,9}|(?:[;>]|<\?php)\s{0,9})namespace\s{1,9}(\w{1,255})[\w\\]{0,255}\s{0,9}[;{]"
_OWN: Final = frozenset({b"self", b"static"})


def version_in(php: bytes, module: str) -> str | None:
    """The first text, number, or constant of the class with one value in the file, that `$this->version` is set to."""
    constants: dict[bytes, set[bytes]] = {}
    found: list[tuple[bytes, bytes]] = []
    for token in re.finditer(_TOKEN, php):
        match token.lastgroup:
            case "value":
                constants.setdefault(token["constant"], set()).add(token["value"])
            case "version":
                found.append((token["version"], b""))
            case "number":
                found.append((b"'%.14g'" % float(token["number"]), b""))  # as PHP prints it
            case "named" if token["of"].lower() in {*_OWN, module.lower().encode(errors="replace")}:
                found.append((b"", token["named"]))
    for text, name in found:
        values = {text} if text else constants.get(name, set())
        if len(values) == 1:
            return values.pop()[1:-1].decode(errors="replace")
    return None


def needs_in(php: bytes) -> tuple[str, ...]:
    """The modules that the last list of texts names that `$this->dependencies` is set to."""
    lists = [token["needs"] for token in re.finditer(_TOKEN, php) if token.lastgroup == "needs"]
    return tuple(text[1:-1].decode(errors="replace") for text in re.findall(_TEXT.encode(), lists[-1])) if lists else ()


def limits_in(php: bytes) -> dict[str, str]:
    """The versions that the last list names that `$this->ps_versions_compliancy` is set to, by their keys."""
    lists = [token["limits"] for token in re.finditer(_TOKEN, php) if token.lastgroup == "limits"]
    pairs = re.findall(f"({_TEXT}){_SPACE}=>{_SPACE}({_TEXT})".encode(), lists[-1]) if lists else ()
    return {key[1:-1].decode(errors="replace"): text[1:-1].decode(errors="replace") for key, text in pairs}


def namespace_in(php: bytes) -> str | None:
    """The first part of the namespace that a PHP file declares."""
    space = re.search(_NAMESPACE, re.sub(_COMMENT, b" ", php)) if b"namespace" in php.lower() else None
    return space[1].decode(errors="replace") if space else None


def constant_in(php: bytes, name: str) -> str | None:
    """The text that a constant has, or a variable (`$version`), by the first line that sets it to one."""
    word = re.escape(name)
    text = re.search(rf"""(?:\b|(?=\$)){word}['"]?\s{{0,9}}[=,]\s{{0,9}}['"]([^'"\s]{{1,64}})['"]""".encode(), php)
    return text[1].decode(errors="replace") if text else None
