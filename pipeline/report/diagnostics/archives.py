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
from pipeline.report.wording import clause, listed, shortened
from pipeline.values import replace

_Error = TypeVar("_Error", bound=Diagnostic)


class Mend(Struct, frozen=True):
    """What to do about an archive that is refused."""

    text: str
    command: str = ""
    """How to pack it again, if a command can: `{0}` is its path, `{1}` that of a new one, `{2}` that of a folder."""
    asks: str = ""
    """What the command asks for, as a clause."""


_PACKED: Final = "bsdtar --format=zip -cf {1} -C {2} . && mv {1} {0} && rm -r {2}"
_BY_BSDTAR: Final = f"mkdir {{2}} && bsdtar -xf {{0}} -C {{2}} && {_PACKED}"
_BY_7ZIP: Final = f"mkdir {{2}} && 7zz x -bso0 -bsp0 -o{{2}} {{0}} && {_PACKED}"
DOWNLOAD: Final = Mend("download the archive again")
"""For what is lost or changed on the way, and for nothing else: what a program wrote wrong stays wrong."""
REPACK: Final = Mend("pack it again with `zip`", "bsdtar --format=zip -cf {1} @{0} && mv {1} {0}")
UNPACK: Final = Mend("unpack it, and pack it again with `zip`", _BY_BSDTAR)
"""For names that programs put right when they unpack an archive."""
UNPACK_WITH_7ZIP: Final = Mend("unpack it with 7-Zip, and pack it again with `zip`", _BY_7ZIP)
"""For what `bsdtar` cannot read."""
DECRYPT: Final = Mend(
    "unpack it with its password, and pack it again without one", _BY_7ZIP, asks="which asks for its password"
)
ANEW: Final = Mend("have it packed anew, by another program")
"""For what programs read in different ways, or not at all."""
DISTRUST: Final = Mend("do not use the archive")


class Flaw(Struct, frozen=True):
    """What is wrong with an archive, or with one entry of it."""

    what: str
    """A clause, such as "it has two end records"."""
    mend: Mend | None = None
    entry: str | None = None

    def __str__(self) -> str:
        if self.mend is None:
            return self.what
        return f"{self.what}; {self.mend.text}"

    def at(self, entry: str | None) -> "Flaw":
        """The same flaw of an entry, or of the whole archive."""
        return replace(self, entry=entry)


class ArchiveRejected(Selectable, frozen=True):
    """An archive is damaged, contradicts itself, or could write outside its folder. Nothing of it is built."""

    archive: str
    flaw: Flaw
    more: int = 0
    """How many more reasons there are, if they are reported together; see `one_each`."""
    at = "archive"
    inside = "drop"

    @property
    def message(self) -> str:
        where = f"`{self.archive}`"
        if self.flaw.entry is not None:
            where += f", entry `{shortened(self.flaw.entry)}`"
        more = clause(", and {} more, which `--verbose` lists", self.more)
        return f"{where}: {self.flaw.what}{more}"

    @property
    def advice(self) -> str:
        leave_out = f"leave it out with `{self.excluding(self.archive)}`"
        mended = self._mended()
        if not mended:
            return leave_out
        return f"{mended}; or {leave_out}"

    def _mended(self) -> str:
        """What to do about it; to pack it again, with the command, unless it is in a bundle."""
        mend = self.flaw.mend
        if mend is None:
            return ""
        if not mend.command or "!" in self.archive or not self.drop:
            return mend.text
        path = str(PurePath(self.drop, self.archive))
        if self.archive.startswith(("./", "../", "/")):
            path = str(PurePath(self.archive))
        names = [shlex.quote(f"{path}{end}") for end in ("", ".new", ".files")]
        asks = clause(", {}", mend.asks)
        return f"pack it again with `{mend.command.format(*names)}`{asks}"


def one_each(errors: Iterable[_Error]) -> tuple[_Error, ...]:
    """Join the refusals of each archive: the first one counts the others. Other errors stay as they are."""
    groups: dict[str | int, list[_Error]] = groupby(_archive_of, errors)
    return tuple(_with_count(first, len(others)) for first, *others in groups.values())


def _archive_of(error: Diagnostic) -> str | int:
    """The archive that is refused; a value of its own for any other error."""
    if isinstance(error, ArchiveRejected):
        return error.archive
    return id(error)


def _with_count(error: _Error, more: int) -> _Error:
    """The error, which counts the further refusals if it is one."""
    if isinstance(error, ArchiveRejected):
        return replace(error, more=more)
    return error


def damaged_archive(archive: str, flaw: Flaw) -> WarningDiagnostic:
    """An archive is damaged or hostile, but is not selected: if it were, the run would end with `ArchiveRejected`."""
    which = clause("`{}`: ", shortened(flaw.entry or ""))
    message = f"it would be refused if it were selected: {which}{flaw.what}"
    advice = "remove it"
    if flaw.mend:
        advice = f"{flaw.mend.text}; or remove it"
    return WarningDiagnostic("damaged-archive", message, advice, in_drop(archive))


def unrecognised_archive(
    archive: str, name: str, kind: ComponentKind = "module", marker: str = "", system: str = ""
) -> WarningDiagnostic:
    """An archive has no marker that its system reads; its names or its `composer.json` say what it is.

    `marker` is a file that is named like one and cannot be used as one; `system`, if only `composer.json` names it.
    """
    if system:
        message = f"only `composer.json` says what it is, and {system} does not read that file"
        advice = "check that it does not have to be built from its sources first"
    elif marker:
        message = f"`{marker}` has no name or type in it, or is too large; taken for the {kind} `{name}`"
        advice = "fix that file, or download the archive again"
    else:
        message = f"no marker found; taken for the {kind} `{name}`"
        to_folder = _TO_FOLDER_OF_OTHERS[kind]
        advice = f"{to_folder}; if it is neither, leave it out with `{excluding(archive, None)}`"
    return WarningDiagnostic("unrecognised-archive", message, advice, in_drop(archive))


_TO_FOLDER_OF_OTHERS: Final[dict[ComponentKind, str]] = {
    "module": "if it is a theme, put it in `themes/` of the drop",
    "theme": "if it is a module, put it in `modules/` of the drop",
}
"""What to do with a component that is taken for one of the other kind, by the kind that it is taken for."""


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
    "old theme": ("a theme of PrestaShop 1.6 or thirty bees", "install it in the back office of such a shop"),
    "tool": ("a command-line tool without a `.module`", "install it as its documentation says"),
    "package": ("a Composer package of no known system", _TO_MODULES),
    "recipe": ("a recipe of Drupal", "put it into `recipes/` of the site, and apply it"),
    "other type": ("{which}", "put it where its documentation says"),
    "WordPress sources": ("a theme's sources, with no `style.css` at its root", "build it, and pack the result"),
    "theme sources": ("a theme's sources, with no `config/theme.yml`", "build it, and pack the result"),
    "unbuilt theme": (
        "a theme's sources, without {which}",
        "build it, and pack the result; if a hook script builds it, put it in `themes/` of the drop",
    ),
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


def not_built(archive: str, what: Unbuilt | Skipped, which: str = "") -> WarningDiagnostic:
    """Nothing is built of an archive: it is neither a theme nor a module, has no files, or is in a bundle and has no
    marker.
    """
    text = unbuilt_text(what, which)
    message = f"it is {text}: neither theme nor module, and not built"
    if what in get_args(Skipped):
        message = f"{text}, and is not built"
    return WarningDiagnostic("not-built", message, _UNBUILT[what][1], in_drop(archive))


def unusable(archive: str, name: str, system: str, facts: tuple[tuple[str, str], ...]) -> WarningDiagnostic:
    """A component has something that its system would not see, cannot read or refuses. It is built all the same.

    The facts are clauses: what, and why.
    """
    what = listed([f"{what}: {why}" for what, why in facts], mark="")
    message = f"{system} would not use `{name}` as it is: {what}"
    return WarningDiagnostic("unusable", message, "ask its vendor for one that does", in_drop(archive))


def lenient_marker(archive: str, marker: str) -> WarningDiagnostic:
    """Only lines of a marker were read by themselves: its system reads it, but it is no proper YAML."""
    message = f"{shortened(marker)} is no proper YAML; only its lines `key: value` were read"
    hint = (
        "check its name, version and needs with `tool inspect`; to be read whole, values with `: ` or `- ` need quotes"
    )
    return WarningDiagnostic("lenient-marker", message, hint, in_drop(archive))


def drop_ins(archive: str, names: tuple[str, ...]) -> WarningDiagnostic:
    """A plugin of WordPress has files beside it that WordPress looks for in `wp-content/` alone."""
    message = f"WordPress looks for {listed(names)} in `wp-content/`, not in a plugin"
    return WarningDiagnostic("drop-ins", message, "copy it there if the plugin does not", in_drop(archive))


def guessed_name(archive: str, name: str, by: str) -> WarningDiagnostic:
    """A component is named after its folder, which a download has named, so the name is a guess."""
    message = f"its name `{name}` is a guess from {by}"
    advice = "to give another name, rename the archive, before it is built or after an undo"
    return WarningDiagnostic("guessed-name", message, advice, in_drop(archive))


def guessed_names(archive: str, names: tuple[str, ...]) -> WarningDiagnostic:
    """An archive has names that are not in UTF-8 and do not say their encoding. They are read as CP437."""
    message = f"these names do not say their encoding, and are read as CP437: {listed(names)}"
    advice = "if they are wrong, pack it again with a program that writes UTF-8"
    return WarningDiagnostic("guessed-names", message, advice, in_drop(archive))


def left_alone(archive: str, names: tuple[str, ...]) -> WarningDiagnostic:
    """A bundle has files that belong to none of its components; often they are documentation."""
    message = f"it is a bundle; all or part of {listed(names)} belongs to no component and is not built"
    advice = "if you need these files, unpack the bundle and put its contents in the drop"
    return WarningDiagnostic("left-alone", message, advice, in_drop(archive))
