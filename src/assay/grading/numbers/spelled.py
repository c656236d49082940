"""Numbers spelled out in English ("forty-two", "three hundred and five", "a dozen"), put into digits."""

from __future__ import annotations

import re

_UNITS = {
    word: value
    for value, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
        ]
    )
}
_TENS = {
    word: 10 * (at + 2)
    for at, word in enumerate(["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"])
}
_SCALES = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
_WORD = "|".join(sorted((*_UNITS, *_TENS, *_SCALES), key=len, reverse=True))
_RUN = re.compile(
    rf"\b(?:a\s+(?=hundred|thousand|million))?(?:{_WORD})(?:(?:\s+and\s+|[\s-]+)(?:{_WORD}))*\b",
    re.IGNORECASE,
)
_DOZENS = re.compile(r"\b(?:(?:a|one)\s+)?dozen\b(?!s)", re.IGNORECASE)


def in_digits(text: str) -> str:
    """Return the text with spelled-out numbers as digits; a text without any comes back as it is."""
    text = _DOZENS.sub("12", text) if "ozen" in text else text
    return _RUN.sub(lambda run: str(_value(run[0])), text)


def _value(words: str) -> int:
    whole = group = 0
    for word in re.findall(r"[a-z]+", words.lower()):
        if word in _UNITS or word in _TENS:
            group += _UNITS.get(word, 0) + _TENS.get(word, 0)
        elif word == "hundred":
            group = (group or 1) * 100
        elif word in _SCALES:
            whole += (group or 1) * _SCALES[word]
            group = 0
    return whole + group
