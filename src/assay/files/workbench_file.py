"""Reading workbench results: rows (JSON lines), or one model's results in the original project's layout.

In that layout the project appended an attempt, with the same answer, whenever a judge was added or repaired.
The last attempt counts: it gives the published figures of gpt-4o (tests/real); earlier ones lack judges.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from assay.core.errors import InvalidInput, Problem
from assay.core.shape_errors import explain_shape_errors
from assay.files.lines import read_lines, read_whole
from assay.files.shape import cut
from assay.files.tables import suffix_of
from assay.files.workbench import GivenAnswer, GivenChoice, GivenMark, Workbench, WorkbenchPrompt

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
"""A prompt's category by the letter of its id, its only description in this layout."""

_GENERAL = re.compile(r"([A-Z])\d{2}")
_CAUSAL = re.compile(r"B\d{2}_Q[1-5]")

Name = Annotated[str, Field(min_length=1)]
Id = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")]
Category = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9._-]*$")]
Count = Annotated[int, Field(ge=0, le=2**31 - 1)]
Seconds = Annotated[float, Field(ge=0)]
Marks = Annotated[float, Field(ge=1, le=5)]
Share = Annotated[float, Field(ge=0, le=1)]
Question = Annotated[str, Field(pattern=r"^B\d{2}_Q[1-5]$")]
Letter = Literal["A", "B", "C", "D"]
Metric = Literal["correctness", "coherence", "instruction_following"]


class GivenShape(BaseModel):
    """A part of a results file: no silent conversions; unknown keys are ignored."""

    model_config = ConfigDict(strict=True, frozen=True, allow_inf_nan=False)


class _Row(GivenShape):
    model: Name
    prompt_id: Id
    category: Category
    subcategory: Name
    difficulty: Literal["easy", "medium", "hard"]
    check_type: Name
    response: str
    input_tokens: Count | None
    output_tokens: Count | None
    latency_s: Seconds
    flags: list[str]
    judges: dict[Name, Marks | None]
    geval: dict[Metric, Share | None]


class _Causal(GivenShape):
    model: Name
    question_id: Question
    response: str | None
    extracted: Letter | None = None
    key: Letter | None = None
    output_tokens: Count | None
    latency_s: Seconds


def read_rows(path: Path) -> Workbench:
    """Read a .jsonl file; a bad row is reported with its line."""
    results = Workbench(path)
    for number, raw in read_lines(path):
        if not raw.strip():
            continue
        results.rows += 1
        place = f"line {number}"
        try:
            if b'"question_id"' in raw and b'"prompt_id"' not in raw:
                results.take_choice(_row_choice(_Causal.model_validate_json(raw), place), number)
            else:
                results.take(_row_answer(_Row.model_validate_json(raw), place), number)
        except ValidationError as error:
            results.refuse(faults(error), number)
    return results


def _row_choice(row: _Causal, place: str) -> GivenChoice:
    return GivenChoice(
        place=place,
        model=row.model,
        question=row.question_id,
        text=row.response,
        prompt_tokens=None,
        completion_tokens=row.output_tokens,
        latency=row.latency_s,
        key=row.key,
        recorded=row.extracted,
    )


def _row_answer(row: _Row, place: str) -> GivenAnswer:
    return GivenAnswer(
        place=place,
        model=row.model,
        prompt=WorkbenchPrompt(row.prompt_id, row.category, row.subcategory, row.difficulty, row.check_type),
        text=row.response,
        prompt_tokens=row.input_tokens,
        completion_tokens=row.output_tokens,
        latency=row.latency_s,
        flags=tuple(row.flags),
        marks=tuple(GivenMark(judge, value) for judge, value in row.judges.items()),
        geval=tuple(GivenMark(metric, value) for metric, value in row.geval.items()),
    )


def faults(error: ValidationError) -> str:
    """Return a message with all faults of a row, each with its place in the row and the value there."""
    return "; ".join(explain_shape_errors(error.errors(include_url=False), shown=cut, labels=("[key]",)))


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
    """Read one model's .json file; a bad attempt is reported with its prompt's id and its number."""
    results = Workbench(path)
    try:
        whole = orjson.loads(read_whole(path))
    except orjson.JSONDecodeError as error:
        raise InvalidInput(Problem(f"invalid JSON: {error.msg}", str(path), error.lineno)) from error
    model = whole.get("model_name") if isinstance(whole, dict) else None
    runs = whole.get("runs") if isinstance(whole, dict) else None
    if not isinstance(model, str) or not model or not isinstance(runs, dict):
        raise InvalidInput(
            Problem(
                "the file has no results: write `model_name` and `runs`, or give rows as .jsonl", str(path)
            )
        )
    for prompt, attempts in runs.items():
        _read_prompt(results, model, prompt, attempts)
    return results


def _read_prompt(results: Workbench, model: str, prompt: str, attempts: object) -> None:
    listed = attempts if isinstance(attempts, list) else []
    if not listed:
        results.rows += 1
        results.refuse(f"{prompt}: the attempts are {cut(attempts)}: write a list with at least one")
        return
    results.rows += len(listed)
    results.earlier += len(listed) - 1
    place = f"{prompt}, attempt {len(listed)}"
    if _CAUSAL.fullmatch(prompt):
        choice = _layout_choice(results, model, prompt, listed[-1], place)
        if choice is not None:
            results.take_choice(choice)
        return
    general = _GENERAL.fullmatch(prompt)
    if general is None or general[1] not in CATEGORIES:
        letters = ", ".join(CATEGORIES)
        ids = f"a letter ({letters}) and two digits, or B01_Q1 to B99_Q5 for a causal question"
        results.refuse(f"{place}: invalid prompt {prompt!r}: write {ids}")
        return
    answer = _layout_answer(
        results, model, WorkbenchPrompt(prompt, CATEGORIES[general[1]]), listed[-1], place
    )
    if answer is not None:
        results.take(answer)


def _layout_answer(
    results: Workbench, model: str, prompt: WorkbenchPrompt, given: Any, place: str
) -> GivenAnswer | None:
    attempt = _validate(results, _Attempt, given, place)
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


def _layout_choice(
    results: Workbench, model: str, question: str, given: Any, place: str
) -> GivenChoice | None:
    attempt = _validate(results, _CausalAttempt, given, place)
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


def _validate(results: Workbench, shape: type[_Shape], given: Any, place: str) -> _Shape | None:
    """Return an attempt in its shape; if it does not fit, add the problem and return None."""
    try:
        attempt = shape.model_validate(given)
        _time(attempt.timestamp)
    except ValidationError as error:
        results.refuse(f"{place}: {faults(error)}")
        return None
    except ValueError:
        results.refuse(
            f"{place}: 'timestamp' is {cut(attempt.timestamp)}: write a time such as 2026-03-31T06:00:00Z"
        )
        return None
    return attempt


def _time(given: str) -> float:
    at = datetime.fromisoformat(given)
    return (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp()


def _marks(scores: Mapping[str, _Mark]) -> list[GivenMark]:
    """Return judges' marks; the rationale of a missing mark is its reason."""
    return [
        GivenMark(judge, mark.score, "", mark.rationale)
        if mark.score is None
        else GivenMark(judge, mark.score, mark.rationale or "")
        for judge, mark in scores.items()
    ]


READERS = {".json": read_layout, ".jsonl": read_rows, ".ndjson": read_rows}


def read_workbench(path: Path) -> Workbench:
    """Read rows (.jsonl) or one model's own layout (.json), packed or not, without the bad rows.

    Raises NotFound without a file and InvalidInput if it cannot be read at all.
    """
    suffix = suffix_of(path)
    reader = READERS.get(suffix)
    if reader is None:
        text = f"unknown kind of file {suffix!r}: give rows as .jsonl, or a model's own .json"
        raise InvalidInput(Problem(text, str(path)))
    return reader(path)
