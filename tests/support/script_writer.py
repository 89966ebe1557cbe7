"""Random scripts: mostly literals, with a few things that no literal or no script may have."""

from collections.abc import Iterator
from itertools import count
from random import Random
from typing import Any

from tests.support.tables import page_of

SUFFIXES = (".ts", ".ts", ".ts", ".mts", ".cts", ".js", ".mjs", ".cjs")
_PIECES = page_of("scripts")
"""What scripts are made of: of each table, the first entries are common."""


class Writer:
    """Writes a random script: mostly a literal, sometimes with a few things that are none."""

    def __init__(self, chance: Random, suffix: str) -> None:
        self.chance, self.oddity = chance, chance.choice((0.0, 0.0, 0.02, 0.1))
        self.ids = count(1000)
        self.is_typed, self.is_common = "t" in suffix, "c" in suffix
        self.names: list[str] = []

    def pick(self, *choices: Any) -> Any:
        """Choose one."""
        return self.chance.choice(choices)

    def of(self, table: str, common: int) -> str:
        """Choose from a table, mostly of its first entries."""
        return self.pick(*_PIECES[table][: None if self.chance.random() < self.oddity else common])

    def gap(self) -> str:
        """What may stand between two tokens."""
        return self.pick(*_PIECES["odd gaps" if self.chance.random() < self.oddity / 4 else "gaps"])

    def value(self, depth: int) -> str:
        """A value, with what may be around it."""
        forms = [self.of("numbers", 10), self.of("strings", 10), self.of("words", 3), *self.names]
        text = self.pick(*forms, *([self.object(depth), self.row(depth)] if depth else ()))
        around = self.of("around", 10)
        if self.is_common and around[0] in "dt" and self.chance.random() > self.oddity:
            around = "(@)"
        if not self.is_typed and self.chance.random() > self.oddity:
            around = (
                self.pick("@", "(@)")
                if self.is_common
                else self.pick("@", "(@)", "d(@)", "t.definePreset(@,)")
            )
        if around.startswith("@ "):
            around += self.pick("", f" as{self.gap()} {self.of('types', 9)}")
        after = (
            ""
            if around.startswith(("@ ", "@!")) and self.chance.random() > self.oddity
            else self.gap()
        )
        return self.gap() + around.replace("@", text + after) + self.gap()

    def object(self, depth: int) -> str:
        """An object, with a number of its own that nothing in it replaces."""
        members = [
            *(self.member(depth) for _ in range(self.pick(0, 1, 2, 3))),
            f"id:{next(self.ids)}",
        ]
        return "{" + self.joined(members) + self.gap() + "}"

    def member(self, depth: int) -> str:
        """A member of an object."""
        if self.chance.random() < self.oddity:
            return self.pick(*_PIECES["members"])
        if self.names and self.chance.random() < 0.1:
            return self.gap() + self.pick(*self.names)
        return self.gap() + self.of("keys", 16) + self.gap() + ":" + self.value(depth - 1)

    def row(self, depth: int) -> str:
        """A list."""
        items = [self.value(depth - 1) for _ in range(self.pick(0, 1, 2, 3))]
        return (
            "["
            + self.joined([*items, *(["...[1]"] if self.chance.random() < self.oddity else [])])
            + "]"
        )

    def joined(self, members: list[str]) -> str:
        """Members with their commas."""
        comma = self.pick(",,", " ", ";") if self.chance.random() < self.oddity / 2 else ","
        return comma.join(members) + (self.pick("", ",") if members else "")

    def script(self) -> str:
        """A whole script."""
        head = "" if self.is_common else self.pick(*_PIECES["heads"])
        if not self.is_typed:
            head = head.replace(", type ToolConfig", "")
        for name in ("one", "two"):
            typed = (
                f": {self.of('types', 9)} " if self.is_typed and self.chance.random() < 0.3 else ""
            )
            head += f"{self.gap()}const {name}{typed}={self.value(1)}{self.pick(';', chr(10))}"
            self.names.append(name)
        export = self.of("by commonjs", 3) if self.is_common else self.of("exports", 7)
        text = (
            self.other() + head + self.other() + export.replace("@", self.object(3)) + self.other()
        )
        text = text if self.is_typed else text.replace(": ToolConfig", "")
        return self.mutated(text) if self.chance.random() < 0.1 else text

    def other(self) -> str:
        """Another statement, or none."""
        return self.pick(
            *(_PIECES["statements"] if self.chance.random() < self.oddity * 3 else [""])
        )

    def mutated(self, text: str) -> str:
        """A script of which a piece is cut out, doubled or replaced."""
        start = self.chance.randrange(len(text))
        end = start + self.pick(1, 1, 1, 2, 5)
        return (
            text[:start]
            + self.pick("", text[start:end] * 2, *"{}[](),;:!'\"`\\/*\n-+.=<> a0")
            + text[end:]
        )


def scripts(seed: int, number: int) -> Iterator[tuple[str, str]]:
    """The suffixes and the texts of some scripts."""
    chance = Random(seed)
    for _ in range(number):
        suffix = chance.choice(SUFFIXES)
        yield suffix, Writer(chance, suffix).script()
