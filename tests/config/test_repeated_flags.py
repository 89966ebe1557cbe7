"""The flags of a run that the commands in its messages repeat."""

from pathlib import PurePath

import pytest

from io_edges.cli.flags import PlacesFlags
from pipeline.config.flags import flags_to_repeat, read_flags
from pipeline.schema import Value

START = PurePath("/p")


@pytest.mark.parametrize(
    ("values", "flags"),
    [
        ({}, ()),
        ({"theme": "harbour"}, ("--theme=harbour",)),
        ({"modules_exclude": ("...", "a*")}, ("--exclude=...", "--exclude=a*")),
        ({"modules_exclude": ("[]",)}, ("--exclude=[]",)),
        ({"presets": ("auto",)}, ("--preset=auto",)),
        ({"cache_enabled": False}, ("--no-cache",)),
        ({"cache_enabled": True}, ("--cache",)),
        ({"log_format": "json"}, ()),
    ],
)
def test_the_flags_of_settings(values: dict[str, Value | None], flags: tuple[str, ...]) -> None:
    """They are written as they would be typed; the format of the log is not repeated."""
    assert flags_to_repeat(read_flags(values, START)) == flags


def test_the_flags_besides_settings() -> None:
    """The configuration, the ban on scripts and the target folders are repeated, if given."""
    given = PlacesFlags(config="c.json", no_exec=True, themes_dir="t", modules_dir="m", quiet=True)
    assert PlacesFlags().to_repeat == ()
    assert given.to_repeat == ("--config=c.json", "--no-exec", "--themes-dir=t", "--modules-dir=m")
