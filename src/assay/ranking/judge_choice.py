"""Choosing a judge: agreement with a reference, differences between judges, and a recommendation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from assay.core.errors import InvalidInput
from assay.core.people import is_human
from assay.core.wording import counted
from assay.ranking.reference_marks import (
    BoolArray,
    FloatArray,
    IntArray,
    ReferenceMarks,
    ReferenceSource,
    of_model,
)
from assay.results.agreement import AgreementFigure
from assay.results.judge_choice import JudgeDifference, JudgeRecommendation, ReferenceAgreement
from assay.stats.p_values import holm
from assay.stats.reference_agreement import (
    Measure,
    Replicated,
    correlation,
    kappa_figures,
    paired_difference,
)
from assay.stats.resample import draw_counts

REPLICATES, FEWEST = 2000, 200
DRAWN = 5_000_000
"""The limit of replicates times items, which bounds memory; there are at least `FEWEST` replicates."""

MARGIN = 0.05
"""The default of the largest loss of kappa that does not matter."""

FEW = 30
"""With fewer common answers no judge is recommended."""


@dataclass(frozen=True, slots=True)
class ComparedJudges:
    """The figures of all judges, best first, with the measure by which they are compared."""

    measure: Measure
    judges: tuple[ReferenceAgreement, ...]
    rounds: tuple[ReferenceAgreement, ...]
    models: tuple[ReferenceAgreement, ...]
    differences: tuple[JudgeDifference, ...]
    remarks: tuple[str, ...]


def compare_with_reference(
    marks: ReferenceMarks, rng: np.random.Generator, measure: Measure | None = None
) -> ComparedJudges:
    """Compare judges with the reference, over all answers, by round and by model.

    `measure` is by default quadratic kappa for ordered marks of more than two kinds, kappa for other marks
    with categories, and correlation for measurements. The bootstrap draws items, because the answers of
    several models to one item are dependent. Raises InvalidInput without answers that a judge and the
    reference marked, for a constant reference, and for a measure that the marks do not have.
    """
    _check(marks)
    items = marks.items
    size = int(items.max()) + 1
    draws = draw_counts(rng, size, max(FEWEST, min(REPLICATES, DRAWN // size)))
    measure = measure or _default_measure(marks)
    every = np.ones(len(marks.answers), dtype=np.bool_)
    figures = [_figures(marks, row, every, items, draws) for row in range(len(marks.judges))]
    if all(measure not in of_judge or of_judge[measure].value is None for of_judge in figures):
        raise InvalidInput(f"the marks have no {measure}: choose another measure with --by")
    judges = [_row(marks, row, of_judge) for row, of_judge in enumerate(figures)]
    order = sorted(range(len(judges)), key=lambda row: (-_value(figures[row], measure), marks.judges[row]))
    rounds = [
        replace(_row(marks, row, _figures(marks, row, _in_round(marks, name), items, draws)), round=name)
        for row in order
        for name in marks.rounds
    ]
    models = [
        replace(
            _row(marks, row, _figures(marks, row, of_model(marks.answers, name), items, draws)), model=name
        )
        for row in order
        for name in marks.models
    ]
    return ComparedJudges(
        measure,
        tuple(judges[row] for row in order),
        tuple(row for row in rounds if row.n),
        tuple(row for row in models if row.n),
        tuple(_differences(marks, order, measure, items, draws)),
        tuple(_remarks(marks, rounds)),
    )


def _check(marks: ReferenceMarks) -> None:
    given = ~np.isnan(marks.reference)
    if not given.any():
        raise InvalidInput("the reference gave no marks that can be read: give its name with --reference")
    shared = given & ~np.isnan(marks.marks)
    if not shared.any():
        raise InvalidInput("no answer was marked by both a judge and the reference: use the same item names")
    if len(np.unique(marks.reference[given])) == 1:
        value = float(marks.reference[given][0])
        name = marks.names[marks.categories.index(value)] if value in marks.categories else f"{value:g}"
        raise InvalidInput(
            f"the reference gave all {int(given.sum()):,} answers the mark {name!r}: agreement beyond chance "
            "is undefined, so have the reference mark answers of different quality"
        )


def _default_measure(marks: ReferenceMarks) -> Measure:
    if not marks.categories:
        return "correlation"
    return "quadratic" if marks.ordered and len(marks.categories) > 2 else "kappa"


def _figures(
    marks: ReferenceMarks,
    row: int,
    chosen: BoolArray,
    items: IntArray,
    draws: FloatArray,
) -> dict[Measure, Replicated]:
    """Return a judge's figures on the chosen answers."""
    reference = np.where(chosen, marks.reference, np.nan)
    figures: dict[Measure, Replicated] = {}
    if marks.categories:
        figures = kappa_figures(
            reference, marks.marks[row], marks.categories, items, draws, ordered=marks.ordered
        )
    if _has_correlation(marks):
        figures["correlation"] = correlation(reference, marks.marks[row], marks.weights, items, draws)
    return figures


def _has_correlation(marks: ReferenceMarks) -> bool:
    """Return whether a correlation says more than kappa: with several ordered marks, or with weights."""
    return marks.ordered and (len(marks.categories) != 2 or len(np.unique(marks.weights)) > 1)


def _row(marks: ReferenceMarks, row: int, figures: dict[Measure, Replicated]) -> ReferenceAgreement:
    cost = marks.costs.get(marks.judges[row])
    shown = {
        name: AgreementFigure(figure.value, figure.interval) if figure.value is not None else None
        for name, figure in figures.items()
    }
    return ReferenceAgreement(
        judge=marks.judges[row],
        round=None,
        model=None,
        n=max(figure.n for figure in figures.values()),
        agreement=shown.get("agreement"),
        kappa=shown.get("kappa"),
        linear=shown.get("linear"),
        quadratic=shown.get("quadratic"),
        correlation=shown.get("correlation"),
        cost=None if cost is None else 1000.0 * cost,
    )


def _in_round(marks: ReferenceMarks, name: str) -> BoolArray:
    return np.array([answer.round == name for answer in marks.answers], dtype=np.bool_)


def _value(figures: dict[Measure, Replicated], measure: Measure) -> float:
    figure = figures.get(measure)
    return -2.0 if figure is None or figure.value is None else figure.value


def _differences(
    marks: ReferenceMarks,
    order: Sequence[int],
    measure: Measure,
    items: IntArray,
    draws: FloatArray,
) -> list[JudgeDifference]:
    """Return the differences of every two judges, each on the answers that both marked."""
    pairs, found = list(combinations(order, 2)), []
    known: dict[tuple[int, bytes], dict[Measure, Replicated]] = {}
    for pair in pairs:
        both = ~np.isnan(marks.marks[list(pair)]).any(axis=0) & ~np.isnan(marks.reference)
        for row in pair:
            if (row, both.tobytes()) not in known:
                known[row, both.tobytes()] = _figures(marks, row, both, items, draws)
        first, second = (known[row, both.tobytes()][measure] for row in pair)
        found.append(paired_difference(first, second))
    tested = [place for place, pair in enumerate(found) if pair.p is not None]
    adjusted = holm([found[place].p or 0.0 for place in tested]) if tested else np.zeros(0)
    by_place = dict(zip(tested, adjusted.tolist(), strict=True))
    return [
        JudgeDifference(
            marks.judges[first], marks.judges[second], pair.n, pair.value, pair.interval, by_place.get(place)
        )
        for place, ((first, second), pair) in enumerate(zip(pairs, found, strict=True))
    ]


def _remarks(marks: ReferenceMarks, rounds: Sequence[ReferenceAgreement]) -> list[str]:
    """Return what could not be measured, and why."""
    remarks = []
    for row, judge in enumerate(marks.judges):
        given = marks.marks[row][~np.isnan(marks.marks[row])]
        if len(np.unique(given)) == 1:
            remarks.append(f"{judge} gave every answer the same mark: its kappa is 0 or undefined")
        elif not (~np.isnan(marks.marks[row]) & ~np.isnan(marks.reference)).any():
            remarks.append(f"{judge} marked no answer that the reference marked: it has no figures")
    for name in marks.rounds:
        if not any(row.n for row in rounds if row.round == name):
            remarks.append(f"round {name!r} has no marks of the reference: it is left out")
    return remarks


def choose_judge(
    read: ReferenceSource,
    reference: str,
    rng: np.random.Generator,
    *,
    measure: Measure | None = None,
    margin: float = MARGIN,
) -> JudgeRecommendation:
    """Compare judges with the reference of this name, and recommend one.

    Raises InvalidInput as `compare_with_reference` does.
    """
    compared = compare_with_reference(read.marks, rng, measure)
    recommended, reason = recommend(compared, margin)
    return JudgeRecommendation(
        source=read.about,
        reference=reference,
        measure=compared.measure,
        margin=margin,
        recommended=recommended,
        reason=reason,
        judges=compared.judges,
        rounds=compared.rounds,
        models=compared.models,
        differences=compared.differences,
        remarks=compared.remarks,
    )


def recommend(compared: ComparedJudges, margin: float) -> tuple[str | None, str]:
    """Return the recommended judge, None where the data cannot tell, and the reason.

    It is the cheapest judge that is not significantly worse than the best, as long as the interval of its
    loss stays below `margin`. Without costs it is the best judge, if all others are significantly worse.
    People are compared like judges but never recommended.
    """
    judges = [judge for judge in compared.judges if not is_human(judge.judge)]
    if not judges:
        return None, "only people marked: add marks of a judge"
    best, others = judges[0], judges[1:]
    figure = getattr(best, compared.measure)
    if figure is None or figure.value is None:
        return None, f"no judge has a {compared.measure}"
    if best.n < FEW:
        marked = counted(best.n, "answer")
        return None, f"only {marked} with marks of {best.judge} and the reference: at least {FEW} are needed"
    if figure.interval is not None and figure.interval.low <= 0.0:
        return None, f"even the best judge, {best.judge}, may agree with the reference by chance alone"
    if not others:
        return None, f"{best.judge} is the only judge: there is nothing to choose between"
    losses = {pair.second: pair for pair in compared.differences if pair.first == best.judge}
    open_judges = [judge for judge in others if not losses[judge.judge].significant]
    if not open_judges:
        return best.judge, f"all other judges are significantly worse (by {compared.measure})"
    cheaper = _cheaper(best, open_judges)
    if cheaper is None:
        names = ", ".join(judge.judge for judge in open_judges)
        return None, (
            f"the difference of {best.judge} from {names} is not significant, and the costs that would "
            "decide are unknown: add a column cost, or more marks of the reference"
        )
    for judge in cheaper:
        loss = losses[judge.judge]
        if loss.interval is None or loss.interval.high > margin:
            high = "unknown" if loss.interval is None else f"up to {loss.interval.high:.3f}"
            return None, (
                f"{judge.judge} is cheaper than {best.judge} and not significantly worse, but its loss of "
                f"{compared.measure} may be {high} (margin {margin:g}): {_more(loss, margin)}"
            )
        return judge.judge, (
            f"the cheapest judge that is not significantly worse than {best.judge}: it loses at most "
            f"{max(0.0, loss.interval.high):.3f} of {compared.measure} (margin {margin:g})"
        )
    return (
        best.judge,
        "it agrees best, and no judge that costs less is as good: those are significantly worse",
    )


def _cheaper(
    best: ReferenceAgreement, judges: Sequence[ReferenceAgreement]
) -> list[ReferenceAgreement] | None:
    """Return the judges that cost less than the best, cheapest first; None where a cost is unknown."""
    costs = {judge.judge: judge.cost for judge in (best, *judges)}
    if best.cost is None or any(cost is None for cost in costs.values()):
        return None
    cheaper = [judge for judge in judges if (judge.cost or 0.0) < best.cost]
    return sorted(cheaper, key=lambda judge: (judge.cost or 0.0, judge.judge))


def _more(loss: JudgeDifference, margin: float) -> str:
    """Return how many marks would settle whether the loss is below the margin."""
    if loss.interval is None or loss.value is None or loss.value >= margin:
        return "use the better one, or accept a larger loss with --margin"
    wanted = loss.n * ((loss.interval.high - loss.value) / (margin - loss.value)) ** 2
    return f"about {10 * int(np.ceil(wanted / 10.0)):,} marks of the reference would settle it"
