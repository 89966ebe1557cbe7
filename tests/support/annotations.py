"""Workflow commands read back as the runner of GitHub Actions reads them from the output of a step."""

from typing import Final

_PROPERTY: Final = {"%0D": "\r", "%0A": "\n", "%3A": ":", "%2C": ",", "%25": "%"}
_MESSAGE: Final = {"%0D": "\r", "%0A": "\n", "%25": "%"}
"""What each code stands for; the one of the percent sign is decoded last."""


def read_back(line: str) -> tuple[str, dict[str, str], str]:
    """The command, its properties and its message; fails if the runner would take the line for output."""
    assert line.startswith("::")
    head, _, message = line.removeprefix("::").partition("::")
    command, _, properties = head.partition(" ")
    pairs = (pair.partition("=") for pair in properties.split(",") if "=" in pair)
    return command, {name: _decoded(value, _PROPERTY) for name, _, value in pairs}, _decoded(message, _MESSAGE)


def _decoded(text: str, codes: dict[str, str]) -> str:
    for code, char in codes.items():
        text = text.replace(code, char)
    return text
