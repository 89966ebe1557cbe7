"""Marker reader: read each marker file of an archive once, as long as the budget lasts."""

from msgspec import Struct

from io_edges.archives.zips import Damage, OpenArchive
from pipeline.archives.archive import Entry
from pipeline.archives.markers import BUDGET, cost_of


class Budget(Struct):
    """What reading the markers of one archive file, including those of the archives in it, may still cost."""

    left: int = BUDGET

    def check(self) -> None:
        """Raise `Damage` if it is overspent."""
        if self.left < 0:
            raise Damage("its markers are too large, or too many, with those of the archives in it")


class MarkerReader:
    """Reads the beginning of each entry once; a damaged entry gives `b""`, and the damage is kept."""

    def __init__(self, opened: OpenArchive, budget: Budget) -> None:
        self.damages: list[Damage] = []
        self.budget = budget
        self._opened = opened
        self._files = {entry.name: entry for entry in opened.entries if entry.kind == "file"}
        self._contents: dict[str, tuple[int, bytes]] = {}

    def read(self, name: str, limit: int) -> bytes:
        """Return at most `limit` bytes of a file; `b""` if it is not a file or exceeds the budget."""
        asked, content = self._contents.get(name, (-1, b""))
        if asked < limit:
            content = self._beginning(self._files[name], limit) if name in self._files else b""
            self._contents[name] = limit, content
        return content[:limit]

    def _beginning(self, entry: Entry, limit: int) -> bytes:
        self.budget.left -= cost_of(entry.name, min(entry.size, limit))
        content = b""
        try:
            for chunk in self._opened.chunks(entry) if self.budget.left >= 0 else ():
                content += chunk
                if len(content) >= limit:
                    break
        except Damage as damage:
            self.damages.append(damage)
            return b""
        return content[:limit]
