"""Words of errors that depend on their facts, where the table of examples has only one of each."""

import pytest

from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics import Error
from pipeline.report.diagnostics.bases import Command, DropBehind, UnknownBase, UnknownComponent
from pipeline.report.diagnostics.building import NothingToUndo
from pipeline.report.diagnostics.disk import damaged_file


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (
            UnknownBase((UnknownComponent("modules/m"),)),
            ("what `modules/m` was made from: no version is on disk", "move it away by hand"),
        ),
        (
            UnknownBase((UnknownComponent("themes/t", "1", "t.zip"), UnknownComponent("modules/m", "2", "m.zip", "3"))),
            ("`t.zip` has none; `--force` would replace 0 files", "put the archive of 1, 2 into the drop"),
        ),
        (
            UnknownBase((UnknownComponent("modules/m", "2", "m.zip", "2", likely="m.zip"),), Command("-d", "site")),
            ("2 is on disk", "run `tool create ./-d --mine modules/m --output=site`"),
        ),
        (
            UnknownBase((UnknownComponent("themes/t", "1", "t.zip", "2"),)),
            ("1 is on disk", "`--theme=none` leaves it to the system"),
        ),
        (DropBehind("modules/m", "m.zip", "", "2"), ("the drop has only no version (`m.zip`)", "builds it")),
        (damaged_file(".tool/state.json", "state", "permission denied"), ("cannot be read: permission denied", "")),
        (NothingToUndo("damaged", "p"), ("`p` has changed since the run", "")),
    ],
)
def test_the_other_words_of_an_update(error: Error | WarningDiagnostic, said: tuple[str, str]) -> None:
    """The message depends on the facts."""
    assert said[0] in error.message
    assert said[1] in error.advice
