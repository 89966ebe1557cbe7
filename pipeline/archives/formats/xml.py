"""XML as plain data: the text of each child of the root, for the marker files inside archives.

A document type is refused, whatever the encoding: it could define entities that grow without bound. No marker has one.
"""

_CHILD = 2
"""The depth of a child of the root."""


class _DoctypeError(Exception):
    """The document has a document type."""


def read_xml(content: bytes) -> dict[str, str]:
    """The text of each child of the root, by tag; empty if it is not XML or has a document type."""
    from xml.parsers import expat

    texts: dict[str, str] = {}
    path: list[str] = []
    parser = expat.ParserCreate()
    parser.buffer_text = True

    def doctype(*_: object) -> None:
        raise _DoctypeError

    def text(data: str) -> None:
        if len(path) == _CHILD:
            texts[path[1]] = texts.get(path[1], "") + data

    parser.StartDoctypeDeclHandler = doctype
    parser.StartElementHandler = lambda tag, _: path.append(tag)
    parser.EndElementHandler = lambda _: path.pop()
    parser.CharacterDataHandler = text
    try:
        parser.Parse(content, True)
    except (expat.ExpatError, _DoctypeError, ValueError, LookupError):
        return {}
    return {tag: text.strip() for tag, text in texts.items()}
