"""What an update breaks, as far as it can be told before it is built (`docs/building.md`)."""

from typing import Final

from msgspec import Struct

from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.wording import listed


class Override(Struct, frozen=True):
    """A file of a theme that is shown instead of one of a component; both are paths in the project."""

    path: str
    file: str
    is_removed: bool = False
    """Whether the update removes the file of the component."""

    def __str__(self) -> str:
        """Both paths."""
        return f"`{self.path}` overrides `{self.file}`{', which is removed' * self.is_removed}"


class OfUpdate(WarningDiagnostic, frozen=True):
    """What there is to say about the update of a component."""

    path: str
    at = "path"
    inside = "project"


class StaleOverride(OfUpdate, frozen=True):
    """An update changes or removes files that a theme overrides. The theme's own versions stay as they are."""

    overrides: tuple[Override, ...]
    command: str
    """What shows the change, as long as it is not built."""

    @property
    def message(self) -> str:
        what = listed([str(each) for each in self.overrides], mark="")
        return f"the update of `{self.path}` changes files that a theme overrides: {what}"

    @property
    def advice(self) -> str:
        return f"adapt the theme's files; until the update is built, `{self.command}` shows what it changes"


EXAMPLES: Final = (
    StaleOverride("modules/m", (Override("themes/t/modules/m/m.tpl", "modules/m/m.tpl"),), "tool diff drop --theirs"),
)
