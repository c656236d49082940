"""General checks of an HTML page; each returns what is wrong, in words, and nothing when it holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise

from assay.grading.pages import colours as css_colours
from assay.grading.pages.references import outside
from assay.grading.pages.tree import Element, Page

UNLABELLED = frozenset({"hidden", "submit", "reset", "button"})
"""Types of input that need no label."""


def doctype(page: Page) -> list[str]:
    """The page begins with `<!doctype html>`."""
    begins = page.source.lstrip("\ufeff \t\r\n").lower().startswith("<!doctype html")
    return [] if begins else ["the page does not begin with <!doctype html>"]


def lang(page: Page) -> list[str]:
    """`<html>` names the page's language."""
    named = any(element.attributes.get("lang", "").strip() for element in page.all("html"))
    return [] if named else ["<html> has no lang"]


def title(page: Page) -> list[str]:
    """One `<title>` outside SVG, not empty."""
    found = [element for element in page.all("title") if not element.within("svg")]
    if len(found) != 1:
        return [f"{len(found)} <title> elements"]
    return [] if found[0].text else ["<title> is empty"]


def viewport(page: Page) -> list[str]:
    """A viewport with a width."""
    found = any(
        element.attributes.get("name", "").lower() == "viewport"
        and "width" in element.attributes.get("content", "")
        for element in page.all("meta")
    )
    return [] if found else ["no <meta name=viewport content=width=...>"]


def charset(page: Page) -> list[str]:
    """The encoding is declared."""
    found = any(
        element.attributes.get("charset") or "charset=" in element.attributes.get("content", "").lower()
        for element in page.all("meta")
    )
    return [] if found else ["no <meta charset>"]


def one_h1(page: Page) -> list[str]:
    """Exactly one `<h1>`, with text or a picture's alt."""
    found = page.all("h1")
    if len(found) != 1:
        return [f"{len(found)} <h1> elements"]
    pictured = any(image.attributes.get("alt") and found[0] in image.ancestors for image in page.all("img"))
    return [] if found[0].text or pictured else ["<h1> is empty"]


def heading_order(page: Page) -> list[str]:
    """Headings begin at h1 and go down one level at a time."""
    headings = page.all("h1", "h2", "h3", "h4", "h5", "h6")
    faults = [] if not headings or headings[0].tag == "h1" else [f"the first heading is <{headings[0].tag}>"]
    jumps = (pair for pair in pairwise(headings) if int(pair[1].tag[1]) > int(pair[0].tag[1]) + 1)
    return faults + [f"line {below.line}: <{below.tag}> follows <{above.tag}>" for above, below in jumps]


def labels(page: Page) -> list[str]:
    """Every input, select and textarea has a label."""
    pointed = {label.attributes.get("for") for label in page.all("label") if label.text}
    ids = set(page.ids)
    return [
        f"line {element.line}: <{element.tag}{_named(element)}> has no label"
        for element in page.all("input", "select", "textarea")
        if _needs_label(element) and not _has_label(element, pointed, ids)
    ]


def _needs_label(element: Element) -> bool:
    kind = element.attributes.get("type", "").lower()
    if element.tag != "input":
        return True
    return kind not in UNLABELLED and not (kind == "image" and element.attributes.get("alt"))


def _has_label(element: Element, pointed: set[str | None], ids: set[str]) -> bool:
    attributes = element.attributes
    around = any(above.tag == "label" and above.text for above in element.ancestors)
    by_id = any(name in ids for name in attributes.get("aria-labelledby", "").split())
    said = any(attributes.get(name, "").strip() for name in ("aria-label", "title"))
    return around or by_id or said or (bool(attributes.get("id")) and attributes["id"] in pointed)


def _named(element: Element) -> str:
    for name in ("id", "name", "type"):
        if element.attributes.get(name):
            return f" {name}={element.attributes[name][:40]}"
    return ""


def alts(page: Page) -> list[str]:
    """Every `<img>` has an alt."""
    return [
        f"line {image.line}: <img> has no alt" for image in page.all("img") if "alt" not in image.attributes
    ]


def unique_ids(page: Page) -> list[str]:
    """No id is given twice."""
    return [f"id {name!r} is given {times} times" for name, times in Counter(page.ids).items() if times > 1]


def balanced(page: Page) -> list[str]:
    """Tags are closed, in order."""
    return list(page.faults)


def contrast(page: Page) -> list[str]:
    """Text and ground colours declared together differ enough to be read."""
    return css_colours.faint(_blocks(page))


def _blocks(page: Page) -> Iterator[tuple[str, Mapping[str, str]]]:
    for element in page.elements:
        if element.tag == "style":
            yield from css_colours.rules("".join(part for part in element.content if isinstance(part, str)))
        if "style" in element.attributes:
            yield (
                f"line {element.line}: <{element.tag}>",
                css_colours.declarations(element.attributes["style"]),
            )


CHECKS: Mapping[str, Callable[[Page], list[str]]] = {
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
"""The checks that a suite may name."""


def faults(name: str, page: Page, allowed: Sequence[str] = ()) -> list[str]:
    """Return what a check finds wrong; `allowed` are beginnings of addresses the page may load from."""
    return outside(page, allowed) if name == "self_contained" else CHECKS[name](page)
