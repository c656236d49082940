"""Where comparisons come from: a table of verdicts, or the scores of runs, boards, exams and tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from assay.core.errors import InvalidInput
from assay.core.wording import counted
from assay.files.comparison_table import (
    PREFERENCES,
    ComparisonTable,
    ComparisonTableOptions,
    holds_comparisons,
    read_comparison_table,
)
from assay.files.data_frame import NamedFile, TableSource, table_file
from assay.files.outcome_table_columns import parse_conditions
from assay.ranking.comparison_ratings import RatingWish, rate_models
from assay.ranking.comparisons import ComparisonSource, PairedComparisons, compare_scores
from assay.ranking.score_table import ScoreSource
from assay.results.rank import RankSource
from assay.results.rank_comparisons import ComparisonRanking, Covariate, RatingScale, TieRule
from assay.studies.rank.source import SourceOptions, read_scores

SEED = 20_260_101
DERIVED = "comparisons come from scores: on an item the model with the higher score wins"


@dataclass(frozen=True, slots=True)
class ComparisonOptions:
    """How comparisons are read: `source` as for scores, the rest for tables of comparisons.

    `comparisons` says that a file is such a table where its columns do not show it; otherwise it is one if it
    has the columns a, b and a winner or preference. `preferences` are the numbers that say that a won and
    that b won, `tie` is another number that means a tie; None for the usual ones.
    """

    source: SourceOptions = field(default_factory=SourceOptions)
    comparisons: bool = False
    preferences: tuple[float, float] | None = None
    tie: float | None = None


def read_comparisons(
    source: TableSource | list[str],
    options: ComparisonOptions | None = None,
    scores: Callable[[], ScoreSource] | None = None,
) -> ComparisonSource:
    """Read a table of comparisons, or derive comparisons from scores.

    `scores` reads the source if it has scores (default: from a table). Raises NotFound for an unknown source,
    InvalidInput for one that cannot be read.
    """
    options = options or ComparisonOptions()
    table = ",".join(source) if isinstance(source, list) else source
    name = table if isinstance(table, str) else "the table"
    if not isinstance(table, str) or Path(table).is_file():
        with table_file(table) as file:
            if options.comparisons or holds_comparisons(file.path, options.source.columns):
                return _table(file, options)
    elif options.comparisons:
        raise InvalidInput(f"{name!r} is not one file: --comparisons is for a table of comparisons")
    if options.preferences is not None or options.tie is not None:
        raise InvalidInput(
            f"{name!r} has scores: --preference-range and --tie-value are for tables of comparisons (with "
            "columns a, b and preference)"
        )
    return derive_comparisons(scores() if scores is not None else read_scores(table, options.source))


def derive_comparisons(read: ScoreSource) -> ComparisonSource:
    """Return the comparisons of models by their scores on each item."""
    about = replace(read.about, notes=(DERIVED, *read.about.notes))
    return ComparisonSource(compare_scores(read.table), about)


def bradley_terry(
    comparisons: ComparisonSource,
    *,
    ties: TieRule = TieRule.HALF,
    covariates: Iterable[Covariate] = (),
    baseline: str | None = None,
) -> ComparisonRanking:
    """Rank models by the strengths, in logits, that explain who beats whom; see `rate_models`.

    Strengths have the mean 0, or are relative to a `baseline` model. They are adjusted for `covariates`.
    """
    wish = RatingWish(RatingScale.STRENGTH, ties, frozenset(covariates), baseline)
    return rank_comparisons(comparisons, wish)


def elo(
    comparisons: ComparisonSource,
    *,
    ties: TieRule = TieRule.HALF,
    covariates: Iterable[Covariate] = (),
    baseline: str | None = None,
    seed: int = SEED,
) -> ComparisonRanking:
    """Rank models by Elo ratings that do not depend on the order of the comparisons; see `rate_models`.

    Ratings have the mean 1000, or are relative to a `baseline` model at 1000. Ratings that were updated in
    turn are shown too, as means over random orders, which are drawn with the `seed`.
    """
    wish = RatingWish(RatingScale.ELO, ties, frozenset(covariates), baseline)
    return rank_comparisons(comparisons, wish, seed=seed)


def rank_comparisons(read: ComparisonSource, wish: RatingWish, *, seed: int = SEED) -> ComparisonRanking:
    """Rate the models of a source; on Elo's scale also in turn, over orders drawn with this seed."""
    rng = np.random.default_rng(seed) if wish.scale is RatingScale.ELO else None
    by_order = read.by_order if Covariate.POSITION in wish.covariates else None
    return ComparisonRanking(read.about, rate_models(by_order or read.comparisons, wish, rng))


def _table(file: NamedFile, options: ComparisonOptions) -> ComparisonSource:
    if options.source.value_range is not None:
        raise InvalidInput("--range is for tables of scores: give preferences by --preference-range")
    table = read_comparison_table(
        file.path,
        ComparisonTableOptions(
            columns=options.source.columns,
            where=parse_conditions(options.source.where),
            judges=options.source.judges,
            preferences=options.preferences or PREFERENCES,
            tie=options.tie,
        ),
    )
    verdicts = table.verdicts
    models = sorted({name for verdict in verdicts for name in (verdict.a, verdict.b)})
    items = list(dict.fromkeys(verdict.item for verdict in verdicts))
    judges = sorted({verdict.judge for verdict in verdicts if verdict.judge})
    comparisons = PairedComparisons(
        tuple(models),
        tuple(items),
        tuple(judges),
        _numbers(models, [verdict.a for verdict in verdicts]),
        _numbers(models, [verdict.b for verdict in verdicts]),
        _numbers(items, [verdict.item for verdict in verdicts]),
        _numbers(["", *judges], [verdict.judge for verdict in verdicts]) - 1,
        np.array([verdict.points for verdict in verdicts]),
        np.array([verdict.shown for verdict in verdicts]) if "order" in table.columns else None,
        np.array([verdict.lengths for verdict in verdicts])
        if {"length_a", "length_b"} <= table.columns.keys()
        else None,
    )
    about = RankSource(file.name, _simulated(models), len(models), len(items), _notes(table))
    return ComparisonSource(comparisons, about)


def _simulated(models: Sequence[str]) -> bool:
    return any(model.startswith("simulated/") for model in models)


def _numbers(names: Sequence[str], given: Sequence[str]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    number = {name: place for place, name in enumerate(names)}
    return np.array([number[name] for name in given], dtype=np.int64)


def _notes(table: ComparisonTable) -> tuple[str, ...]:
    """Return what was left out, and what the table cannot say."""
    rows = counted(table.rows, "row")
    notes = []
    if table.unjudged:
        notes.append(f"{table.unjudged:,} of {rows} have no verdict and are left out")
    if table.skipped:
        notes.append(f"{table.skipped:,} of {rows} do not meet the conditions")
    if table.repeated:
        notes.append(f"{table.repeated:,} of {rows} repeat an earlier one and count once")
    if "item" not in table.columns:
        notes.append("without a column 'item' all comparisons count as independent")
    return tuple(notes)
