"""Statements and conclusions about statistical significance in an answer."""

from __future__ import annotations

import re
from dataclasses import dataclass

from assay.grading.text.lexicon import Lexicon, phrases
from assay.grading.text.prose import Prose
from assay.grading.text.sentence import line, sentence

_SIGNIFICANCE = Lexicon("significance")

_LABEL = 60
LEVEL = 0.05
_P_VALUE = re.compile(r"\bp(?:[- ]?value)?(?:\s+(?:of|is))?\s*[=:\u2248~]?\s*(0?[.,]\d{1,6})")
_LEVEL = re.compile(r"(?:\s+only)?(?:\s+at)?(?:\s+the)?\s+(\d{1,2}(?:[.,]\d)?)\s*(?:%|per\s?cent)")


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement about significance: its content, its span, and whether it draws a conclusion."""

    significant: bool
    start: int
    end: int
    concludes: bool


def statements(prose: Prose) -> list[Statement]:
    """Return the statements about the result's significance, in order, without conditions and questions."""
    low = prose.low
    every: list[Statement] = []
    for match in _SIGNIFICANCE.near("says", low):
        first, last = sentence(low, match.start(), match.end())
        before = low[first : match.start()]
        if low[match.end() : last].rstrip().endswith("?"):
            continue
        if match["word"] and (
            _SIGNIFICANCE.other_sense_before.search(before)
            or _SIGNIFICANCE.other_sense_after.match(low, match.end())
        ):
            continue
        clause = _SIGNIFICANCE.clause_ends.split(before)[-1]
        if _SIGNIFICANCE.supposed_before.search(clause) and not match["negative"]:
            continue
        if _SIGNIFICANCE.tested_before.search(before) or _is_heading(low, match) or _states_null(low, match):
            continue
        if match["negative"] or match["positive"]:
            significant = bool(match["positive"])
        else:
            significant = not _SIGNIFICANCE.denies.search(clause)
            significant = significant and not _at_another_level(low, match, last)
        if significant and _SIGNIFICANCE.naive.search(low, first, last):
            continue
        every.append(
            Statement(
                significant,
                match.start(),
                match.end(),
                bool(_SIGNIFICANCE.concludes.search(low, max(0, first - 40), match.start())),
            )
        )
    return every


def _listed_statements(prose: Prose) -> list[Statement]:
    """Return the statements in wordings of `lexicon/significance.txt`, in order."""
    every = []
    for name, significant in (("not significant", False), ("significant", True)):
        for match in phrases("significance", name).find(prose.low):
            first, last = sentence(prose.low, match.start(), match.end())
            before = prose.low[first : match.start()]
            if _SIGNIFICANCE.supposed_before.search(before) or prose.low[:last].endswith("?"):
                continue
            concludes = bool(_SIGNIFICANCE.concludes.search(prose.low, max(0, first - 40), match.start()))
            every.append(Statement(significant, match.start(), match.end(), concludes))
    return sorted(every, key=lambda statement: statement.start)


def _by_p_value(prose: Prose) -> list[Statement]:
    """Return the statement that a single p-value makes at the 5 % level; none for several different ones."""
    values = {match[1]: match for match in _P_VALUE.finditer(prose.low)}
    if len(values) != 1:
        return []
    ((value, match),) = values.items()
    if float(value.replace(",", ".")) == LEVEL:
        return []
    return [Statement(float(value.replace(",", ".")) < LEVEL, match.start(), match.end(), False)]


def _at_another_level(low: str, match: re.Match[str], last: int) -> bool:
    """Return whether significance is stated at a level above 5 % ("significant at 10 %"): not at 5 % then."""
    level = _LEVEL.match(low, match.end(), last)
    return level is not None and float(level[1].replace(",", ".")) > 100 * LEVEL


def _is_heading(low: str, match: re.Match[str]) -> bool:
    """Return whether the word is a heading ("2. Statistical significance:")."""
    first, last = line(low, match.start())
    if match.start() - first > _LABEL:
        return False
    before, after = low[first : match.start()], low[match.end() : min(last, match.end() + _LABEL)]
    return after.lstrip(" *_").startswith(":") and not re.search(r"[a-z]", before.replace("statistical", ""))


def _states_null(low: str, match: re.Match[str]) -> bool:
    """Return whether the words only state the null hypothesis ("H0: there is no difference")."""
    first, _ = line(low, match.start())
    return match[0].endswith("difference") and bool(
        _SIGNIFICANCE.null_hypothesis.search(low, max(first, match.start() - 2 * _LABEL), match.start())
    )


def conclusion(prose: Prose) -> Statement | None:
    """Return the statement that is the answer's conclusion, or None without statements.

    The last one that draws a conclusion ("therefore", "bottom line", a first "No"); without one, the last
    statement of the majority, or the last of all if both sides are equally frequent.
    """
    every = statements(prose) or _listed_statements(prose) or _by_p_value(prose)
    if not every:
        return None
    concluding = [statement for statement in every if statement.concludes]
    if concluding:
        return concluding[-1]
    yes = sum(statement.significant for statement in every)
    if 2 * yes == len(every):
        return every[-1]
    most = 2 * yes > len(every)
    return next(statement for statement in reversed(every) if statement.significant is most)
