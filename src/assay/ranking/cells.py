"""A board's input with its epochs averaged: one cell for each model and prompt."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assay.core.errors import InvalidInput
from assay.ranking.measured import BoolArray, FloatArray, IntArray, Measured, PromptKind, Status

INVALID_MARK = 1.0
"""What every judge gives to an answer that is not there."""
GEVAL_DIGITS = 4
"""To how many decimals G-Eval is rounded: each prompt's mean first, then the mean over prompts."""


@dataclass(frozen=True, slots=True)
class Cells:
    """Models in the order of their names, prompts in the order of their ids, epochs averaged.

    `marks` (M, P, J) has the mark 1 for invalid answers and NaN for errors and for judges that may not mark
    the model; `given` the same without the invalid ones, that is, what judges said; `valid` (M, P) is
    the share of answered samples that were not invalid (NaN where nothing was answered). `geval` (M, P) is
    the mean over the metrics that returned, rounded to 4 decimals, NaN for invalid answers; `geval_zero`
    counts those as 0; `metrics` (M, P, K). `asked` and `marked` (M, J) count visible answers and marks
    on them. `status` (E, M, P), `truncated` and `flags` keep their epochs. `tokens`, `latency` (M, P)
    are means over the epochs where they are known. `said` (E, M, P, J) and `said_metrics` (E, M, P, K) are
    what judges and G-Eval gave to each answer.
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
        """Which judges count for which models, (M, J): those that marked every visible answer."""
        there = np.asarray(self.answered.any(axis=1))[:, None]
        every: BoolArray = ~self.own & there & (self.marked == self.asked)
        return every

    @property
    def answered(self) -> BoolArray:
        """Where at least one epoch was answered, (M, P)."""
        return ~np.isnan(self.valid)


def cells(epochs: Sequence[Measured]) -> Cells:
    """Average epochs of the same models, prompts and judges. InvalidInput when they differ."""
    first = _agreed(epochs)
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
        geval=_rounded(over(geval, 0)),
        geval_zero=_rounded(over(np.where(invalid, 0.0, geval), 0)),
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
    """Return the mean along an axis, NaN left out; NaN where nothing is left."""
    there = ~np.isnan(values)
    count = there.sum(axis=axis)
    total = np.where(there, values, 0.0).sum(axis=axis)
    mean: FloatArray = np.divide(total, count, out=np.full(total.shape, np.nan), where=count > 0)
    return mean


def _over_metrics(metrics: FloatArray) -> FloatArray:
    """Return the mean over the last axis, NaN left out, exactly summed: published ties turn on it."""
    rows = metrics.reshape(math.prod(metrics.shape[:-1]), metrics.shape[-1]).tolist()
    means = []
    for row in rows:
        there = [value for value in row if value == value]
        means.append(math.fsum(there) / len(there) if there else math.nan)
    return np.array(means, dtype=np.float64).reshape(metrics.shape[:-1])


def _rounded(values: FloatArray) -> FloatArray:
    """Return the values rounded to `GEVAL_DIGITS` as Python rounds them; NumPy's rounding differs at ties."""
    return np.array([round(value, GEVAL_DIGITS) for value in values.ravel().tolist()]).reshape(values.shape)


def _agreed(epochs: Sequence[Measured]) -> Measured:
    if not epochs:
        raise InvalidInput("no epoch was given: give at least one")
    first = epochs[0]
    for number, epoch in enumerate(epochs):
        for name in ("models", "prompts", "judges", "metrics"):
            if getattr(epoch, name) != getattr(first, name):
                raise InvalidInput(
                    f"epoch {number} has other {name} than epoch 0: give the same ones in the same order, "
                    "absent samples as ABSENT"
                )
        if not np.array_equal(epoch.own, first.own):
            raise InvalidInput(f"epoch {number} excludes other judges than epoch 0: give the same exclusions")
    return first
