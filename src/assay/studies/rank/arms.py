"""Reading the variants of a study: `--variant NAME=SOURCE` or `NAME=SOURCE@MODEL`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Engine

from assay.core.errors import InvalidInput
from assay.frontier.tensor import cell_means
from assay.ranking.exam.scores import variance
from assay.ranking.score_table import ScoreSource
from assay.ranking.variants import VariantScores, compare_promptings, compare_variants
from assay.results.study import PromptedModel, PromptingStudy, StudySource, VariantStudy
from assay.studies.frontier.source import named_runs, read_tensor
from assay.studies.rank.score_columns import is_model_table, read_model_table
from assay.studies.rank.source import ALL, SourceOptions


@dataclass(frozen=True, slots=True)
class VariantSource:
    """One variant: its name, its source, and the one model of the source that counts (None: all)."""

    name: str
    source: str
    model: str | None = None


@dataclass(frozen=True, slots=True)
class ReadVariants:
    """The scores of the variants, with notes about their sources."""

    arms: tuple[VariantScores, ...]
    about: StudySource


def parse_variants(texts: Sequence[str]) -> list[VariantSource]:
    """Return the variants of texts `NAME=SOURCE` or `NAME=SOURCE@MODEL`. Raises InvalidInput."""
    parsed: list[VariantSource] = []
    for text in texts:
        name, sign, rest = (part.strip() for part in text.partition("="))
        if not (sign and name and rest):
            raise InvalidInput(f"invalid variant {text!r}: use NAME=SOURCE, such as thinking=run:4")
        source, at, model = rest.partition("@")
        if not at or Path(rest).is_file():
            source, model = rest, ""
        parsed.append(VariantSource(name, source, model or None))
    names = [variant.name for variant in parsed]
    if len(set(names)) < len(names):
        raise InvalidInput(f"two variants have the same name in {', '.join(names)}: give each its own")
    if len(parsed) < 2:
        raise InvalidInput(f"{len(parsed)} variants: give at least two, as --variant NAME=SOURCE")
    return parsed


def read_variants(
    variants: Sequence[VariantSource],
    options: SourceOptions,
    read_source: Callable[[str], ScoreSource],
    engine: Engine | None = None,
) -> ReadVariants:
    """Read the scores of each variant; a run or a table may have one model.

    `read_source` reads boards and exams, which have several. Raises InvalidInput for a source that cannot be
    read, NotFound for an unknown one.
    """
    arms, notes, simulated = [], [], False
    for variant in variants:
        if named_runs(variant.source) is not None or Path(variant.source).is_file():
            arm, own, made_up = _outcomes(variant, options, engine)
        else:
            read = read_source(variant.source)
            table, own, made_up = read.table, list(read.about.notes), read.about.simulated
            arm = VariantScores(variant.name, table.models, table.items, table.scores, table.strata)
        arms.append(_only(arm, variant))
        notes += [f"{variant.name}: {note}" for note in own]
        simulated = simulated or made_up
    models = {model for arm in arms for model in arm.models}
    text = " ".join(f"{variant.name}={variant.source}" for variant in variants)
    return ReadVariants(tuple(arms), StudySource(text, simulated, len(models), tuple(notes)))


def _outcomes(
    variant: VariantSource, options: SourceOptions, engine: Engine | None
) -> tuple[VariantScores, list[str], bool]:
    if named_runs(variant.source) is not None and (options.columns or options.where):
        raise InvalidInput(f"{variant.source!r} is read as it is: --column and --where are for tables")
    result = read_tensor(
        variant.source,
        columns=options.columns,
        where=options.where,
        quality_range=options.value_range,
        least_coverage=0.0,
        engine=engine,
    )
    tensor = result.tensor
    notes = [f"{left.kind} {left.name!r} {left.reason}" for left in result.left_out]
    strata = tensor.categories or (ALL,) * len(tensor.prompts)
    scores = cell_means(tensor.quality).T
    return VariantScores(variant.name, tensor.models, tensor.prompts, scores, strata), notes, result.simulated


def _only(arm: VariantScores, variant: VariantSource) -> VariantScores:
    if variant.model is None:
        return arm
    if variant.model not in arm.models:
        raise InvalidInput(
            f"{variant.source!r} has no model {variant.model!r}: give one of {', '.join(arm.models)}"
        )
    row = arm.models.index(variant.model)
    return VariantScores(arm.name, (variant.model,), arm.items, arm.scores[row : row + 1], arm.strata)


def study_variants(read: ReadVariants, base: str | None = None) -> VariantStudy:
    """Compare the variants with the base (default: the first). Raises InvalidInput for an unknown base."""
    names = [arm.name for arm in read.arms]
    chosen = base or names[0]
    if chosen not in names:
        raise InvalidInput(f"unknown variant {chosen!r}: give one of {', '.join(names)}")
    others = [arm for arm in read.arms if arm.name != chosen]
    return VariantStudy(read.about, chosen, compare_variants(read.arms[names.index(chosen)], others))


def study_promptings(read: ReadVariants) -> PromptingStudy:
    """Compare the promptings of each model."""
    models, differences = compare_promptings(read.arms)
    return PromptingStudy(read.about, tuple(arm.name for arm in read.arms), models, differences)


def published_promptings(source: str, chosen: Sequence[str] = ()) -> PromptingStudy:
    """Return the study of a table with one row per model and one column of scores per prompting.

    It has no questions, so nothing can be tested. Without `chosen` columns, those named mean and variance are
    left out. Raises InvalidInput for fewer than two columns.
    """
    columns = read_model_table(Path(source), chosen)
    if not chosen:
        columns = [column for column in columns if column.name.lower() not in ("mean", "variance")]
    if len(columns) < 2:
        raise InvalidInput(f"{source!r} has scores under one prompting: add a column for each other one")
    names = [column.name for column in columns]
    rows = []
    for model in dict.fromkeys(model for column in columns for model in column.scores):
        scores = {column.name: column.scores.get(model) for column in columns}
        known = [score for score in scores.values() if score is not None]
        complete = len(known) == len(names)
        mean = sum(known) / len(known) if complete else None
        spread = variance(known, "population") if complete else None
        rows.append(PromptedModel(model, scores, None, mean, spread, None))
    note = "the table has scores only: differences can be tested on runs, exams and tables of items"
    return PromptingStudy(StudySource(source, False, len(rows), (note,)), tuple(names), tuple(rows), ())


def is_published(sources: Sequence[str]) -> bool:
    """Return whether the source is one table with one row per model."""
    return len(sources) == 1 and is_model_table(Path(sources[0]))
