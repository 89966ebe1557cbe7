"""Stop: end a run with errors, and turn errors of the operating system into diagnostics."""

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
"""The number of our error about a staged file that was changed after it was verified. No system
call uses it.
"""
_KINDS: Final[dict[int | None, Cause]] = {
    CHANGED: "changed",
    errno.EACCES: "permission",
    errno.ECHILD: "killed",
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
"""The cause behind each error number, in a word."""
_Error = TypeVar("_Error", bound=Error)


class Stop(Exception):  # noqa: N818 - a way out, not an error
    """Ends the run with errors; the command line reports them and exits."""

    def __init__(self, *errors: Error) -> None:
        super().__init__(*errors)
        self.errors = errors


def require(result: Result[_Value, tuple[_Error, ...]]) -> _Value:
    """Return the value of a result, or raise `Stop` with its errors."""
    return fold(result, lambda value: value, _stop)


@contextmanager
def os_errors_as_diagnostics(path: PurePath) -> Iterator[None]:
    """Turn an error of the operating system, or a lack of memory or of a module, into `Stop`
    with a path.
    """
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
    except (
        MemoryError,
        SystemError,
    ) as error:  # C code that gets no memory may say only `SystemError`
        raise Stop(FileSystemProblem(str(path), "out of memory", "memory")) from error
    except UnicodeEncodeError as error:
        if error.encoding == "utf-8":  # it can spell every name
            raise
        cause = f"the encoding {error.encoding} cannot spell it"
        raise Stop(FileSystemProblem(error.object, cause, "encoding")) from error
    except ValueError as error:
        if not _is_of_nul(error):
            raise
        raise Stop(problem_of(path, error)) from error


def refused_twice(do: Callable[[], object]) -> OSError | None:
    """Call `do`, and once more if the system refuses it, since that may be temporary; return the
    second error.
    """
    with suppress(OSError):
        do()
        return None
    try:
        do()
    except OSError as error:
        return error
    return None


def is_shortage(error: OSError) -> bool:
    """Whether an error means that the system has run out of something, such as memory
    or descriptors.
    """
    return error.errno in {errno.EAGAIN, errno.EMFILE, errno.ENFILE, errno.ENOMEM}


def problem_of(path: object, error: OSError | ValueError, module: str = "") -> FileSystemProblem:
    """The diagnostic of an error of the operating system at a path."""
    kind = _KINDS.get(getattr(error, "errno", None), "other")
    return FileSystemProblem(str(path), cause_of(error), kind, module)


def cause_of(error: OSError | ValueError) -> str:
    """The cause of an error without path and number, in the words of the operating system if
    it raised it.
    """
    if isinstance(error, OSError):
        return (error.strerror or str(error)).lower()
    if _is_of_nul(error):
        return "embedded null byte"
    return str(error).lower()


def _is_of_nul(error: ValueError) -> bool:
    """Whether Python refuses a path with a NUL, as the system would. From 3.13 on, it names the
    call and the argument as well.
    """
    return "embedded null" in str(error)


def _stop(errors: tuple[Error, ...]) -> NoReturn:
    raise Stop(*errors)
