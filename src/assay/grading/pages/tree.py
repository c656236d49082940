"""An HTML page as a tree of elements, with what is wrong in its tags."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

UNSEEN = frozenset({"script", "style", "template", "title", "noscript"})

INLINE = frozenset(
    {"a", "abbr", "b", "code", "em", "i", "mark", "small", "span", "strong", "sub", "sup", "u"}
)


@dataclass(slots=True, eq=False)
class Element:
    """One element: its tag and attribute names in small letters, where it starts, what it holds in order."""

    tag: str
    attributes: dict[str, str]
    line: int
    parent: Element | None = None
    content: list[Element | str] = field(default_factory=list)

    @property
    def ancestors(self) -> Iterator[Element]:
        """The elements around it, nearest first; the document itself left out."""
        above = self.parent
        while above is not None and above.parent is not None:
            yield above
            above = above.parent

    def within(self, *tags: str) -> bool:
        """Return whether an element of one of these tags is around it."""
        return any(above.tag in tags for above in self.ancestors)

    @property
    def text(self) -> str:
        """All text in it, spaces collapsed; scripts, styles, titles and templates are unseen."""
        return " ".join("".join(_texts(self)).split())


@dataclass(frozen=True, slots=True)
class Page:
    """A parsed page. `faults` are unbalanced tags, in words; `elements` all elements in their order."""

    source: str
    root: Element
    elements: tuple[Element, ...]
    faults: tuple[str, ...]
    doctype: str | None

    def all(self, *tags: str) -> list[Element]:
        """Return the elements of these tags, in order."""
        return [element for element in self.elements if element.tag in tags]

    @property
    def ids(self) -> list[str]:
        """All ids given, in order, repeated ones too."""
        return [element.attributes["id"] for element in self.elements if element.attributes.get("id")]

    @property
    def text(self) -> str:
        """The text that a reader sees without running scripts, spaces collapsed."""
        return self.root.text


def _texts(element: Element) -> Iterator[str]:
    """Yield the text of an element in order, with a space at either end of what is not inline."""
    waiting: list[Element | str] = [element]
    while waiting:
        part = waiting.pop()
        if isinstance(part, str):
            yield part
        elif part is element or part.tag not in UNSEEN:
            edge = [] if part.tag in INLINE else [" "]
            waiting += [*edge, *reversed(part.content), *edge]
