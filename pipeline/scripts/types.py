"""Types: the grammar of the types that may be written around a literal."""

from typing import Final

from pipeline.scripts.tokens import Tokens

_TYPES: Final = "any bigint boolean never null number object string symbol undefined unknown void"
_OTHERS: Final = (
    "abstract accessor arguments as assert asserts async await break case catch class const constructor continue"
    " debugger declare default defer delete do else enum eval export exports extends false finally for from function"
    " get global globalThis if implements import in infer Infinity instanceof interface intrinsic is keyof let module"
    " namespace NaN new of out override package private protected public readonly require return satisfies set static"
    " super switch this throw true try type typeof unique using var while with yield __dirname __filename"
)
_ALONE: Final = frozenset(_TYPES.split())
"""Types that are keywords: they take no arguments, and have no members."""
RESERVED: Final = _ALONE.union(_OTHERS.split())
"""Names that have a meaning of their own in some kind of file: each keyword of TypeScript, and what CommonJS has."""


class Types(Tokens):
    """Reads types."""

    def type(self) -> None:
        """Pass a type: names with arguments, strings, lists and unions of them."""
        self.inside(self._union)

    def type_arguments(self) -> None:
        """Pass the arguments of a type, if there are any."""
        if self.on_new_line or not self.takes("<"):
            return
        self.type()
        while self.takes(","):
            self.type()
        self.expect(">")

    def _union(self) -> None:
        self._type_in_union()
        while self.takes("|"):
            self._type_in_union()

    def _type_in_union(self) -> None:
        start, must_be_list, is_list = self.start, self.takes("readonly"), False
        if self.kind == "string":
            self.advance()
        else:
            self._named_type()
        while self.sees("[") and not self.on_new_line:
            self.advance()
            is_list = self.kind != "string"
            if not is_list:
                self.advance()
            self.expect("]")
        if must_be_list and not is_list:
            self.refuse(start)

    def _named_type(self) -> None:
        start, name = self.start, self.name()
        is_alone = name in _ALONE
        if (name in RESERVED and not is_alone) or (is_alone and self.sees("<", ".")):
            self.refuse(start)
        while self.takes("."):
            self.name()
        self.type_arguments()
