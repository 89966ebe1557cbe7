"""Redo: the command that takes back the last undo."""

from io_edges.cli.changes import begin_change
from io_edges.cli.session import RunConsole
from io_edges.cli.undo import take_back
from io_edges.cli.undo_flags import UndoFlags, UndoSettings


def redo(
    *, flags: UndoFlags = UndoFlags(), settings: UndoSettings = UndoSettings(), console: RunConsole
) -> None:
    """Reverse the last undo.

    Examples:
      Show what would be brought back:
        tool redo --dry-run
      Redo the last update of the project shop/:
        tool redo --output shop

    Documentation: docs/building.md
    """
    take_back(begin_change("redo", flags, settings, (None,), console))
