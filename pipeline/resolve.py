"""Resolve: from the current folder, flags and environment to settings. Read this first.

    locate → read → parse → normalise → migrate → validate → merge → emit

Configuration files and presets go through the same chain. Each stage is a module of this package, takes one value
and gives one value, and can be run alone. `docs/architecture.md` has the picture, `docs/precedence.md` the rules.
"""

from collections.abc import Iterable, Mapping
from pathlib import PurePath

from msgspec import Struct
from msgspec.structs import replace
from returns.result import Success

from pipeline.config.disk import Disk
from pipeline.config.edits import Edit, apply_edits
from pipeline.config.flags import check_flags
from pipeline.config.layers import Element, Layer, Settings
from pipeline.config.presets import choose_presets, detect_presets
from pipeline.config.tree import Candidate
from pipeline.config.variables import read_variables
from pipeline.locate import Located, locate
from pipeline.merge import merge, over
from pipeline.migrate import migrate
from pipeline.normalise import normalise
from pipeline.parse import parse
from pipeline.read import read
from pipeline.report.outcome import Outcome, collect, problems_of
from pipeline.validate import validate


class Request(Struct, frozen=True, kw_only=True):
    """What a run starts from. `start` is the absolute current folder."""

    start: PurePath
    flags: Layer = Layer()
    environ: Mapping[str, str] = {}
    config: str | None = None
    no_exec: bool = False
    """Whether neither a hook nor a script may be run."""
    edits: tuple[Edit, ...] = ()
    """What to suppose of the files, in order: `tool explain` tries changes with it."""


class Resolution(Struct, frozen=True):
    """The settings of a run, and the files that they came from."""

    settings: Settings
    located: Located
    presets: tuple[Candidate, ...] = ()

    @property
    def files(self) -> tuple[str, ...]:
        """The configuration and the presets that were read, as the user knows them."""
        return tuple(file.display_path for file in (self.located.candidate, *self.presets) if file)


def resolve(request: Request, disk: Disk) -> Outcome[Resolution]:
    """Resolve the settings of a run. Problems: those of every stage; a missing file comes before bad variables."""
    variables = read_variables(request.environ, request.start)
    return (
        locate(request.start, request.config, disk)
        .alt(lambda problems: (*problems, *problems_of(variables)))
        .bind(lambda located: _load_upper(located, variables, request, disk))
        .bind(lambda sources: _load_presets(sources, request, disk))
        .map(lambda sources: Resolution(_merged(sources, request), sources.located, sources.presets))
    )


def load(candidate: Candidate, disk: Disk, edits: tuple[Edit, ...] = ()) -> Outcome[Layer]:
    """Make the layer of a configuration file or a preset."""
    tree = read(candidate, disk).bind(parse).map(lambda tree: apply_edits(tree, edits))
    return tree.map(normalise).map(migrate).bind(validate)


def load_all(candidates: Iterable[Candidate], disk: Disk, edits: tuple[Edit, ...] = ()) -> Outcome[tuple[Layer, ...]]:
    """Make the layers of several files, or collect all their problems."""
    return collect(load(candidate, disk, edits) for candidate in candidates)


def load_named(start: PurePath, file: str, disk: Disk) -> Outcome[Layer]:
    """Make the layer of one file, named as for `--config`."""
    return locate(start, file, disk).bind(lambda located: _load_located(located, disk, ()))


class _Sources(Struct, frozen=True):
    """The layers above the defaults, highest first, and the files that they came from."""

    layers: tuple[Layer, ...]
    located: Located
    presets: tuple[Candidate, ...] = ()
    detected: tuple[Element, ...] = ()


def _merged(sources: _Sources, request: Request) -> Settings:
    return merge(sources.layers, request.start, sources.detected)


def _load_upper(located: Located, variables: Outcome[Layer], request: Request, disk: Disk) -> Outcome[_Sources]:
    """Make the layers above the presets, or collect all their problems."""
    layers = collect((check_flags(request.flags), variables, _load_located(located, disk, request.edits)))
    return layers.map(lambda upper: _Sources(upper, located))


def _load_located(located: Located, disk: Disk, edits: tuple[Edit, ...]) -> Outcome[Layer]:
    """Make the layer of the configuration; without one, it sets nothing."""
    layer = load(located.candidate, disk, edits) if located.candidate else Success(Layer())
    return layer.map(lambda layer: over(Layer(notes=located.notes), layer))


def _load_presets(sources: _Sources, request: Request, disk: Disk) -> Outcome[_Sources]:
    """Let the layers above choose the presets, and put those below them: a later preset overrides an earlier one."""
    detected = detect_presets(_merged(sources, request), request.environ, request.start, disk)
    upper = replace(sources, detected=detected)
    return choose_presets(_merged(upper, request), request.start, disk).bind(
        lambda candidates: _add_presets(upper, candidates, request, disk)
    )


def _add_presets(
    sources: _Sources, candidates: tuple[Candidate, ...], request: Request, disk: Disk
) -> Outcome[_Sources]:
    return load_all(candidates, disk, request.edits).map(
        lambda presets: replace(sources, layers=(*sources.layers, *reversed(presets)), presets=candidates)
    )
