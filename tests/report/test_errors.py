"""Words of errors that depend on their facts, where the table of examples has only one of each."""

import pytest

from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics import Error
from pipeline.report.diagnostics.building import NothingToUndo
from pipeline.report.diagnostics.conflicts import ComponentReplaced
from pipeline.report.diagnostics.disk import damaged_file


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (
            ComponentReplaced("modules/m", "2", "", "m.zip", "", is_alone=False),
            ("no version of it was built", "of the components that you name"),
        ),
        (
            ComponentReplaced("modules/m", "2", "2", "m.zip", "1", is_missing=True),
            ("which was adopted as version 2, is missing", "restore it; or `--force` builds `m.zip` (1)"),
        ),
        (
            ComponentReplaced("modules/m", "3", "2", "m.zip", "1", undoing="whole"),
            ("version 3 is there, and 2 was built", "`--force` brings back the previous version"),
        ),
        (
            ComponentReplaced("modules/m", "3", "2", "m.zip", "1", undoing="in place"),
            ("version 3 is there, and 2 was built", "after that, `tool create --force`"),
        ),
        (damaged_file(".tool/state.json", "state", "permission denied"), ("cannot be read: permission denied", "")),
        (NothingToUndo("damaged", "p"), ("`p` has changed since the run", "")),
    ],
)
def test_the_other_words_of_an_update(error: Error | WarningDiagnostic, said: tuple[str, str]) -> None:
    """What is told depends on the facts."""
    assert said[0] in error.message
    assert said[1] in error.advice
