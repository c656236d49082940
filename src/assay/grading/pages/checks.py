"""General checks of an HTML page; each returns the defects in words, nothing if there are none."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from assay.grading.pages.page import HtmlElement, HtmlPage

UNLABELLED = frozenset({"hidden", "submit", "reset", "button"})
"""Types of input that need no label."""


def doctype(page: HtmlPage) -> list[str]:
    """Require `<!doctype html>` at the beginning."""
    begins = page.source.lstrip("\ufeff \t\r\n").lower().startswith("<!doctype html")
    return [] if begins else ["the page does not begin with <!doctype html>"]


def lang(page: HtmlPage) -> list[str]:
    """Require a language on `<html>`."""
    named = any(element.attributes.get("lang", "").strip() for element in page.all("html"))
    return [] if named else ["<html> has no lang"]


def title(page: HtmlPage) -> list[str]:
    """Require exactly one `<title>` outside SVG, with text."""
    titles = [element for element in page.all("title") if not element.within("svg")]
    if len(titles) != 1:
        return [f"{len(titles)} <title> elements"]
    return [] if titles[0].text else ["<title> is empty"]


def viewport(page: HtmlPage) -> list[str]:
    """Require a viewport with a width."""
    declared = any(
        element.attributes.get("name", "").lower() == "viewport"
        and "width" in element.attributes.get("content", "")
        for element in page.all("meta")
    )
    return [] if declared else ["no <meta name=viewport content=width=...>"]


def charset(page: HtmlPage) -> list[str]:
    """Require a declared encoding."""
    declared = any(
        element.attributes.get("charset") or "charset=" in element.attributes.get("content", "").lower()
        for element in page.all("meta")
    )
    return [] if declared else ["no <meta charset>"]


def one_h1(page: HtmlPage) -> list[str]:
    """Require exactly one `<h1>`, with text or the alt of an image."""
    headings = page.all("h1")
    if len(headings) != 1:
        return [f"{len(headings)} <h1> elements"]
    pictured = any(
        image.attributes.get("alt") and headings[0] in image.ancestors for image in page.all("img")
    )
    return [] if headings[0].text or pictured else ["<h1> is empty"]


def heading_order(page: HtmlPage) -> list[str]:
    """Require headings that begin at h1 and go down one level at a time."""
    headings = page.all("h1", "h2", "h3", "h4", "h5", "h6")
    faults = [] if not headings or headings[0].tag == "h1" else [f"the first heading is <{headings[0].tag}>"]
    jumps = (pair for pair in pairwise(headings) if int(pair[1].tag[1]) > int(pair[0].tag[1]) + 1)
    return faults + [f"line {below.line}: <{below.tag}> follows <{above.tag}>" for above, below in jumps]


def labels(page: HtmlPage) -> list[str]:
    """Require a label for every input, select and textarea."""
    pointed = {label.attributes.get("for") for label in page.all("label") if label.text}
    ids = set(page.ids)
    return [
        f"line {element.line}: <{element.tag}{_named(element)}> has no label"
        for element in page.all("input", "select", "textarea")
        if _needs_label(element) and not _has_label(element, pointed, ids)
    ]


def _needs_label(element: HtmlElement) -> bool:
    kind = element.attributes.get("type", "").lower()
    if element.tag != "input":
        return True
    return kind not in UNLABELLED and not (kind == "image" and element.attributes.get("alt"))


def _has_label(element: HtmlElement, pointed: set[str | None], ids: set[str]) -> bool:
    attributes = element.attributes
    around = any(above.tag == "label" and above.text for above in element.ancestors)
    by_id = any(name in ids for name in attributes.get("aria-labelledby", "").split())
    named = any(attributes.get(name, "").strip() for name in ("aria-label", "title"))
    return around or by_id or named or (bool(attributes.get("id")) and attributes["id"] in pointed)


def _named(element: HtmlElement) -> str:
    for name in ("id", "name", "type"):
        if element.attributes.get(name):
            return f" {name}={element.attributes[name][:40]}"
    return ""


def alts(page: HtmlPage) -> list[str]:
    """Require an alt for every `<img>`."""
    return [
        f"line {image.line}: <img> has no alt" for image in page.all("img") if "alt" not in image.attributes
    ]


def unique_ids(page: HtmlPage) -> list[str]:
    """Require unique ids."""
    return [f"id {name!r} is given {times} times" for name, times in Counter(page.ids).items() if times > 1]


def balanced(page: HtmlPage) -> list[str]:
    """Require tags that are closed in order."""
    return list(page.faults)


def contrast(page: HtmlPage) -> list[str]:
    """Require enough contrast between text and background colours that are declared together."""
    return low_contrast(_blocks(page))


def _blocks(page: HtmlPage) -> Iterator[tuple[str, Mapping[str, str]]]:
    for element in page.elements:
        if element.tag == "style":
            yield from rules("".join(part for part in element.content if isinstance(part, str)))
        if "style" in element.attributes:
            yield (
                f"line {element.line}: <{element.tag}>",
                declarations(element.attributes["style"]),
            )


CHECKS: Mapping[str, Callable[[HtmlPage], list[str]]] = {
    check.__name__: check
    for check in (
        doctype,
        lang,
        title,
        viewport,
        charset,
        one_h1,
        heading_order,
        labels,
        alts,
        unique_ids,
        balanced,
        contrast,
    )
}

NAMES = ("self_contained", *CHECKS)
"""The names of the checks for suites."""


def faults(name: str, page: HtmlPage, allowed: Sequence[str] = ()) -> list[str]:
    """Return the defects that a check finds; `allowed` are beginnings of addresses that the page may load."""
    return outside(page, allowed) if name == "self_contained" else CHECKS[name](page)


LEAST = 4.5
"""The contrast that WCAG 2.1 requires for plain text (1.4.3, level AA)."""

_NAMED = """
black 000000 silver c0c0c0 gray 808080 grey 808080 white ffffff maroon 800000 red ff0000 purple 800080
fuchsia ff00ff magenta ff00ff green 008000 lime 00ff00 olive 808000 yellow ffff00 navy 000080 blue 0000ff
teal 008080 aqua 00ffff cyan 00ffff orange ffa500 pink ffc0cb brown a52a2a gold ffd700 tomato ff6347
"""
NAMED = dict(zip(_NAMED.split()[::2], _NAMED.split()[1::2], strict=True))
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.S)
_RGB = re.compile(r"rgb\(\s*(\d{1,3})\s*[, ]\s*(\d{1,3})\s*[, ]\s*(\d{1,3})\s*\)")
_VARIABLE = re.compile(r"var\(\s*(--[\w-]+)\s*\)")

Colour = tuple[int, int, int]


def without_comments(css: str) -> str:
    """Return the style sheet without its comments."""
    return _COMMENT.sub(" ", css)


def rules(css: str) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Yield each rule's selector and declarations; rules inside `@media` are yielded like others."""
    for chunk in without_comments(css).split("}"):
        head, brace, body = chunk.rpartition("{")
        if brace:
            yield head.rpartition("{")[2].strip(), declarations(body)


def declarations(text: str) -> Mapping[str, str]:
    """Return the values of one block or `style` attribute by property in lower case."""
    pairs = (part.split(":", 1) for part in text.split(";") if ":" in part)
    return {name.strip().lower(): value.replace("!important", "").strip() for name, value in pairs}


def colour(value: str) -> Colour | None:
    """Return the colour of a value, or None (transparent, a gradient, an unknown name)."""
    value = value.strip().lower()
    if match := re.fullmatch(r"#([0-9a-f]{3}|[0-9a-f]{6})", "#" + NAMED[value] if value in NAMED else value):
        digits = match[1] if len(match[1]) == 6 else "".join(digit * 2 for digit in match[1])
        return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16)
    if match := _RGB.fullmatch(value):
        red, green, blue = (min(255, int(part)) for part in match.groups())
        return red, green, blue
    return None


def contrast_ratio(one: Colour, other: Colour) -> float:
    """Return the contrast ratio of two colours, 1 to 21."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def low_contrast(blocks: Iterable[tuple[str, Mapping[str, str]]]) -> list[str]:
    """Return, in words, the blocks with too little contrast between text and background colours."""
    blocks = list(blocks)
    variables = {name: value for _, block in blocks for name, value in block.items() if name.startswith("--")}
    problems = []
    for where, block in blocks:
        text = colour(_resolved(block.get("color", ""), variables))
        background = colour(_resolved(block.get("background-color", block.get("background", "")), variables))
        if text is None or background is None:
            continue
        if (ratio := contrast_ratio(text, background)) < LEAST:
            problems.append(f"{where or 'style'}: contrast {ratio:.1f}, at least {LEAST} wanted")
    return problems


def _resolved(value: str, variables: Mapping[str, str]) -> str:
    match = _VARIABLE.fullmatch(value.strip())
    return variables.get(match[1], "") if match else value


def _luminance(colour: Colour) -> float:
    red, green, blue = (_linear(channel / 255) for channel in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.03928 else float(((channel + 0.055) / 1.055) ** 2.4)


LINKING = frozenset({"canonical", "alternate", "author", "license", "next", "prev", "help", "me", "search"})
"""`<link>` relations to pages, which load nothing."""

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


def references(page: HtmlPage) -> Iterator[tuple[int, str, str]]:
    """Yield the line, element and address of everything that a browser would load to show the page."""
    for element in page.elements:
        for name, address in _attributes(element):
            yield element.line, f"<{element.tag} {name}>", address.strip()
        css = element.attributes.get("style", "")
        if element.tag == "style":
            css += "".join(part for part in element.content if isinstance(part, str))
        for match in _URL.finditer(without_comments(css)):
            yield element.line, "CSS", next((part for part in match.groups() if part is not None), "").strip()
        if element.tag == "script":
            code = "".join(part for part in element.content if isinstance(part, str))
            for match in _IMPORT.finditer(code):
                yield element.line, "a script", next(part for part in match.groups() if part is not None)


def outside(page: HtmlPage, allowed: Sequence[str] = ()) -> list[str]:
    """Return, in words, what the page loads from outside, except from allowed addresses."""
    return [
        f"line {line}: {by} loads {address[:120]!r}"
        for line, by, address in references(page)
        if address and not address.lower().startswith(INSIDE) and not address.startswith(tuple(allowed))
    ]


def _attributes(element: HtmlElement) -> Iterator[tuple[str, str]]:
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
