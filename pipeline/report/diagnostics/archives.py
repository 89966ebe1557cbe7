"""Errors and warnings about an archive (`docs/archives.md`)."""

from collections.abc import Iterable
from typing import Final, Literal, TypeAlias, TypeVar, get_args

from msgspec.structs import replace
from toolz import groupby

from pipeline.report.diagnostic import Diagnostic, Selectable, Sentence, WarningDiagnostic
from pipeline.report.events import ComponentKind
from pipeline.report.wording import shortened

_Error = TypeVar("_Error", bound=Diagnostic)


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


def one_each(errors: Iterable[_Error]) -> tuple[_Error, ...]:
    """Join the refusals of each archive: the first one counts the others. Other errors stay as they are."""
    groups: dict[str | int, list[_Error]] = groupby(
        lambda each: each.archive if isinstance(each, ArchiveRejected) else id(each), errors
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
    """An archive has no marker that its system reads; its names or its `composer.json` say what it is."""

    name: str
    kind: ComponentKind = "module"
    marker: str = ""
    """A file that is named like a marker, and cannot be used as one."""
    system: str = ""
    """The system, if only `composer.json` names it."""

    @property
    def message(self) -> str:
        if self.system:
            return f"only `composer.json` says what it is, and {self.system} does not read that file"
        why = f"`{self.marker}` has no name or type in it, or is too large" if self.marker else "no marker found"
        return f"{why}; taken for the {self.kind} `{self.name}`"

    @property
    def advice(self) -> str:
        if self.system:
            return "check that it does not have to be built from its sources first"
        if self.marker:
            return "fix that file, or download the archive again"
        other = "theme" if self.kind == "module" else "module"
        return f"if it is a {other}, put it in `{other}s/` of the drop"


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
Skipped: TypeAlias = Literal["empty", "unmarked", "nested"]
"""Why nothing is built of an archive that may be anything: it is empty; or, in a bundle, has no marker or is a bundle
too deep in others."""
_TO_MODULES: Final = "if it is a module nevertheless, put it in `modules/` of the drop"
_UNBUILT: Final[dict[Unbuilt | Skipped, tuple[str, str]]] = {
    "profile": ("an installation profile", "put it into `profiles/` of the site"),
    "layout": ("a layout", "put it into `layouts/` of the site"),
    "must-use plugins": ("a set of must-use plugins", "put them into `wp-content/mu-plugins/`"),
    "drop-in": ("a drop-in of WordPress", "put it into `wp-content/`"),
    "export": ("an export of a shop's theme", "import it in the shop"),
    "tool": ("a command-line tool without a `.module`", "install it as its documentation says"),
    "package": ("a Composer package of no known system", _TO_MODULES),
    "WordPress sources": ("a theme's sources, with no `style.css` at its root", "build it, and pack the result"),
    "theme sources": ("a theme's sources, with no `config/theme.yml`", "build it, and pack the result"),
    "system": ("the whole of {which}", "extract the components that you want, and pack them"),
    "foreign": ("an extension of {which}", _TO_MODULES),
    "data": ("{which}", _TO_MODULES),
    "empty": ("it has no files", "download it again, or remove it"),
    "unmarked": ("it has no marker", "to build it, put it in the drop by itself"),
    "nested": ("it is a bundle too deep in others to be opened", "to build it, put it in the drop by itself"),
}
"""What such an archive is, and what to do with it."""


def unbuilt_text(what: Unbuilt | Skipped, which: str = "") -> str:
    """What an archive is that is neither a theme nor a module, or why it is skipped."""
    return _UNBUILT[what][0].format(which=which)


class NotBuilt(OfArchive, frozen=True):
    """Nothing is built of an archive: it is neither a theme nor a module, has no files, or is in a bundle and has no
    marker.
    """

    what: Unbuilt | Skipped
    which: str = ""

    @property
    def message(self) -> str:
        text = unbuilt_text(self.what, self.which)
        skipped = self.what in get_args(Skipped)
        return f"{text}, and is not built" if skipped else f"it is {text}: neither theme nor module, and not built"

    @property
    def advice(self) -> str:
        return _UNBUILT[self.what][1]


class DropIns(OfArchive, frozen=True):
    """A plugin of WordPress has files beside it that WordPress looks for in `wp-content/` alone."""

    names: tuple[str, ...]
    message = Sentence("WordPress looks for {names} in `wp-content/`, not in a plugin")
    advice = "copy it there if the plugin does not"


class GuessedName(OfArchive, frozen=True):
    """A component is named after its folder, which a download has named, so the name is a guess."""

    name: str
    by: str
    message = Sentence("its name `{name}` is a guess from {by}")
    advice = "to give another name, rename the archive"


class GuessedNames(OfArchive, frozen=True):
    """An archive has names that are not in UTF-8 and do not say their encoding. They are read as CP437."""

    names: tuple[str, ...]
    message = Sentence("these names do not say their encoding, and are read as CP437: {names}")
    advice = "if they are wrong, pack it again with a program that writes UTF-8"


class LeftAlone(OfArchive, frozen=True):
    """A bundle has files that belong to none of its components; often they are documentation."""

    names: tuple[str, ...]
    message = Sentence("it is a bundle; all or part of {names} belongs to no component and is not built")
    advice = "if you need these files, unpack the bundle and put its contents in the drop"


def _mended(reason: str) -> str:
    """What to do about an archive that is refused."""
    return reason.partition("; ")[2] or "download the archive again"


ArchiveWarning: TypeAlias = UnrecognisedArchive | NotBuilt | DropIns | GuessedNames | LeftAlone
"""What recognising an archive finds; the cache keeps it."""

EXAMPLES: Final = (
    ArchiveRejected("m.zip", "it is encrypted; pack it again without a password", "m/m.php"),
    DamagedArchive("m.zip", "its end is missing, as when a download stops"),
    UnrecognisedArchive("sea.zip", "sea"),
    NotBuilt("standard.zip", "profile"),
    DropIns("cache.zip", ("object-cache.php",)),
    GuessedName("sea-main.zip", "sea", "sea-main/ (folder)"),
    GuessedNames("sea.zip", ("sea/café.txt",)),
    LeftAlone("b.zip", ("extra",)),
)
