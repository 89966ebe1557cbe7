"""What is wrong with the folders that themes and modules are to go into (`docs/building.md`)."""

from typing import Final, TypeAlias

from pipeline.report.diagnostic import Diagnostic, Sentence
from pipeline.report.wording import listed


class BadFolder(Diagnostic, frozen=True):
    """Themes or modules cannot go into the folder that a flag or variable names."""

    by: str
    """The flag or the variable that names it."""
    folder: str
    fault: str
    at = "by"
    message = Sentence("no component can go into `{folder}`: {fault}")
    advice = "name a folder in the project, relative to it, such as `wp-content/plugins`"


class ComponentsElsewhere(Diagnostic, frozen=True):
    """A flag or variable names another folder than that of the components. No run moves components."""

    by: str
    """The flag or the variable that names it."""
    folder: str
    recorded: str
    at = "by"
    message = Sentence("components are already in `{recorded}`; tool does not move them to `{folder}`")
    advice = Sentence(
        "leave `{by}` out; or move the components from `{recorded}` to `{folder}`, delete `.tool-manifest.json`, and "
        "run again; tool adopts the files that equal their archive"
    )


class SystemsAmbiguous(Diagnostic, frozen=True):
    """The project has several systems, each with its own folders."""

    systems: tuple[str, ...]
    advice = "name the folders: `--themes-dir=FOLDER --modules-dir=FOLDER`"

    @property
    def message(self) -> str:
        return f"several systems are in the project, each with its own folders: {listed(self.systems, mark='')}"


PlacesProblem: TypeAlias = BadFolder | ComponentsElsewhere | SystemsAmbiguous

EXAMPLES: Final = (
    BadFolder("--modules-dir", "../plugins", "its name climbs by `..`"),
    ComponentsElsewhere("--modules-dir", "wp-content/plugins", "modules"),
    SystemsAmbiguous(("WordPress (wp-includes/version.php)", "Drupal (web/core/lib/Drupal.php)")),
)
