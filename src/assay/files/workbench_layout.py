"""One model's workbench results in the original project's own layout: attempts by prompt id.

Every time a judge was added or repaired the project appended an attempt, with the answer repeated. The last
attempt counts: with it the figures published for gpt-4o come out (tests/real), earlier ones lack judges.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, TypeVar

import orjson
from pydantic import Field, ValidationError

from assay.core.errors import InvalidInput, Problem
from assay.files.lines import read_lines
from assay.files.shape import cut
from assay.files.workbench import GivenAnswer, GivenChoice, GivenMark, Prompt, Workbench
from assay.files.workbench_rows import Count, GivenShape, Letter, Marks, Metric, Name, Seconds, Share, faults

CATEGORIES = {
    "B": "behavioural",
    "C": "coding",
    "I": "instruction_following",
    "L": "learning",
    "M": "meta",
    "R": "reasoning",
    "S": "research",
    "W": "writing",
}
"""A prompt's category by the letter of its id: this layout has no other word for it."""

_GENERAL = re.compile(r"([A-Z])\d{2}")
_CAUSAL = re.compile(r"B\d{2}_Q[1-5]")


class _Mark(GivenShape):
    score: Marks | None
    rationale: str | None = None


class _Checks(GivenShape):
    flags: list[str]


class _Attempt(GivenShape):
    timestamp: Annotated[str, Field(min_length=10)]
    content: str
    latency_s: Seconds
    input_tokens: Count | None
    output_tokens: Count | None
    auto_checks: _Checks
    judge_scores: dict[Name, _Mark]
    deepeval_scores: dict[Metric, Share | None] = Field(default_factory=dict)


class _Letters(GivenShape):
    extracted_answer: Letter | None = None
    correct_answer: Letter | None = None


class _CausalChecks(GivenShape):
    auto_scores: _Letters = _Letters()


class _CausalAttempt(GivenShape):
    timestamp: Annotated[str, Field(min_length=10)]
    content: str | None
    latency_s: Seconds
    input_tokens: Count | None
    output_tokens: Count | None
    auto_checks: _CausalChecks = _CausalChecks()


_Shape = TypeVar("_Shape", _Attempt, _CausalAttempt)


def read_layout(path: Path) -> Workbench:
    """Read one model's .json file; an attempt that is wrong is told with its prompt's id and its number."""
    found = Workbench(path)
    try:
        whole = orjson.loads(b"\n".join(line for _, line in read_lines(path)))
    except orjson.JSONDecodeError as error:
        raise InvalidInput(Problem(f"is no JSON: {error.msg}", str(path), error.lineno)) from error
    model = whole.get("model_name") if isinstance(whole, dict) else None
    runs = whole.get("runs") if isinstance(whole, dict) else None
    if not isinstance(model, str) or not model or not isinstance(runs, dict):
        raise InvalidInput(Problem("is no results file: it needs `model_name` and `runs`", str(path)))
    for prompt, attempts in runs.items():
        _read_prompt(found, model, prompt, attempts)
    return found


def _read_prompt(found: Workbench, model: str, prompt: str, attempts: object) -> None:
    listed = attempts if isinstance(attempts, list) else []
    if not listed:
        found.rows += 1
        found.refuse(f"{prompt}: its attempts are {cut(attempts)}: a list of at least one is needed")
        return
    found.rows += len(listed)
    found.earlier += len(listed) - 1
    place = f"{prompt}, attempt {len(listed)}"
    if _CAUSAL.fullmatch(prompt):
        choice = _choice(found, model, prompt, listed[-1], place)
        if choice is not None:
            found.take_choice(choice)
        return
    general = _GENERAL.fullmatch(prompt)
    if general is None or general[1] not in CATEGORIES:
        letters = ", ".join(CATEGORIES)
        ids = f"a letter ({letters}) and two figures, nor a causal question's, as B01_Q1 to B99_Q5"
        found.refuse(f"{place}: {prompt!r} is no prompt's id, {ids}")
        return
    answer = _answer(found, model, Prompt(prompt, CATEGORIES[general[1]]), listed[-1], place)
    if answer is not None:
        found.take(answer)


def _answer(found: Workbench, model: str, prompt: Prompt, given: Any, place: str) -> GivenAnswer | None:
    attempt = _checked(found, _Attempt, given, place)
    if attempt is None:
        return None
    return GivenAnswer(
        place=place,
        model=model,
        prompt=prompt,
        text=attempt.content,
        prompt_tokens=attempt.input_tokens,
        completion_tokens=attempt.output_tokens,
        latency=attempt.latency_s,
        flags=tuple(attempt.auto_checks.flags),
        marks=tuple(_marks(attempt.judge_scores)),
        geval=tuple(GivenMark(metric, value) for metric, value in attempt.deepeval_scores.items()),
        at=_time(attempt.timestamp),
    )


def _choice(found: Workbench, model: str, question: str, given: Any, place: str) -> GivenChoice | None:
    attempt = _checked(found, _CausalAttempt, given, place)
    if attempt is None:
        return None
    letters = attempt.auto_checks.auto_scores
    return GivenChoice(
        place=place,
        model=model,
        question=question,
        text=attempt.content,
        prompt_tokens=attempt.input_tokens,
        completion_tokens=attempt.output_tokens,
        latency=attempt.latency_s,
        key=letters.correct_answer,
        recorded=letters.extracted_answer,
        at=_time(attempt.timestamp),
    )


def _checked(found: Workbench, shape: type[_Shape], given: Any, place: str) -> _Shape | None:
    """Return an attempt in its shape, or None with its problem told."""
    try:
        attempt = shape.model_validate(given)
        _time(attempt.timestamp)
    except ValidationError as error:
        found.refuse(f"{place}: {faults(error)}")
        return None
    except ValueError:
        found.refuse(f"{place}: 'timestamp' is {cut(attempt.timestamp)}: no time")
        return None
    return attempt


def _time(given: str) -> float:
    at = datetime.fromisoformat(given)
    return (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp()


def _marks(scores: Mapping[str, _Mark]) -> list[GivenMark]:
    """Return judges' marks; where one failed, its rationale is the reason."""
    return [
        GivenMark(judge, mark.score, "", mark.rationale)
        if mark.score is None
        else GivenMark(judge, mark.score, mark.rationale or "")
        for judge, mark in scores.items()
    ]
