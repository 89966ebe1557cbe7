"""Resolve: from the current folder, flags and environment to settings. Read this first.

    locate → read → parse → normalise → migrate → validate → merge → emit

Configuration files and presets go through the same chain, up to `validate`. Each stage is a module
of this package and can be run alone; the edge runs `emit`, on the settings that come out.
`docs/contributing/architecture.md` has the picture, `docs/configuration.md` the rules.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import PurePath

from msgspec import Struct
from returns.result import Success
from toolz import unique

from pipeline.config.disk import Disk
from pipeline.config.flags import check_flags
from pipeline.config.layers import Element, Layer, Settings
from pipeline.config.odd_paths import odd_paths
from pipeline.config.presets import choose_presets, detect_presets
from pipeline.config.tree import ConfigFile
from pipeline.config.variables import read_variables
from pipeline.locate import Located, locate
from pipeline.merge import decide, merge, over
from pipeline.report.outcome import Outcome, collect, errors_of
from pipeline.values import replace


class Request(Struct, frozen=True, kw_only=True):
    """What a run starts from. `start` is the absolute current folder."""

    start: PurePath
    flags: Layer = Layer()
    environ: Mapping[str, str] = {}
    config: str | None = None
    no_exec: bool = False
    """Whether neither a hook nor a script may be run."""


class Resolution(Struct, frozen=True):
    """The settings of a run, and the files that they came from."""

    settings: Settings
    located: Located
    presets: tuple[ConfigFile, ...] = ()

    @property
    def files(self) -> tuple[str, ...]:
        """The configuration and the presets that were read, as the user knows them."""
        return tuple(file.display_path for file in (self.located.file, *self.presets) if file)


def resolve(request: Request, disk: Disk) -> Outcome[Resolution]:
    """Resolve the settings of a run. Errors: of every stage; a missing file comes before
    bad variables.
    """
    variables = read_variables(request.environ, request.start)
    located = locate(request.start, request.config, disk).alt(
        lambda missing: (*missing, *errors_of(variables))
    )
    return located.bind(partial(_resolve_located, request, disk, variables))


def _resolve_located(
    request: Request, disk: Disk, variables: Outcome[Layer], located: Located
) -> Outcome[Resolution]:
    """Make the layers above the presets, and add the presets; or collect the errors of all
    these layers.
    """
    upper = collect((check_flags(request.flags), variables, load_located(located, disk)))
    return upper.bind(partial(add_presets, request, disk, located))


class Presets(Struct, frozen=True):
    """The presets that the layers above them choose."""

    searched: tuple[PurePath, ...]
    """The folders that are searched for local presets."""
    detected: tuple[Element, ...]
    """The presets that apply if no layer lists any."""
    files: Outcome[tuple[ConfigFile, ...]]
    """The files of those that apply."""


def find_presets(request: Request, disk: Disk, upper: tuple[Layer, ...]) -> Presets:
    """Let the layers above choose the presets."""
    start = request.start
    search_path = decide("presetsSearchPath", upper, start, plain=disk.plain)
    folders = tuple(each.path for each in search_path.elements)
    detected = detect_presets(
        decide("presets", upper, start), folders, request.environ, start, disk
    )
    presets = decide("presets", upper, start, detected, disk.plain)
    chosen = choose_presets(presets, folders, start, disk)
    return Presets(folders, detected, chosen)


def add_presets(
    request: Request, disk: Disk, located: Located, upper: tuple[Layer, ...]
) -> Outcome[Resolution]:
    """Merge the presets that the layers above choose below these layers; a later preset overrides
    an earlier one.
    """
    presets = find_presets(request, disk, upper)

    def resolution(files: tuple[ConfigFile, ...], lower: tuple[Layer, ...]) -> Resolution:
        settings = merge((*upper, *reversed(lower)), request.start, presets.detected, disk.plain)
        warnings = (*settings.warnings, *odd_paths(settings, disk))
        return Resolution(replace(settings, warnings=warnings), located, files)

    def loaded(files: tuple[ConfigFile, ...]) -> Outcome[Resolution]:
        return load_all(files, disk).map(partial(resolution, files))

    return presets.files.bind(loaded)


def load_all(files: Sequence[ConfigFile], disk: Disk) -> Outcome[tuple[Layer, ...]]:
    """Make the layers of several files, or collect all their errors. A file listed twice takes
    its last place.
    """
    last = tuple(unique(reversed(files)))
    return collect(load(file, disk) for file in reversed(last))


def load_located(located: Located, disk: Disk) -> Outcome[Layer]:
    """Make the layer of the configuration; without one, it sets nothing."""
    warning_layer = Layer(warnings=located.warnings)
    if located.file is None:
        return Success(warning_layer)
    return load(located.file, disk).map(partial(over, warning_layer))


def load(file: ConfigFile, disk: Disk) -> Outcome[Layer]:
    """Make the layer of a configuration file or a preset."""
    # These cost start-up time, and many a project has no file. The edge imports all but the first
    # while a script is evaluated.
    from pipeline.read import read

    document = read(file, disk)
    from pipeline.migrate import migrate
    from pipeline.normalise import normalise
    from pipeline.parse import parse
    from pipeline.validate import validate

    return document.bind(parse).map(normalise).map(migrate).bind(validate)
