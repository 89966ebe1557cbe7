"""Findings: what a check of configurations found, for programs (`docs/howto/git-and-ci.md`).

Takes values and gives strings; every text is escaped as in the log.
"""

import re
from collections.abc import Iterable
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from pipeline.report.escape import escape, to_json

Level: TypeAlias = Literal["error", "warning"]
FindingsFormat: TypeAlias = Literal["text", "json", "github"]
"""How findings are printed."""


class Finding(Struct, frozen=True, kw_only=True):
    """One error or warning. `file` is relative to the root of the repository, and absolute outside of it.

    Lines and columns count from 1, columns in characters; 0 means none. `source` is as in the log.
    """

    level: Level
    name: str
    message: str
    help: str = ""
    path: str | None = None
    """The setting."""
    source: str | None = None
    file: str = ""
    line: int = 0
    column: int = 0

    @property
    def text(self) -> str:
        """What is wrong with what, in one line."""
        return escape(f"{self.path}: {self.message}" if self.path else self.message)


_IN_MESSAGE: Final = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_IN_PROPERTY: Final = {**_IN_MESSAGE, ":": "%3A", ",": "%2C"}


def json_document(valid: Iterable[str], findings: Iterable[Finding]) -> str:
    """The files that are valid and every finding, as one line of JSON."""
    return to_json({"valid": [{"file": file} for file in valid], "findings": list(findings)})


def annotation(finding: Finding) -> str:
    """A workflow command of GitHub Actions, which shows the finding at the line of the file."""
    place = (("file", finding.file), ("line", finding.line), ("col", finding.column), ("title", finding.name))
    properties = ",".join(f"{name}={_encoded(escape(str(value)), _IN_PROPERTY)}" for name, value in place if value)
    help_line = f"\nhelp: {escape(finding.help)}" if finding.help else ""
    return f"::{finding.level} {properties}::{_encoded(finding.text + help_line, _IN_MESSAGE)}"


def _encoded(text: str, codes: dict[str, str]) -> str:
    return re.sub("[%\r\n:,]", lambda match: codes.get(match[0], match[0]), text)
