"""Shares of error categories by model and discipline, checked and corrected by hand labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np

from assay.results.study_errors import ErrorCategory, ErrorShare, LabelAgreement, LabelConfusion
from assay.stats.agreement import cohen_kappa
from assay.stats.intervals import clopper_pearson
from assay.stats.rectified import rectified_mean
from assay.stats.resample import BootstrapDraws

LEAST_LABELS: Final = 10
"""Fewer hand labels correct nothing."""
LEAST_OF_CATEGORY: Final = 5
"""With fewer hand labels of a category, or of the others, its share is that of the hand labels alone."""


@dataclass(frozen=True, slots=True)
class SortedAnswer:
    """A wrong answer with the judge's category and the hand label, None where there is none."""

    item: str
    model: str
    discipline: str
    category: ErrorCategory | None
    hand: ErrorCategory | None = None


def error_shares(answers: Sequence[SortedAnswer]) -> tuple[ErrorShare, ...]:
    """Return the shares over all answers, by model and by discipline, with exact binomial intervals.

    With at least 10 hand labels the shares over all answers are also corrected: prediction-powered inference
    on the indicator of each category, stratified by the judge's choice, or the share and exact interval of
    the hand labels alone for a rare category. Both need labels of a random sample of the answers.
    """
    known = [answer for answer in answers if answer.category is not None]
    whole = [_with_labels(row, known) for row in _shares("all", "all", known)]
    models = _groups("model", {answer.model: None for answer in known}, known)
    disciplines = _groups("discipline", {answer.discipline: None for answer in known}, known)
    return (*whole, *models, *(disciplines if len({row.name for row in disciplines}) > 1 else ()))


def _groups(
    by: Literal["model", "discipline"], names: Mapping[str, None], known: Sequence[SortedAnswer]
) -> list[ErrorShare]:
    return [
        row
        for name in sorted(names)
        for row in _shares(by, name, [answer for answer in known if getattr(answer, by) == name])
    ]


def _shares(
    by: Literal["all", "model", "discipline"], name: str, own: Sequence[SortedAnswer]
) -> list[ErrorShare]:
    counts, n = Counter(answer.category for answer in own), len(own)
    if not n:
        return []
    return [
        ErrorShare(
            by,
            name,
            category,
            counts[category],
            n,
            counts[category] / n,
            clopper_pearson(counts[category], n),
        )
        for category in (*(one for one in ErrorCategory if one is not ErrorCategory.NONE), ErrorCategory.NONE)
    ]


def _with_labels(row: ErrorShare, known: Sequence[SortedAnswer]) -> ErrorShare:
    labels = [answer.hand for answer in known]
    if sum(label is not None for label in labels) < LEAST_LABELS:
        return row
    marked = sum(label is not None for label in labels)
    given = sum(label is row.category for label in labels)
    if min(given, marked - given) < LEAST_OF_CATEGORY:
        return replace(row, corrected=given / marked, corrected_interval=clopper_pearson(given, marked))
    human = np.array([np.nan if label is None else float(label is row.category) for label in labels])
    judge = np.array([float(answer.category is row.category) for answer in known])
    estimate = rectified_mean(human, judge, judge)
    return replace(row, corrected=min(1.0, max(0.0, estimate.value)), corrected_interval=estimate.interval)


def label_agreement(answers: Sequence[SortedAnswer], rng: np.random.Generator) -> LabelAgreement | None:
    """Return the judge's agreement with the hand labels; None without an answer that has both."""
    both = [answer for answer in answers if answer.category is not None and answer.hand is not None]
    if not both:
        return None
    kappa = cohen_kappa(
        [answer.hand for answer in both],
        [answer.category for answer in both],
        categories=list(ErrorCategory),
        draws=BootstrapDraws(rng, 1000),
    )
    counts = Counter((answer.hand, answer.category) for answer in both)
    confusion = tuple(
        LabelConfusion(hand, judge, counts[hand, judge])
        for hand in ErrorCategory
        for judge in ErrorCategory
        if counts[hand, judge]
    )
    return LabelAgreement(kappa.n, kappa.agreement, kappa.value, kappa.interval, confusion)
