"""Laws of lifting: a 0.x file and the text that replaces it mean the same."""

from typing import Any

from hypothesis import given, settings

from pipeline.config.layers import Layer
from pipeline.config.tree import Document
from pipeline.init.lift import lift
from pipeline.report.diagnostics import ConfigError
from pipeline.report.outcome import fold
from pipeline.resolve import Request, Resolution, load, resolve
from pipeline.schema import SETTINGS
from property_tests.printing import Printed, printings, unexpected
from property_tests.strategies import file, legacy_files
from tests.support.disks import START, disk_of
from tests.support.sweep import law


def lifted(text: str) -> str | None:
    """Lift a text that is JSON; nothing where it is left as it is."""
    return fold(lift(Document(file("legacy"), text.encode())), lambda found: found, unexpected)


def read(text: str) -> Layer:
    """The layer of a text as the legacy file."""
    return fold(
        load(file("legacy"), disk_of({str(START / ".tool.json"): text})),
        lambda layer: layer,
        unexpected,
    )


def resolved(text: str) -> dict[str, Any] | tuple[str, ...]:
    """What a run decides with a text as the legacy file, without the places; or what
    it fails with.
    """
    found = resolve(Request(start=START), disk_of({str(START / ".tool.json"): text}))
    return fold(found, _settings, _names)


def _names(errors: tuple[ConfigError, ...]) -> dict[str, Any] | tuple[str, ...]:
    return tuple(type(error).__name__ for error in errors)


def _settings(resolution: Resolution) -> dict[str, Any] | tuple[str, ...]:
    found = resolution.settings
    return {
        setting.path: (
            getattr(found, setting.name),
            found.decision(setting.path).winner.value,
            found.decision(setting.path).winner.layer,
        )
        for setting in SETTINGS
    }


@settings(max_examples=law(400))
@given(printings(legacy_files))
def test_what_is_lifted_resolves_to_the_same_settings(pair: tuple[Any, Printed]) -> None:
    """The text that replaces a 0.x file gives each setting the same value from the same layer."""
    new = lifted(pair[1].text)
    if new is not None:
        assert resolved(new) == resolved(pair[1].text)


@settings(max_examples=law(400))
@given(printings(legacy_files))
def test_lifting_is_total_and_idempotent(pair: tuple[Any, Printed]) -> None:
    """Any JSON can be lifted; lifting the result again changes nothing, and reading it drops
    nothing.
    """
    new = lifted(pair[1].text)
    if new is not None:
        assert lifted(new) is None
        assert read(new).warnings == ()
