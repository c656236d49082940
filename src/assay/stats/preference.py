"""Whether a judge prefers answers of its own model, or family, more than the other judges do."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.stats.ratio import Draws, Estimate, mean_of, ratios

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Preference:
    """A judge's marks against the other judges' on the same answers, in marks.

    `own`: mean difference on answers of its own models; `other`: on answers of all other models; `excess`:
    the first less the second, with a bootstrap interval over prompts. `models` other models have marks
    enough to be compared, and on `above` of them the judge's excess (that model against all the rest but its
    own) is at least as large: with few own models this, and not the interval, says how unusual it is.
    """

    own: Estimate
    other: Estimate
    excess: Estimate
    above: int
    models: int


def own_preference(
    marks: npt.ArrayLike, own: npt.ArrayLike, judge: int, draws: Draws | None = None
) -> Preference:
    """Return one judge's preference for its own models from marks (models, prompts, judges), NaN for none.

    `own` (models, judges) is True where a model is the judge's own, or of its family. The others' mean on an
    answer leaves out judges whose own model it is. A difference in differences: it supposes that, without
    favour, the judge would differ from the panel on its own models' answers as it does on others'. Any
    `clusters` of `draws` are ignored: prompts are drawn.
    """
    table = np.asarray(marks, dtype=np.float64)
    mine = np.asarray(own, dtype=np.bool_)
    others = np.where(mine[:, None, :], np.nan, table)
    others[:, :, judge] = np.nan
    there = ~np.isnan(others)
    count = there.sum(axis=2)
    panel = np.divide(
        np.where(there, others, 0.0).sum(axis=2), count, out=np.full(count.shape, np.nan), where=count > 0
    )
    gap = table[:, :, judge] - panel
    favoured = mine[:, judge]
    excess = _excess(gap, favoured, ~favoured, draws)
    rivals = [
        value
        for model in np.flatnonzero(~favoured).tolist()
        if (value := _one_against_rest(gap, model, ~favoured)) is not None
    ]
    by_prompt = None if draws is None else Draws(draws.rng, draws.replicates, draws.level, _prompts(gap))
    return Preference(
        mean_of(np.where(favoured[:, None], gap, np.nan).ravel(), by_prompt),
        mean_of(np.where(favoured[:, None], np.nan, gap).ravel(), by_prompt),
        excess,
        0 if excess.value is None else sum(value >= excess.value for value in rivals),
        len(rivals),
    )


def _excess(gap: FloatArray, favoured: BoolArray, rest: BoolArray, draws: Draws | None) -> Estimate:
    """Return the mean gap on the favoured models less that on the rest; prompts are what is drawn."""
    there = ~np.isnan(gap)
    filled = np.where(there, gap, 0.0)
    columns = np.column_stack(
        [
            filled[favoured].sum(axis=0),
            there[favoured].sum(axis=0),
            filled[rest].sum(axis=0),
            there[rest].sum(axis=0),
        ]
    ).astype(np.float64)
    plain = None if draws is None else Draws(draws.rng, draws.replicates, draws.level)
    return ratios(columns, [(0, 1, 1.0), (2, 3, -1.0)], int(there[favoured].sum()), plain)


def _one_against_rest(gap: FloatArray, model: int, others: BoolArray) -> float | None:
    alone = np.zeros(len(gap), dtype=np.bool_)
    alone[model] = True
    return _excess(gap, alone, others & ~alone, None).value


def _prompts(gap: FloatArray) -> npt.NDArray[np.int64]:
    return np.tile(np.arange(gap.shape[1]), len(gap))
