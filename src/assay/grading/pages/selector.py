"""A small part of CSS's selectors: tag, `*`, `#id`, `.class`, `[attr]`, `[attr=value]`, "within", "or"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from assay.grading.pages.tree import Element, Page

_PART = re.compile(
    r"""(?P<tag>\*|[a-zA-Z][\w-]*)|\#(?P<id>[\w-]+)|\.(?P<class>[\w-]+)
    |\[\s*(?P<name>[\w:-]+)\s*(?:(?P<how>[~^$*]?=)\s*
    (?:"(?P<double>[^"]*)"|'(?P<single>[^']*)'|(?P<bare>[^\]\s"']+))\s*)?\]""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Attribute:
    """What an attribute must be: present (`how` is None), or related to the value by a CSS operator."""

    name: str
    how: str | None = None
    value: str = ""

    def matches(self, element: Element) -> bool:
        """Return whether the element's attribute is so."""
        if self.name not in element.attributes:
            return False
        found = element.attributes[self.name]
        match self.how:
            case None:
                return True
            case "=":
                return found == self.value
            case "~=":
                return self.value in found.split()
            case "^=":
                return bool(self.value) and found.startswith(self.value)
            case "$=":
                return bool(self.value) and found.endswith(self.value)
            case _:
                return bool(self.value) and self.value in found


@dataclass(frozen=True, slots=True)
class Compound:
    """What one element must be: its tag (None for any) and its attributes."""

    tag: str | None
    attributes: tuple[Attribute, ...]

    def matches(self, element: Element) -> bool:
        """Return whether the element is so."""
        return (self.tag is None or element.tag == self.tag) and all(
            attribute.matches(element) for attribute in self.attributes
        )


@dataclass(frozen=True, slots=True)
class Selector:
    """Alternatives, each a chain of compounds from the outermost to the element itself."""

    alternatives: tuple[tuple[Compound, ...], ...]

    def matches(self, element: Element) -> bool:
        """Return whether the element is selected."""
        return any(_chain_matches(chain, element) for chain in self.alternatives)

    def select(self, page: Page) -> list[Element]:
        """Return the selected elements, in the page's order."""
        return [element for element in page.elements if self.matches(element)]


def _chain_matches(chain: tuple[Compound, ...], element: Element) -> bool:
    *outer, own = chain
    if not own.matches(element):
        return False
    # The nearest fitting ancestor is enough: "within" has no other relation to satisfy.
    for above in element.ancestors:
        if outer and outer[-1].matches(above):
            outer.pop()
    return not outer


@cache
def selector(text: str) -> Selector:
    """Parse a selector. Raises ValueError, saying what it does not understand."""
    alternatives: list[tuple[Compound, ...]] = []
    chain: list[Compound] = []
    place = 0
    text = text.strip()
    while place < len(text):
        compound, place = _compound(text, place)
        chain.append(compound)
        gap = re.compile(r"\s*(,?)\s*").match(text, place)
        assert gap is not None
        if gap.group(1) or gap.end() == len(text):
            alternatives.append(tuple(chain))
            chain = []
        if gap.group(1) and gap.end() == len(text):
            raise ValueError(f"selector {text!r} ends with a comma")
        place = gap.end()
    if not alternatives:
        raise ValueError("a selector is empty: write a tag, #id, .class or [attr=value]")
    return Selector(tuple(alternatives))


def _compound(text: str, place: int) -> tuple[Compound, int]:
    tag: str | None = None
    attributes: list[Attribute] = []
    start = place
    while part := _PART.match(text, place):
        if part["tag"]:
            if place != start:
                break
            tag = None if part["tag"] == "*" else part["tag"].lower()
        elif part["id"]:
            attributes.append(Attribute("id", "=", part["id"]))
        elif part["class"]:
            attributes.append(Attribute("class", "~=", part["class"]))
        else:
            value = next((part[kind] for kind in ("double", "single", "bare") if part[kind] is not None), "")
            attributes.append(Attribute(part["name"].lower(), part["how"], value))
        place = part.end()
    if place == start or (place < len(text) and text[place] not in " \t\n,"):
        raise ValueError(
            f"selector {text!r} is not understood from {text[place : place + 12]!r}: "
            "write tag, #id, .class, [attr], [attr=value], a space for 'within', a comma for 'or'"
        )
    return Compound(tag, tuple(attributes)), place
