"""The table of systems that the tool builds for, in the order in which their markers are tried."""

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
"""Takes the place of the system where no system's marker identifies a component."""


def system_called(name: str) -> System:
    """The system with a name; for any other name, one about which nothing is known."""
    return _BY_NAME.get(name, _NONE)


def is_rewritten(component: Component, name: str) -> bool:
    """Whether its system generates a file of a component, so that it holds nobody's work. The path
    is the file's there.
    """
    return system_called(component.system).rewrites(component, name)
