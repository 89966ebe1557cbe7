"""The event of an error as it should be, its message by what it has to say."""

from typing import Any


class Saying:
    """Equal to every text that has all of these parts in it: a message is asserted, its
    wording is not.
    """

    def __init__(self, *parts: str) -> None:
        self.parts = parts

    def __eq__(self, other: object) -> bool:
        return isinstance(other, str) and all(part in other for part in self.parts)

    def __hash__(self) -> int:
        return hash(self.parts)

    def __repr__(self) -> str:
        return f"Saying{self.parts!r}"


class Failing:
    """Equal to the event of one error with these fields whose message and help together have all of
    these parts.
    """

    def __init__(self, fields: dict[str, Any], said: Saying) -> None:
        self.fields, self.said = fields, said

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, dict) or {*other} != {*self.fields, "message", "help"}:
            return False
        return {
            **other,
            **self.fields,
        } == other and f"{other['message']}; {other['help'] or ''}" == self.said

    def __hash__(self) -> int:
        return hash(self.said)

    def __repr__(self) -> str:
        return f"Failing({self.fields!r}, {self.said!r})"


def error(name: str, code: int, path: str | None, source: str | None, *said: str) -> Failing:
    """The whole event of one error."""
    fields = {"event": "error", "error": name, "exit": code, "path": path, "source": source}
    return Failing(fields, Saying(*said))
