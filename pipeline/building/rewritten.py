"""Rewritten: the files of a component that its system writes anew, so that nobody's work is in them.

A shop of PrestaShop writes `config.xml` and `config_<iso>.xml` from what the module's class says.
"""

import re
from typing import Final

from pipeline.archives.archive import Component
from pipeline.archives.prestashop import BY_FILE_NAME

_REWRITTEN: Final = re.compile(r"config(?:_[A-Za-z]{2,3})?\.xml")


def is_rewritten(component: Component, name: str) -> bool:
    """Whether the system writes a file of a component anew, given its path there."""
    if component.field == BY_FILE_NAME or component.kind != "module":
        return False
    return component.system == "PrestaShop" and bool(_REWRITTEN.fullmatch(name))
