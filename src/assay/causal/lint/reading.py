"""A question with its words and numbers taken out once, for all attacks to look at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assay.causal.item import Item
from assay.causal.lint.numbers import NumberInText, numbers
from assay.causal.lint.words import content, words


@dataclass(frozen=True, slots=True)
class Reading:
    """An item as attacks see it. No attack looks at `item.key` before it has picked.

    `values` has the first number of each option, and is None unless every option has one.
    """

    item: Item
    stem_words: frozenset[str]
    stem_numbers: frozenset[NumberInText]
    option_words: tuple[tuple[str, ...], ...]
    option_content: tuple[frozenset[str], ...]
    values: tuple[NumberInText, ...] | None

    @property
    def size(self) -> int:
        """How many options there are; chance is 1/size."""
        return len(self.item.options)


def read(item: Item) -> Reading:
    """Take an item's words and numbers out."""
    tokens = tuple(words(option) for option in item.options)
    firsts = [numbers(option)[:1] for option in item.options]
    return Reading(
        item=item,
        stem_words=content(words(item.stem)),
        stem_numbers=frozenset(numbers(item.stem)),
        option_words=tokens,
        option_content=tuple(content(each) for each in tokens),
        values=tuple(first[0] for first in firsts) if all(firsts) else None,
    )


def read_all(items: Sequence[Item]) -> tuple[Reading, ...]:
    """Take the words and numbers of all items out, in order."""
    return tuple(read(item) for item in items)
