"""A panel of judges: how many independent votes it gives, and whether its vote beats its best judge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assay.core.errors import InvalidInput
from assay.core.wording import counted
from assay.ranking.reference_marks import BoolArray, FloatArray, IntArray, ReferenceMarks
from assay.results.judge_panel import (
    BestAgainstPanel,
    EffectiveVotes,
    JudgeCorrelation,
    PanelIndependence,
    PanelJudge,
    PanelMeasure,
)
from assay.stats.effective_votes import VoteCorrelations, beyond_items, effective_votes
from assay.stats.intervals import Interval
from assay.stats.resample import draw_counts, percentile

REPLICATES, FEWEST = 2000, 200
DRAWN = 5_000_000
"""The limit of replicates times items, which bounds memory; there are at least `FEWEST` replicates."""

FEW = 30
"""With fewer common answers the vote is not compared with a judge."""

LEAST_SHARE = 0.5
"""A judge that marked a smaller share of the answers is not on the panel."""

TIE = 1e-9


@dataclass(frozen=True, slots=True)
class PanelStudy:
    """The marks by which a panel is studied, the name of the reference, and remarks on what was left out."""

    marks: ReferenceMarks
    reference: str | None
    remarks: tuple[str, ...]

    @property
    def categorical(self) -> bool:
        """Whether an answer's mark is right or wrong: two categories, or categories without an order."""
        return bool(self.marks.categories) and (len(self.marks.categories) == 2 or not self.marks.ordered)

    @property
    def measure(self) -> PanelMeasure | None:
        """The measure of a judge or a vote; None without a reference."""
        if self.reference is None:
            return None
        return "accuracy" if self.categorical else "root mean squared error"

    @property
    def common(self) -> BoolArray:
        """A mask of the answers that all judges (and the reference, if there is one) marked."""
        complete = np.asarray(~np.isnan(self.marks.marks).any(axis=0))
        return complete if self.reference is None else complete & ~np.isnan(self.marks.reference)


def panel_study(marks: ReferenceMarks, reference: str | None) -> PanelStudy:
    """Return the answers by which a panel is studied; `reference` is its name, None without one.

    With a reference these are the answers that it marked. Answers that are settled by rule are left out, and
    so are judges that marked less than half of the others. Raises InvalidInput with fewer than two judges.
    """
    chosen = ~marks.by_rule & ~np.isnan(marks.marks).all(axis=0)
    if reference is not None:
        chosen &= ~np.isnan(marks.reference)
    kept = marks.keep(chosen)
    share = (~np.isnan(kept.marks)).mean(axis=1) if kept.answers else np.zeros(len(kept.judges))
    rows = [row for row in range(len(kept.judges)) if share[row] >= LEAST_SHARE]
    remarks = [
        f"{kept.judges[row]} marked {share[row]:.0%} of the answers: it is left out of the panel"
        for row in range(len(kept.judges))
        if row not in rows
    ]
    if len(rows) < 2:
        answers = counted(len(kept.answers), "answer")
        marked = f" with a mark of {reference}" if reference is not None else ""
        raise InvalidInput(
            f"{counted(len(rows), 'judge')} marked at least half of the {answers}{marked}: a panel needs "
            "two, so add marks of other judges, or choose judges with --judge"
        )
    return PanelStudy(_of_judges(kept, rows), reference, tuple(remarks))


def _of_judges(marks: ReferenceMarks, rows: Sequence[int]) -> ReferenceMarks:
    judges = tuple(marks.judges[row] for row in rows)
    return ReferenceMarks(
        judges,
        marks.answers,
        marks.marks[list(rows)],
        marks.reference,
        marks.categories,
        marks.names,
        marks.ordered,
        marks.weights,
        {judge: marks.costs.get(judge) for judge in judges},
        marks.by_rule,
    )


def bootstrap_draws(items: IntArray, rng: np.random.Generator) -> FloatArray:
    """Return how often each item is drawn in each replicate, (B, items)."""
    size = int(items.max()) + 1
    return draw_counts(rng, size, max(FEWEST, min(REPLICATES, DRAWN // size)))


def judge_losses(study: PanelStudy) -> FloatArray:
    """Return each judge's losses, (J, A), NaN without a mark: 1 if it is wrong, or its squared error."""
    gap = study.marks.marks - study.marks.reference
    if study.categorical:
        return np.where(np.isnan(gap), np.nan, (gap != 0.0).astype(np.float64))
    return np.asarray(gap**2, dtype=np.float64)


def vote_losses(
    study: PanelStudy,
    marks: FloatArray,
    reference: FloatArray,
    members: BoolArray,
    weights: FloatArray | None = None,
) -> tuple[FloatArray, FloatArray]:
    """Return the losses of the votes of S panels on answers, (S, A), and whether they are ties.

    All judges marked these answers: `marks` (J, A), `reference` (A,). `members` (S, J) are the panels' judges
    and `weights` (J,) their weights in the vote, by default equal. A tie of k categories counts 1 / k if one
    of them is right.
    """
    weight = members * (1.0 if weights is None else weights)
    if not study.categorical:
        total = weight.sum(axis=1, keepdims=True)
        equal = members / members.sum(axis=1, keepdims=True)
        share = np.divide(weight, total, out=equal.astype(np.float64), where=total > 0.0)
        return (share @ marks - reference) ** 2, np.zeros((len(members), marks.shape[1]))
    best = np.full((len(members), marks.shape[1]), -np.inf)
    right = np.full(best.shape, -np.inf)
    tied = np.zeros(best.shape)
    for category in study.marks.categories:
        votes = weight @ (marks == category)
        tied = np.where(votes > best + TIE, 1.0, tied + (np.abs(votes - best) <= TIE))
        right = np.where(reference == category, votes, right)
        best = np.maximum(best, votes)
    return 1.0 - np.where(right >= best - TIE, 1.0 / tied, 0.0), (tied > 1.0).astype(np.float64)


def measured(study: PanelStudy, mean_loss: FloatArray) -> FloatArray:
    """Return accuracy, or the root mean squared error, from mean losses."""
    return np.asarray(1.0 - mean_loss if study.categorical else np.sqrt(mean_loss), dtype=np.float64)


def replicated(study: PanelStudy, loss: FloatArray, items: IntArray, draws: FloatArray) -> FloatArray:
    """Return the measure of losses (A,), then in each replicate, (1 + B,); the bootstrap draws items."""
    sums = np.zeros((draws.shape[1], 2))
    np.add.at(sums, items, np.column_stack([np.ones(len(loss)), loss]))
    totals = np.vstack([sums.sum(axis=0), draws @ sums])
    return measured(study, totals[:, 1] / np.where(totals[:, 0] > 0.0, totals[:, 0], np.nan))


def gain_over(study: PanelStudy, first: FloatArray, second: FloatArray) -> tuple[float, Interval | None]:
    """Return how much better the first of two replicated measures is than the second, with its interval."""
    gains = first - second if study.categorical else second - first
    return float(gains[0]), percentile(gains[1:])


@dataclass(frozen=True, slots=True)
class Independence:
    """The published independence of a panel, with its judges, their correlations, and remarks."""

    figures: PanelIndependence
    judges: tuple[PanelJudge, ...]
    correlations: tuple[JudgeCorrelation, ...]
    remarks: tuple[str, ...]


def independence(study: PanelStudy, rng: np.random.Generator) -> Independence:
    """Return the effective votes of a panel, and with a reference its best judge against its vote.

    The effective votes are J / (1 + (J - 1) r). With a reference, r is the mean correlation of two judges'
    errors. Without one, r correlates what the marks are beyond item and model: agreement on the answer's own
    quality then counts as shared error, so that the figure is too low if judges are right about it.
    """
    items = study.marks.items
    draws = bootstrap_draws(items, rng)
    correlated, errors = _correlations(study, items, draws)
    effective = _effective(study, correlated, errors)
    best, remarks = None, list(study.remarks)
    if study.reference is not None:
        best = _best_against_panel(study, items, draws)
        if best is None:
            remarks.append(
                f"fewer than {FEW} answers were marked by all judges and the reference: the vote is not "
                "compared with a single judge"
            )
        elif best.gain_interval is not None and best.gain_interval.low <= 0.0 <= best.gain_interval.high:
            remarks.append(f"the vote of all judges and {best.best} alone do not differ significantly")
    if effective.reason is not None:
        remarks.append(f"no effective votes: {effective.reason}")
    figures = PanelIndependence(study.reference, study.measure, effective, best)
    judges = _judges(study, correlated, items, draws)
    return Independence(figures, judges, _pairs(study, correlated), tuple(remarks))


def _correlations(
    study: PanelStudy, items: IntArray, draws: FloatArray
) -> tuple[VoteCorrelations, FloatArray]:
    """Return the correlations and what is correlated, (J, A): errors, or marks beyond item and model.

    These are the answers that all judges marked; with too few of them, those that each two marked.
    """
    marks = study.marks
    if study.reference is not None:
        errors = judge_losses(study) if study.categorical else marks.marks - marks.reference
    else:
        numbers = {name: number for number, name in enumerate(marks.models)}
        models = np.array([numbers.get(answer.model or "", -1) for answer in marks.answers])
        errors = beyond_items(_in_numbers(study), items, models)
    complete = ~np.isnan(errors).any(axis=0)
    if complete.sum() >= FEW:
        errors = np.where(complete, errors, np.nan)
    return effective_votes(errors, items, draws), errors


def _in_numbers(study: PanelStudy) -> FloatArray:
    """Return the marks as numbers; names without an order have none."""
    marks = study.marks
    if marks.ordered or len(marks.categories) in (0, 2):
        return marks.marks
    return np.full(marks.marks.shape, np.nan)


def _effective(study: PanelStudy, correlated: VoteCorrelations, errors: FloatArray) -> EffectiveVotes:
    free = study.reference is None
    reason = None
    if correlated.mean is None:
        reason = "fewer than two judges made errors of different size on at least 10 common answers"
        if free:
            reason = (
                "each item has one answer, or marks are names, so that agreement on quality and shared error "
                "cannot be told apart: add marks of people, with --reference"
            )
    elif correlated.votes is None:
        reason = "the judges' errors cancel each other completely"
    return EffectiveVotes(
        votes=correlated.votes,
        interval=correlated.interval if correlated.votes is not None else None,
        judges=correlated.judges,
        correlation=correlated.mean,
        basis="agreement beyond items and models" if free else "errors against the reference",
        n=int((~np.isnan(errors)).any(axis=0).sum()),
        reason=reason,
    )


def _best_against_panel(study: PanelStudy, items: IntArray, draws: FloatArray) -> BestAgainstPanel | None:
    chosen = study.common
    if chosen.sum() < FEW:
        return None
    losses = judge_losses(study)[:, chosen]
    means = losses.mean(axis=1)
    best = min(range(len(means)), key=lambda row: (means[row], study.marks.judges[row]))
    everyone = np.ones((1, len(means)), dtype=np.bool_)
    vote, ties = vote_losses(study, study.marks.marks[:, chosen], study.marks.reference[chosen], everyone)
    of_best, of_panel = (replicated(study, loss, items[chosen], draws) for loss in (losses[best], vote[0]))
    gain, interval = gain_over(study, of_panel, of_best)
    return BestAgainstPanel(
        study.marks.judges[best],
        float(of_best[0]),
        float(of_panel[0]),
        gain,
        interval,
        int(chosen.sum()),
        int(ties.sum()),
    )


def _judges(
    study: PanelStudy, correlated: VoteCorrelations, items: IntArray, draws: FloatArray
) -> tuple[PanelJudge, ...]:
    """Return the judges, the best first; without a reference in their order."""
    losses = judge_losses(study) if study.reference is not None else None
    rows = []
    for place, judge in enumerate(study.marks.judges):
        value = interval = None
        if losses is not None:
            given = ~np.isnan(losses[place])
            values = replicated(study, losses[place, given], items[given], draws)
            value, interval = float(values[0]), percentile(values[1:])
        others = correlated.correlations[place]
        others = others[~np.isnan(others)]
        cost = study.marks.costs.get(judge)
        rows.append(
            PanelJudge(
                judge,
                int((~np.isnan(study.marks.marks[place])).sum()),
                value,
                interval,
                float(others.mean()) if others.size else None,
                None if cost is None else 1000.0 * cost,
            )
        )
    if losses is not None:
        sign = -1.0 if study.categorical else 1.0
        rows.sort(key=lambda row: (sign * (row.value or 0.0), row.judge))
    return tuple(rows)


def _pairs(study: PanelStudy, correlated: VoteCorrelations) -> tuple[JudgeCorrelation, ...]:
    judges = study.marks.judges
    return tuple(
        JudgeCorrelation(
            judges[first],
            judges[second],
            int(correlated.n[first, second]),
            None if np.isnan(value := correlated.correlations[first, second]) else float(value),
        )
        for first in range(len(judges))
        for second in range(first + 1, len(judges))
    )
