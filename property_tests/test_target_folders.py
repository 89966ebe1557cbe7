"""Laws of target folders: the first source in the order decides, and no folder is outside the
project.
"""

from pathlib import PurePath

from hypothesis import given
from hypothesis import strategies as st

from pipeline.archives.places import USUAL, Places
from pipeline.building.target_folders import choose_target_folders, named_folders
from pipeline.report.outcome import fold
from pipeline.systems.residences import Residence
from pipeline.systems.table import system_called

FOLDERS = st.sampled_from(
    ["a", "b/c", "wp-content/plugins", "web/modules", "../x", ".git/x", "/x", "drop/x", "a/b"]
)
NAMED = st.none() | FOLDERS
WORDPRESS = Places("wp-content/themes", "wp-content/plugins")


@given(NAMED, NAMED, st.booleans(), st.booleans())
def test_the_first_that_says_something_counts(
    flag: str | None, variable: str | None, is_recorded: bool, is_wordpress: bool
) -> None:
    """The order is flag, variable, record, detection; if a component is recorded, another folder is
    an error.
    """
    recorded, components = (Places("r/t", "r/m"), ("r/m/x",)) if is_recorded else (USUAL, ())
    named = named_folders({"module": flag}, {"TOOL_MODULES_DIR": variable or ""})
    systems = (Residence(system_called("WordPress"), ".", WORDPRESS),) * is_wordpress
    outcome = choose_target_folders(named, recorded, components, "drop", systems)
    asked = flag or variable
    least = recorded.modules if is_recorded else (WORDPRESS if is_wordpress else USUAL).modules
    places = fold(outcome, lambda places: places, lambda _: None)
    if places is None:
        assert asked is None or is_recorded or asked.startswith(("../", ".git", "/", "drop"))
        return
    assert places.modules == (asked or least)
    assert places.is_sound
    assert not {"..", ".git", ".tool"} & {
        *PurePath(places.modules).parts,
        *PurePath(places.themes).parts,
    }
    assert not is_recorded or places.modules == recorded.modules
