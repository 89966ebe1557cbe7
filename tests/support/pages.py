"""Pages of HTML, read as their tables and texts."""

from html.parser import HTMLParser

_VOID = {"meta", "link", "br"}


class PageReader(HTMLParser):
    """Reads each table, under its caption, as rows of texts, and counts the elements."""

    def __init__(self) -> None:
        super().__init__()
        self.tables: dict[str, list[list[str]]] = {}
        self.tags: list[str] = []
        self._open: list[str] = []
        self._text = ""
        self._rows: list[list[str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a row, or the text of a cell."""
        self.tags.append(tag)
        if tag not in _VOID:
            self._open.append(tag)
        if tag == "tr":
            self._rows.append([])
        if tag in {"th", "td", "caption"}:
            self._text = ""
        elif tag in {"div", "span", "li", "dt", "dd"}:
            self._text += " "

    def handle_endtag(self, tag: str) -> None:
        """End what is open; it must be the innermost."""
        assert self._open.pop() == tag
        text = " ".join(self._text.split())
        if tag == "caption":
            self._rows = self.tables.setdefault(text, [])
        elif tag in {"th", "td"}:
            self._rows[-1].append(text)

    def handle_data(self, data: str) -> None:
        """Add to the text of a cell."""
        self._text += data


def read_page(page: str) -> PageReader:
    """Read a whole page, whose elements must all be closed."""
    reader = PageReader()
    reader.feed(page)
    reader.close()
    return reader
