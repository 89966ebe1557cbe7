"""What is wrong with an archive, and what is worth knowing about one (`docs/archives.md`)."""

from collections.abc import Iterable
from typing import Final, Literal, TypeAlias, TypeVar

from msgspec.structs import replace
from toolz import groupby

from pipeline.report.diagnostic import Diagnostic, Selectable, Sentence, WarningDiagnostic
from pipeline.report.events import ComponentKind
from pipeline.report.wording import shortened

_Problem = TypeVar("_Problem", bound=Diagnostic)


class OfArchive(WarningDiagnostic, frozen=True):
    """What there is to say about an archive, by its path in the drop."""

    archive: str
    at = "archive"
    inside = "drop"


class ArchiveRejected(Selectable, frozen=True):
    """An archive is damaged, contradicts itself, or could write outside its folder. Nothing of it is built."""

    archive: str
    reason: str
    """What is wrong with it; after a semicolon, what to do."""
    entry: str | None = None
    more: int = 0
    """How many more reasons there are, if they are reported together; see `one_each`."""
    at = "archive"
    inside = "drop"

    @property
    def message(self) -> str:
        entry = f", entry `{shortened(self.entry)}`" if self.entry is not None else ""
        more = f", and {self.more} more, which `--verbose` lists" if self.more else ""
        return f"`{self.archive}`{entry}: {self.reason.partition('; ')[0]}{more}"

    @property
    def advice(self) -> str:
        return f"{_mended(self.reason)}; or leave it out with `{self.excluding(self.archive)}`"


def one_each(problems: Iterable[_Problem]) -> tuple[_Problem, ...]:
    """Join the refusals of each archive: the first one counts the others. Other problems stay as they are."""
    groups: dict[str | int, list[_Problem]] = groupby(
        lambda each: each.archive if isinstance(each, ArchiveRejected) else id(each), problems
    )
    return tuple(
        replace(first, more=len(others)) if isinstance(first, ArchiveRejected) else first
        for first, *others in groups.values()
    )


class DamagedArchive(OfArchive, frozen=True):
    """An archive is damaged or hostile, but is not selected: if it were, the run would end with `ArchiveRejected`."""

    reason: str
    entry: str | None = None

    @property
    def message(self) -> str:
        which = f"`{shortened(self.entry)}`: " if self.entry else ""
        return f"it would be refused if it were selected: {which}{self.reason.partition('; ')[0]}"

    @property
    def advice(self) -> str:
        return f"{_mended(self.reason)}; or remove it"


class UnrecognisedArchive(OfArchive, frozen=True):
    """An archive has no marker of a known system, so the names of its folder and files say what it is."""

    name: str
    kind: ComponentKind = "module"
    message = Sentence("no marker found; taken for the {kind} `{name}`")

    @property
    def advice(self) -> str:
        other = "theme" if self.kind == "module" else "module"
        return f"if it is a {other}, put it in `{other}s/` of the drop"


class UnreadMarker(OfArchive, frozen=True):
    """An archive has a file that is called like a marker, but does not say what the archive is."""

    marker: str
    message = Sentence(
        "`{marker}` cannot be used as a marker: no name or type in it, too large, or not what its name says"
    )
    advice = "fix it, or download it again"


Unbuilt: TypeAlias = Literal[
    "profile",
    "layout",
    "must-use plugins",
    "drop-in",
    "export",
    "tool",
    "package",
    "WordPress sources",
    "theme sources",
    "system",
    "foreign",
    "data",
]
"""What an archive may be that is neither a theme nor a module."""
_TO_MODULES: Final = "if it is a module all the same, put it in `modules/` of the drop"
_UNBUILT: Final[dict[Unbuilt, tuple[str, str]]] = {
    "profile": ("an installation profile", "put it into `profiles/` of the site"),
    "layout": ("a layout", "put it into `layouts/` of the site"),
    "must-use plugins": ("a set of must-use plugins", "put them into `wp-content/mu-plugins/`"),
    "drop-in": ("a drop-in of WordPress", "put it into `wp-content/`"),
    "export": ("an export of a shop's theme", "import it in the shop"),
    "tool": ("a tool for the command line, with no `.module`", "install it as its documentation says"),
    "package": ("a package for Composer, of no system", _TO_MODULES),
    "WordPress sources": ("a theme's sources, with no `style.css` at its root", "build it, and pack what comes out"),
    "theme sources": ("a theme's sources, with no `config/theme.yml`", "build it, and pack what comes out"),
    "system": ("the whole of {which}", "take out of it what is to be built, and pack that"),
    "foreign": ("an extension of {which}", _TO_MODULES),
    "data": ("{which}", _TO_MODULES),
}
"""What such is called, and where it belongs."""


def unbuilt_text(what: Unbuilt, which: str = "") -> str:
    """What an archive is that is neither a theme nor a module."""
    return _UNBUILT[what][0].format(which=which)


class NotBuilt(OfArchive, frozen=True):
    """An archive is neither a theme nor a module, but something else that is known. It is not built."""

    what: Unbuilt
    which: str = ""

    @property
    def message(self) -> str:
        return f"it is {unbuilt_text(self.what, self.which)}: neither theme nor module, and not built"

    @property
    def advice(self) -> str:
        return _UNBUILT[self.what][1]


class DropIns(OfArchive, frozen=True):
    """A plugin of WordPress has files beside it that WordPress looks for in `wp-content/` alone."""

    names: tuple[str, ...]
    message = Sentence("WordPress looks for {names} in `wp-content/`, not in a plugin")
    advice = "copy it there if the plugin does not"


class GuessedName(OfArchive, frozen=True):
    """A download made the folder that a component is to be called after, so that its name is guessed."""

    name: str
    by: str
    message = Sentence("it is called `{name}`, a guess from {by}")
    advice = "to give another name, rename the archive"


class GuessedNames(OfArchive, frozen=True):
    """An archive has names that are not in UTF-8 and do not say what else they are in. They are read as CP437."""

    names: tuple[str, ...]
    message = Sentence("names of an old program are read as CP437, which is a guess: {names}")
    advice = "if they are wrong, pack it again with a program that writes UTF-8"


class UnseenComponent(OfArchive, frozen=True):
    """An archive says only in its `composer.json` what it is; the system itself looks for another file."""

    system: str
    message = Sentence("only its `composer.json` says what it is, which {system} does not look at")
    advice = "check that it is not the sources of something that has to be built"


class PassedOver(OfArchive, frozen=True):
    """An archive in a bundle is not built: it may be documentation, or is a bundle that lies too deep."""

    nested: bool
    advice = "put it in the drop by itself if it is to be built"

    @property
    def message(self) -> str:
        return "it is a bundle too deep in others to be opened" if self.nested else "it has no marker, and is not built"


class LeftAlone(OfArchive, frozen=True):
    """A bundle has files that belong to none of its components; often they are documentation."""

    names: tuple[str, ...]
    message = Sentence("it is a bundle; all or part of {names} belongs to no component and is not built")
    advice = "unpack it and put what is in it in the drop, if it is needed"


class EmptyArchive(OfArchive, frozen=True):
    """An archive has no files; the download or the packing probably went wrong."""

    message = "it has no files; nothing is built from it"
    advice = "download it again, or remove it"


def _mended(reason: str) -> str:
    """What to do about an archive that is refused."""
    return reason.partition("; ")[2] or "download the archive again"


ArchiveNote: TypeAlias = (
    UnrecognisedArchive
    | UnreadMarker
    | NotBuilt
    | DropIns
    | GuessedNames
    | UnseenComponent
    | PassedOver
    | LeftAlone
    | EmptyArchive
)
"""What recognising an archive finds; the cache keeps it."""

EXAMPLES: Final = (
    ArchiveRejected("m.zip", "it is encrypted; pack it again without a password", "m/m.php"),
    DamagedArchive("m.zip", "its end is missing, as when a download stops"),
    UnrecognisedArchive("sea.zip", "sea"),
    UnreadMarker("m.zip", "m/config.xml"),
    NotBuilt("standard.zip", "profile"),
    DropIns("cache.zip", ("object-cache.php",)),
    GuessedName("sea-main.zip", "sea", "sea-main/ (folder)"),
    GuessedNames("sea.zip", ("sea/café.txt",)),
    UnseenComponent("sea.zip", "Drupal"),
    PassedOver("b.zip!docs.zip", False),
    LeftAlone("b.zip", ("extra",)),
    EmptyArchive("m.zip"),
)
