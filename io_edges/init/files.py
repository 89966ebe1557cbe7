"""Files: write the files of `tool init`, all or none, and replace no unknown file (`docs/configuration.md`)."""

import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from pathlib import Path, PurePath

from msgspec import Struct
from toolz import concat

from io_edges.system.atomic import backed_up, replace_file
from io_edges.system.stop import Stop, cause_of, require
from pipeline.config.tree import ConfigFile
from pipeline.init.config_text import DECLARATION, FILES, Format, bounded, config_text
from pipeline.init.declaration import ambient_declaration
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.configuration import ConfigUnreadable, rewritten_config
from pipeline.report.diagnostics.conflicts import OutputConflict
from pipeline.schema import Setting, Value


class ConfigTarget(Struct, frozen=True):
    """Where to write, in which format, and whether a configuration that is there may be replaced."""

    start: PurePath
    format: Format
    force: bool

    @property
    def name(self) -> str:
        """The name of the configuration file."""
        return FILES[self.format]

    @property
    def file(self) -> ConfigFile:
        """The configuration file, as the chain would read it."""
        return ConfigFile.at(self.name, self.start)


def current_files(target: ConfigTarget) -> dict[str, bytes | None]:
    """What is in the folder of what is written. Raises `Stop` if it must not be overwritten."""
    name = target.name
    current = {each: _load(target, each) for each in ((DECLARATION, name) if target.format == "ts" else (name,))}
    lost = [each for each, content in current.items() if _is_lost(each, content)]
    if lost and not target.force:
        raise Stop(*(OutputConflict(each, reason="config") for each in lost))
    return current


def contents(target: ConfigTarget, values: Mapping[Setting, Value]) -> dict[str, bytes]:
    """The name and content of every file that is written."""
    name = target.name
    files = {name: require(bounded(config_text(values, target.format), name)).encode()}
    return {DECLARATION: ambient_declaration().encode(), **files} if target.format == "ts" else files


def write_files(
    current: Mapping[str, bytes | None], files: Mapping[str, bytes]
) -> tuple[tuple[str, ...], tuple[WarningDiagnostic, ...]]:
    """Write what differs, or leave all as it was; return its names, and warnings of backups. Raises `Stop`."""
    changed = tuple(name for name in files if files[name] != current[name])
    with ExitStack() as stack:
        kept = [stack.enter_context(_written(name, files[name], current[name])) for name in changed]
    return changed, tuple(concat(kept))


def _is_lost(name: str, there: bytes | None) -> bool:
    """Whether a user's file would be overwritten."""
    return there is not None and (name != DECLARATION or there != ambient_declaration().encode())


def _load(target: ConfigTarget, name: str) -> bytes | None:
    """The content of a file in the folder; `None` if it does not exist. Raises `Stop`."""
    path = Path(target.start / name)
    try:
        if path.exists() and not path.is_file():
            raise Stop(OutputConflict(name, reason="other"))
        return path.read_bytes()
    except FileNotFoundError as error:
        if path.is_symlink() and not target.force:
            raise Stop(OutputConflict(name, reason="dangling")) from error
        return None
    except OSError as error:
        raise Stop(ConfigUnreadable(name, cause_of(error))) from error


@contextmanager
def _written(name: str, content: bytes, old: bytes | None) -> Iterator[tuple[WarningDiagnostic, ...]]:
    """Write one file over `old` and nothing else, and give the warnings about it; if the body fails, it is restored."""
    with backed_up(PurePath(name), old, name) if old is not None and _is_lost(name, old) else nullcontext() as backup:
        try:
            replace_file(PurePath(name), content, follow=True, over="nothing" if old is None else old)
        except FileExistsError as error:
            raise Stop(OutputConflict(name, reason="changed")) from error
        try:
            yield (rewritten_config(name, backup.name),) if backup else ()
        except BaseException:
            _restore(name, content, old)
            raise


def _restore(name: str, content: bytes, old: bytes | None) -> None:
    """Undo a write, unless the file has been changed since."""
    with suppress(OSError, Stop):
        target = Path(os.path.realpath(name))
        if old is None and target.read_bytes() == content:
            target.unlink()
        elif old is not None:
            replace_file(target, old, over=content)
