"""Options that refer to other options: all of the above, none of them, both A and B."""

from __future__ import annotations

import re
from dataclasses import dataclass

_ALL = re.compile(
    r"(?:all|each|every one|any) of (?:the )?(?:above|these|them|the options|those|the others?|the preceding)"
    r"(?: (?:are|is) (?:correct|true|right)| options| choices| answers| statements)*"
    r"|(?:以上|上述|前面)?(?:各项|选项|三项|三者|四项|两项|几项|所有选项|说法|答案)*(?:都|均|皆|全|全部|全都)"
    r"(?:是|对|正确|包括|有|可以|可|属于|成立|符合)(?:的)?",
    re.IGNORECASE,
)
_NONE = re.compile(
    r"(?:none|neither) of (?:the )?(?:above|these|them|the options|those|the others?|the preceding)"
    r"(?: (?:are|is) (?:correct|true|right)| options| choices| answers| statements)*"
    r"|(?:以上|上述|前面)?(?:各项|选项|三项|三者|四项|两项|几项|所有选项|说法|答案)*(?:都|均|皆|全)"
    r"(?:不|非|错|错误|没有|无)(?:是|对|正确|包括|属于|成立|符合)?(?:的)?"
    r"|(?:无|没有)(?:正确|以上)?(?:答案|选项)",
    re.IGNORECASE,
)
_JOINED = re.compile(
    r"(?:both |only |options? |选项?|仅|只有)?\(?([A-J])\)?"
    r"((?:\s*(?:,|，|、|和|与|及|&|\+|and|,\s*and)\s*\(?[A-J]\)?)+)"
    r"(?: only| (?:are|is) (?:correct|true|right)|都对|都是|均正确|都正确)?",
    re.IGNORECASE,
)
_RUN = re.compile(r"[A-J]{2,6}")
_UNCLEAR = re.compile(
    r"\b(?:all|none|any|some|two|more than one) (?:but|except|of the (?:above|options|other))"
    r"|\b(?:either|neither) \(?[A-J]\)?\s+n?or\s+\(?[A-J]\)?\b"
    r"|\boptions? \(?[A-J]\)?(?![\w'])|\bthe above\b|\babove (?:options|choices|answers)\b"
    r"|^以上|以上(?:选项|各项|说法|答案|[二两三四五]|都|均|皆|全)|上述选项|除[A-J]|选项[A-J]|^[A-J]或[A-J]$",
    re.IGNORECASE,
)
_TRIMMED = " \t\n\u3000.,;:。，；：!！\"“”'"


@dataclass(frozen=True, slots=True)
class OptionReference:
    """A reference of an option to others: the places, from 0, of those that are right if it is.

    `places` is None if the reference is not understood.
    """

    places: frozenset[int] | None


def referring(option: str, place: int, count: int) -> OptionReference | None:
    """Return the reference of the option at a place (from 0) to the `count` options, or None.

    Letters count as options only if all of them come before the option itself: `A and D` as the first option
    is ordinary text, such as two vitamins.
    """
    text = option.strip(_TRIMMED)
    if _plain(text):
        return None
    others = frozenset(range(count)) - {place}
    if _ALL.fullmatch(text):
        return OptionReference(others)
    if _NONE.fullmatch(text):
        return OptionReference(frozenset())
    joined = _JOINED.fullmatch(text)
    if joined:
        named = frozenset(ord(letter.upper()) - ord("A") for letter in _letters(text))
        return OptionReference(named) if max(named) < place else None
    if _RUN.fullmatch(text):
        run = [ord(letter) - ord("A") for letter in text]
        return OptionReference(None) if max(run) < place and run == sorted(set(run)) else None
    return OptionReference(None) if _UNCLEAR.search(text) else None


def _letters(text: str) -> list[str]:
    return re.findall(r"(?<![A-Za-z])[A-Ja-j](?![A-Za-z])", text)


_HINT = re.compile(
    r"\b(?:all|none|any|each|every|both|only|above|either|neither|options?|some|two|more)\b"
    r"|[都均皆全无没以上除选或]|^\(?[A-Ja-j]\W|^[A-J]{2,6}$|[A-J](?:和|与|及|、)",
    re.IGNORECASE,
)


def _plain(text: str) -> bool:
    """Whether a text cannot refer to others, by a quick check that suffices for most options."""
    return len(text) > 60 or _HINT.search(text) is None
