"""Resolve: from the current folder, flags and environment to settings. Read this first.

    locate → read → parse → normalise → migrate → validate → merge → emit

Configuration files and presets go through the same chain. Each stage is a module of this package, takes one value
and gives one value, and can be run alone. `docs/architecture.md` has the picture, `docs/precedence.md` the rules.
"""

from collections.abc import Mapping
from pathlib import PurePath

from msgspec import Struct
from returns.result import Success

from pipeline.config.disk import Disk
from pipeline.config.layers import Layer, Settings, defaults
from pipeline.config.presets import choose_presets
from pipeline.config.tree import Candidate
from pipeline.config.variables import read_variables
from pipeline.locate import Located, locate
from pipeline.merge import merge
from pipeline.migrate import migrate
from pipeline.normalise import normalise
from pipeline.parse import parse
from pipeline.read import read
from pipeline.report.outcome import Outcome, collect
from pipeline.validate import validate


class Request(Struct, frozen=True, kw_only=True):
    """What a run starts from. `start` is the absolute current folder."""

    start: PurePath
    flags: Layer = Layer()
    environ: Mapping[str, str] = {}
    config: str | None = None


class Resolution(Struct, frozen=True):
    """The settings of a run, and the configuration file that they came from."""

    settings: Settings
    located: Located
    files: tuple[str, ...] = ()
    """The configuration and the presets that were read, as shown."""


def resolve(request: Request, disk: Disk) -> Outcome[Resolution]:
    """Resolve the settings of a run. Problems: those of every stage."""
    return read_variables(request.environ, request.start).bind(
        lambda variables: locate(request.start, request.config, disk).bind(
            lambda located: load_all((located.candidate,) if located.candidate else (), disk).bind(
                lambda config: _settle((request.flags, variables, *config), located, request, disk)
            )
        )
    )


def load(candidate: Candidate, disk: Disk) -> Outcome[Layer]:
    """Make the layer of a configuration file or a preset."""
    return read(candidate, disk).bind(parse).map(normalise).map(migrate).bind(validate)


def load_all(candidates: tuple[Candidate, ...], disk: Disk) -> Outcome[tuple[Layer, ...]]:
    """Make the layers of several files, or collect all their problems."""
    return collect(load(candidate, disk) for candidate in candidates)


def load_named(start: PurePath, file: str, disk: Disk) -> Outcome[Layer]:
    """Make the layer of one file, named as for `--config`."""
    return locate(start, file, disk).bind(
        lambda located: load(located.candidate, disk) if located.candidate else Success(Layer())
    )


def _settle(above: tuple[Layer, ...], located: Located, request: Request, disk: Disk) -> Outcome[Resolution]:
    """Let the layers above choose the presets, then merge all five: a later preset overrides an earlier one."""
    builtin = defaults(request.start)

    def resolution(chosen: tuple[Candidate, ...], presets: tuple[Layer, ...]) -> Resolution:
        settings = merge((Layer(notes=located.notes), *above, *reversed(presets), builtin))
        return Resolution(settings, located, tuple(each.display_path for each in (located.candidate, *chosen) if each))

    return choose_presets(merge((*above, builtin)), request.environ, request.start, disk).bind(
        lambda chosen: load_all(chosen, disk).map(lambda presets: resolution(chosen, presets))
    )
