"""Sequential prompting with early return: what it reaches, and what it truly costs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput, Problem
from assay.frontier.per_prompt import estimates
from assay.frontier.posterior import Posterior
from assay.frontier.selection.asked import Asked, asked
from assay.frontier.selection.attempts import AnswerChances, counted
from assay.frontier.selection.judged import ErringJudge, MeasuredJudge, met
from assay.frontier.selection.plan import rounds
from assay.frontier.selection.plan_folds import Fold, Maker, crossed, folds_of
from assay.frontier.selection.selecting import beyond_counts, by_worth, selected_first
from assay.frontier.tensor import Tensor
from assay.results.frontier import Estimate
from assay.results.frontier_selection import SequenceBudget, Sequential

FloatArray = npt.NDArray[np.float64]
DRAWS = 20
"""At most so many draws of a posterior are walked through."""


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
    """Return what asking model by model reaches when the first answer that the judge accepts is returned.

    With an `order` each model has its `attempts` in turn; without one the plan is greedy, each step the most
    newly right answers for its price, made on half of the prompts and valued on the other half (`splits`
    times, both ways), within categories where `by_category`. At most `most` steps are taken. The judge is
    perfect and free by default; its price is paid for every answer that was made. Plans are made on counts;
    values are exact from counts, drawn without replacement, or of a posterior's draws. A MeasuredJudge's
    uncertainty goes into `these_prompts` by Beta draws of its rates; plans are made for the measured ones.
    """
    source = asked(tensor, posterior, models=models, most=DRAWS)
    judge, judges = met(judge or ErringJudge(), len(source.cells), DRAWS, seed)
    attempts = tensor.generations if attempts is None else attempts
    if attempts < 1:
        raise InvalidInput(Problem(f"{attempts!r} attempts a model: give 1 or more"))
    fixed = None if order is None else _fixed(source, order, attempts)
    steps = len(fixed) if fixed is not None else len(source.models) * attempts
    steps = min(steps, steps if most is None else most)
    chosen = [tensor.models.index(name) for name in source.models]
    part = tensor.take(source.rows, chosen)
    maker = Maker(source, counted(part.correct, part.given), judge, attempts, steps, fixed)
    labels = part.categories if by_category else None
    folds = list(folds_of(maker, labels, splits, seed))
    draws = max(len(source.cells), len(judges))
    found = [
        _columns(source, source.cells[draw % len(source.cells)], judges[draw % len(judges)], attempts, folds)
        for draw in range(draws)
    ]
    every = estimates(
        np.mean(found, axis=0),
        np.array([each.mean(axis=0) for each in found]),
        level=level,
        resamples=resamples,
        seed=seed,
        of=lambda means: _of(means, steps, steps == len(source.models) * attempts),
    )
    plan = tuple(source.models[each] for each in maker.plan(np.arange(len(part.prompts))))
    told = (*_notes(source, len(folds) > 1), *beyond_counts(source, maker.cells, judge, attempts))
    return _result(source, every, steps, plan, attempts, crossed_over=len(folds) > 1, notes=told)


def _result(
    source: Asked,
    every: tuple[Estimate, ...],
    steps: int,
    plan: tuple[str, ...],
    attempts: int,
    *,
    crossed_over: bool,
    notes: tuple[str, ...],
) -> Sequential:
    """Put the estimates in the order of `_of` into words."""
    rest = every[4 * steps :]

    def budget(number: int, four: Sequence[Estimate]) -> SequenceBudget:
        quality, cost, answers, seconds = four
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


def _everybody(source: Asked, cells: AnswerChances, judge: ErringJudge, attempts: int) -> FloatArray:
    """Return quality, cost, answers and seconds (4, N) of asking all models so often, one after the other."""
    quality = selected_first(cells, judge, np.array([attempts]), by_worth(cells, source.best))[0]
    made = cells.made(attempts)
    waited = np.zeros_like(made) if source.latency is None else made * source.latency
    paid = (made * (source.cost + judge.price)).sum(axis=1)
    return np.stack([quality, paid, made.sum(axis=1), waited.sum(axis=1)])


def _columns(
    source: Asked, cells: AnswerChances, judge: ErringJudge, attempts: int, folds: Sequence[Fold]
) -> FloatArray:
    """Return contributions of prompts (N, 4 T + 7): the walk, everybody, and the best single's answer."""
    walked = crossed(source, cells, judge, folds)
    total = _everybody(source, cells, judge, attempts)
    best = source.best
    there = np.where(cells.there[:, best], 1.0, 0.0)
    single = np.stack([cells.success[:, best] * there, source.cost[:, best] * there, there])
    return np.concatenate([walked.reshape(-1, walked.shape[2]), total, single]).T


def _of(means: FloatArray, steps: int, whole: bool) -> FloatArray:
    """Return the walk and everybody as they are; the single's quality and cost; what is saved and matched."""
    walked, total, single = means[..., : 4 * steps], means[..., 4 * steps : -3], means[..., -3:-1]
    there = means[..., -1:]
    alone = np.divide(single, there, out=np.full_like(single, np.nan), where=there > 0)
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


def _between(at: FloatArray, values: FloatArray, wanted: float) -> float:
    """Return the value where a growing axis reaches what is wanted; NaN outside it."""
    if not at[0] <= wanted <= at[-1]:
        return float("nan")
    first = int(np.searchsorted(at, wanted))
    if first == 0 or at[first] == wanted:
        return float(values[first])
    share = (wanted - at[first - 1]) / (at[first] - at[first - 1])
    return float(values[first - 1] + share * (values[first] - values[first - 1]))


def _fixed(source: Asked, order: Sequence[str], attempts: int) -> tuple[int, ...]:
    unknown = [name for name in order if name not in source.models]
    if unknown or len(set(order)) < len(order):
        text = (
            "the order names a model twice"
            if not unknown
            else f"model {unknown[0]!r} is not among those asked"
        )
        raise InvalidInput(Problem(f"{text}: name each model to be asked once"))
    return rounds([source.models.index(name) for name in order], [attempts] * len(order))


def _notes(source: Asked, crossed: bool) -> tuple[str, ...]:
    told = ["a judge's errors are taken to be independent of each other, even on one prompt"]
    if source.latency is not None:
        told.append("latencies are sums: answers are waited for one after the other, everybody's too")
    if source.unit == "generations":
        told.append("no costs are recorded: every answer counts 1, whatever its model's price")
    if not crossed:
        told.append("the plan is valued on the prompts that it was made on, or was given")
    return tuple(told)
