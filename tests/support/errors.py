"""The event of an error as it should be, its message by what it has to say."""

from typing import Any


class Saying:
    """Equal to every text that has all of these parts in it: a message is asserted, its wording is not."""

    def __init__(self, *parts: str) -> None:
        self.parts = parts

    def __eq__(self, other: object) -> bool:
        return isinstance(other, str) and all(part in other for part in self.parts)

    def __hash__(self) -> int:
        return hash(self.parts)

    def __repr__(self) -> str:
        return f"Saying{self.parts!r}"


def error(name: str, code: int, path: str | None, source: str | None, *said: str) -> dict[str, Any]:
    """The whole event of one error."""
    return {"event": "error", "error": name, "exit": code, "path": path, "message": Saying(*said), "source": source}
