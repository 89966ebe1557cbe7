"""Sealed: the tool's own files, as JSON with a digest that shows if the content was changed (`docs/building.md`)."""

import json
import re
from hashlib import sha256
from pathlib import PurePath
from typing import Any, Final, Literal, TypeVar

import msgspec
from msgspec import Struct

_Content = TypeVar("_Content", bound=Struct)
_LAYOUT: Final = re.compile(rb'\{"kind":"([a-z]+)","schema":1,"digest":"([0-9a-f]{64})","content":(.*)\}\n?', re.DOTALL)
"""A file as `seal` lays it out."""


class _Sealed(Struct, frozen=True):
    """What a file holds. The digest is that of the content's shortest JSON, so the layout of the file is free.

    It covers the content as it is, not as a reader decodes it, so another version of the tool may know other fields.
    """

    kind: str
    """What the content is, so that one kind of file is not taken for another."""
    schema: Literal[1]
    digest: str
    content: Any


def seal(content: Struct) -> bytes:
    """Encode a value with its digest."""
    data = _encode(content)
    head = _encode({"kind": _name(type(content)), "schema": 1, "digest": sha256(data).hexdigest()})
    return b'%b,"content":%b}\n' % (head.removesuffix(b"}"), data)


def unseal(data: bytes, kind: type[_Content]) -> _Content | None:
    """Decode a value; `None` if it is not exactly what was sealed."""
    return _as_written(data, kind) or _in_any_layout(data, kind)


def _as_written(data: bytes, kind: type[_Content]) -> _Content | None:
    """As `_in_any_layout`, at once, which takes a third of the time; `None` if more than spaces and lines differ."""
    try:
        sealed = _LAYOUT.fullmatch(msgspec.json.format(data, indent=-1))
        if sealed is None or sealed[1].decode() != _name(kind) or sealed[2].decode() != sha256(sealed[3]).hexdigest():
            return None
        return msgspec.json.decode(sealed[3], type=kind, dec_hook=_made)
    except (ValueError, RecursionError):
        return None


def _in_any_layout(data: bytes, kind: type[_Content]) -> _Content | None:
    try:
        sealed = msgspec.convert(_decode(data), _Sealed)
        whole = sealed.kind == _name(kind) and sealed.digest == sha256(_encode(sealed.content)).hexdigest()
        return msgspec.convert(sealed.content, kind, dec_hook=_made) if whole else None
    except (ValueError, RecursionError):
        return None


def _name(kind: type[Struct]) -> str:
    return kind.__name__.lower()


def _encode(data: Any) -> bytes:
    """The shortest JSON of a value; a name that is not UTF-8 has lone surrogates, which become escapes."""
    try:
        return msgspec.json.encode(data, enc_hook=str)
    except UnicodeEncodeError:
        return json.dumps(msgspec.to_builtins(data, enc_hook=str), separators=(",", ":")).encode()


def _decode(data: bytes) -> Any:
    try:
        return msgspec.json.decode(data)
    except msgspec.DecodeError:
        content = json.loads(data)  # which accepts lone surrogates
        json.dumps(content, ensure_ascii=False).encode(errors="surrogateescape")  # but refuse one that is no byte's
        return content


def _made(kind: type[Any], value: Any) -> Any:
    """Make a path, the only type here that JSON does not have."""
    if not issubclass(kind, PurePath) or not isinstance(value, str):
        raise msgspec.ValidationError(f"expected a path, found {type(value).__name__}")
    return kind(value)
