"""Sequential prompting with early return: its quality and its cost."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput, Problem
from assay.frontier.per_prompt import estimates
from assay.frontier.posterior import Posterior
from assay.frontier.selection.answer_pool import AnswerPool, answer_pool
from assay.frontier.selection.attempts import AnswerChances, counted
from assay.frontier.selection.judged import ErringJudge, MeasuredJudge, judge_draws
from assay.frontier.selection.plan import rounds
from assay.frontier.selection.plan_folds import Fold, PlanMaker, crossed, folds_of
from assay.frontier.selection.selecting import (
    INDEPENDENT,
    by_worth,
    compare_with_counts,
    over_answered,
    selected_first,
)
from assay.frontier.tensor import Tensor
from assay.results.frontier import Estimate
from assay.results.frontier_selection import SequenceBudget, Sequential
from assay.results.note import Note, NoteKind

FloatArray = npt.NDArray[np.float64]
DRAWS = 20
"""The largest number of draws of a posterior that are used."""


def sequential(
    tensor: Tensor,
    judge: ErringJudge | MeasuredJudge | None = None,
    *,
    posterior: Posterior | None = None,
    models: Sequence[str] | None = None,
    order: Sequence[str] | None = None,
    attempts: int | None = None,
    most: int | None = None,
    by_category: bool = False,
    splits: int = 2,
    level: float = 0.95,
    resamples: int = 500,
    seed: int = 0,
) -> Sequential:
    """Return quality and cost of asking model by model until the judge accepts an answer.

    With an `order` each model makes all its `attempts` before the next. Without one the plan is greedy: each
    step makes the most newly right answers for its price. It is made on half of the prompts and evaluated on
    the other half (`splits` times, both ways), within categories if `by_category`. At most `most` steps are
    taken. The judge is perfect and free by default; its price is paid for every answer made. Plans are made
    on counts. Values are exact from counts, drawn without replacement, or from a posterior's draws. The
    uncertainty of a MeasuredJudge goes into `these_prompts` by Beta draws of its rates; plans use its
    measured rates.
    """
    source = answer_pool(tensor, posterior, models=models, most=DRAWS)
    judge, judges = judge_draws(judge or ErringJudge(), len(source.cells), DRAWS, seed)
    attempts = tensor.generations if attempts is None else attempts
    if attempts < 1:
        raise InvalidInput(Problem(f"invalid number of attempts per model {attempts!r}: give 1 or more"))
    fixed = None if order is None else _fixed(source, order, attempts)
    steps = len(fixed) if fixed is not None else len(source.models) * attempts
    steps = min(steps, steps if most is None else most)
    chosen = [tensor.models.index(name) for name in source.models]
    part = tensor.take(source.rows, chosen)
    maker = PlanMaker(source, counted(part.correct, part.answers), judge, attempts, steps, fixed)
    labels = part.categories if by_category else None
    folds = list(folds_of(maker, labels, splits, seed))
    draws = max(len(source.cells), len(judges))
    tables = [
        _columns(source, source.cells[draw % len(source.cells)], judges[draw % len(judges)], attempts, folds)
        for draw in range(draws)
    ]
    every = estimates(
        np.mean(tables, axis=0),
        np.array([table.mean(axis=0) for table in tables]),
        level=level,
        resamples=resamples,
        seed=seed,
        of=lambda means: _of(means, steps, steps == len(source.models) * attempts),
    )
    plan = tuple(source.models[model] for model in maker.plan(np.arange(len(part.prompts))))
    notes = (*_notes(source, len(folds) > 1), *compare_with_counts(source, maker.cells, judge, attempts))
    return _result(source, every, steps, plan, attempts, crossed_over=len(folds) > 1, notes=notes)


def _result(
    source: AnswerPool,
    every: tuple[Estimate, ...],
    steps: int,
    plan: tuple[str, ...],
    attempts: int,
    *,
    crossed_over: bool,
    notes: tuple[str, ...],
) -> Sequential:
    """Return the published result from the estimates in the order of `_of`."""
    rest = every[4 * steps :]

    def budget(number: int, figures: Sequence[Estimate]) -> SequenceBudget:
        quality, cost, answers, seconds = figures
        return SequenceBudget(number, quality, cost, answers, seconds if source.latency is not None else None)

    return Sequential(
        points=tuple(budget(step + 1, every[step : 4 * steps : steps]) for step in range(steps)),
        everybody=budget(len(source.models) * attempts, rest[:4]),
        saving=rest[6],
        single=source.models[source.best],
        single_quality=rest[4],
        single_cost=rest[5],
        at_single_cost=rest[7],
        matched_saving=rest[8],
        plan=plan,
        cross_fitted=crossed_over,
        unit=source.unit,
        notes=(*source.notes, *notes),
    )


def _everybody(source: AnswerPool, cells: AnswerChances, judge: ErringJudge, attempts: int) -> FloatArray:
    """Return quality, cost, answers and seconds (4, N) of making all attempts of all models in turn."""
    quality = selected_first(cells, judge, np.array([attempts]), by_worth(cells, source.best))[0]
    made = cells.made(attempts)
    waited = np.zeros_like(made) if source.latency is None else made * source.latency
    paid = (made * (source.cost + judge.price)).sum(axis=1)
    return np.stack([quality, paid, made.sum(axis=1), waited.sum(axis=1)])


def _columns(
    source: AnswerPool, cells: AnswerChances, judge: ErringJudge, attempts: int, folds: Sequence[Fold]
) -> FloatArray:
    """Return the figures of each prompt (N, 4 T + 7): the plan, all models, and the best single's answer."""
    walked = crossed(source, cells, judge, folds)
    total = _everybody(source, cells, judge, attempts)
    best = source.best
    observed = np.where(cells.observed[:, best], 1.0, 0.0)
    single = np.stack([cells.success[:, best] * observed, source.cost[:, best] * observed, observed])
    return np.concatenate([walked.reshape(-1, walked.shape[2]), total, single]).T


def _of(means: FloatArray, steps: int, whole: bool) -> FloatArray:
    """Return the figures of plan and all models, quality and cost of the single, and the savings."""
    walked, total = means[..., : 4 * steps], means[..., 4 * steps : -3]
    alone = over_answered(means[..., -3:])
    quality, cost = walked[..., :steps], walked[..., steps : 2 * steps]
    saving = 1.0 - cost[..., -1] / np.where(total[..., 1] > 0.0, total[..., 1], np.nan)
    saving = saving if whole else np.full_like(saving, np.nan)
    at_cost, at_quality = np.full(saving.shape, np.nan), np.full(saving.shape, np.nan)
    for place in np.ndindex(saving.shape):
        at_cost[place] = _between(cost[place], quality[place], alone[place][1])
        climbing = np.maximum.accumulate(quality[place])
        price = _between(climbing, cost[place], alone[place][0])
        at_quality[place] = 1.0 - price / alone[place][1] if alone[place][1] > 0 else np.nan
    extra = np.stack([saving, at_cost, at_quality], axis=-1)
    return np.concatenate([walked, total, alone, extra], axis=-1)


def _between(at: FloatArray, values: FloatArray, target: float) -> float:
    """Return the interpolated value where a growing axis reaches `target`; NaN outside it."""
    if not at[0] <= target <= at[-1]:
        return float("nan")
    first = int(np.searchsorted(at, target))
    if first == 0 or at[first] == target:
        return float(values[first])
    share = (target - at[first - 1]) / (at[first] - at[first - 1])
    return float(values[first - 1] + share * (values[first] - values[first - 1]))


def _fixed(source: AnswerPool, order: Sequence[str], attempts: int) -> tuple[int, ...]:
    unknown = [name for name in order if name not in source.models]
    if unknown or len(set(order)) < len(order):
        text = (
            "the order names a model twice"
            if not unknown
            else f"the order names model {unknown[0]!r}, which is not asked"
        )
        raise InvalidInput(Problem(f"{text}: name each model once"))
    return rounds([source.models.index(name) for name in order], [attempts] * len(order))


def _notes(source: AnswerPool, cross_fitted: bool) -> tuple[str, ...]:
    notes: list[str] = [INDEPENDENT]
    if source.latency is not None:
        notes.append("latencies are sums: answers are made one after the other, also those of all models")
    if source.unit == "generations":
        text = "no costs are recorded: every answer counts 1, whatever its model's price"
        notes.append(Note(text, NoteKind.CAVEAT))
    if not cross_fitted:
        notes.append("the plan is evaluated on the prompts that it was made on, or was given")
    return tuple(notes)
