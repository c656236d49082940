"""The models of a suite ranked by stored verdicts on pairs of their answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy import Engine

from assay.core.errors import InvalidInput, NotFound
from assay.core.wording import counted
from assay.grading.pairs import PAIRS
from assay.ranking.comparison_ratings import RatingWish, rate_models
from assay.ranking.comparisons import ComparisonSource
from assay.ranking.pair_verdicts import (
    compare_by_order,
    compare_pairs_of,
    judge_orders,
    measure_effects,
    tally_pairs,
)
from assay.results.pairs import PairwiseBoard
from assay.results.rank import RankSource
from assay.results.rank_comparisons import Covariate
from assay.runs.board.source import find_suite
from assay.runs.pairs.verdicts import PairVerdicts, pairs_runs, read_verdicts
from assay.store.runs import read_run

SOURCE = "pairs:"
RULE = "a model wins a pair of answers if a judge prefers its answer in both orders; otherwise half for each"


def pairwise_board(
    engine: Engine,
    suite: str,
    version: str | None = None,
    *,
    runs: Sequence[int] = (),
    judges: Sequence[str] = (),
    covariates: frozenset[Covariate] = frozenset(),
) -> PairwiseBoard:
    """Rank the models of a suite by the verdicts of all its comparisons, or of those in `runs`.

    Without covariates each pair of answers is one comparison, by the rule that both orders must agree; with
    covariates each single verdict is one, and ratings are those of answers of equal length or position.
    Raises NotFound for an unknown suite and one without verdicts, InvalidInput for an unknown judge, for a
    run that is not among the comparisons, and if no two models can be rated.
    """
    found = find_suite(engine, suite, version, None)
    every = pairs_runs(engine, found.digest)
    unknown = set(runs) - {run.id for run in every}
    if unknown:
        names = ", ".join(str(run.id) for run in every) or "none yet"
        raise InvalidInput(f"run {min(unknown)} compares no answers of suite {suite!r}: choose from {names}")
    chosen = [run for run in every if not runs or run.id in runs]
    if not chosen:
        raise NotFound(
            f"no answers of suite {suite!r} {found.version} were compared yet: run "
            "`assay judge pairs RUN RUN --judge PROVIDER/MODEL`"
        )
    read = read_verdicts(engine, chosen, judges=judges)
    comparisons = compare_by_order(read.verdicts) if covariates else compare_pairs_of(read.verdicts)
    ratings = rate_models(comparisons, RatingWish(covariates=covariates))
    measured, unknown_effects = measure_effects(read.verdicts)
    remarks = [*ratings.remarks, *_remarks(read)]
    if unknown_effects:
        names = " and ".join(covariate.value for covariate in unknown_effects)
        remarks.append(f"the effect of {names} cannot be estimated from these verdicts")
    return PairwiseBoard(
        suite=found.name,
        version=found.version,
        runs=tuple(run.id for run in read.runs),
        simulated=read.simulated,
        items=len(comparisons.items),
        ratings=replace(ratings, remarks=tuple(remarks)),
        measured=measured,
        tallies=tally_pairs(read.verdicts),
        orders=judge_orders(read.verdicts),
    )


def pairs_numbers(sources: Sequence[str]) -> tuple[int, ...] | None:
    """Return the runs that a source such as `pairs:4 pairs:5` names; None for other sources.

    Raises InvalidInput if only some of the parts are runs.
    """
    text = ",".join(sources)
    if not text.startswith(SOURCE):
        return None
    numbers = [part.removeprefix(SOURCE) for part in text.split(",")]
    if not all(number.isascii() and number.isdigit() for number in numbers):
        raise InvalidInput(f"invalid source {text!r}: write pairs:RUN, or pairs:RUN pairs:RUN")
    return tuple(dict.fromkeys(map(int, numbers)))


def pairs_source(engine: Engine, numbers: Sequence[int], judges: Sequence[str] = ()) -> ComparisonSource:
    """Return the verdicts of comparisons as a source of rankings.

    Raises NotFound for an unknown run and one without verdicts, Conflict for a run of another kind.
    """
    read = read_verdicts(engine, [read_run(engine, number, PAIRS) for number in numbers], judges=judges)
    missing = sum(verdict.points is None for verdict in read.verdicts)
    notes = [RULE]
    if missing:
        notes.append(f"{counted(missing, 'pair')} without a verdict in both orders do not count")
    comparisons = compare_pairs_of(read.verdicts)
    about = RankSource(
        ",".join(f"{SOURCE}{number}" for number in numbers),
        read.simulated,
        len(comparisons.models),
        len(comparisons.items),
        tuple(notes),
    )
    return ComparisonSource(comparisons, about, compare_by_order(read.verdicts))


def _remarks(read: PairVerdicts) -> list[str]:
    missing = sum(verdict.points is None for verdict in read.verdicts)
    split = sum(verdict.points is not None and not verdict.consistent for verdict in read.verdicts)
    remarks = []
    if split:
        remarks.append(f"{counted(split, 'pair')} with other verdicts in the other order: half for each")
    if missing:
        remarks.append(f"{counted(missing, 'pair')} without a verdict in both orders do not count")
    if read.replaced:
        remarks.append(f"{counted(read.replaced, 'pair')} judged again: the newest verdicts count")
    stopped = [str(run.id) for run in read.runs if run.status != "finished"]
    if stopped:
        remarks.append(f"not finished: run {', '.join(stopped)}, see `assay judge pairs --resume`")
    return remarks
