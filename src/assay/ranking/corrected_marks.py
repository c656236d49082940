"""Each model's mean human mark, from a judge's marks on all answers and human marks on some."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from assay.core.errors import InvalidInput
from assay.core.wording import counted
from assay.ranking.reference_marks import BoolArray, FloatArray, ReferenceMarks, judge_strata, of_model
from assay.results.corrected_marks import (
    CorrectedDifference,
    CorrectedMean,
    Correction,
    PointsEstimate,
)
from assay.stats.intervals import Interval
from assay.stats.p_values import holm
from assay.stats.rectified import (
    JudgeErrors,
    RectifiedMean,
    bounded_interval,
    calibrate_judge,
    random_sample,
    rectified_difference,
    rectified_mean,
    rogan_gladen,
    same_errors,
)

FEWEST = 10
"""A model with fewer human marks has no figures of its own."""

ALPHA = 0.05
DOUBTFUL = 0.2
"""Below this p the judge's errors are treated as different between models: the test has little power."""

EVERY = "all answers"
"""The name of the one group where the models are unknown."""


@dataclass(frozen=True, slots=True)
class PanelMarks:
    """The mean mark of the chosen judges on each answer, 0-1, and the human marks, NaN where there is none.

    `human` (A,) has the lowest mark on answers that are settled by rule. `strata` (A,) orders answers by the
    judge's mark; settled answers are a stratum of their own.
    """

    marks: ReferenceMarks
    judge: FloatArray
    human: FloatArray
    strata: FloatArray

    @property
    def groups(self) -> tuple[str | None, ...]:
        """The models; None alone where they are unknown."""
        return self.marks.models or (None,)


def panel_of(marks: ReferenceMarks, ends: tuple[float, float] | None = None) -> PanelMarks:
    """Return the panel's marks on the answers that all judges marked.

    `ends` are the marks that become 0 and 1; by default the ends of the scale. Raises InvalidInput without
    such answers, for marks without an order, and for marks outside the ends.
    """
    if not marks.ordered:
        raise InvalidInput(
            "the marks are names without an order: declare it with --category, the worst mark first"
        )
    everywhere: BoolArray = np.logical_not(np.isnan(marks.marks).any(axis=0)).reshape(-1)
    if not everywhere.any():
        raise InvalidInput("no answer has marks of all judges: choose one judge with --judge")
    marks = marks.keep(everywhere)
    given = np.concatenate([marks.marks.ravel(), marks.reference[~np.isnan(marks.reference)]])
    values = marks.categories or (float(given.min()), float(given.max()))
    low, high = ends or (min(values), max(values))
    if low >= high:
        raise InvalidInput(f"every mark is {low:g}: give the ends of the scale with --range LOW HIGH")
    if given.min() < low or given.max() > high:
        mark = float(given[(given < low) | (given > high)][0])
        raise InvalidInput(f"mark {mark:g} is outside {low:g} to {high:g}: give wider ends with --range")
    judge = (marks.marks.mean(axis=0) - low) / (high - low)
    human = np.where(marks.by_rule, 0.0, (marks.reference - low) / (high - low))
    strata = np.where(marks.by_rule, -1.0, judge_strata(judge))
    return PanelMarks(marks, judge, human, strata)


@dataclass(frozen=True, slots=True)
class CorrectedModels:
    """The corrected means, highest first, with their differences and the p of both assumptions."""

    models: tuple[CorrectedMean, ...]
    differences: tuple[CorrectedDifference, ...]
    random_sample_p: float | None
    same_errors_p: float | None
    remarks: tuple[str, ...]


def correct(panel: PanelMarks) -> CorrectedModels:
    """Correct the mean of every model. Raises InvalidInput without a model that can be corrected."""
    marks = panel.marks
    asked = ~marks.by_rule
    marked = asked & ~np.isnan(panel.human)
    if int(marked.sum()) < FEWEST:
        raise InvalidInput(
            f"{int(marked.sum())} answers have a human mark and one of the judge: mark at least {FEWEST}, at "
            "random or as `assay judge plan` says"
        )
    names = np.array([answer.model or EVERY for answer in marks.answers])
    known = calibrate_judge(panel.human[marked], panel.judge[marked])
    alike = same_errors(panel.human[marked], panel.judge[marked], names[marked])
    sampled = random_sample(panel.judge[asked], marked[asked], names[asked])
    rows, means = [], {}
    for group in panel.groups:
        name, own = group or EVERY, of_model(marks.answers, group)
        mean = _rectified(panel, own)
        if mean is not None:
            means[name] = mean
        rows.append(_row(panel, name, own, mean, known, (alike, sampled)))
    rows.sort(key=lambda row: (-_best(row), row.model))
    return CorrectedModels(
        tuple(rows),
        tuple(_differences(panel, [row.model for row in rows if row.model in means], means)),
        sampled,
        alike,
        tuple(_remarks(rows, known, alike, sampled)),
    )


def _rectified(panel: PanelMarks, own: BoolArray) -> RectifiedMean | None:
    """Return a model's prediction-powered mean; None with fewer than `FEWEST` human marks."""
    asked = own & ~panel.marks.by_rule
    if int((~np.isnan(panel.human[asked])).sum()) < FEWEST:
        return None
    return rectified_mean(
        panel.human[own], panel.judge[own], panel.strata[own], clusters=panel.marks.items[own]
    )


def _row(
    panel: PanelMarks,
    name: str,
    own: BoolArray,
    mean: RectifiedMean | None,
    known: JudgeErrors | None,
    assumed: tuple[float | None, float | None],
) -> CorrectedMean:
    judge, asked = panel.judge[own], own & ~panel.marks.by_rule
    human = alone = None
    if mean is not None:
        strata = np.where(panel.marks.by_rule[own], 0.0, 1.0)
        alone = rectified_mean(
            panel.human[own], np.zeros(int(own.sum())), strata, clusters=panel.marks.items[own]
        )
        human = PointsEstimate.of(alone.value, alone.interval)
    adjusted = None if known is None else rogan_gladen(panel.judge[asked], known)
    share = float(asked.sum() / own.sum())
    gladen = None
    if adjusted is not None:
        ends = Interval(share * adjusted.interval.low, share * adjusted.interval.high)
        gladen = PointsEstimate.of(share * adjusted.value, ends)
    powered = None if mean is None else PointsEstimate.of(mean.value, mean.interval)
    worth = None
    if mean is not None and alone is not None and _width(mean.interval) > 0.0:
        worth = (_width(alone.interval) / _width(mean.interval)) ** 2
    return CorrectedMean(
        model=name,
        answers=int(own.sum()),
        n=int((~np.isnan(panel.human[asked])).sum()),
        judge_only=PointsEstimate.of(float(judge.mean()), _plain_interval(judge)),
        human_only=human,
        corrected=powered,
        rogan_gladen=gladen,
        better=_better(powered, gladen, *assumed),
        worth=worth,
    )


def _width(interval: Interval) -> float:
    return interval.high - interval.low


def _plain_interval(judge: FloatArray) -> Interval:
    """Return the interval of the judge's own mean: it ignores that the judge errs."""
    n = len(judge)
    if n < 2:
        return Interval(0.0, 1.0)
    return bounded_interval(float(judge.mean()), max(float(judge.var(ddof=1)), 0.25 / n) / n, n - 1.0)


def _better(
    powered: PointsEstimate | None,
    gladen: PointsEstimate | None,
    alike: float | None,
    sampled: float | None,
) -> Correction | None:
    """Return the narrower correction whose assumptions are not in doubt; None where there is none.

    Rogan-Gladen's is left out if the judge's errors seem to differ between models, or if the human marks
    are not a random sample: where they were chosen by the judge's mark, its estimate is wrong.
    """
    doubtful = (alike is not None and alike <= DOUBTFUL) or (sampled is not None and sampled <= ALPHA)
    if gladen is None or (doubtful and powered is not None):
        return None if powered is None else Correction.PREDICTION_POWERED
    if powered is None or _width(gladen.interval) < _width(powered.interval):
        return Correction.ROGAN_GLADEN
    return Correction.PREDICTION_POWERED


def _best(row: CorrectedMean) -> float:
    shown = row.corrected or row.rogan_gladen or row.judge_only
    return shown.value


def _differences(
    panel: PanelMarks, names: Sequence[str], means: dict[str, RectifiedMean]
) -> list[CorrectedDifference]:
    """Return the differences of every two corrected means, with Holm's correction."""
    items = panel.marks.items
    own = {name: of_model(panel.marks.answers, None if name == EVERY else name) for name in names}
    pairs = list(combinations(names, 2))
    found = [
        rectified_difference(means[first], means[second], (items[own[first]], items[own[second]]))
        for first, second in pairs
    ]
    adjusted = holm([pair.p for pair in found]) if found else np.zeros(0)
    return [
        CorrectedDifference(
            first,
            second,
            100.0 * float(panel.judge[own[first]].mean() - panel.judge[own[second]].mean()),
            100.0 * pair.value,
            Interval(100.0 * pair.interval.low, 100.0 * pair.interval.high),
            float(p),
        )
        for (first, second), pair, p in zip(pairs, found, adjusted, strict=True)
    ]


def _remarks(
    rows: Sequence[CorrectedMean], known: JudgeErrors | None, alike: float | None, sampled: float | None
) -> list[str]:
    """Return what the figures assume, and which assumptions the marks reject."""
    remarks = []
    few = [row.model for row in rows if row.corrected is None]
    if few:
        remarks.append(
            f"{', '.join(few)}: fewer than {FEWEST} human marks, so there is at most Rogan-Gladen's "
            "estimate, from other models' marks"
        )
    if sampled is not None and sampled <= ALPHA:
        remarks.append(
            f"the answers with human marks are not a random sample (p = {sampled:.2g}): human-only means "
            "are biased. The corrected means hold if answers were chosen by the judge's mark, as "
            "`assay judge plan` does; if they were chosen by how good they are, only Rogan-Gladen's hold"
        )
    if known is None:
        remarks.append("all human marks are the same: there is no Rogan-Gladen estimate")
    elif all(row.rogan_gladen is None for row in rows):
        remarks.append(
            "the judge's marks rise too little with the human marks: there is no Rogan-Gladen estimate"
        )
    elif alike is not None and alike <= ALPHA:
        remarks.append(
            f"the judge errs differently on the answers of different models (p = {alike:.2g}): "
            "Rogan-Gladen's assumption is rejected, use the corrected means"
        )
    else:
        narrower = sum(row.better is Correction.ROGAN_GLADEN for row in rows)
        remarks.append(
            f"Rogan-Gladen's interval is the narrower one for {narrower} of {counted(len(rows), 'model')}, "
            "but assumes that the judge errs alike on all models' answers, which no test can prove. The "
            "corrected means assume only that the human marks are a random sample for each mark of the judge"
        )
    return remarks
