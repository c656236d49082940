"""Reading HTML: the page taken out of an answer, and parsed into a tree with its unbalanced tags noted."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from assay.grading.pages.tree import Element, Page

LONGEST = 400_000
"""Characters of a page that are read."""

DEEPEST = 500
"""Elements within each other; what lies deeper is kept beside, as browsers do."""

VOID = frozenset(
    {
        "area",
        "base",
        "br",
        "col",
        "embed",
        "hr",
        "img",
        "input",
        "link",
        "meta",
        "source",
        "track",
        "wbr",
        "param",
    }
)
FOREIGN = frozenset({"svg", "math"})

# HTML Living Standard, 13.1.2.4: elements whose end tag may be left out, and the start tags that end them.
_PARAGRAPH_ENDS = (
    "address article aside blockquote details dialog div dl fieldset figcaption figure footer form "
    "h1 h2 h3 h4 h5 h6 header hgroup hr main menu nav ol p pre search section table ul"
)
ENDED_BY = {
    name: frozenset(starts.split())
    for name, starts in {
        "li": "li",
        "dt": "dt dd",
        "dd": "dt dd",
        "p": _PARAGRAPH_ENDS,
        "rt": "rt rp",
        "rp": "rt rp",
        "optgroup": "optgroup hr",
        "option": "option optgroup hr",
        "thead": "tbody tfoot",
        "tbody": "tbody tfoot",
        "tfoot": "tbody",
        "tr": "tr tbody tfoot",
        "td": "td th tr tbody tfoot",
        "th": "td th tr tbody tfoot",
        "caption": "colgroup thead tbody tfoot tr",
        "colgroup": "thead tbody tfoot tr",
        "head": "body",
        "html": "",
        "body": "",
    }.items()
}
_FENCE = re.compile(
    r"^[ \t]*(?P<mark>`{3,}|~{3,})[^\n`]*\n(?P<body>.*?)(?:^[ \t]*(?P=mark)[ \t]*$|\Z)", re.M | re.S
)
_START = re.compile(r"<!doctype\s+html|<html[\s>]", re.IGNORECASE)
_END = re.compile(r"</html\s*>", re.IGNORECASE)
_TAG = re.compile(r"<[a-zA-Z][^<>]*>")


def extract(answer: str) -> str | None:
    """Return the page in an answer, or None when it holds no HTML.

    The longest fence that holds HTML comes first (the last may be unclosed: a truncated answer), then what
    stands from the doctype or `<html` to `</html>`, then everything from the first tag.
    """
    fenced = [match["body"] for match in _FENCE.finditer(answer) if _TAG.search(match["body"])]
    whole = [body for body in fenced if _START.search(body)]
    if fenced and (whole or not _START.search(answer)):
        return max(whole or fenced, key=len)[:LONGEST]
    if start := _START.search(answer):
        end = _END.search(answer, start.start())
        return answer[start.start() : end.end() if end else len(answer)][:LONGEST]
    if tag := _TAG.search(answer):
        return answer[tag.start() :][:LONGEST]
    return None


def parse(source: str) -> Page:
    """Parse a page; it never fails, and notes unbalanced tags as faults."""
    builder = _Builder()
    builder.feed(source)
    builder.close()
    builder.finish()
    return Page(source, builder.root, tuple(builder.elements), tuple(builder.faults), builder.doctype)


class _Builder(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("#document", {}, 0)
        self.open = [self.root]
        self.elements: list[Element] = []
        self.faults: list[str] = []
        self.doctype: str | None = None

    def handle_decl(self, decl: str) -> None:
        self.doctype = self.doctype or decl

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._imply_ends(tag)
        element = self._add(tag, attrs)
        if tag not in VOID and len(self.open) <= DEEPEST:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        # Only foreign elements close themselves; `<div/>` opens a div.
        if tag in VOID or tag in FOREIGN or any(element.tag in FOREIGN for element in self.open):
            self._add(tag, attrs)
        else:
            self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        line = self.getpos()[0]
        if tag in VOID:
            self.faults.append(f"line {line}: </{tag}> ends an element that has no end tag")
            return
        if all(element.tag != tag for element in self.open):
            self.faults.append(f"line {line}: </{tag}> closes nothing")
            return
        while (element := self.open.pop()).tag != tag:
            self._unclosed(element, f"before </{tag}> on line {line}")

    def handle_data(self, data: str) -> None:
        self.open[-1].content.append(data)

    def finish(self) -> None:
        """Note what is still open at the end."""
        while len(self.open) > 1:
            self._unclosed(self.open.pop(), "at the end")

    def _add(self, tag: str, attrs: list[tuple[str, str | None]]) -> Element:
        attributes: dict[str, str] = {}
        for name, value in attrs:
            attributes.setdefault(name, value or "")
        element = Element(tag, attributes, self.getpos()[0], self.open[-1])
        self.open[-1].content.append(element)
        self.elements.append(element)
        return element

    def _imply_ends(self, tag: str) -> None:
        for depth in range(len(self.open) - 1, 0, -1):
            name = self.open[depth].tag
            if tag in ENDED_BY.get(name, ()):
                for element in reversed(self.open[depth + 1 :]):
                    self._unclosed(element, f"before <{tag}> on line {self.getpos()[0]}")
                del self.open[depth:]
                self._imply_ends(tag)
                return
            if name not in ENDED_BY:
                return

    def _unclosed(self, element: Element, where: str) -> None:
        if element.tag not in ENDED_BY:
            self.faults.append(f"<{element.tag}> of line {element.line} is not closed {where}")
