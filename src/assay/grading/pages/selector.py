"""A subset of CSS selectors: tag, `*`, `#id`, `.class`, `[attr]`, `[attr=value]`, descendants, lists."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from assay.grading.pages.page import HtmlElement, HtmlPage

_PART = re.compile(
    r"""(?P<tag>\*|[a-zA-Z][\w-]*)|\#(?P<id>[\w-]+)|\.(?P<class>[\w-]+)
    |\[\s*(?P<name>[\w:-]+)\s*(?:(?P<how>[~^$*]?=)\s*
    (?:"(?P<double>[^"]*)"|'(?P<single>[^']*)'|(?P<bare>[^\]\s"']+))\s*)?\]""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class AttributeSelector:
    """A condition on an attribute: present (`how` is None), or related to the value by a CSS operator."""

    name: str
    how: str | None = None
    value: str = ""

    def matches(self, element: HtmlElement) -> bool:
        """Return whether the element's attribute meets the condition."""
        if self.name not in element.attributes:
            return False
        given = element.attributes[self.name]
        match self.how:
            case None:
                return True
            case "=":
                return given == self.value
            case "~=":
                return self.value in given.split()
            case "^=":
                return bool(self.value) and given.startswith(self.value)
            case "$=":
                return bool(self.value) and given.endswith(self.value)
            case _:
                return bool(self.value) and self.value in given


@dataclass(frozen=True, slots=True)
class CompoundSelector:
    """Conditions on one element: its tag (None for any) and its attributes."""

    tag: str | None
    attributes: tuple[AttributeSelector, ...]

    def matches(self, element: HtmlElement) -> bool:
        """Return whether the element meets the conditions."""
        return (self.tag is None or element.tag == self.tag) and all(
            attribute.matches(element) for attribute in self.attributes
        )


@dataclass(frozen=True, slots=True)
class Selector:
    """Alternatives, each a chain of compound selectors from the outermost to the element itself."""

    alternatives: tuple[tuple[CompoundSelector, ...], ...]

    def matches(self, element: HtmlElement) -> bool:
        """Return whether the element is selected."""
        return any(_chain_matches(chain, element) for chain in self.alternatives)

    def select(self, page: HtmlPage) -> list[HtmlElement]:
        """Return the selected elements, in the page's order."""
        return [element for element in page.elements if self.matches(element)]


def _chain_matches(chain: tuple[CompoundSelector, ...], element: HtmlElement) -> bool:
    *outer, own = chain
    if not own.matches(element):
        return False
    # The nearest matching ancestor is enough, since descendants are the only relation.
    for above in element.ancestors:
        if outer and outer[-1].matches(above):
            outer.pop()
    return not outer


@cache
def selector(text: str) -> Selector:
    """Return a parsed selector. Raises ValueError for syntax that is not supported."""
    alternatives: list[tuple[CompoundSelector, ...]] = []
    chain: list[CompoundSelector] = []
    at = 0
    text = text.strip()
    while at < len(text):
        compound, at = _compound(text, at)
        chain.append(compound)
        gap = re.compile(r"\s*(,?)\s*").match(text, at)
        assert gap is not None
        if gap.group(1) or gap.end() == len(text):
            alternatives.append(tuple(chain))
            chain = []
        if gap.group(1) and gap.end() == len(text):
            raise ValueError(f"selector {text!r} ends with a comma: remove it")
        at = gap.end()
    if not alternatives:
        raise ValueError("empty selector: write a tag, #id, .class or [attr=value]")
    return Selector(tuple(alternatives))


def _compound(text: str, at: int) -> tuple[CompoundSelector, int]:
    tag: str | None = None
    attributes: list[AttributeSelector] = []
    start = at
    while part := _PART.match(text, at):
        if part["tag"]:
            if at != start:
                break
            tag = None if part["tag"] == "*" else part["tag"].lower()
        elif part["id"]:
            attributes.append(AttributeSelector("id", "=", part["id"]))
        elif part["class"]:
            attributes.append(AttributeSelector("class", "~=", part["class"]))
        else:
            value = next((part[kind] for kind in ("double", "single", "bare") if part[kind] is not None), "")
            attributes.append(AttributeSelector(part["name"].lower(), part["how"], value))
        at = part.end()
    if at == start or (at < len(text) and text[at] not in " \t\n,"):
        raise ValueError(
            f"invalid selector {text!r} at {text[at : at + 12]!r}: "
            "write tag, #id, .class, [attr], [attr=value], a space for 'within', a comma for 'or'"
        )
    return CompoundSelector(tag, tuple(attributes)), at
