"""Reading public benchmark results with their sources: the shipped `bench_results.yaml`, or another file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from importlib import resources
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field

from assay.core.errors import InvalidInput
from assay.files.marked_yaml import Marked, parse, read
from assay.files.shape import StrictShape, check, near
from assay.files.workspace_shapes import Text, Url
from assay.results.bench import Cited

SHIPPED = "bench_results.yaml"


@dataclass(frozen=True, slots=True)
class PublicResults:
    """The published results of one model, by benchmark."""

    model: str
    results: Mapping[str, Cited]


def _day(text: str) -> str:
    try:
        date.fromisoformat(text)
    except ValueError:
        raise ValueError(f"is {text!r}: write a date such as 2025-01-20") from None
    return text


Day = Annotated[str, Field(description="a date such as 2025-01-20"), AfterValidator(_day)]


class SourceShape(StrictShape):
    """A document in which results are published."""

    url: Url = Field(description="the address of the document")
    date: Day


class EloShape(StrictShape):
    """An Elo of LMArena."""

    value: float = Field(ge=0, le=4000, description="an Elo from 0 to 4000")
    source: Text = Field(description="the name of one of the `sources`")
    note: Text | None = Field(default=None, description="a text")


class ShareShape(StrictShape):
    """The share of a benchmark that was solved."""

    value: float = Field(ge=0, le=1, description="a share from 0 to 1 (84 % is 0.84)")
    source: Text = Field(description="the name of one of the `sources`")
    note: Text | None = Field(default=None, description="a text")


class ResultsShape(StrictShape):
    """The published results of one model."""

    lmarena_elo: EloShape | None = Field(default=None, description="a mapping with `value` and `source`")
    mmlu_pro: ShareShape | None = Field(default=None, description="a mapping with `value` and `source`")
    gpqa_diamond: ShareShape | None = Field(default=None, description="a mapping with `value` and `source`")
    swe_bench_verified: ShareShape | None = Field(
        default=None, description="a mapping with `value` and `source`"
    )
    aime: ShareShape | None = Field(default=None, description="a mapping with `value` and `source`")


class BenchResultsShape(StrictShape):
    """A file of public results."""

    sources: dict[str, SourceShape] = Field(description="a mapping of names to `url` and `date`")
    models: dict[str, ResultsShape] = Field(description="a mapping of models to their results")


def bench_results(path: Path | None = None) -> tuple[PublicResults, ...]:
    """Return the public results of a file, by default of the shipped one, in its order.

    Raises InvalidInput with every problem and its line: unknown keys, values out of range, unknown sources.
    """
    if path is None:
        text = resources.files("assay.files").joinpath(SHIPPED).read_text(encoding="utf-8")
        marked = parse(text, SHIPPED)
    else:
        marked = read(path, str(path))
    shape = check(marked, BenchResultsShape)
    models = () if shape is None else tuple(_model(name, shape, marked) for name in shape.models)
    if marked.problems:
        raise InvalidInput(marked.in_order())
    return models


def _model(name: str, shape: BenchResultsShape, marked: Marked) -> PublicResults:
    results = {}
    for benchmark in ResultsShape.model_fields:
        given: EloShape | ShareShape | None = getattr(shape.models[name], benchmark)
        if given is None:
            continue
        source = shape.sources.get(given.source)
        if source is None:
            place = ("models", name, benchmark, "source")
            marked.refuse(f"unknown source {given.source!r}: {near(given.source, shape.sources)}", place)
            continue
        results[benchmark] = Cited(given.value, source.url, date.fromisoformat(source.date), given.note)
    if not any(getattr(shape.models[name], benchmark) for benchmark in ResultsShape.model_fields):
        marked.refuse(f"the model {name!r} has no result: write one, or remove the model", ("models", name))
    return PublicResults(name, results)
