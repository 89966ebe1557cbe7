"""Strings: what the escapes in one stand for."""

import re
from typing import Final

_ESCAPE: Final = re.compile(
    r"\\(?:u\{(?P<point>[0-9A-Fa-f]+)\}|u(?P<unit>[0-9A-Fa-f]{4})|x(?P<byte>[0-9A-Fa-f]{2})|(?P<other>\r\n|.))",
    re.DOTALL,
)
_OTHER: Final = {
    **{"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0"},
    **dict.fromkeys(("\n", "\r\n"), ""),
}


def unescape(written: str) -> str:
    """Decode the escapes of a string; two halves of a surrogate pair become one character."""
    if "\\" not in written:
        return written
    units = _ESCAPE.sub(_escaped, written)
    return units.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def _escaped(match: re.Match[str]) -> str:
    digits = match["point"] or match["unit"] or match["byte"]
    return _OTHER.get(match["other"], match["other"]) if digits is None else chr(int(digits, 16))
