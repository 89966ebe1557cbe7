"""Markup: a page of HTML as a tree, so that every text in it is escaped when the tree is written."""

import re
from collections.abc import Iterable
from typing import Final, TypeAlias
from xml.etree.ElementTree import Element, tostring

from pipeline.explain.style import STYLE
from pipeline.report.escape import escape

Node: TypeAlias = Element | str

_CODE: Final = re.compile(r"`([^`]+)`")
_POLICY: Final = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"


def element(tag: str, *children: Node, css: str = "", **attributes: str) -> Element:
    """An element with text and elements in it; `css` is its class. Harmful characters are shown as escapes."""
    made = Element(tag, {**({"class": css} if css else {}), **{key: escape(text) for key, text in attributes.items()}})
    for child in children:
        if isinstance(child, Element):
            made.append(child)
        elif len(made):
            made[-1].tail = (made[-1].tail or "") + escape(child)
        else:
            made.text = (made.text or "") + escape(child)
    return made


def code(text: str) -> Element:
    """What is typed, or stands in a file."""
    return element("code", text)


def marked(text: str) -> tuple[Node, ...]:
    """A sentence whose parts in backquotes are code."""
    parts = _CODE.split(text)
    return tuple(code(part) if index % 2 else part for index, part in enumerate(parts))


def table(caption: str, head: Iterable[str], rows: Iterable[tuple[tuple[Node, ...], ...]]) -> Element:
    """A table that can be scrolled sideways, also by keyboard; the first cell of each row is its header."""
    headers = element("tr", *(element("th", text, scope="col") for text in head))
    body = element("tbody", *(_row(*row) for row in rows))
    inner = element("table", element("caption", caption), element("thead", headers), body)
    return element("div", inner, css="scroll", role="region", tabindex="0", **{"aria-label": caption})


def _row(first: tuple[Node, ...], *others: tuple[Node, ...]) -> Element:
    return element("tr", element("th", *first, scope="row"), *(element("td", *cell) for cell in others))


def section(name: str, title: str, *children: Node) -> Element:
    """A part of a page under a heading, which a link can lead to."""
    heading = element("h2", title, id=f"{name}-heading")
    return element("section", heading, *children, id=name, **{"aria-labelledby": f"{name}-heading"})


def page_of(title: str, *parts: Element) -> str:
    """A whole page, with links to its sections. It may load nothing: the policy in it says so to the browser."""
    sections = [part for part in parts if part.tag == "section"]
    links = (element("li", element("a", part[0].text or "", href=f"#{part.get('id')}")) for part in sections)
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", **{"http-equiv": "Content-Security-Policy", "content": _POLICY}),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("link", rel="icon", href="data:,"),
        element("title", title),
        _style(),
    )
    navigation = element("nav", element("ul", *links), **{"aria-label": "Parts of this page"})
    body = element("body", element("main", element("h1", title), navigation, *parts))
    root = element("html", head, body, lang="en")
    return f"<!doctype html>\n{tostring(root, encoding='unicode', method='html')}\n"


def _style() -> Element:
    made = Element("style")
    made.text = STYLE
    return made
