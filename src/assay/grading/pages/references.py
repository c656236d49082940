"""What a page loads from outside itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from assay.grading.pages.colours import without_comments
from assay.grading.pages.tree import Element, Page

LINKING = frozenset({"canonical", "alternate", "author", "license", "next", "prev", "help", "me", "search"})
"""`<link>` relations that name a page and load nothing."""

INSIDE = ("data:", "#", "blob:", "about:", "javascript:")
_URL = re.compile(
    r"url\(\s{0,20}(?:\"([^\"]*)\"|'([^']*)'|([^)\"'\s]*))\s{0,20}\)"
    r"|@import\s{1,20}(?:\"([^\"]*)\"|'([^']*)')",
    re.IGNORECASE,
)
_IMPORT = re.compile(
    r"\bimport\s{0,20}\(?\s{0,20}[\"'`]([^\"'`]+)[\"'`]"
    r"|\b(?:import|export)\b[^;\"'`()]{0,300}\bfrom\s*[\"'`]([^\"'`]+)[\"'`]"
    r"|\b(?:importScripts|fetch|(?:Shared)?Worker|EventSource|WebSocket)\s*\(\s*[\"'`]([^\"'`]+)[\"'`]"
)


def references(page: Page) -> Iterator[tuple[int, str, str]]:
    """Yield (line, by what, address) for everything that a browser would fetch to show the page."""
    for element in page.elements:
        for name, address in _attributes(element):
            yield element.line, f"<{element.tag} {name}>", address.strip()
        css = element.attributes.get("style", "")
        if element.tag == "style":
            css += "".join(part for part in element.content if isinstance(part, str))
        for found in _URL.finditer(without_comments(css)):
            yield element.line, "CSS", next((part for part in found.groups() if part is not None), "").strip()
        if element.tag == "script":
            code = "".join(part for part in element.content if isinstance(part, str))
            for found in _IMPORT.finditer(code):
                yield element.line, "a script", next(part for part in found.groups() if part is not None)


def outside(page: Page, allowed: Sequence[str] = ()) -> list[str]:
    """Return, in words, what the page loads from outside, save from addresses that begin as allowed."""
    return [
        f"line {line}: {by} loads {address[:120]!r}"
        for line, by, address in references(page)
        if address and not address.lower().startswith(INSIDE) and not address.startswith(tuple(allowed))
    ]


def _attributes(element: Element) -> Iterator[tuple[str, str]]:
    attributes = element.attributes
    for name in ("src", "poster", "background"):
        if name in attributes:
            yield name, attributes[name]
    if "srcset" in attributes and not attributes["srcset"].lstrip().startswith("data:"):
        for candidate in attributes["srcset"].split(","):
            yield "srcset", (candidate.split() or [""])[0]
    if element.tag == "object" and "data" in attributes:
        yield "data", attributes["data"]
    if element.tag == "link" and "href" in attributes:
        relations = set(attributes.get("rel", "").lower().split())
        if not relations or relations - LINKING:
            yield "href", attributes["href"]
    if element.tag in ("use", "image", "feimage"):
        for name in ("href", "xlink:href"):
            if name in attributes:
                yield name, attributes[name]
