"""Functions: what the value of an export is, if a function gives it.

Whether a value is `outer` says that it is the whole of what is exported. None of this is part of a literal.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from pipeline.config.tree import Written
from pipeline.scripts.values import Values


class Functions(Values):
    """Reads values, also those that functions give."""

    def bare(self, *, outer: bool) -> Written:
        """Read a value alone; an outer one may be what a function returns."""
        after = self.tokens[min(self.closing.get(self.at, self.at) + 1, len(self.tokens) - 1)].text
        is_function = self.sees("function", "async") or after == "=>" or (self.sees("(") and after == ":")
        return self.function() if outer and is_function else super().bare(outer=outer)

    def function(self) -> Written:
        """Read what a function gives. A name may mean something else in it, so none is followed."""
        start, known = self.token.start, self.constants
        self.note(start)
        self.takes("async")
        is_arrow = not self.takes("function")
        if self.token.kind == "name":
            self.advance()
        if self.sees("("):
            self.jump()
        if self.takes(":"):
            self.type()
        if is_arrow:
            self.expect("=>")
        self.constants = {}
        try:
            if not self.sees("{"):
                return replace(self.written(outer=True) if is_arrow else self.refuse(start), is_returned=True)
            return replace(self._returned(), is_returned=True)
        finally:
            self.constants = known

    def _returned(self) -> Written:
        """Read what the only `return` of a block gives."""
        start, closing = self.token.start, self.closing[self.at]
        found = list(self._returns(self.at, closing))
        if len(found) != 1:
            self.refuse(start)
        self.at = found[0] + 1
        value = self.refuse(start) if self.token.on_new_line else self.value(outer=True)
        self.at = closing
        self.advance()
        return value

    def _returns(self, at: int, closing: int) -> Iterator[int]:
        """Each `return` of a block that is not in a function inside it."""
        while (at := at + 1) < closing:
            before = self.tokens[at - 1]
            if self.tokens[at].text == "{" and (before.text == "=>" or (before.text == ")" and before.ends)):
                at = self.closing[at]
            elif self.tokens[at].text == "return":
                yield at
