"""Redundancies: what `tool config validate --strict` refuses, as facts (`docs/ci.md`)."""

from typing import TypeAlias

from msgspec import Struct

from pipeline.report.source import Source


class EqualSetting(Struct, frozen=True, tag=True):
    """A setting that is what it overrides: what a layer sets at `below`."""

    path: str
    source: Source
    layer: str
    below: Source


class RedundantItem(Struct, frozen=True, tag=True):
    """An item of a list that is there already, or a pattern that matches nothing that `by` does not."""

    path: str
    source: Source
    item: str
    by: str


class IdlePreset(Struct, frozen=True, tag=True):
    """A preset of which no setting is used."""

    path: str
    source: Source
    preset: str


Redundancy: TypeAlias = EqualSetting | RedundantItem | IdlePreset
"""What changes nothing; each has a path and a source."""
