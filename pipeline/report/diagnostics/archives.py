"""Errors and warnings about an archive (`docs/archives.md`)."""

import shlex
from collections.abc import Iterable
from pathlib import PurePath
from typing import Final, Literal, TypeAlias, TypeVar, get_args

from msgspec import Struct
from toolz import groupby

from pipeline.report.diagnostic import Diagnostic, Selectable, WarningDiagnostic, excluding
from pipeline.report.events import ComponentKind
from pipeline.report.location import in_drop
from pipeline.report.wording import agreeing, clause, listed, shortened
from pipeline.schema import is_archive_name
from pipeline.values import replace

_Error = TypeVar("_Error", bound=Diagnostic)


class Mend(Struct, frozen=True):
    """What to do about a refused archive."""

    text: str
    command: str = ""
    """The command that packs the archive again; empty if none can.

    `{0}` stands for the path of the archive, `{1}` for that of a new archive, `{2}` for that
    of a folder.
    """
    asks: str = ""
    """What the command asks the user for, as a clause."""


_PACKED: Final = "bsdtar --format=zip -cf {1} -C {2} . && mv {1} {0} && rm -r {2}"
_BY_BSDTAR: Final = f"mkdir {{2}} && bsdtar -xf {{0}} -C {{2}} && {_PACKED}"
_BY_7ZIP: Final = f"mkdir {{2}} && 7zz x -bso0 -bsp0 -o{{2}} {{0}} && {_PACKED}"
DOWNLOAD: Final = Mend("download the archive again")
"""Only for data that was lost or changed in transfer: a file that a program wrote wrong
stays wrong.
"""
REPACK: Final = Mend("pack it again with `zip`", "bsdtar --format=zip -cf {1} @{0} && mv {1} {0}")
UNPACK: Final = Mend("unpack it, and pack it again with `zip`", _BY_BSDTAR)
"""For names that programs correct when they unpack an archive."""
UNPACK_WITH_7ZIP: Final = Mend("unpack it with 7-Zip, and pack it again with `zip`", _BY_7ZIP)
"""For archives that `bsdtar` cannot read."""
DECRYPT: Final = Mend(
    "unpack it with its password, and pack it again without one",
    _BY_7ZIP,
    asks="which asks for its password",
)
ANEW: Final = Mend("have it packed again, with another program")
"""For archives that programs read in different ways, or not at all."""
DISTRUST: Final = Mend("do not use the archive")


class Flaw(Struct, frozen=True):
    """What is wrong with an archive, or with one of its entries."""

    what: str
    """A clause, such as "it has two end records"."""
    mend: Mend | None = None
    entry: str | None = None

    def __str__(self) -> str:
        if self.mend is None:
            return self.what
        return f"{self.what}; {self.mend.text}"

    def at(self, entry: str | None) -> "Flaw":
        """A copy of the flaw that names an entry, or the whole archive."""
        return replace(self, entry=entry)


class ArchiveRejected(Selectable, frozen=True):
    """An archive is damaged, contradicts itself, or could write outside its folder. Nothing of
    it is built.
    """

    archive: str
    flaw: Flaw
    more: int = 0
    """How many other flaws the archive has, if they are reported together; see `one_each`."""
    at = "archive"
    inside = "drop"

    @property
    def message(self) -> str:
        where = f"`{self.archive}`"
        if self.flaw.entry is not None:
            where += f", entry `{shortened(self.flaw.entry)}`"
        more = clause(" (and {} more; `--verbose` lists all)", self.more)
        return f"{where}: {self.flaw.what}{more}"

    @property
    def advice(self) -> str:
        leave_out = f"leave it out with `{self.excluding(self.archive)}`"
        mended = self._mended()
        if not mended:
            return leave_out
        if not is_archive_name(self.archive.partition("!")[0]):  # no run reads it
            return mended
        return f"{mended}; or {leave_out}"

    def _mended(self) -> str:
        """How to mend the archive: with a command, if one can and the archive is not
        in a bundle.
        """
        mend = self.flaw.mend
        if mend is None:
            return ""
        if not mend.command or "!" in self.archive or not self.command.drop:
            return mend.text
        path = str(PurePath(self.command.drop, self.archive))
        if self.archive.startswith(("./", "../", "/")):
            path = str(PurePath(self.archive))
        names = [shlex.quote(f"{path}{end}") for end in ("", ".new", ".files")]
        asks = clause(", {}", mend.asks)
        return f"pack it again with `{mend.command.format(*names)}`{asks}"


def one_each(errors: Iterable[_Error]) -> tuple[_Error, ...]:
    """Keep the first refusal of each archive, with the number of others. Other errors
    are unchanged.
    """
    groups: dict[str | int, list[_Error]] = groupby(_archive_of, errors)
    return tuple(_with_count(first, len(others)) for first, *others in groups.values())


def _archive_of(error: Diagnostic) -> str | int:
    """The name of the refused archive; for any other error, a unique key."""
    if isinstance(error, ArchiveRejected):
        return error.archive
    return id(error)


def _with_count(error: _Error, more: int) -> _Error:
    """A copy of a refusal with the number of others; any other error unchanged."""
    if isinstance(error, ArchiveRejected):
        return replace(error, more=more)
    return error


def damaged_archive(archive: str, flaw: Flaw) -> WarningDiagnostic:
    """An archive is damaged or hostile, but is not selected: if it were, the run would end
    with `ArchiveRejected`.
    """
    which = clause("`{}`: ", shortened(flaw.entry or ""))
    message = f"it would be refused if it were selected: {which}{flaw.what}"
    advice = "remove it"
    if flaw.mend:
        advice = f"{flaw.mend.text}; or remove it"
    return WarningDiagnostic("damaged-archive", message, advice, in_drop(archive))


def unrecognised_archive(
    archive: str, name: str, kind: ComponentKind = "module", marker: str = "", system: str = ""
) -> WarningDiagnostic:
    """An archive has no marker that its system reads; its names or its `composer.json`
    say what it is.

    `marker` is a file that is named like a marker but cannot be used as one. `system` is the system
    that `composer.json` names, if no other file names one.
    """
    if system:
        message = f"only `composer.json` says what it is, and {system} does not read that file"
        advice = "check that it does not have to be built from its sources first"
    elif marker:
        message = (
            f"`{marker}` lacks a name or a type, or is too large; treated as the {kind} `{name}`"
        )
        advice = "fix that file, or download the archive again"
    else:
        message = f"no marker found; treated as the {kind} `{name}`"
        to_folder = _TO_FOLDER_OF_OTHERS[kind]
        advice = f"{to_folder}; if it is neither, leave it out with `{excluding(archive, None)}`"
    return WarningDiagnostic("unrecognised-archive", message, advice, in_drop(archive))


_TO_FOLDER_OF_OTHERS: Final[dict[ComponentKind, str]] = {
    "module": "if it is a theme, put it in the drop's `themes/` folder",
    "theme": "if it is a module, put it in the drop's `modules/` folder",
}
"""The advice if a component may be of the other kind, by the kind that it is treated as."""


Unbuilt: TypeAlias = Literal[
    "profile",
    "layout",
    "must-use plugins",
    "drop-in",
    "old theme",
    "tool",
    "package",
    "recipe",
    "other type",
    "WordPress sources",
    "theme sources",
    "unbuilt theme",
    "system",
    "foreign",
    "data",
]
"""The kinds of archives that hold neither a theme nor a module."""
Skipped: TypeAlias = Literal["empty", "unmarked", "nested"]
"""Why an unidentified archive is not built: it is empty; or, in a bundle, it has no marker or is
nested too deeply.
"""
_TO_MODULES: Final = "if it is a module nevertheless, put it in the drop's `modules/` folder"
_UNBUILT: Final[dict[Unbuilt | Skipped, tuple[str, str]]] = {
    "profile": ("an installation profile", "put it into the site's `profiles/` folder"),
    "layout": ("a layout", "put it into the site's `layouts/` folder"),
    "must-use plugins": ("a set of must-use plugins", "put them into `wp-content/mu-plugins/`"),
    "drop-in": ("a WordPress drop-in", "put it into `wp-content/`"),
    "old theme": (
        "a theme for PrestaShop 1.6 or thirty bees",
        "install it in the back office of such a shop",
    ),
    "tool": ("a command-line tool without a `.module`", "install it as its documentation says"),
    "package": ("a Composer package for no known system", _TO_MODULES),
    "recipe": ("a Drupal recipe", "put it into the site's `recipes/` folder, and apply it"),
    "other type": ("{which}", "put it where its documentation says"),
    "WordPress sources": (
        "a theme's source code, without `style.css` at the root",
        "build it, and pack the result",
    ),
    "theme sources": (
        "a theme's source code, without `config/theme.yml`",
        "build it, and pack the result",
    ),
    "unbuilt theme": (
        "a theme's source code, without {which}",
        (
            "build it, and pack the result; if a hook script builds it, put it in the drop's "
            "`themes/` folder"
        ),
    ),
    "system": ("a complete copy of {which}", "extract the components that you want, and pack them"),
    "foreign": ("an extension for {which}", _TO_MODULES),
    "data": ("{which}", _TO_MODULES),
    "empty": ("it has no files", "download it again, or remove it"),
    "unmarked": ("it has no marker", "to build it, put it in the drop by itself"),
    "nested": (
        "it is a bundle nested too deeply to be opened",
        "to build it, put it in the drop by itself",
    ),
}
"""What an archive that is not built is, and what to do with it."""


_THEMES: Final = frozenset({"old theme", "WordPress sources", "theme sources", "unbuilt theme"})
"""The kinds that are themes, but cannot be built."""


def unbuilt_text(what: Unbuilt | Skipped, which: str = "") -> str:
    """What an archive that is not built is, or why it is skipped."""
    return _UNBUILT[what][0].format(which=which)


def not_built(archive: str, what: Unbuilt | Skipped, which: str = "") -> WarningDiagnostic:
    """An archive is not built: it is no theme or module, has no files, or is in a bundle and
    has no marker.
    """
    text = unbuilt_text(what, which)
    message = f"it is {text}, neither a theme nor a module, so it is not built"
    if what == "data":
        message = f"its content is {text}, neither a theme nor a module, so it is not built"
    if what in _THEMES:
        message = f"it is {text}, so it is not built"
    if what in get_args(Skipped):
        message = f"{text}, so it is not built"
    return WarningDiagnostic("not-built", message, _UNBUILT[what][1], in_drop(archive))


def unusable(
    archive: str, name: str, system: str, facts: tuple[tuple[str, str], ...]
) -> WarningDiagnostic:
    """A component has something that its system would not see, cannot read or refuses. It is
    built anyway.

    The facts are clauses: what, and why.
    """
    what = listed([f"{what}: {why}" for what, why in facts], mark="")
    message = f"{system} would not use `{name}` as it is: {what}"
    advice = f"ask the vendor for a version that works with {system}"
    return WarningDiagnostic("unusable", message, advice, in_drop(archive))


def lenient_marker(archive: str, marker: str) -> WarningDiagnostic:
    """A marker was read line by line: its system accepts it, but it is not valid YAML."""
    message = f"{shortened(marker)} is not valid YAML; only its `key: value` lines were read"
    check = "check the name, version and requirements with `tool inspect`"
    advice = f"{check}; quote values that contain `: ` or `- ` to make the whole file readable"
    return WarningDiagnostic("lenient-marker", message, advice, in_drop(archive))


def drop_ins(archive: str, names: tuple[str, ...]) -> WarningDiagnostic:
    """A WordPress plugin has files that WordPress only looks for in `wp-content/`."""
    message = f"WordPress looks for {listed(names)} in `wp-content/`, not in a plugin"
    advice = f"copy {agreeing(names, 'it', 'them')} there if the plugin does not do so"
    return WarningDiagnostic("drop-ins", message, advice, in_drop(archive))


def guessed_name(archive: str, name: str, by: str) -> WarningDiagnostic:
    """A component is named after its folder, and a download named the folder, so the
    name is a guess.
    """
    message = f"its name, `{name}`, is guessed from {by}"
    advice = "to choose another name, rename the archive (before building it, or after `tool undo`)"
    return WarningDiagnostic("guessed-name", message, advice, in_drop(archive))


def guessed_names(archive: str, names: tuple[str, ...]) -> WarningDiagnostic:
    """An archive has names that are not in UTF-8 and do not declare their encoding. They are
    read as CP437.
    """
    message = f"these names do not declare their encoding, and are read as CP437: {listed(names)}"
    advice = "if they are wrong, pack the archive again with a program that writes UTF-8"
    return WarningDiagnostic("guessed-names", message, advice, in_drop(archive))


def left_alone(archive: str, names: tuple[str, ...]) -> WarningDiagnostic:
    """A bundle has files that belong to none of its components; often they are documentation."""
    message = (
        f"it is a bundle; all or part of {listed(names)} belongs to no component and is not built"
    )
    advice = "if you need these files, unpack the bundle and put its contents in the drop"
    return WarningDiagnostic("left-alone", message, advice, in_drop(archive))
