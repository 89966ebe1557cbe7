"""Errors and warnings about what an update would break (`docs/building.md`)."""

import shlex
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pipeline.report.diagnostic import OfProject, Sentence, WarningDiagnostic
from pipeline.report.wording import counted, kept

_SHOWN: Final = 3
"""How many overrides are named on a screen."""


class Override(Struct, frozen=True):
    """A file of a theme that is shown instead of one of a component; both are paths in the project."""

    path: str
    file: str
    is_removed: bool = False
    """Whether the update removes the file of the component."""

    def __str__(self) -> str:
        """Both paths."""
        return f"`{self.path}` overrides `{self.file}`{', which is removed' * self.is_removed}"


class PartialArchive(OfProject, frozen=True):
    """An archive has so few files that it may be a part, such as a vendor's patch. Nothing is changed."""

    archive: str
    files: int
    left: int
    before: int
    """How many files the archive has; how many of those that were built it would leave; how many these are."""

    @property
    def message(self) -> str:
        has = f"`{self.archive}` has {counted(self.files, 'file')}"
        return f"{has}, and would leave {self.left:,} of the {self.before:,} files of `{self.path}`: it may be partial"

    @property
    def advice(self) -> str:
        return (
            f"if it is whole, `--merge --force {shlex.join((self.path,))}` builds it; if not, put a whole archive in "
            "the drop, or copy its files into the component; `--keep-going` builds the other components"
        )


class OfUpdate(WarningDiagnostic, frozen=True):
    """A warning about the update of a component."""

    path: str
    at = "path"
    inside = "project"


class StaleOverride(OfUpdate, frozen=True):
    """An update changes or removes files that a theme overrides. The theme's own versions stay as they are."""

    overrides: tuple[Override, ...]
    command: str
    """What shows the change, as long as it is not built."""
    more: int = 0
    """How many more overrides there are; see `shortened`."""

    @property
    def message(self) -> str:
        what = ", ".join(map(str, self.overrides))
        more = f", and {self.more:,} more, which `--verbose` lists" if self.more else ""
        return f"the update of `{self.path}` changes files that a theme overrides: {what}{more}"

    @property
    def advice(self) -> str:
        return f"adapt the theme's files; until the update is built, `{self.command}` shows what it changes"


def shortened(warning: WarningDiagnostic) -> WarningDiagnostic:
    """A warning with the first of its overrides, if there are many."""
    if not isinstance(warning, StaleOverride):
        return warning
    shown = tuple(kept(warning.overrides, _SHOWN))
    return replace(warning, overrides=shown, more=len(warning.overrides) - len(shown))


class UnmetRequirement(OfProject, frozen=True):
    """A component does not run on the version of its system in the project. It is not built; the others are."""

    system: str
    requires: str
    version: str
    message = Sentence("`{path}` requires {system} `{requires}`, and {version} is in the project; it is not built")

    @property
    def advice(self) -> str:
        return (
            f"update {self.system} first; or leave the archive out; `--force {shlex.join((self.path,))}` builds it all "
            "the same"
        )


class BeyondLimit(OfUpdate, frozen=True):
    """The shop in the project is newer than a module says it may be. The shop itself decides whether to install it."""

    system: str
    requires: str
    version: str
    message = Sentence("`{path}` says that it is for {system} `{requires}`, and {version} is in the project")
    advice = "ask its vendor for a newer version; it is built, but the shop may refuse to install it"


class EditsReplaced(OfUpdate, frozen=True):
    """Somebody or the system put another version in the place of a component, over files that you had edited."""

    version: str
    files: tuple[str, ...]
    message = Sentence("your edits of {files} are not in version {version} of `{path}`, which no run has built")
    advice = "make them again, or restore these files from a backup"


UpdateError: TypeAlias = PartialArchive | UnmetRequirement

EXAMPLES: Final = (
    PartialArchive("modules/m", "m-fix.zip", 3, 3, 50),
    UnmetRequirement("modules/m", "Drupal", "^10.3 || ^11", "10.2.4"),
    BeyondLimit("modules/m", "PrestaShop", "1.7 - 8.1", "8.2.0"),
    EditsReplaced("modules/m", "2.3.0", ("a.php",)),
    StaleOverride("modules/m", (Override("themes/t/modules/m/m.tpl", "modules/m/m.tpl"),), "tool diff drop --theirs"),
)
