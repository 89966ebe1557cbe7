"""Stop: how an edge leaves a run that cannot go on."""

import errno
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import PurePath
from typing import Final, NoReturn, TypeVar

from returns.result import Result

from pipeline.report.diagnostics import Error
from pipeline.report.diagnostics.disk import Cause, FileSystemProblem
from pipeline.report.outcome import fold

_Value = TypeVar("_Value")
CHANGED: Final = errno.ECANCELED
"""Says of a staged file that it was changed after it was verified; no call about files gives this number."""
_KINDS: Final[dict[int | None, Cause]] = {
    CHANGED: "changed",
    errno.EACCES: "permission",
    errno.EDQUOT: "quota",
    errno.EFBIG: "file size",
    errno.EMFILE: "open files",
    errno.ENFILE: "open files",
    errno.ENOENT: "missing",
    errno.ENOMEM: "memory",
    errno.ENOSPC: "space",
    errno.EPERM: "privilege",
    errno.EROFS: "read-only",
}
"""What each number of an error is for a person."""
_Error = TypeVar("_Error", bound=Error)


class Stop(Exception):  # noqa: N818 - a way out, not an error
    """Ends the run with errors; the command line reports them and exits."""

    def __init__(self, *errors: Error) -> None:
        super().__init__(*errors)
        self.errors = errors


def require(result: Result[_Value, tuple[_Error, ...]]) -> _Value:
    """Take the value of a result, or stop with its errors."""
    return fold(result, lambda value: value, _stop)


@contextmanager
def os_errors_as_diagnostics(path: PurePath) -> Iterator[None]:
    """Turn a refusal of the operating system, also of memory or a module, into a `FileSystemProblem` with a path."""
    try:
        yield
    except OSError as error:
        refused = str(path)
        if isinstance(error.filename, str):
            refused = error.filename
        raise Stop(problem_of(refused, error)) from error
    except ModuleNotFoundError:  # not refused: a part of the installation is missing
        raise
    except ImportError as error:
        raise Stop(FileSystemProblem(str(path), str(error))) from error
    except (MemoryError, SystemError) as error:  # C code that gets no memory may say only `SystemError`
        raise Stop(FileSystemProblem(str(path), "out of memory", "memory")) from error
    except UnicodeEncodeError as error:
        if error.encoding == "utf-8":  # which spells every name
            raise
        cause = f"the encoding {error.encoding} cannot spell it"
        raise Stop(FileSystemProblem(error.object, cause, "encoding")) from error
    except ValueError as error:
        if not str(error).startswith("embedded null"):  # the system refuses a NUL in a path as well
            raise
        raise Stop(FileSystemProblem(str(path), str(error))) from error


def refused_twice(do: Callable[[], object]) -> OSError | None:
    """Do something, and once more if the system refuses it, as that may be temporary; return the second refusal."""
    with suppress(OSError):
        do()
        return None
    try:
        do()
    except OSError as error:
        return error
    return None


def is_shortage(error: OSError) -> bool:
    """Whether an error says that the system has nothing left to give, whatever was asked for."""
    return error.errno in {errno.EAGAIN, errno.EMFILE, errno.ENFILE, errno.ENOMEM}


def problem_of(path: object, error: OSError | ValueError, module: str = "") -> FileSystemProblem:
    """The problem that the operating system refuses something at a path."""
    kind = _KINDS.get(getattr(error, "errno", None), "other")
    return FileSystemProblem(str(path), cause_of(error), kind, module)


def cause_of(error: OSError | ValueError) -> str:
    """The cause of an error, in the operating system's words if it is its, without path and number."""
    return ((isinstance(error, OSError) and error.strerror) or str(error)).lower()


def _stop(errors: tuple[Error, ...]) -> NoReturn:
    raise Stop(*errors)
