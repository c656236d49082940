"""Flags an answer that does not conclude with the expected result."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from assay.core.ask import Ask, Reply
from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.checks.flag import flag, graded
from assay.grading.checks.parameters import faults
from assay.grading.constraint_kinds.kind import text, texts
from assay.grading.numbers.expected import gold
from assay.grading.numbers.numerals import Value, numerals
from assay.grading.numbers.plain_math import plain
from assay.grading.numbers.spelled import in_digits
from assay.grading.prepared import Prepared
from assay.grading.text.answer import cut
from assay.grading.text.conclusion import CLOSING_LINE, STATED, Place, conclusions

PARAMETERS = (texts("accept", required=False), text("kind", choices=("number", "text"), required=False))

_TOKEN = re.compile(r"[^\W_]+(?:[.,]\d+)*(?:'[^\W_]+)?")
_FILLERS = frozenset(["and", "then", "the", "a", "an", "is", "are", "with", "to", "of", "it", "was", "be"])
_NOT = frozenset(["not", "neither", "nor", "never", "no", "isn't", "than", "instead", "without", "except"])
_BOLD = re.compile(r"\*\*([^*\n]*)\*\*(?!\s*:)")
_ARITHMETIC = re.compile(r"[\d.,\s×x*+\-−–/÷()%$€£^]+(?=[=≈])")
_DENIED = re.compile(
    r"\b(?:not|rather than|instead of|isn't|than|neither|nor)\s+(?:\w+\s+)?[$€£]?\Z", re.IGNORECASE
)
_REMARK = re.compile(r"(?<=\S)[ \t]*(?<!\\)\([^()\n]{0,200}\)")
_SUPPOSES = re.compile(
    r"\b(?:if|not|or|when|unless|without|assuming|instead|rather|depending)\b", re.IGNORECASE
)
_NUMERAL = r"[$€£]?[ \t]?(\d[\d.,]*)[ \t]?(?:%|[$€£]|[a-z]{1,8}\b)?"
_JOINED = r"(?:,?[\s*]*\b(?:or|to)\b[^\d\n.;]{0,60}|[\s*]*(?:[-–—~]|\.\.)[\s*]*)"
_TWO_NUMBERS = re.compile(
    rf"{_NUMERAL}{_JOINED}{_NUMERAL}|\bbetween\s+{_NUMERAL}\s+and\s+{_NUMERAL}", re.IGNORECASE
)
_BOUND = re.compile(
    r"\b(?:at\s+least|at\s+most|more\s+than|fewer\s+than|less\s+than|up\s+to)\b", re.IGNORECASE
)
_ALTERNATIVES = re.compile(r"\b(?:or|either|between|depending)\b", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?](?=\s+[A-Z*(\[])|\n\n")


@dataclass(frozen=True, slots=True)
class Expected:
    """What counts as the result: exact numbers with the places they are written to, and texts as tokens."""

    shown: str
    numbers: tuple[tuple[Value, int | None], ...]
    texts: tuple[tuple[str, ...], ...]


class MultiStepVerify:
    """Flags an answer whose conclusion, not any occurrence, is not the expected result.

    Parameters: `expect` (number or text), `accept` (other accepted forms), `kind` (`number` or `text`;
    default by what is expected). A number may be spelled out, in a box, in bold, with separators,
    as a percentage or rounded to no fewer places than expected. Several numbers in the concluding
    sentence: one must be it. A stated answer that leaves two results open is flagged.
    """

    name: ClassVar[str] = "multi_step_verify"
    version: ClassVar[str] = "2"

    def problems(self, spec: GraderSpec) -> tuple[str, ...]:
        """Return what is wrong with the parameters."""
        given = spec.parameters
        found = faults(spec, PARAMETERS, also=("expect",))
        expect, kind = given.get("expect"), kind_of(given)
        if isinstance(expect, bool) or not isinstance(expect, int | float | str) or not str(expect).strip():
            found.append(f"expect is {expect!r}: write the number or text that the answer ends up with")
        elif kind == "number" and gold(expect) is None:
            found.append(f"expect is {expect!r}, which is not one number: write it so, or `kind: text`")
        return tuple(found)

    def asks(self, case: Case, spec: GraderSpec, answer: str) -> tuple[Ask, ...]:
        """Ask nothing: the check is mechanical."""
        return ()

    def read(self, case: Case, spec: GraderSpec, answer: str, replies: tuple[Reply, ...]) -> Grade:
        """Return 1, or 0 with what the answer concludes instead."""
        expected = _PREPARED(spec)
        places = conclusions(answer)
        seen: Place | None = None
        for place in places:
            if seen is not None and not _may_overrule(place, seen):
                continue
            verdict = says(place.words, expected, stated=place.where in STATED)
            if verdict:
                return graded((), expected=expected.shown, where=place.where, words=cut(place.words))
            if seen is None and verdict is False:
                seen = place
        if seen is None:
            found = flag("NO_CONCLUSION", "the answer ends without a result", expected=expected.shown)
        else:
            says_so = f"{seen.where} is {cut(seen.words, 80)!r}, not {expected.shown!r}"
            found = flag("WRONG_CONCLUSION", says_so, expected=expected.shown, words=cut(seen.words, 300))
        return graded((found,), expected=expected.shown)


def _may_overrule(place: Place, seen: Place) -> bool:
    """Whether an opening line states the result, and the end only comments on it."""
    working = seen.where == CLOSING_LINE and "=" in place.words
    return place.where.startswith("the opening") and not working


def kind_of(given: Mapping[str, Any]) -> str:
    """Return `number` or `text`: as declared, or else by what is expected."""
    if "kind" in given:
        return str(given["kind"])
    return "number" if gold(given.get("expect")) is not None else "text"


def says(words: str, expected: Expected, *, stated: bool = False) -> bool | None:
    """Tell whether words state the expected result; None when they state nothing comparable.

    Words that state an answer state one: what supposes another case in brackets is a remark, and "64 or 65",
    "60-65" or "between 60 and 65" are no result.
    """
    if stated:
        words = _without_remarks(words)
    if any(_squeezed(words) == "".join(wanted) for wanted in expected.texts if len("".join(wanted)) > 2):
        return True
    if any(_holds(_tokens(words), wanted) for wanted in expected.texts):
        return not (stated and _ALTERNATIVES.search(_first_line(words)))
    if not expected.numbers:
        return False if words.strip() else None
    if stated and _hedged(_first_line(words)):
        return False
    bold = [
        match
        for match in _BOLD.findall(words)
        if re.search(r"\d", match) and not match.rstrip().endswith(":")
    ]
    for part in (" ; ".join(bold), _first_sentence(words), words):
        found = _numbers(part) if part else []
        if found:
            return any(
                _equal(value, percent, wanted) for value, percent in found for wanted in expected.numbers
            )
    return None


def _without_remarks(words: str) -> str:
    """The words without bracketed remarks, where something is left that could be the result."""
    bare = _REMARK.sub(lambda remark: " " if _SUPPOSES.search(remark[0]) else remark[0], words)
    return bare if re.search(r"\w", _first_line(bare)) else words


def _first_line(words: str) -> str:
    return words.strip().partition("\n")[0]


def _squeezed(words: str) -> str:
    """The letters and digits of the first line: a result may be written with spaces or hyphens between."""
    return "".join(sign for sign in _first_line(words).lower() if sign.isalnum())


def _hedged(line: str) -> bool:
    """Whether two different numbers stand side by side as alternatives or as the ends of a range."""
    line = in_digits(plain(line)).rpartition("=")[2]
    if _BOUND.search(line):
        return True
    first = re.search(r"\d", line)
    for found in _TWO_NUMBERS.finditer(line):
        if first is None or first.start() not in (found.start(1), found.start(3)):
            continue
        values = {value for part in found.groups() if part for value, _ in _numbers(part)}
        if len(values) > 1:
            return True
    return False


def _first_sentence(words: str) -> str:
    end = _SENTENCE_END.search(words)
    return words[: end.start() + 1] if end else words


def _numbers(words: str) -> list[tuple[Value, bool]]:
    shown = in_digits(plain(words))
    shown = _ARITHMETIC.sub(" ", shown) if "=" in shown or "≈" in shown else shown
    return [
        (value, numeral.unit == "%")
        for numeral in numerals(shown)
        if not _DENIED.search(shown[max(0, numeral.start - 30) : numeral.start])
        for value in (numeral.value, numeral.other)
        if value is not None
    ]


def _equal(value: Value, percent: bool, wanted: tuple[Value, int | None]) -> bool:
    target, places = wanted
    for one in (value, Fraction(value) / 100) if percent else (value,):
        if one == target or (places is not None and round(Fraction(one), places) == target):
            return True
    return False


def _tokens(words: str) -> list[str]:
    return _TOKEN.findall(words.lower().replace("’", "'").replace("*", ""))


def _holds(tokens: list[str], wanted: tuple[str, ...]) -> bool:
    """Whether the wanted tokens stand in a row, fillers apart, and are not denied just before."""
    if not wanted:
        return False
    kept = [(at, token) for at, token in enumerate(tokens) if token not in _FILLERS or token in wanted]
    bare = [token for _, token in kept]
    for start in range(len(bare) - len(wanted) + 1):
        if tuple(bare[start : start + len(wanted)]) == wanted:
            before = tokens[max(0, kept[start][0] - 3) : kept[start][0]]
            for turn in ("but", "rather"):
                if turn in before and "than" not in before:
                    before = before[before.index(turn) + 1 :]
            if not _NOT.intersection(before):
                return True
    return False


def _expected(spec: GraderSpec) -> Expected:
    given = spec.parameters
    numbers: list[tuple[Value, int | None]] = []
    phrases: list[tuple[str, ...]] = []
    number = kind_of(given) == "number"
    for form in (given["expect"], *given.get("accept", ())):
        value = gold(form) if number else None
        if value is not None:
            _, point, decimals = str(form).partition(".")
            digits = re.match(r"\d*", decimals)
            numbers.append((value, len(digits[0]) if point and digits else None))
        else:
            tokens = _tokens(str(form))
            phrases.append(tuple(token for token in tokens if token not in _FILLERS) or tuple(tokens))
    return Expected(cut(str(given["expect"])), tuple(numbers), tuple(phrases))


_PREPARED: Prepared[Expected] = Prepared(_expected)
