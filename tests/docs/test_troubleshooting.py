"""The messages that the page on troubleshooting quotes are those that the tool prints."""

import ast
import re
from pathlib import Path

from tests.support.words import KEPT

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "troubleshooting.md").read_text(encoding="utf-8")
LINE = re.compile(r"^(?:error|warning): .+$", re.MULTILINE)
PLACE = re.compile(r"^(?:(error: \w+)|(warning)): (?:(?:[^`]+\.zip|[^\s`]+): )?")
REJECTED = re.compile(r"error: ArchiveRejected: `[^`]+`(?:, entry `[^`]+`)?: (.+)")


def quoted() -> list[str]:
    """The messages in the blocks of the page."""
    return LINE.findall(
        "".join(re.findall(r"^```text\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
    )


def pattern_of(line: str) -> str:
    """What matches a golden message with other names, numbers and places in it."""
    pattern = re.escape(PLACE.sub(r"\1\2: ", line))
    pattern = re.sub(r"`[^`]*`(?:,\\ `[^`]*`)*", "`[^`]*`(?:, `[^`]*`)*", pattern)
    return re.sub(r"\d+(?:\\\.\d+)*", r"[\\d.]+", re.sub(r"\bthis$", ".+", pattern))


def reasons() -> list[str]:
    """What matches each text in the packages that refuse archives."""
    nodes = [
        node
        for package in ("pipeline/archives", "pipeline/recognition", "io_edges/archives")
        for path in (ROOT / package).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    ]
    plain = [
        re.escape(node.value)
        for node in nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    built = [
        "".join(
            re.escape(str(part.value)) if isinstance(part, ast.Constant) else ".+"
            for part in node.values
        )
        for node in nodes
        if isinstance(node, ast.JoinedStr)
    ]
    return [*plain, *built]


def test_the_quoted_messages_are_printed() -> None:
    """Each quoted message is one of the golden ones, or refuses an archive for a reason in the
    code.
    """
    golden = [pattern_of(line) for line in LINE.findall(KEPT.read_text(encoding="utf-8"))]
    known = "|".join(golden)
    refused = "|".join(
        rf"(?:it\ is\ )?{text}" for text in reasons() if len(text) > len("it is empty")
    )
    lines = quoted()
    assert len(lines) >= 9
    assert [
        line
        for line in lines
        if not re.fullmatch(known, PLACE.sub(r"\1\2: ", line))
        and not ((rejected := REJECTED.fullmatch(line)) and re.fullmatch(refused, rejected[1]))
    ] == []
