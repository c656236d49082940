"""A small grammar of English: nouns with their number, agreement, lists, and sentences from templates."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assay.core.errors import InvalidInput

_SLOT = re.compile(r"\{(\w+)(?::([^{}|]*)\|([^{}|]*))?\}")


@dataclass(frozen=True, slots=True)
class Noun:
    """A noun phrase and whether it takes a plural verb."""

    text: str
    plural: bool = False


def slots(template: str) -> tuple[str, ...]:
    """Return the names of a template's slots, each once, in the order of the text."""
    return tuple(dict.fromkeys(match[1] for match in _SLOT.finditer(template)))


def fill(template: str, nouns: Mapping[str, Noun]) -> str:
    """Fill a template: `{a}` is a noun, `{a:is|are}` the word that agrees with it.

    InvalidInput for a slot without a noun.
    """

    def replaced(match: re.Match[str]) -> str:
        if match[1] not in nouns:
            raise InvalidInput(
                f"the phrase {template!r} has the slot {match[1]!r}, for which there is no word"
            )
        noun = nouns[match[1]]
        if match[2] is None:
            return noun.text
        return match[3] if noun.plural else match[2]

    return _SLOT.sub(replaced, template)


def listed(items: Sequence[str], word: str = "and") -> str:
    """Return `a`, `a and b` or `a, b and c`."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {word} {items[-1]}"


def joined(nouns: Sequence[Noun], word: str = "and") -> Noun:
    """Return several nouns as one noun phrase; with `or` the last noun decides its number."""
    plural = nouns[-1].plural if word == "or" or len(nouns) == 1 else True
    return Noun(listed([noun.text for noun in nouns], word), plural)


def capitalised(text: str) -> str:
    """Return the text with a capital letter at its beginning."""
    return text[:1].upper() + text[1:]


def sentence(text: str) -> str:
    """Return a clause as a sentence."""
    return f"{capitalised(text)}."
