"""Values: the grammar of a literal, with the types that may be written around it.

Each rule passes what it reads. What it can follow though no literal has it, it notes; what it cannot, it refuses
(`types`), and the nearest value around that is computed: a hole, passed up to where it ends for certain.
"""

from typing import Final

from msgspec import UNSET
from msgspec.structs import replace

from pipeline.config.json_reader import DEPTH_LIMIT
from pipeline.config.tree import Member, Written
from pipeline.scripts.tokens import unescape
from pipeline.scripts.types import RefusedToken, Types

SIZE_LIMIT: Final = 64 * 1024
"""Characters and values of what is exported, if nothing is to run."""
TYPED: Final = frozenset({".ts", ".mts", ".cts"})
"""The suffixes of files that may have types."""
HELPERS: Final = frozenset({"defineConfig", "definePreset"})
"""The functions of the package `tool`, which return their argument."""

_WORDS: Final[dict[str, object]] = {"true": True, "false": False, "null": None}
_SPECIAL: Final = frozenset({"__proto__", "__esModule", "then", "toJSON"})
"""Keys that can make an object something other than what is written."""
_ENDS: Final = (",", ";", ")", "]", "}")
HOLE: Final = Written(0)
"""What is computed, wherever it stands."""

_Members = dict[str | int, Member]


class Values(Types):
    """Reads values, with the types around them."""

    def __init__(self, text: str, suffix: str) -> None:
        super().__init__(text)
        self.is_typed = suffix in TYPED
        self.constants: dict[str, Written] = {}
        self.helpers: set[str] = set()
        self.packages: set[str] = set()

    def value(self, *, outer: bool = False) -> Written:
        """Read a value, up to what ends it; whether it is `outer` says `functions`."""
        first, start = self.at, self.token.start
        try:
            value = self.written(outer=outer)
            return value if self.ends() else self.refuse(start)
        except RefusedToken as refusal:
            self.note(refusal.offset)
            self.at = first
            self._pass_hole()
            return Written(start)

    def ends(self) -> bool:
        """Whether nothing follows that belongs to an expression which might end here."""
        token = self.token
        starts = token.kind in {"name", "string"} and token.text not in {"in", "instanceof"}
        is_new = token.on_new_line and starts and self.tokens[self.at - 1].ends is not False
        return is_new or token.text in _ENDS or token.kind == "end"

    def written(self, *, outer: bool = False) -> Written:
        """Read a value with what may be written after it to tell its type."""
        start = self.token.start
        with self.inside():
            value = self.bare(outer=outer)
        while self._continues("!"):
            self.advance()
        while self._continues("as", "satisfies"):
            if self.advance().text == "satisfies" or not self.takes("const"):
                self.type()
        if value.size > SIZE_LIMIT or value.levels > DEPTH_LIMIT:
            self.note(start)
        return value

    def bare(self, *, outer: bool) -> Written:
        """Read a value alone."""
        token = self.token
        match token.kind, token.text:
            case "string", written:
                return self._scalar(self._decoded(written))
            case "template", written:
                return self._scalar(written[1:-1].replace("\r\n", "\n"))
            case "number", written:
                return self._scalar(int(written))
            case "name", written if written in _WORDS:
                return self._scalar(_WORDS[written])
            case "name", _:
                return self.named(outer=outer)
            case _, "-" | "+":
                return self._signed()
            case _, "(":
                self.advance()
                value = self.written(outer=outer)
                self.expect(")")
                return value
            case _, "{" | "[":
                return self._whole()
            case _:
                return self.refuse(token.start)

    def named(self, *, outer: bool) -> Written:
        """Read what a name stands for, or what is given to a function of the package."""
        start, name = self.token.start, self.name()
        if (known := self._known(name, outer=outer)).plain is not UNSET:
            return known
        helps = name in self.helpers or (name in self.packages and self.takes(".") and self.name() in HELPERS)
        if not helps:
            self.refuse(start)
        if self.is_typed:
            self.type_arguments()
        if not self.takes("("):
            self.refuse(start)
        value = self.value(outer=outer)
        self.takes(",")
        if not self.takes(")"):
            self.refuse(start)
        return value

    def _known(self, name: str, *, outer: bool) -> Written:
        """What a name stands for."""
        known = self.constants.get(name, HOLE)
        return known if outer or not known.is_returned else HOLE

    def _pass_hole(self) -> None:
        """Pass an expression; a comma ends it unless it may be one between the arguments of a type."""
        angles = 0
        while not (self.ends() or self.is_at_end()):
            angles += (self.sees("<") - self.sees(">")) * self.is_typed
            self.jump()
        if self.sees(",") and angles > 0 and self.tokens[min(self.at + 2, len(self.tokens) - 1)].text != ":":
            self.refuse(self.token.start)

    def _continues(self, *words: str) -> bool:
        """Whether a word about the type of a value follows, which it cannot on a new line."""
        return self.is_typed and not self.token.on_new_line and self.sees(*words)

    def _scalar(self, plain: object) -> Written:
        return Written(self.advance().start, plain, size=1 + (len(plain) if isinstance(plain, str) else 0))

    def _decoded(self, written: str) -> str:
        """The value of a string; JSON has none for half of a surrogate pair."""
        value = unescape(written[1:-1])
        is_text = value.isascii() or value.encode(errors="ignore").decode() == value
        return value if is_text else self.refuse(self.token.start)

    def _signed(self) -> Written:
        sign = self.advance()
        if self.token.kind != "number":
            self.refuse(sign.start)
        return Written(sign.start, int(sign.text + self.advance().text))

    def _whole(self) -> Written:
        """Read an object or a list; if it cannot be followed up to its end, none of its members is certain."""
        first, start = self.at, self.token.start
        is_object = self.advance().text == "{"
        parts = _Parts()
        try:
            if is_object:
                self.list_until("}", lambda: self._member(parts))
            else:
                self.list_until("]", lambda: self._item(parts))
        except RefusedToken as refusal:
            self.note(refusal.offset)
            parts = _Parts(is_whole=False)
            self.at = first
            self.jump()
        return parts.written(start, {} if is_object else [])

    def _item(self, parts: "_Parts") -> None:
        if self.sees("..."):
            return self._spread(parts, [])
        value = self.value()
        if parts.is_whole:
            parts.members[len(parts.members)] = Member(value.start, value)
        return None

    def _member(self, parts: "_Parts") -> None:
        """Read one member of an object; a later one of the same key takes its place."""
        token = self.token
        if token.text == "...":
            return self._spread(parts, {})
        key = self._decoded(token.text) if token.kind == "string" else token.text
        if key in _SPECIAL:
            self.refuse(token.start)
        if key.isdigit() or token.kind not in {"name", "string"}:
            self.note(token.start)
        self.jump()
        if self.sees(":", ",", "}", "(") and token.kind in {"name", "string", "number"}:
            parts.members[key] = Member(token.start, self._of_key(key))
            return None
        self.note(token.start)  # an accessor, or a key that is computed: it may be any
        parts.doubt()
        if self.takes(":"):
            self.value()
        else:
            self._pass_hole()
        return None

    def _of_key(self, key: str) -> Written:
        """Read the value after a key, which stands for it where there is none."""
        token = self.tokens[self.at - 1]
        if self.takes(":"):
            return self.value()
        known = self._known(key, outer=False)
        if token.kind != "name" or known.plain is UNSET or self.sees("("):
            self.note(token.start)
            self._pass_hole()
            return Written(token.start)
        return known

    def _spread(self, parts: "_Parts", plain: object) -> None:
        """Read the members of another object or list, which stand where they are written."""
        self.note(self.advance().start)
        value = self.value()
        if len(parts.members) > SIZE_LIMIT:
            self.refuse(value.start)
        known = value.members if value.plain == plain else {}
        is_certain = value.plain == plain and value.is_whole
        if isinstance(plain, list):
            items = known.values() if parts.is_whole else ()
            parts.members |= {len(parts.members) + at: item for at, item in enumerate(items)}
            parts.is_whole = parts.is_whole and is_certain
            return
        if not is_certain:
            parts.doubt()
        parts.members |= known


class _Parts:
    """What is known of the members of an object or a list."""

    def __init__(self, *, is_whole: bool = True) -> None:
        self.members: _Members = {}
        self.is_whole = is_whole

    def doubt(self) -> None:
        """Note that a member is unknown, and may come in the place of each one before it."""
        self.is_whole = False
        for key, member in self.members.items():
            self.members[key] = replace(member, is_last=False)

    def written(self, start: int, plain: object) -> Written:
        """The object or list."""
        size = 1 + sum(len(str(step)) + 1 + member.value.size for step, member in self.members.items())
        levels = 1 + max((member.value.levels for member in self.members.values()), default=0)
        return Written(start, plain, self.members, self.is_whole, size=size, levels=levels)
