"""Values: how the value of a setting is written in text (`docs/reference/events.md`, Text)."""

import re
from typing import Final

from pipeline.report.escape import escape, to_json
from pipeline.schema import Value

_OTHER_TYPE: Final = re.compile(r"true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_AMBIGUOUS: Final = re.compile(r"""[\s,\[\]{}()"'\\;&|<>]""")


def value_text(value: Value) -> str:
    """A value in text: a list in brackets, and a string bare unless it could be read as something else."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(word, value))}]"
    return str(value).lower() if isinstance(value, bool) else word(value)


def word(text: str) -> str:
    """A string bare, or in the quotes of JSON where it would be ambiguous, or be several words of a shell."""
    bare = text and not _AMBIGUOUS.search(text) and not _OTHER_TYPE.fullmatch(text) and escape(text) == text
    return text if bare else to_json(text)
