"""A board's input with its epochs averaged: one cell for each model and prompt."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assay.core.errors import InvalidInput
from assay.ranking.board.measured import BoolArray, FloatArray, IntArray, MeasuredEpoch, PromptKind, Status

INVALID_MARK = 1.0
"""The mark of every judge for an invalid answer."""
GEVAL_DIGITS = 4
"""The decimals to which G-Eval is rounded: each prompt's mean, then the mean over prompts."""


@dataclass(frozen=True, slots=True)
class Cells:
    """Models in the order of their names, prompts in the order of their ids, epochs averaged.

    `marks` (M, P, J) is 1 for invalid answers, and NaN for errors and for judges that may not mark the model;
    `given` are the same without invalid answers, that is, the marks by judges; `valid` (M, P) is the share of
    answered samples that were not invalid (NaN if nothing was answered). `geval` (M, P) is the mean over the
    metrics that returned, rounded to 4 decimals, NaN for invalid answers, which `geval_zero` counts as 0;
    `metrics` has shape (M, P, K). `asked` and `marked` (M, J) count visible answers and marks on them.
    `status` (E, M, P), `truncated` and `flags` keep their epochs. `tokens` and `latency` (M, P) are means
    over the epochs in which they are known. `said` (E, M, P, J) and `said_metrics` (E, M, P, K) are the marks
    and metrics of each answer.
    """

    models: tuple[str, ...]
    prompts: tuple[PromptKind, ...]
    judges: tuple[str, ...]
    metric_names: tuple[str, ...]
    own: BoolArray
    marks: FloatArray
    given: FloatArray
    valid: FloatArray
    geval: FloatArray
    geval_zero: FloatArray
    metrics: FloatArray
    asked: IntArray
    marked: IntArray
    status: IntArray
    truncated: BoolArray
    flags: IntArray
    tokens: FloatArray
    latency: FloatArray
    cost: FloatArray
    said: FloatArray
    said_metrics: FloatArray

    @property
    def counting(self) -> BoolArray:
        """A mask of the judges that count for each model, (M, J): those that marked every visible answer."""
        answered = np.asarray(self.answered.any(axis=1))[:, None]
        counting: BoolArray = ~self.own & answered & (self.marked == self.asked)
        return counting

    @property
    def answered(self) -> BoolArray:
        """A mask of the cells with at least one answered epoch, (M, P)."""
        return ~np.isnan(self.valid)


def cells(epochs: Sequence[MeasuredEpoch]) -> Cells:
    """Average epochs of the same models, prompts and judges. Raises InvalidInput if they differ."""
    first = _check_equal(epochs)
    by_model = np.argsort(np.array(first.models, dtype=object), kind="stable")
    by_prompt = np.argsort(np.array([prompt.id for prompt in first.prompts], dtype=object), kind="stable")

    def stacked(name: str) -> FloatArray:
        return np.stack([getattr(epoch, name)[by_model][:, by_prompt] for epoch in epochs])

    status = stacked("status").astype(np.int64)
    invalid = status == Status.INVALID
    answered = invalid | (status == Status.OK) | (status == Status.UNGRADED)
    visible = answered & ~invalid
    own = first.own[by_model]
    said = np.where((answered & ~invalid)[..., None] & ~own[:, None, :], stacked("marks"), np.nan)
    marks = np.where(invalid[..., None] & ~own[:, None, :], INVALID_MARK, said)
    metrics = np.where((answered & ~invalid)[..., None], stacked("geval"), np.nan)
    geval = _over_metrics(metrics)
    share = np.where(answered, (~invalid).astype(np.float64), np.nan)
    return Cells(
        models=tuple(first.models[place] for place in by_model),
        prompts=tuple(first.prompts[place] for place in by_prompt),
        judges=first.judges,
        metric_names=first.metrics,
        own=own,
        marks=over(marks, 0),
        given=over(said, 0),
        valid=over(share, 0),
        geval=_round(over(geval, 0)),
        geval_zero=_round(over(np.where(invalid, 0.0, geval), 0)),
        metrics=over(metrics, 0),
        asked=np.repeat(visible.sum(axis=(0, 2), dtype=np.int64)[:, None], len(first.judges), axis=1),
        marked=(~np.isnan(said)).sum(axis=(0, 2), dtype=np.int64),
        status=status,
        truncated=stacked("truncated").astype(np.bool_) & invalid,
        flags=stacked("flags").astype(np.int64),
        tokens=over(np.where(answered, stacked("tokens"), np.nan), 0),
        latency=over(np.where(answered, stacked("latency"), np.nan), 0),
        cost=stacked("cost"),
        said=said,
        said_metrics=metrics,
    )


def over(values: FloatArray, axis: int) -> FloatArray:
    """Return the mean along an axis without NaN; NaN if all values are NaN."""
    known = ~np.isnan(values)
    return ratio(np.where(known, values, 0.0).sum(axis=axis), known.sum(axis=axis))


def ratio(part: FloatArray, whole: FloatArray | IntArray) -> FloatArray:
    """Return part / whole, NaN if the whole is 0."""
    quotient: FloatArray = np.divide(part, whole, out=np.full(part.shape, np.nan), where=whole > 0)
    return quotient


def _over_metrics(metrics: FloatArray) -> FloatArray:
    """Return the mean over the last axis without NaN, summed exactly, on which published ties depend."""
    rows = metrics.reshape(math.prod(metrics.shape[:-1]), metrics.shape[-1]).tolist()
    means = []
    for row in rows:
        known = [value for value in row if value == value]
        means.append(math.fsum(known) / len(known) if known else math.nan)
    return np.array(means, dtype=np.float64).reshape(metrics.shape[:-1])


def _round(values: FloatArray) -> FloatArray:
    """Return the values rounded to `GEVAL_DIGITS` by Python, as NumPy rounds ties differently."""
    return np.array([round(value, GEVAL_DIGITS) for value in values.ravel().tolist()]).reshape(values.shape)


def _check_equal(epochs: Sequence[MeasuredEpoch]) -> MeasuredEpoch:
    if not epochs:
        raise InvalidInput("no epochs: give at least one")
    first = epochs[0]
    for number, epoch in enumerate(epochs):
        for name in ("models", "prompts", "judges", "metrics"):
            if getattr(epoch, name) != getattr(first, name):
                raise InvalidInput(
                    f"epoch {number} has other {name} than epoch 0: give the same {name} in the same order, "
                    "with the status ABSENT for missing samples"
                )
        if not np.array_equal(epoch.own, first.own):
            raise InvalidInput(f"epoch {number} excludes other judges than epoch 0: give the same `own`")
    return first
