"""Undo flags: the flags that `tool undo` and `tool redo` share."""

from typing import Annotated, Final

from cyclopts import Parameter

from io_edges.cli.changes import CHANGES, ChangeFlags
from io_edges.cli.flags import SETTING_GROUPS, Flags, Switch
from pipeline.schema import SETTINGS

_OBEYED: Final = {
    "presets",
    "presetsSearchPath",
    "hooks.postScriptsDir",
    "hooks.onFailure",
    "log.format",
}
"""The settings that undoing obeys, and those by which presets are found, which may set them."""


class UndoFlags(ChangeFlags):
    """The flags of `tool undo` besides the settings."""

    dry_run: Annotated[Switch, Parameter(alias="-n")] = False
    """Show the plan; write nothing and run no script."""
    force: Annotated[Switch, Parameter(group=CHANGES)] = False
    """If you have changed a file since, restore the previous one; back up yours."""
    mine: Annotated[Switch, Parameter(group=CHANGES)] = False
    """If you have changed a file since, keep yours; back up the previous one."""

    shows_unread = False


class UndoSettings(
    Flags,
    of=(
        (setting, SETTING_GROUPS[setting.group]) for setting in SETTINGS if setting.path in _OBEYED
    ),
):
    """One field for each of these settings, `None` where its flag is not given."""
