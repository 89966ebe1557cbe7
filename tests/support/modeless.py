"""A disk without modes, such as one of Windows: every file and folder is everybody's,
and executable.

A simulation: the calls of this process say so, whatever is on the disk. That of a real one is
tested where it may be mounted.
"""

import os
from collections.abc import Callable, Iterator
from typing import Any, Final

_ALL: Final = 0o777
_FIELDS: Final = [
    name
    for name in dir(os.stat_result)
    if name.startswith("st_") and name not in os.stat_result.__match_args__
]
"""Those that a status has beside its elements: from Python 3.13 on, no other may be named."""


def simulate() -> None:
    """Let this process find disks without modes only."""
    for name in ("stat", "lstat", "fstat"):
        setattr(os, name, _seen(getattr(os, name)))
    for name in ("chmod", "fchmod"):
        setattr(os, name, lambda *_, **__: None)
    os.scandir = _scanned(os.scandir)


def _without_mode(status: os.stat_result) -> os.stat_result:
    values = {name: getattr(status, name) for name in _FIELDS}
    return os.stat_result((status.st_mode | _ALL, *status[1:]), values)


def _seen(do: Callable[..., os.stat_result]) -> Callable[..., os.stat_result]:
    return lambda *args, **kwargs: _without_mode(do(*args, **kwargs))


class _Entry:
    def __init__(self, entry: os.DirEntry[str]) -> None:
        self.entry = entry

    def stat(self, **kwargs: Any) -> os.stat_result:
        return _without_mode(self.entry.stat(**kwargs))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.entry, name)


class _Scan:
    def __init__(self, scan: Any) -> None:
        self.scan = scan

    def __enter__(self) -> "_Scan":
        return self

    def __exit__(self, *_: object) -> None:
        self.scan.close()

    def __iter__(self) -> Iterator[_Entry]:
        return map(_Entry, self.scan)


def _scanned(do: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *args: _Scan(do(*args))
