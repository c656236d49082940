"""The `contains` grader: facts that an answer must or must not state, found by patterns.

With w wanted facts, f of them found, and b forbidden facts found, the score is `max(0, (f - b) / w)`, so that
an empty answer gets 0. With only forbidden facts it is the share of them that is not found.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.core.documented import HelpText
from assay.core.grade import Grade
from assay.grading.check import check
from assay.grading.parameters import Parameters
from assay.grading.text import pattern

LISTS = ("all", "any", "none")
FLAGS = ("ignore_case", "plain")
AROUND = 40
"""Characters shown on either side of a match."""

_PLAIN = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"),
        **dict.fromkeys("\u00a0\u2007\u2009\u200a\u202f", " "),
        **dict.fromkeys("\u200b\u2060\ufeff\u00ad*`"),
        "\u2026": "...",
    }
)


@dataclass(frozen=True, slots=True)
class FirstMatch:
    """The first match of a pattern: its line (from 1), its text, and the text around it."""

    line: int
    text: str
    around: str


def plain(answer: str) -> str:
    """Return the answer with ASCII quotes, dashes and spaces, and without Markdown's `*` and backticks."""
    return answer.translate(_PLAIN)


def find(text: str, source: str, *, ignore_case: bool = True) -> FirstMatch | None:
    """Return the first match of the pattern `source` that is not empty, or None."""
    for match in pattern.compiled(source, ignore_case=ignore_case).finditer(text):
        if match.group():
            start, end = max(0, match.start() - AROUND), match.end() + AROUND
            return FirstMatch(
                text.count("\n", 0, match.start()) + 1,
                match.group()[:200],
                text[start : min(end, start + 300)],
            )
    return None


def score(wanted: int, found: int, forbidden: int, broken: int) -> float:
    """Return the score of `found` of `wanted` facts and `broken` of `forbidden` ones (module docstring)."""
    if not wanted:
        return 1 - broken / forbidden
    return max(0.0, (found - broken) / wanted)


def _problems(parameters: Parameters) -> list[str]:
    problems = [
        f"{name} is {parameters[name]!r}: write true or false"
        for name in FLAGS
        if not isinstance(parameters.get(name, True), bool)
    ]
    if not any(parameters.get(name) for name in LISTS):
        problems.append("no patterns: give `all`, `any` or `none` a list")
    for name in ("all", "none"):
        problems += _list_problems(name, parameters.get(name, ()))
    groups = parameters.get("any", ())
    if not _is_list(groups) or not all(_is_list(group) and group for group in groups):
        problems.append(f"any is {groups!r}: write a list of lists of patterns")
    else:
        problems += [text for group in groups for text in _list_problems("any", group)]
    return problems


@check(
    "contains",
    version="1",
    names=(*LISTS, *FLAGS),
    problems=_problems,
    about=HelpText("""
        Marks how many of the wanted facts occur in the answer, as patterns, minus the forbidden ones that
        occur.

        It suits questions whose right answers share certain names or numbers. It does not read: a fact that
        is denied ("it was not Paris") still counts as found.

        List patterns in `all`, alternatives in `any` and forbidden ones in `none`. The evidence shows where
        each pattern was found, so check there first if a score surprises you.
    """),
)
def contains(answer: str, parameters: Parameters) -> Grade:
    """Return the share of wanted facts that an answer states, minus the forbidden ones.

    Parameters: `all` (patterns), `any` (groups of patterns, one of each group is wanted), `none` (forbidden
    patterns), `ignore_case` (default true), `plain` (default true: typographic marks as ASCII, without
    Markdown emphasis). Evidence: every pattern with its first match.
    """
    text = answer[: pattern.LONGEST]
    text = plain(text) if parameters.get("plain", True) else text
    ignore_case = parameters.get("ignore_case", True)

    def seek(source: str) -> dict[str, Any]:
        match = find(text, source, ignore_case=ignore_case)
        where = {} if match is None else {"line": match.line, "text": match.text, "around": match.around}
        return {"pattern": source, "found": match is not None, **where}

    every = [seek(source) for source in parameters.get("all", ())]
    groups = [[seek(source) for source in group] for group in parameters.get("any", ())]
    none = [seek(source) for source in parameters.get("none", ())]
    met = sum(fact["found"] for fact in every) + sum(any(fact["found"] for fact in group) for group in groups)
    broken = sum(fact["found"] for fact in none)
    wanted = len(every) + len(groups)
    evidence = {
        "wanted": wanted,
        "met": met,
        "forbidden found": broken,
        "all": every,
        "any": groups,
        "none": none,
        "unread characters": max(0, len(answer) - pattern.LONGEST),
    }
    value = score(wanted, met, len(none), broken) if text.strip() else 0.0
    return Grade(value, evidence)


def _is_list(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes | Mapping)


def _list_problems(name: str, sources: object) -> list[str]:
    if not isinstance(sources, Sequence) or isinstance(sources, str):
        return [f"{name} is {sources!r}: write a list of patterns"]
    problems = []
    for source in sources:
        problem = pattern.problem(source)
        if problem is None and re.compile(source).fullmatch(""):
            problem = f"pattern {source!r} matches the empty text: write one that needs characters"
        if problem:
            problems.append(f"{name}: {problem}")
    return problems
