"""Places: where the values of an evaluated script are written: in the object that its text
exports, or nowhere.

Takes the text of a script and the data that it evaluated to; gives the position of each value whose
key the exported object itself has. A text is followed only as far as it can mean one thing: no
place is better than a wrong one. The work is linear in the length of the text (`docs/scripts.md`).
"""

import re
from collections.abc import Container, Iterator, Mapping
from itertools import islice
from typing import Final

from msgspec import Struct

from pipeline.config.json_reader import locations_in
from pipeline.config.tree import KeyPath, Position

TEXT_LIMIT: Final = 128 * 1024
"""The most characters of a text that is searched."""
KEY_LIMIT: Final = 100
"""The most keys that get a position."""
_NESTING: Final = 8
"""How many brackets, functions and names may stand between `export default` and the object."""

_TOKEN: Final = re.compile(
    r"""(?P<skip>[\s\ufeff]++|//[^\n\r\u2028\u2029]*+|/\*.*?\*/)
    |(?P<string>"(?:\\.|[^"\\\n\r])*+"|'(?:\\.|[^'\\\n\r])*+')
    |(?P<template>`(?:\\.|\$\{(?:[^{}`'"/\\]|"[^"\\\n]*+"|'[^'\\\n]*+')*+\}|\$(?!\{)|[^`\\$])*+`)
    |(?P<word>[\w$]++)
    |(?P<slash>/)
    |(?P<sign>=>|\.\.\.|&&|\|\||\?\?|[!#%&()*+,\-.:;<=>?@\[\]^{|}~])""",
    re.DOTALL | re.VERBOSE,
)
_REGEX: Final = re.compile(r"/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n\r])*+\]|[^/\\\[\n\r])++/\w*+")
_BEFORE_REGEX: Final = frozenset("(,=:[;{?&|") | {"=>", "&&", "||", "??", ""}
"""Signs after which a slash begins a regular expression; the empty one is the beginning of
the text.
"""
_NEXT_SLASH: Final = re.compile(r"[/\n\r]")
_MATTERS: Final = re.compile(r"[\"'`{}()\[\]\\]")
"""Signs that make it matter whether a slash begins a regular expression."""
_BEYOND: Final = [""] * 4
"""Tokens after the last one, so that looking ahead needs no check."""
_DECLARED_AND_EXPORTED: Final = 2
_CLOSING: Final = {"{": "}", "[": "]", "(": ")"}
_HELPERS: Final = ("defineConfig", "definePreset")
_WORD: Final = re.compile(r"[\w$\"']")
"""The beginning of a name, a number or a text."""
_TYPE_SIGNS: Final = frozenset(".|&<>[{")
"""Signs of a type, beside names and texts."""
_PLAIN: Final = re.compile(r"(['\"])([^\\]*)\1|true|false|[0-9]|[1-9][0-9]+", re.DOTALL)
"""A value that is certain from its text; a string is the second group."""


class _Member(Struct, frozen=True):
    """A member of an object, by the numbers of its tokens."""

    key: int
    value: int
    """The first token of the value."""
    is_literal: bool
    """Whether the value is one token or one pair of brackets; a type may follow it."""


def places_in(text: str, file: str, data: object) -> dict[KeyPath, Position]:
    """The position of each value that only one place in the text can have given."""
    if len(text) > TEXT_LIMIT or not isinstance(data, dict):
        return {}
    script = _Script.of(text)
    if script is None:
        return {}
    brace = script.exported()
    if brace is None:
        return {}
    at = locations_in(file, text)
    return {
        path: Position(path, at(script.starts[member.value]), at(script.starts[member.key]))
        for path, member in islice(script.places(brace, data, ()), KEY_LIMIT)
    }


class _Script(Struct, frozen=True):
    """The tokens of a script: their words, and where each begins."""

    words: list[str]
    starts: list[int]
    breaks: frozenset[int]
    """The tokens that are the first of a line."""
    closing: Mapping[int, int]
    """The closing bracket of each that opens."""

    @classmethod
    def of(cls, text: str) -> "_Script | None":
        """Split a text into tokens; `None` if they are uncertain."""
        tokens = list[re.Match[str]]()
        before = ""
        at = 0
        while at < len(text):
            found = _TOKEN.match(text, at)
            if found and found.lastgroup == "slash":
                found = _slash(text, at, before)
            if found is None:
                return None
            if found.lastgroup != "skip":
                tokens.append(found)
                before = found[0]
            at = found.end()
        words = [token[0] for token in tokens]
        closing = _brackets(words)
        if closing is None:
            return None
        ends = [0, *(token.end() for token in tokens)]
        breaks = (
            number
            for number, token in enumerate(tokens)
            if "\n" in text[ends[number] : token.start()]
        )
        return cls(
            [*words, *_BEYOND], [token.start() for token in tokens], frozenset(breaks), closing
        )

    @property
    def end(self) -> int:
        """The number of tokens."""
        return len(self.starts)

    def level(self, start: int, end: int) -> Iterator[int]:
        """The tokens between two tokens, without those in brackets."""
        while start < end:
            yield start
            start = self.closing.get(start, start) + 1

    def until(self, signs: Container[str], start: int, end: int) -> int:
        """The first of some signs outside brackets; otherwise the end."""
        return next((at for at in self.level(start, end) if self.words[at] in signs), end)

    def exported(self) -> int | None:
        """The opening brace of the exported object, if there is exactly one export."""
        forms: list[tuple[str, ...]] = [("export", "default"), ("export", "=")]
        if self.count("exports") == self.count("module") == 1:
            forms.append(("module", ".", "exports", "="))
        starts = [
            at + len(form)
            for form in forms
            for at in self.level(0, self.end)
            if self.begins(at, *form)
        ]
        if len(starts) != 1:
            return None
        return self._object(starts[0], self.until({";"}, starts[0], self.end))

    def begins(self, at: int, *words: str) -> bool:
        """Whether these words start at a token."""
        return self.words[at : at + len(words)] == [*words]

    def count(self, name: str) -> int:
        """How often a name occurs in the text, including in quotes."""
        return sum(self.words.count(each) for each in (name, f'"{name}"', f"'{name}'"))

    def _object(self, start: int, end: int) -> int | None:
        """The opening brace of the object that an expression gives, either itself or when it
        is called.
        """
        for _ in range(_NESTING):
            if start >= end:
                return None
            if self.words[start] == "{":
                if not self._is_whole(self.closing[start] + 1, end):
                    return None
                return start
            inside = self._inside(start, end)
            if inside is None:
                return None
            start, end = inside
        return None

    def _inside(self, start: int, end: int) -> tuple[int, int] | None:
        """The expression that a wrapping one gives: the one in its brackets, the one it returns, or
        the one it names.
        """
        first = start
        if self.words[start] == "async":
            first = start + 1
        word = self.words[first]
        after = self.words[first + 1]
        if word == "function":
            if after != "(" and self.count(after) != 1:  # it may be given another value
                return None
            return self._returned(self.until({"{"}, first, end), end)
        arrow = self.until({"=>"}, first, end)
        if arrow < end and all(
            self._is_type(at) or self.words[at] in {"(", ":"} for at in self.level(first, arrow)
        ):
            if self.words[arrow + 1] == "{":
                return self._returned(arrow + 1, end)
            return arrow + 1, end
        if first != start:
            return None
        opening = start
        if self._is_helper(word):
            opening = start + 1
        close = self.closing.get(opening, start)
        if not self._is_whole(close + 1, end):
            return None
        if close == start:
            return self._initial(word)
        return opening + 1, close

    def _returned(self, block: int, end: int) -> tuple[int, int] | None:
        """The value of the only `return` in a function body."""
        close = self.closing.get(block, end)
        if not self._is_whole(close + 1, end) or self.words[block:close].count("return") != 1:
            return None
        start = self.until({"return"}, block + 1, close) + 1
        return start, self.until({";"}, start, close)

    def _initial(self, name: str) -> tuple[int, int] | None:
        """The value of a constant that only the export uses."""
        declared = [at for at in self.level(0, self.end) if self.begins(at, "const", name)]
        if not declared or self.count(name) > _DECLARED_AND_EXPORTED:
            return None
        start = self.until({"="}, declared[0], self.end) + 1
        return start, self.until({";", ","}, start, self.end)

    def _is_helper(self, name: str) -> bool:
        """Whether a name always stands for a helper of `tool`, which returns its argument."""
        uses = [at for at, word in enumerate(self.words) if word == name in _HELPERS]
        bound = [at for at in uses if self.words[at + 1] in {"}", ","}]
        calls = [at for at in uses if self.words[at + 1] == "("]
        if len(bound) != 1 or len(calls) + 1 != len(uses):
            return False
        brace = self.until({"}"}, bound[0], self.end)
        source = " ".join(self.words[brace + 1 : brace + 5]).replace("'", '"')
        return source.startswith(('from "tool"', '= require ( "tool"'))

    def _is_whole(self, at: int, end: int) -> bool:
        """Whether an expression ends before a token: only its type or the next
        statement follows.
        """
        if at >= end or (at in self.breaks and self._is_word(at)):
            return True
        return self.words[at] in {"as", "satisfies"} and all(
            map(self._is_type, self.level(at, end))
        )

    def _is_word(self, at: int) -> bool:
        return _WORD.match(self.words[at]) is not None

    def _is_type(self, at: int) -> bool:
        return self._is_word(at) or self.words[at] in _TYPE_SIGNS

    def places(
        self, brace: int, data: dict[str, object], above: KeyPath
    ) -> Iterator[tuple[KeyPath, _Member]]:
        """Each path of keys below an object, with the only member that can have given its value."""
        members = self._members(brace)
        for key, value in data.items():
            fitting = [member for member in members.get(key, ()) if self._fits(member, value)]
            if len(fitting) != 1:
                continue
            yield (*above, key), fitting[0]
            is_object = fitting[0].is_literal and self.words[fitting[0].value] == "{"
            if is_object and isinstance(value, dict):
                yield from self.places(fitting[0].value, value, (*above, key))

    def _members(self, brace: int) -> dict[str, list[_Member]]:
        """The members of an object by key, without those that a later one may replace."""
        members = dict[str, list[_Member]]()
        start = brace + 1
        close = self.closing[brace]
        while start < close:
            end = self.until({","}, start, close)
            key = self.words[start]
            value = start
            if self.words[start + 1] == ":":
                value = start + 2
            if "\\" in key or (value == start and start + 1 != end):
                members.clear()
            else:
                is_literal = self._is_whole(self.closing.get(value, value) + 1, end)
                members.setdefault(_unquoted(key), []).append(_Member(start, value, is_literal))
            start = end + 1
        return members

    def _fits(self, member: _Member, value: object) -> bool:
        """Whether a member can have given a value."""
        if not member.is_literal:
            return True
        word = self.words[member.value]
        plain = _PLAIN.fullmatch(word)
        if plain is None:
            return word != "{" or isinstance(value, dict)
        if plain[1]:
            return value == plain[2]
        return not isinstance(value, str) and str(value).lower() == word


def _unquoted(key: str) -> str:
    if key[0] in "\"'":
        return key[1:-1]
    return key


def _brackets(words: list[str]) -> dict[int, int] | None:
    """The closing bracket of each opening one; `None` if they do not match."""
    closing = dict[int, int]()
    opened = list[int]()
    for at, word in enumerate(words):
        if word in _CLOSING:
            opened.append(at)
        elif word in _CLOSING.values():
            if not opened or _CLOSING[words[opened[-1]]] != word:
                return None
            closing[opened.pop()] = at
    if opened:
        return None
    return closing


def _slash(text: str, at: int, before: str) -> re.Match[str] | None:
    """Whether a slash begins a regular expression or divides; `None` if that is uncertain
    and matters.
    """
    if before in _BEFORE_REGEX:
        return _REGEX.match(text, at)
    following = _NEXT_SLASH.search(text, at + 1)
    if following and following[0] == "/" and _MATTERS.search(text, at + 1, following.start()):
        return None
    return _TOKEN.match(text, at)
