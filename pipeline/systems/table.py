"""The table of contents: every system that the tool builds for, in the order in which their markers are tried."""

from typing import Final

from pipeline.archives.archive import Component
from pipeline.systems.backdrop import BACKDROP
from pipeline.systems.drupal import DRUPAL
from pipeline.systems.drupal7 import DRUPAL_7
from pipeline.systems.omeka_classic import OMEKA_CLASSIC
from pipeline.systems.omeka_s import OMEKA_S
from pipeline.systems.prestashop import PRESTASHOP
from pipeline.systems.system import Sign, System
from pipeline.systems.thirty_bees import THIRTY_BEES
from pipeline.systems.wordpress import WORDPRESS

SYSTEMS: Final = (
    PRESTASHOP,
    THIRTY_BEES,
    OMEKA_S,
    DRUPAL,
    BACKDROP,
    DRUPAL_7,
    WORDPRESS,
    OMEKA_CLASSIC,
)
_BY_NAME: Final = {system.name: system for system in SYSTEMS}
_NONE: Final = System(name="", found_by=Sign(""))
"""Stands for the system of what no system's marker identifies."""


def system_called(name: str) -> System:
    """The system that a component is for, by its name; one of which nothing is known for any other name."""
    return _BY_NAME.get(name, _NONE)


def is_rewritten(component: Component, name: str) -> bool:
    """Whether its system writes a file of a component anew, given its path there, so that nobody's work is in it."""
    return system_called(component.system).rewrites(component, name)
