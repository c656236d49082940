"""Recordings of answers and of judges' marks, one JSON object a line, for the recorded provider.

An answer: {"kind": "answer", "model", "case", "epoch", "text", "status", "error", "prompt_tokens",
"completion_tokens", "reasoning_tokens", "cost", "latency", "finish_reason"}. A mark: {"kind": "mark",
"judge", "model", "case", "epoch", "metric", "value", "rationale", "reason"}. Fields with a default below are
optional.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from assay.core.errors import NotFound, Problem
from assay.core.shape_errors import explain_shape_errors
from assay.core.unpacking import read_stream_lines

Name = Annotated[str, Field(min_length=1)]
Count = Annotated[int, Field(ge=0, le=2**31 - 1)]
Amount = Annotated[float, Field(ge=0)]


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


class RecordedAnswer(_Line):
    """A model's answer to a case. `text` is empty unless the status is `ok`; `latency` is in seconds."""

    kind: Literal["answer"] = "answer"
    model: Name
    case: Name
    epoch: Count = 0
    text: str = ""
    status: Literal["ok", "invalid", "error"] = "ok"
    error: str | None = None
    prompt_tokens: Count | None = None
    completion_tokens: Count | None = None
    reasoning_tokens: Count | None = None
    cost: Amount | None = None
    latency: Amount
    finish_reason: Name | None = None


class RecordedMark(_Line):
    """A judge's mark on an answer, in the metric's own units, or None if it is missing, with the `reason`."""

    kind: Literal["mark"] = "mark"
    judge: Name
    model: Name
    case: Name
    epoch: Count = 0
    metric: Name
    value: float | None
    rationale: str = ""
    reason: str | None = None


_LINE: TypeAdapter[RecordedAnswer | RecordedMark] = TypeAdapter(
    Annotated[RecordedAnswer | RecordedMark, Field(discriminator="kind")]
)

AnswerKey = tuple[str, str]
"""Model and case."""

MarkKey = tuple[str, str, str, str, int]
"""Judge, model, case, metric and epoch."""


@dataclass(frozen=True, slots=True)
class Recordings:
    """The content of a file: answers by model and case in order of epoch, marks, and problems of bad rows.

    `rows` is the number of lines that are not blank.
    """

    path: Path
    answers: Mapping[AnswerKey, tuple[RecordedAnswer, ...]] = field(default_factory=dict)
    marks: Mapping[MarkKey, RecordedMark] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    rows: int = 0

    @property
    def models(self) -> tuple[str, ...]:
        """The sorted names of all recorded models: subjects and judges."""
        return tuple(sorted({key[0] for key in self.answers} | {key[0] for key in self.marks}))


def read_recordings(path: Path) -> Recordings:
    """Read a .jsonl or .jsonl.gz file. Bad rows are listed in `problems`, the others are kept.

    Raises NotFound if there is no file, and InvalidInput if the file cannot be read at all.
    """
    answers: dict[AnswerKey, list[RecordedAnswer]] = {}
    marks: dict[MarkKey, RecordedMark] = {}
    seen: dict[tuple[object, ...], int] = {}
    problems: list[Problem] = []
    rows = 0
    for number, raw in _lines(path):
        rows += 1
        try:
            line = _LINE.validate_json(raw)
        except ValidationError as error:
            problems.append(Problem(_explain_errors(error), str(path), number))
            continue
        key = _key(line)
        if key in seen:
            text = f"line {seen[key]} has the same {line.kind}: {_describe(line)}; the first one counts"
            problems.append(Problem(text, str(path), number))
            continue
        seen[key] = number
        if isinstance(line, RecordedAnswer):
            answers.setdefault((line.model, line.case), []).append(line)
        else:
            marks[line.judge, line.model, line.case, line.metric, line.epoch] = line
    ordered = {key: tuple(sorted(epochs, key=lambda answer: answer.epoch)) for key, epochs in answers.items()}
    return Recordings(path, ordered, marks, tuple(problems), rows)


def digest_of(answer: str) -> str:
    """Return the SHA-256 of an answer in hexadecimal, which identifies it in `ModelAsk.about`."""
    return hashlib.sha256(answer.encode()).hexdigest()


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield each line that is not blank, with its number from 1."""
    if not path.is_file():
        raise NotFound(f"there are no recordings at {str(path)!r}")
    packed = path.stat().st_size if path.suffix == ".gz" else None
    with path.open("rb") as file:
        for number, raw in enumerate(read_stream_lines(file, str(path), packed=packed), 1):
            if raw.strip():
                yield number, raw


def _key(line: RecordedAnswer | RecordedMark) -> tuple[object, ...]:
    if isinstance(line, RecordedAnswer):
        return line.kind, line.model, line.case, line.epoch
    return line.kind, line.judge, line.model, line.case, line.metric, line.epoch


def _describe(line: RecordedAnswer | RecordedMark) -> str:
    answer = f"model {line.model!r}, case {line.case!r}, epoch {line.epoch}"
    if isinstance(line, RecordedAnswer):
        return answer
    return f"judge {line.judge!r}, {answer}, metric {line.metric!r}"


def _explain_errors(error: ValidationError) -> str:
    """Return the errors of a line, field by field."""
    errors = error.errors(include_url=False)
    if any(detail["type"].startswith("union_tag") for detail in errors):
        return 'its "kind" must be "answer" or "mark"'
    return "; ".join(explain_shape_errors(errors, labels=("answer", "mark")))
