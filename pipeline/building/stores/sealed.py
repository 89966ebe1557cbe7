"""Sealed: the tool's own files, as JSON with a digest that shows if the content was
changed (`docs/building.md`).
"""

import re
from contextlib import suppress
from hashlib import sha256
from pathlib import PurePath
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Struct

_Content = TypeVar("_Content", bound=Struct)
_LAYOUT: Final = (
    rb'(?s)\{"kind":"([a-z]+)","schema":1,"digest":"([0-9a-f]{64})","content":(.*)\}\n?'
)
"""The layout that `seal` writes. The kind keeps a reader from taking one kind of file for another.

The digest is that of the content's shortest JSON, so the layout of the file is free. It covers the
content as it is, not as a reader decodes it, so another version of the tool may know other fields.
"""


def seal(content: Struct, name: str = "") -> bytes:
    """Encode a value with its digest and kind; the kind is the name of its type, unless
    `name` is given.
    """
    data = shortest(content)
    head = shortest(
        {"kind": name or _name(type(content)), "schema": 1, "digest": sha256(data).hexdigest()}
    )
    return b'%b,"content":%b}\n' % (head.removesuffix(b"}"), data)


def unseal(data: bytes, kind: type[_Content], name: str = "") -> _Content | None:
    """Decode a value; `None` if its content is not exactly what was sealed. Layout and
    escapes may differ.
    """
    for shortened in (bytes, _without_spaces, _encoded_anew):  # nearly always as it was written
        with suppress(ValueError, RecursionError):
            text = shortened(data)
            sealed = re.fullmatch(_LAYOUT, text)
            if sealed and sealed[1].decode() == (name or _name(kind)):
                # A copy of megabytes would take milliseconds.
                content = memoryview(text)[slice(*sealed.span(3))]
                if sealed[2].decode() == sha256(content).hexdigest():
                    return _decoded(content, kind)
    return None


def _without_spaces(data: bytes) -> bytes:
    """The shortest JSON, in a third of the time of `_encoded_anew`; enough unless the
    escapes differ.
    """
    return msgspec.json.format(data, indent=-1)


def _encoded_anew(data: bytes) -> bytes:
    return shortest(_decode(data))


def _decoded(content: memoryview, kind: type[_Content]) -> _Content:
    try:
        return msgspec.json.decode(content, type=kind, dec_hook=_made)
    except msgspec.DecodeError:  # lone surrogates
        return msgspec.convert(_decode(bytes(content)), kind, dec_hook=_made)


def _name(kind: type[Struct]) -> str:
    return kind.__name__.lower()


def shortest(data: Any) -> bytes:
    """The shortest JSON of a value. Lone surrogates, which stand for names that are not UTF-8,
    become escapes.
    """
    try:
        return msgspec.json.encode(data, enc_hook=str)
    except UnicodeEncodeError:
        import json  # costs start-up time

        return json.dumps(msgspec.to_builtins(data, enc_hook=str), separators=(",", ":")).encode()


def _decode(data: bytes) -> Any:
    try:
        return msgspec.json.decode(data)
    except msgspec.DecodeError:
        import json  # costs start-up time

        content = json.loads(data)  # which accepts lone surrogates
        # Refuse one that is no byte's.
        json.dumps(content, ensure_ascii=False).encode(errors="surrogateescape")
        return content


def _made(kind: type[Any], value: Any) -> Any:
    """Decode a path, the only type in these files that JSON does not have."""
    if not issubclass(kind, PurePath) or not isinstance(value, str):
        raise msgspec.ValidationError(f"expected a path, found {type(value).__name__}")
    return kind(value)
