"""An HTML page as a tree of elements, with the defects of its tags.

It is read with Python's `html.parser`. Parsers that repair a page, like browsers, lose what is graded here:
the line of each element, and the tags that are not closed or closed twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

UNSEEN = frozenset({"script", "style", "template", "title", "noscript"})

INLINE = frozenset(
    {"a", "abbr", "b", "code", "em", "i", "mark", "small", "span", "strong", "sub", "sup", "u"}
)


@dataclass(slots=True, eq=False)
class HtmlElement:
    """One element: its tag and attributes (names in lower case), its line, its parent, and its content."""

    tag: str
    attributes: dict[str, str]
    line: int
    parent: HtmlElement | None = None
    content: list[HtmlElement | str] = field(default_factory=list)

    @property
    def ancestors(self) -> Iterator[HtmlElement]:
        """The enclosing elements, nearest first, without the document."""
        above = self.parent
        while above is not None and above.parent is not None:
            yield above
            above = above.parent

    def within(self, *tags: str) -> bool:
        """Return whether an enclosing element has one of these tags."""
        return any(above.tag in tags for above in self.ancestors)

    @property
    def text(self) -> str:
        """Its visible text with collapsed spaces, without scripts, styles, titles and templates."""
        return " ".join("".join(_texts(self)).split())


@dataclass(frozen=True, slots=True)
class HtmlPage:
    """A parsed page. `faults` are unbalanced tags, in words; `elements` are all elements in order."""

    source: str
    root: HtmlElement
    elements: tuple[HtmlElement, ...]
    faults: tuple[str, ...]

    def all(self, *tags: str) -> list[HtmlElement]:
        """Return the elements of these tags, in order."""
        return [element for element in self.elements if element.tag in tags]

    @property
    def ids(self) -> list[str]:
        """All ids in order, including repeated ones."""
        return [element.attributes["id"] for element in self.elements if element.attributes.get("id")]

    @property
    def text(self) -> str:
        """The visible text without running scripts, with collapsed spaces."""
        return self.root.text


def _texts(element: HtmlElement) -> Iterator[str]:
    """Yield the text of an element in order, with spaces around elements that are not inline."""
    waiting: list[HtmlElement | str] = [element]
    while waiting:
        part = waiting.pop()
        if isinstance(part, str):
            yield part
        elif part is element or part.tag not in UNSEEN:
            edge = [] if part.tag in INLINE else [" "]
            waiting += [*edge, *reversed(part.content), *edge]


LONGEST = 400_000
"""The number of characters of a page that are read."""

DEEPEST = 500
"""The depth of nested elements; deeper ones become siblings, as in browsers."""

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
    """Return the page in an answer, or None without HTML.

    That is the longest fence with HTML (the last one may be unclosed in a truncated answer), else the text
    from the doctype or `<html` to `</html>`, else everything from the first tag.
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


def parse(source: str) -> HtmlPage:
    """Return the parsed page, with unbalanced tags as faults; parsing never fails."""
    builder = _Builder()
    builder.feed(source)
    builder.close()
    builder.finish()
    return HtmlPage(source, builder.root, tuple(builder.elements), tuple(builder.faults))


class _Builder(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = HtmlElement("#document", {}, 0)
        self.open = [self.root]
        self.elements: list[HtmlElement] = []
        self.faults: list[str] = []

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
        """Record the elements that are still open at the end."""
        while len(self.open) > 1:
            self._unclosed(self.open.pop(), "at the end")

    def _add(self, tag: str, attrs: list[tuple[str, str | None]]) -> HtmlElement:
        attributes: dict[str, str] = {}
        for name, value in attrs:
            attributes.setdefault(name, value or "")
        element = HtmlElement(tag, attributes, self.getpos()[0], self.open[-1])
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

    def _unclosed(self, element: HtmlElement, where: str) -> None:
        if element.tag not in ENDED_BY:
            self.faults.append(f"<{element.tag}> of line {element.line} is not closed {where}")
