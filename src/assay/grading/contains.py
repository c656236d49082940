"""The `contains` grader: facts that an answer must say, or must not, found by patterns.

With w facts wanted, f of them found and b forbidden ones found, the score is `max(0, (f - b) / w)`, so that
silence earns nothing; with only forbidden facts it is the share of them not found.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from assay.core.ask import Ask, Reply
from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.text import pattern

LISTS = ("all", "any", "none")
FLAGS = ("ignore_case", "plain")
AROUND = 40
"""Characters shown either side of what a pattern found."""

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
class Place:
    """Where a pattern was found: the line (from 1), the text found, and the text around it."""

    line: int
    text: str
    around: str


def plain(answer: str) -> str:
    """Return the answer with ASCII quotes, dashes and spaces, without Markdown's `*` and backticks."""
    return answer.translate(_PLAIN)


def find(text: str, source: str, *, ignore_case: bool = True) -> Place | None:
    """Return where the pattern `source` is first found in `text`, or None. Empty matches do not count."""
    for match in pattern.compiled(source, ignore_case=ignore_case).finditer(text):
        if match.group():
            start, end = max(0, match.start() - AROUND), match.end() + AROUND
            return Place(
                text.count("\n", 0, match.start()) + 1,
                match.group()[:200],
                text[start : min(end, start + 300)],
            )
    return None


def score(wanted: int, found: int, forbidden: int, broken: int) -> float:
    """Return the score: `found` of `wanted` facts less `broken` of `forbidden` ones (module docstring)."""
    if not wanted:
        return 1 - broken / forbidden
    return max(0.0, (found - broken) / wanted)


class Contains:
    """Marks how many wanted facts an answer says, less the forbidden ones it says.

    Parameters: `all` (patterns), `any` (groups of patterns, one of each wanted), `none` (forbidden
    patterns), `ignore_case` (default true), `plain` (default true: typographic marks as ASCII, Markdown
    emphasis dropped). Evidence: every pattern with the place where it was found.
    """

    name: ClassVar[str] = "contains"
    version: ClassVar[str] = "1"

    def problems(self, spec: GraderSpec) -> tuple[str, ...]:
        """Return what is wrong with the parameters; patterns that could run for ever are refused."""
        parameters = spec.parameters
        known = (*LISTS, *FLAGS)
        found = [
            f"unknown parameter {name!r}: write one of {', '.join(known)}"
            for name in sorted(set(parameters) - set(known))
        ]
        found += [
            f"{name} is {parameters[name]!r}: write true or false"
            for name in FLAGS
            if not isinstance(parameters.get(name, True), bool)
        ]
        if not any(parameters.get(name) for name in LISTS):
            found.append("no patterns: give `all`, `any` or `none` a list")
        for name in ("all", "none"):
            found += _list_problems(name, parameters.get(name, ()))
        groups = parameters.get("any", ())
        if not _is_list(groups) or not all(_is_list(group) and group for group in groups):
            found.append(f"any is {groups!r}: write a list of lists of patterns")
        else:
            found += [text for group in groups for text in _list_problems("any", group)]
        return tuple(found)

    def asks(self, case: Case, spec: GraderSpec, answer: str) -> tuple[Ask, ...]:
        """Ask nothing: the check is mechanical."""
        return ()

    def read(self, case: Case, spec: GraderSpec, answer: str, replies: tuple[Reply, ...]) -> Grade:
        """Return the score with the place of every pattern found."""
        parameters = spec.parameters
        text = answer[: pattern.LONGEST]
        text = plain(text) if parameters.get("plain", True) else text
        ignore_case = parameters.get("ignore_case", True)

        def seek(source: str) -> dict[str, Any]:
            place = find(text, source, ignore_case=ignore_case)
            where = {} if place is None else {"line": place.line, "text": place.text, "around": place.around}
            return {"pattern": source, "found": place is not None, **where}

        every = [seek(source) for source in parameters.get("all", ())]
        groups = [[seek(source) for source in group] for group in parameters.get("any", ())]
        none = [seek(source) for source in parameters.get("none", ())]
        met = sum(each["found"] for each in every) + sum(
            any(each["found"] for each in group) for group in groups
        )
        broken = sum(each["found"] for each in none)
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
    found = []
    for source in sources:
        wrong = pattern.problem(source)
        if wrong is None and re.compile(source).fullmatch(""):
            wrong = f"pattern {source!r} matches nothing at all: it would hold for every answer"
        if wrong:
            found.append(f"{name}: {wrong}")
    return found
