"""Sealed: files of the tool's own, as JSON that tells when a byte of it was changed (`docs/building.md`)."""

from hashlib import sha256
from pathlib import PurePath
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

_Content = TypeVar("_Content", bound=Struct)


class _Sealed(Struct, frozen=True):
    """What a file holds. The digest is that of the content's shortest JSON, so that its layout is free."""

    digest: str
    content: msgspec.Raw


def seal(content: Struct) -> bytes:
    """Encode a value with its digest."""
    encoded = msgspec.json.encode(content, enc_hook=str)
    return msgspec.json.encode(_Sealed(_digest(encoded), msgspec.Raw(encoded))) + b"\n"


def unseal(data: bytes, kind: type[_Content]) -> _Content | None:
    """Decode a value; nothing if it is not exactly what was sealed."""
    try:
        sealed = msgspec.json.decode(data, type=_Sealed)
        content = msgspec.json.decode(sealed.content, type=kind, dec_hook=_made)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return content if _digest(msgspec.json.encode(content, enc_hook=str)) == sealed.digest else None


def _digest(encoded: bytes) -> str:
    return sha256(encoded).hexdigest()


def _made(kind: type[Any], value: Any) -> Any:
    """Make a path, the one type that JSON does not know."""
    if not issubclass(kind, PurePath) or not isinstance(value, str):
        raise msgspec.ValidationError(f"expected a path, found {type(value).__name__}")
    return kind(value)
