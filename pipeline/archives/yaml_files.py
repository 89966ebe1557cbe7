"""YAML as Symfony's parser reads it (5.4 was compared), which Drupal and PrestaShop use. Every
scalar is text: numbers as they are written, and `true` and `false` as PHP prints them, `1` and
empty.

The data is built from PyYAML's events without recursion, because PyYAML's C loader overruns the
stack on deep nesting. Symfony accepts some texts that PyYAML refuses, such as
`description: Provides the following:`. For these, only the lines of the first column are read,
`key: value` and plain lists below them, up to the first that opens something without closing it.
What Symfony refuses is reported as a fault: a system cannot read such a file.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

from msgspec import Struct

from pipeline.values import replace

_DEPTH_LIMIT: Final = 16
"""How deep mappings and lists may be nested; no marker nests deeper."""
_SHORT: Final = 64
"""The most items of a list, or of a merged mapping, that an alias may stand for."""
_WORDS: Final[dict[str, str | None]] = {
    **dict.fromkeys(("", "~", "null")),
    "true": "1",
    "false": "",
}
"""Words that are no text without quotes, whether in upper or lower case, and their values."""
_MERGE: Final = "<<"
_TAGS: Final = frozenset(
    {None, "!", *(f"tag:yaml.org,2002:{name}" for name in ("str", "float", "binary"))}
)
_BLANKS: Final = " \t"
_COLON: Final = r":(?=[ \t]|$)"
_QUOTED: Final = r"""(?:"(?:[^"\\]|\\.)*+"|'(?:[^']|'')*+')"""
_ITEM: Final = r"(?P<indent>[ ]*)-(?:[ \t]++(?P<value>.*))?"
_BLOCK: Final = r"[|>][-+\d]*(?:[ \t]++#.*)?"
_ENCLOSING: Final = frozenset("'\"[{")
_BRACKETS: Final = {"[": 1, "{": 1, "]": -1, "}": -1}
_RESERVED: Final = frozenset("@`%|>")
"""The characters with which a text without quotes does not begin."""
_STRAY: Final = "a line of it is neither a key with a value nor part of one"
_EXPLICIT_KEY: Final = r"(?m)^\?[ \t]"


class YamlFile(Struct, frozen=True):
    """The content of a file. `data` is `None` if nothing could be read."""

    data: Any = None
    is_lenient: bool = False
    """Whether only some lines were read, because it is not valid YAML."""
    fault: str = ""
    """Why Symfony's parser refuses it, as a clause; empty if no reason is known."""


def read_yaml(content: bytes) -> YamlFile:
    """Read the first document."""
    text = content.decode("utf-8", errors="replace")
    builder = _Builder(text)
    file = YamlFile(builder.build(content), fault=next(iter(builder.faults), ""))
    if builder.is_refused:
        file = _Lines().read(text)
    elif text.startswith("\ufeff"):
        file = replace(file, fault="a byte order mark is part of its first key")
    if not _is_utf8(content):
        file = replace(file, fault="its text is not UTF-8")
    return file


def _is_utf8(content: bytes) -> bool:
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


class _Frame:
    """A list or mapping that has not ended yet."""

    def __init__(self, anchor: str | None, *, is_mapping: bool, is_flow: bool) -> None:
        self.anchor = anchor
        self.is_mapping = is_mapping
        self.is_flow = is_flow
        self.items = list[Any]()

    @property
    def takes_value(self) -> bool:
        """Whether the next item is the value of a key."""
        return self.is_mapping and len(self.items) % 2 == 1


class _Builder:
    """Builds plain data from events, and notes what Symfony would refuse."""

    def __init__(self, text: str) -> None:
        self.faults = list[str]()
        self.is_refused = False
        self._text = text
        self._anchors = dict[str | None, Any]()
        self._frames = [_Frame(None, is_mapping=False, is_flow=False)]

    def build(self, content: bytes) -> Any:
        """The data of the first document."""
        import yaml  # costs start-up time

        has_document = False
        if re.search(_EXPLICIT_KEY, self._text):
            self.faults.append("a key is written with `?`")
        try:
            for event in yaml.parse(content, getattr(yaml, "CBaseLoader", yaml.BaseLoader)):
                match event:
                    case yaml.DocumentStartEvent() if has_document:
                        self.faults.append("it has two documents")
                        break
                    case yaml.DocumentStartEvent():
                        has_document = True
                    case yaml.ScalarEvent():
                        self._scalar(event)
                    case yaml.AliasEvent():
                        self._alias(event.anchor)
                    case yaml.CollectionStartEvent() if len(self._frames) > _DEPTH_LIMIT:
                        return None
                    case yaml.CollectionStartEvent():
                        is_mapping = isinstance(event, yaml.MappingStartEvent)
                        self._tagged(event.tag)
                        self._frames.append(
                            _Frame(
                                event.anchor, is_mapping=is_mapping, is_flow=bool(event.flow_style)
                            )
                        )
                    case yaml.CollectionEndEvent():
                        self._end()
        except (yaml.YAMLError, ValueError):
            self.is_refused = True
            return None
        return next(iter(self._frames[0].items), None)

    def _scalar(self, event: Any) -> None:
        frame = self._frames[-1]
        value = event.value
        if event.implicit[0] and (frame.takes_value or not frame.is_mapping):
            value = _WORDS.get(value.lower(), value)
        self._tagged(event.tag)
        if frame.is_flow and frame.takes_value and not value and self._has_no_colon(event):
            self.faults.append("a key in braces has no value")
        self._add(event.anchor, value)

    def _has_no_colon(self, event: Any) -> bool:
        """Whether an empty value has not even a colon."""
        end = event.start_mark.index
        while end > 0 and self._text[end - 1 : end].isspace():
            end -= 1
        return event.start_mark.index == event.end_mark.index and self._text[end - 1 : end] != ":"

    def _tagged(self, tag: str | None) -> None:
        if tag not in _TAGS:
            self.faults.append("it has a tag that is not known")

    def _alias(self, anchor: str | None) -> None:
        if anchor not in self._anchors:
            self.faults.append(f"`*{anchor}` stands for nothing in it")
        value = self._anchors.get(anchor)
        is_merged = isinstance(value, dict) and self._frames[-1].items[-1:] == [_MERGE]
        if not (isinstance(value, str) or _is_short(value) or is_merged):
            value = None
        self._frames[-1].items.append(value)

    def _add(self, anchor: str | None, value: Any) -> None:
        if anchor:
            self._anchors[anchor] = value
        self._frames[-1].items.append(value)

    def _end(self) -> None:
        frame = self._frames.pop()
        if frame.is_mapping:
            self._add(frame.anchor, self._mapping(frame.items))
        else:
            self._add(frame.anchor, frame.items)

    def _mapping(self, items: list[Any]) -> dict[str, Any]:
        """Pairs of keys and values, without repeated keys and keys that are not text."""
        pairs = dict[str, Any]()
        merged = dict[str, Any]()
        twice = set[str]()
        for key, value in zip(items[::2], items[1::2], strict=True):
            if not isinstance(key, str):
                self.faults.append("a key is a list or a mapping")
            elif key == _MERGE:
                merged = {**_flat(value), **merged}
                if isinstance(value, str):
                    self.faults.append("`<<` has no mapping")
            elif pairs.get(key):  # an empty one does not count for Symfony
                twice.add(key)
                self.faults.append(f"the key `{key}` is in it twice")
            else:
                pairs[key] = value
        return {key: value for key, value in {**merged, **pairs}.items() if key not in twice}


def _is_short(value: Any) -> bool:
    """Whether a value is a short list of texts."""
    return (
        isinstance(value, list)
        and len(value) <= _SHORT
        and all(isinstance(each, str) for each in value)
    )


def _flat(value: Any) -> dict[str, Any]:
    """A mapping that is merged into another: its texts and short lists, unless there are
    too many.
    """
    if not isinstance(value, dict) or len(value) > _SHORT:
        return {}
    return {key: each for key, each in value.items() if isinstance(each, str) or _is_short(each)}


class _Lines:
    """Reads the lines of the first column one by one."""

    def __init__(self) -> None:
        self._pairs = dict[str, Any]()
        self._twice = set[str]()
        self._key = ""
        self._tail = ""
        self._indent = ""
        self._least = 0
        self._fault = ""

    def read(self, text: str) -> YamlFile:
        """Read lines up to the first that opens something without closing it."""
        lines = tuple(_lines(text))
        for at, line in enumerate(lines):
            if re.match(r"[ ]*\t", line):
                self._refuse("a line of it is indented by a tab")
            elif line.rstrip() == "---":
                self._refuse("it has two documents")
            elif opened := self._opened_by(line):
                if opened[0] in _ENCLOSING and _is_open("\n".join((opened, *lines[at + 1 :]))):
                    self._refuse(f"the value of `{self._key}` does not end")
                break
        data = {key: value for key, value in self._pairs.items() if key not in self._twice}
        return YamlFile(data or None, is_lenient=bool(data), fault=self._fault)

    def _refuse(self, fault: str) -> None:
        self._fault = self._fault or fault

    def _opened_by(self, line: str) -> str:
        """Read a line. Return the value in it if it does not end there; otherwise empty."""
        if line[0] in " -":
            return self._below(line)
        return self._first_column(line)

    def _first_column(self, line: str) -> str:
        """Read a line `key: value`."""
        quoted = re.match(_QUOTED, line)
        end = 0
        if quoted:
            end = quoted.end()
        colon = re.compile(_COLON).search(line, end)
        if colon is None or line[0] in "[{!":
            self._refuse(_STRAY)
            return ""
        value = line[colon.end() :].strip(_BLANKS)
        self._key = line[: colon.start()].rstrip()
        if quoted:
            self._key = quoted[0][1:-1]
        self._tail = ""
        self._least = 0
        if _is_open(value):
            return value
        if self._pairs.get(self._key):  # an empty one does not count for Symfony
            self._twice.add(self._key)
            self._refuse(f"the key `{self._key}` is in it twice")
        self._pairs[self._key] = self._value(value)
        if value[:1] not in {*_ENCLOSING, "!", "&", "*"}:
            self._go_on(value)
        return ""

    def _go_on(self, line: str) -> None:
        """Check a line of a text without quotes. A comment ends it, otherwise it goes on below."""
        text = _plain(line)
        if ": " in text or self._tail.endswith(":"):
            self._refuse_plain()
        self._tail = ""
        if text == line:
            self._tail = text

    def _below(self, line: str) -> str:
        """Read an item of a list. Anything else below a key leaves it without a value."""
        indent = len(line) - len(line.lstrip(" "))
        self._least = self._least or indent
        item = re.fullmatch(_ITEM, line)
        value = self._pairs.get(self._key)
        if self._tail and not indent:
            self._refuse(_STRAY)
        if self._tail:
            self._go_on(line.strip(_BLANKS))
        elif indent < self._least:
            self._refuse(f"the lines below `{self._key}` are not indented alike")
        if item is None or not (value == "" or isinstance(value, list)):
            self._pairs[self._key] = None
            return ""
        if _is_open(item["value"] or ""):
            return item["value"]
        if value == "":
            self._indent = item["indent"]
            self._pairs[self._key] = value = []
        if item["indent"] == self._indent:
            value.append(self._value(item["value"] or ""))
        return ""

    def _refuse_plain(self) -> None:
        self._refuse(f"the value of `{self._key}` has to be in quotes")

    def _value(self, text: str) -> Any:
        """A text, or the content of quotes or brackets; `None` for anything else."""
        if text[:1] in _ENCLOSING:
            return self._enclosed(text)
        plain = _plain(text)
        if plain[:1] in _RESERVED:
            self._refuse_plain()
        if not plain:
            return ""
        return _WORDS.get(plain.lower(), plain)

    def _enclosed(self, text: str) -> Any:
        quoted = re.match(_QUOTED, text)
        if quoted and not re.fullmatch(r"[ \t]*(?:#.*)?", text[quoted.end() :]):
            self._refuse(f"something stands behind the quotes of `{self._key}`")
        if quoted:
            text = quoted[0]
        builder = _Builder("")
        data = builder.build(text.encode())
        if quoted and builder.is_refused:
            self._refuse(f"a backslash in `{self._key}` begins nothing that is known")
        if isinstance(data, str) or _is_short(data):
            return data
        return None


def _lines(text: str) -> Iterator[str]:
    """The lines with content, of the first document only."""
    for at, line in enumerate(re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff"))):
        if (
            line.strip(" ")
            and not line.lstrip(" \t").startswith("#")
            and not (at == 0 and line.strip() == "---")
        ):
            yield line


def _plain(value: str) -> str:
    """A value without the comment behind it."""
    return re.split(r"(?:^|[ \t])#", value)[0].strip(_BLANKS)


def _is_open(value: str) -> bool:
    """Whether a value begins a quotation, a block or a bracket without ending it."""
    if value[:1] in {"'", '"'}:
        return re.match(_QUOTED, value) is None
    if value[:1] in {"[", "{"}:
        bare = re.sub(_QUOTED, "", value)
        depth = 0
        for character in bare:
            depth += _BRACKETS.get(character, 0)
            if depth == 0:
                return False
        return True
    return re.fullmatch(_BLOCK, value) is not None
