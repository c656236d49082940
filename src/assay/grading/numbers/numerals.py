"""Reading numerals exactly, in the notations of several languages, in digits and in words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from assay.grading.numbers.units import MONEY_SCALES, SCALES, unit_of

Value = int | Fraction

MOST_DIGITS = 400
_GROUPED = r"\d{1,3}(?:[ \u00a0]\d{3})+(?!\d)|\d+"
_DIGITS = rf"(?:{_GROUPED})(?:[.,']\d+)*"
_CURRENCY = r"(?:US\$|[$€£¥₹]|(?:EUR|USD|GBP|CHF|INR|JPY|Rs\.?)(?![A-Za-z]))"
TOKEN = re.compile(
    rf"""
    (?:(?<![\w)\]%°])(?P<sign>[-+])|(?<=[=≈:]\ )(?P<apart>[-+])\ )?
    (?:(?<![A-Za-z])(?P<currency>{_CURRENCY})[ \u00a0]?(?P<inner>[-+])?|(?<![A-Za-zÀ-ÖØ-öø-ÿ_\d])(?<!\d[.,]))
    (?:
        (?P<odd>\d+(?:[/:]\d+){{2,}}|\d+:\d+)
      | (?P<whole>\d+)[ \u00a0]+(?:and[ ])?(?P<top>\d+)[ ]?/[ ]?(?P<bottom>\d+)(?![\d/])
      | (?P<number>{_DIGITS}|\.\d+)
        (?:
            [eE](?P<e>[-+]?\d+)(?!\w)
          | [ \u00a0]?[x×*·][ \u00a0]?10[ ]?\^[ ]?\(?[ ]?(?P<ten>[-+]?\d+)\)?
          | [ ]?\^[ ]?\(?(?P<power>[-+]?\d+)\)?
          | [ ]?/[ ]?(?P<below>{_DIGITS})
        )?
    )
    """,
    re.VERBOSE,
)
_AFTER = re.compile(
    r"[ \u00a0-]?(?P<scale>[A-Za-z]+)?(?:\.(?=[ \u00a0]))?"
    r"(?:[ \u00a0]?(?P<unit>%|‰|°[CF]?|[€£¥₹¢]|\$(?!\d)|[A-Za-zł]+(?:/[A-Za-z]+)?))?"
)
_SECOND_WORD = re.compile(r"[-/ ]?[A-Za-z]+")
_SYMBOL_AFTER = re.compile(r"\s?[×*·]?\s?[π√]")
_NO_UNIT = re.compile(
    "or|and|to|x|und|oder|et|ou|bis|is|are|in|of|per|a|an|the|as|if|for|by|with|at|on", re.IGNORECASE
)
_WESTERN = re.compile(r"\d{1,3}(?:[.,']\d{3})+")
_INDIAN = re.compile(r"\d{1,2}(?:,\d{2})+,\d{3}")


@dataclass(frozen=True, slots=True)
class Numeral:
    """One number as written. `value` is None if it has no exact value; `why` gives the reason.

    `unit` is the spelling next to it (a currency before it, or the word or sign after it), `other` the value
    with the other decimal sign if the notation allows both.
    """

    text: str
    value: Value | None
    start: int
    end: int
    unit: str = ""
    why: str = ""
    other: Value | None = None


def numerals(text: str, decimal: str = ".", scaled: bool = True) -> list[Numeral]:
    """Return the numerals of a plain text (see `plain_math.plain`), in order.

    `decimal` decides only ambiguous notations (`1,234`). Scale words (`million`) multiply unless `scaled` is
    false.
    """
    return [_numeral(text, match, decimal, scaled) for match in TOKEN.finditer(text)]


@lru_cache(maxsize=4096)
def read_digits(written: str, decimal: str = ".") -> tuple[Value | None, Value | None]:
    """Return the value of digits with separators, and the other value if the notation is ambiguous.

    `1,234.5`, `1.234,5`, `1 234,5`, `1'234.5` and `12,34,567` have one value. One sign before exactly three
    digits has two: `decimal` decides which comes first. (None, None) if no notation fits.
    """
    bare = written.replace(" ", "").replace("\u00a0", "")
    if len(bare) > MOST_DIGITS:
        return None, None
    if bare.isdecimal():
        return int(bare), None
    last = max(bare.rfind("."), bare.rfind(","))
    if "'" in bare[last + 1 :]:
        last = -1
    if last < 0:
        digits = bare.replace("'", "")
        return (int(digits) if digits.isdecimal() and _WESTERN.fullmatch(bare) else None), None
    sign, head, tail = bare[last], bare[:last], bare[last + 1 :]
    point = _decimal(head, tail)
    if not head or head.isdecimal():
        if len(tail) != 3 or not 1 <= len(head) <= 3 or head[0] == "0":
            return point, None
        whole = int(head + tail)
        return (point, whole) if sign == decimal else (whole, point)
    if sign in head:
        fits = _WESTERN.fullmatch(bare) or (sign == "," and _INDIAN.fullmatch(bare))
        uniform = len(set(bare) & set(".,'")) == 1
        return (int(head.replace(sign, "") + tail) if fits and uniform else None), None
    uniform = len(set(head) & set(".,'")) == 1
    fits = _WESTERN.fullmatch(head) or _INDIAN.fullmatch(head)
    return (point if fits and uniform else None), None


def _decimal(head: str, tail: str) -> Value:
    whole = head.replace(".", "").replace(",", "").replace("'", "")
    return as_integer(Fraction(int(whole + tail), 10 ** len(tail)))


def _numeral(text: str, match: re.Match[str], decimal: str, scaled: bool) -> Numeral:
    start, end = match.span()
    value, other, why = _magnitude(match, decimal)
    unit = match["currency"] or ""
    if ("π" in text or "√" in text) and (
        _SYMBOL_AFTER.match(text, end) or text[:start].rstrip(" (").endswith("√")
    ):
        value, why = None, "it has a symbolic factor (a root or pi)"
    after = _AFTER.match(text, end)
    if after and after.end() > end:
        scale = _scale(after, unit, text, end) if scaled else 1
        if scale != 1:
            end = after.end("scale")
            value = None if value is None else value * scale
            other = None if other is None else other * scale
            unit = unit or after["unit"] or ""
        else:
            unit = unit or _unit(text, after)
    if "-" in (match["sign"], match["apart"], match["inner"]):
        value = None if value is None else -value
        other = None if other is None else -other
    return Numeral(text[start:end], value, start, end, unit, why, other)


def _unit(text: str, after: re.Match[str]) -> str:
    """Return the word or sign directly after a number: `km/h`, `%`; the scale group contains plain words."""
    if not after["scale"]:
        sign = after["unit"] or ""
        return "" if _NO_UNIT.fullmatch(sign) else sign
    stop = after.end("scale")
    word = text[after.start("scale") : stop]
    if _NO_UNIT.fullmatch(word):
        return ""
    rest = _SECOND_WORD.match(text, stop)
    if rest and unit_of(word + rest[0]):
        return word + rest[0]
    return word


def _scale(after: re.Match[str], currency: str, text: str, end: int) -> int:
    word = after["scale"]
    if not word:
        return 1
    if currency and after.start("scale") == end and word in MONEY_SCALES:
        return MONEY_SCALES[word]
    return SCALES.get(word.lower(), 1)


def _magnitude(match: re.Match[str], decimal: str) -> tuple[Value | None, Value | None, str]:
    if match["odd"]:
        return None, None, "it is a date, a time or a ratio"
    if match["whole"]:
        if _too_long(match["whole"], match["top"], match["bottom"]) or not int(match["bottom"]):
            return None, None, "the fraction has no value"
        return as_integer(int(match["whole"]) + Fraction(int(match["top"]), int(match["bottom"]))), None, ""
    value, other = read_digits(match["number"], decimal)
    if value is None:
        return None, None, "its separators fit no notation of numbers, or it has too many digits"
    if match["below"]:
        below, _ = read_digits(match["below"], decimal)
        return (
            (as_integer(Fraction(value) / below), None, "")
            if below
            else (None, None, "the fraction has no value")
        )
    exponent = match["e"] or match["ten"] or match["power"]
    if exponent is None:
        return value, other, ""
    if len(exponent) > 4 or abs(int(exponent)) > MOST_DIGITS:
        return None, None, "its exponent is too large"
    if match["power"] is None:
        return as_integer(value * Fraction(10) ** int(exponent)), None, ""
    if (not value and int(exponent) < 0) or _bits(value) * abs(int(exponent)) > 4 * MOST_DIGITS:
        return None, None, "the power has no value, or too many digits"
    return as_integer(Fraction(value) ** int(exponent)), None, ""


def _too_long(*digits: str) -> bool:
    return any(len(run) > MOST_DIGITS for run in digits)


def _bits(value: Value) -> int:
    return value.numerator.bit_length() + value.denominator.bit_length()


def as_integer(value: Fraction) -> Value:
    """Return the fraction as an integer if it is one."""
    return value.numerator if value.denominator == 1 else value


_FROM_ZERO = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
)
_FROM_TWENTY = "twenty thirty forty fifty sixty seventy eighty ninety"
_UNITS = {word: value for value, word in enumerate(_FROM_ZERO.split())}
_TENS = {word: 10 * tens for tens, word in enumerate(_FROM_TWENTY.split(), 2)}
_SCALES = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
_WORD = "|".join(sorted((*_UNITS, *_TENS, *_SCALES), key=len, reverse=True))
_RUN = re.compile(
    rf"\b(?:a\s+(?=hundred|thousand|million))?(?:{_WORD})(?:(?:\s+and\s+|[\s-]+)(?:{_WORD}))*\b",
    re.IGNORECASE,
)
_DOZENS = re.compile(r"\b(?:(?:a|one)\s+)?dozen\b(?!s)", re.IGNORECASE)


def in_digits(text: str) -> str:
    """Return the text with spelled-out numbers in digits."""
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
