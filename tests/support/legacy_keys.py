"""What warnings say about the keys of a 0.x file."""

import re
from collections.abc import Iterable
from typing import Final

from pipeline.report.diagnostic import WarningDiagnostic

_MESSAGE: Final = re.compile(r"(?:`(.*)` of )?the 0\.x file is (?:read as `([\w.]+)`|ignored: (.*))", re.DOTALL)


def legacy_keys(warnings: Iterable[WarningDiagnostic]) -> list[tuple[str, str, str]]:
    """Each key that is not taken over as it is, with the setting that it is read as, or why it is ignored."""
    found = (_MESSAGE.fullmatch(each.message) for each in warnings if each.code == "legacy-key")
    return [(match[1] or "", match[2] or "", match[3] or "") for match in found if match]
