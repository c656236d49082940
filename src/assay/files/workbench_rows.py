"""Workbench results as JSON lines: one row for each model and prompt, or causal question."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from assay.files.lines import read_lines
from assay.files.shape import cut
from assay.files.workbench import GivenAnswer, GivenChoice, GivenMark, Prompt, Workbench

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
    """What a results file holds: no silent conversions; what is not read may stand beside."""

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
    """Read a .jsonl file; a row that is wrong is told with its line."""
    found = Workbench(path)
    for number, raw in read_lines(path):
        if not raw.strip():
            continue
        found.rows += 1
        place = f"line {number}"
        try:
            if b'"question_id"' in raw and b'"prompt_id"' not in raw:
                found.take_choice(_choice(_Causal.model_validate_json(raw), place), number)
            else:
                found.take(_answer(_Row.model_validate_json(raw), place), number)
        except ValidationError as error:
            found.refuse(faults(error), number)
    return found


def _choice(row: _Causal, place: str) -> GivenChoice:
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


def _answer(row: _Row, place: str) -> GivenAnswer:
    return GivenAnswer(
        place=place,
        model=row.model,
        prompt=Prompt(row.prompt_id, row.category, row.subcategory, row.difficulty, row.check_type),
        text=row.response,
        prompt_tokens=row.input_tokens,
        completion_tokens=row.output_tokens,
        latency=row.latency_s,
        flags=tuple(row.flags),
        marks=tuple(GivenMark(judge, value) for judge, value in row.judges.items()),
        geval=tuple(GivenMark(metric, value) for metric, value in row.geval.items()),
    )


def faults(error: ValidationError) -> str:
    """Return all that is wrong with a row, each with its place in it and what stands there."""
    found = []
    for one in error.errors(include_url=False, include_context=False):
        place = ".".join(str(part) for part in one["loc"] if part != "[key]")
        said = one["msg"][:1].lower() + one["msg"][1:]
        if one["type"] == "missing":
            found.append(f"{place!r} is missing")
        elif one["type"] == "json_invalid":
            found.append(f"is no JSON: {one['msg'].removeprefix('Invalid JSON: ')}")
        elif place:
            found.append(f"{place!r} is {cut(one['input'])}: {said}")
        else:
            found.append(said)
    return "; ".join(found)
