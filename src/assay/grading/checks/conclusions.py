"""Checks on what an answer concludes: the expected result, or whether a difference is significant."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

from assay.core.documented import HelpText
from assay.core.grade import Grade
from assay.grading.check import Patterns, Switch, Texts, check, flag, grade
from assay.grading.checks.flags import FlagCode
from assay.grading.numbers.expected import gold
from assay.grading.numbers.numerals import Value, in_digits, numerals
from assay.grading.parameters import Parameters, ParameterShape
from assay.grading.text.answer import cut
from assay.grading.text.conclusion import CLOSING_LINE, STATED, Conclusion, conclusions
from assay.grading.text.pattern import compiled
from assay.grading.text.plain_math import plain
from assay.grading.text.prose import prose
from assay.grading.text.sentence import sentence
from assay.grading.text.significance import conclusion

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
class ExpectedResult:
    """The expected result: exact numbers with their decimal places, and texts as tokens."""

    shown: str
    numbers: tuple[tuple[Value, int | None], ...]
    texts: tuple[tuple[str, ...], ...]


_DENIED_FACT = re.compile(r"(?:\b(?:not|never|no|without)|n't)\s+(?:(?!but\b|rather\b|only\b)\w+\s+){0,2}\Z")
"""Matches a denial of the words that follow ("not a matched comparison")."""


def _result_problems(parameters: Parameters) -> Iterator[str]:
    expect = parameters.get("expect")
    if isinstance(expect, bool) or not isinstance(expect, int | float | str) or not str(expect).strip():
        yield f"expect is {expect!r}: write the number or text that the answer must conclude with"
    elif _kind(expect, parameters.get("kind")) == "number" and gold(expect) is None:
        yield f"expect is {expect!r}, which is not one number: write one number, or `kind: text`"


def _expected(
    *,
    expect: float | str,
    accept: Texts = (),
    kind: Annotated[str, ParameterShape.TEXT, ("number", "text")] | None = None,
) -> ExpectedResult:
    numbers: list[tuple[Value, int | None]] = []
    phrases: list[tuple[str, ...]] = []
    is_number = _kind(expect, kind) == "number"
    for form in (expect, *accept):
        value = gold(form) if is_number else None
        if value is not None:
            _, point, decimals = str(form).partition(".")
            digits = re.match(r"\d*", decimals)
            numbers.append((value, len(digits[0]) if point and digits else None))
        else:
            tokens = _tokens(str(form))
            phrases.append(tuple(token for token in tokens if token not in _FILLERS) or tuple(tokens))
    return ExpectedResult(cut(str(expect)), tuple(numbers), tuple(phrases))


def _kind(expect: object, declared: str | None) -> str:
    """Return `number` or `text`: as declared, or else by the expected value."""
    return declared or ("number" if gold(expect) is not None else "text")


@check(
    "multi_step_verify",
    version="2",
    prepare=_expected,
    problems=_result_problems,
    about=HelpText("""
        An auto-check that flags an answer whose conclusion is not the expected result.

        In a long calculation the right number often occurs on the way to a wrong result, so the check looks
        for the place where the answer concludes and reads only that.

        Give `expect`, and other correct forms in `accept`. The flag quotes the conclusion that was read. An
        answer that leaves two results open ("64 or 65") is wrong; one that states none gets
        `NO_CONCLUSION`.
    """),
)
def multi_step_verify(answer: str, expected: ExpectedResult) -> Grade:
    """Flag an answer whose conclusion is not the expected result; other occurrences do not count.

    Parameters: `expect` (number or text), `accept` (other accepted forms), `kind` (`number` or `text`;
    default by the expected value). A number may be spelled out, in a box, in bold, with separators, as a
    percentage or rounded to no fewer places than expected. Of several numbers in the concluding sentence one
    must be the result. A stated answer that leaves two results open is flagged.
    """
    wrong: Conclusion | None = None
    for candidate in conclusions(answer):
        if wrong is not None and not _may_overrule(candidate, wrong):
            continue
        verdict = states(candidate.words, expected, stated=candidate.where in STATED)
        if verdict:
            return grade(expected=expected.shown, where=candidate.where, words=cut(candidate.words))
        if wrong is None and verdict is False:
            wrong = candidate
    if wrong is None:
        missing = flag(FlagCode.NO_CONCLUSION, "the answer ends without a result", expected=expected.shown)
        return grade(missing, expected=expected.shown)
    message = f"{wrong.where} is {cut(wrong.words, 80)!r}, not {expected.shown!r}"
    other = flag(FlagCode.WRONG_CONCLUSION, message, expected=expected.shown, words=cut(wrong.words, 300))
    return grade(other, expected=expected.shown)


def _may_overrule(candidate: Conclusion, wrong: Conclusion) -> bool:
    """Return whether an opening line may state the result, so that the end only comments on it."""
    working = wrong.where == CLOSING_LINE and "=" in candidate.words
    return candidate.where.startswith("the opening") and not working


def states(words: str, expected: ExpectedResult, *, stated: bool = False) -> bool | None:
    """Return whether words state the expected result; None if they state nothing comparable.

    A stated answer must be one result: "64 or 65", "60-65" and "between 60 and 65" are none. Remarks in
    brackets about another case are left out.
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
        numbers = _numbers(part) if part else []
        if numbers:
            return any(
                _equal(value, percent, wanted) for value, percent in numbers for wanted in expected.numbers
            )
    return None


def _without_remarks(words: str) -> str:
    """Return the words without bracketed remarks, unless nothing is left that could be the result."""
    bare = _REMARK.sub(lambda remark: " " if _SUPPOSES.search(remark[0]) else remark[0], words)
    return bare if re.search(r"\w", _first_line(bare)) else words


def _first_line(words: str) -> str:
    return words.strip().partition("\n")[0]


def _squeezed(words: str) -> str:
    """Return the letters and digits of the first line: results may be written with spaces or hyphens."""
    return "".join(sign for sign in _first_line(words).lower() if sign.isalnum())


def _hedged(line: str) -> bool:
    """Return whether two different numbers are given as alternatives or as the ends of a range."""
    line = in_digits(plain(line)).rpartition("=")[2]
    if _BOUND.search(line):
        return True
    first = re.search(r"\d", line)
    for match in _TWO_NUMBERS.finditer(line):
        if first is None or first.start() not in (match.start(1), match.start(3)):
            continue
        values = {value for part in match.groups() if part for value, _ in _numbers(part)}
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
    for reading in (value, Fraction(value) / 100) if percent else (value,):
        if reading == target or (places is not None and round(Fraction(reading), places) == target):
            return True
    return False


def _tokens(words: str) -> list[str]:
    return _TOKEN.findall(words.lower().replace("’", "'").replace("*", ""))


def _holds(tokens: list[str], wanted: tuple[str, ...]) -> bool:
    """Return whether the wanted tokens occur in a row, ignoring fillers, without a denial before them."""
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


@check(
    "statistical_significance",
    version="2",
    about=HelpText("""
        An auto-check that flags an answer that draws the wrong conclusion about statistical significance,
        draws none, or leaves out a required fact.

        The sentence "the difference is (not) significant" is what readers act on. Practical importance,
        significance levels and conditions are not confused with it.

        `significant` in the suite says which conclusion is right; `must` lists patterns that have to occur.
        If the answer gives only one p-value and no words, it is compared with 5 %.
    """),
)
def statistical_significance(answer: str, *, significant: Switch, must: Patterns = ()) -> Grade:
    """Flag an answer that concludes the opposite about significance, concludes nothing, or omits a fact.

    Parameters: `significant` (the right conclusion), `must` (patterns that have to be found and not denied).
    Practical or clinical significance, significance levels, conditions and questions are no conclusions.
    Without a conclusion in words, a single p-value counts as one, at 5 %.
    """
    text = prose(answer, code=True)
    concluded = conclusion(text)
    flags = []
    if concluded is None:
        flags.append(flag(FlagCode.NO_CONCLUSION, "concludes nothing about significance"))
    elif concluded.significant is not significant:
        where = text.excerpt(*sentence(text.low, concluded.start, concluded.end))
        verdict = "significant" if concluded.significant else "not significant"
        flags.append(flag(FlagCode.OPPOSITE_CONCLUSION, f"concludes that it is {verdict}", **where))
    for source in must:
        matches = compiled(source, ignore_case=True).finditer(text.text)
        if all(
            _DENIED_FACT.search(text.low[max(0, match.start() - 40) : match.start()]) for match in matches
        ):
            flags.append(flag(FlagCode.MISSING, f"nothing matches {source!r}", pattern=source))
    return grade(*flags, concludes=None if concluded is None else concluded.significant)
