"""Every pair of models tested on the judges that may mark both."""

from __future__ import annotations

import numpy as np

from assay.ranking.adjusted import Adjusted
from assay.ranking.cells import Cells, over
from assay.ranking.measured import BoolArray, FloatArray, IntArray
from assay.ranking.pairs import Comparisons, PairTests, corrected, test_pairs
from assay.ranking.resampled import resample


def compare_on_common_judges(
    cells: Cells, adjusted: Adjusted, weights: FloatArray, level: float = 0.95
) -> Comparisons:
    """Test every pair of models on the marks of the judges that may mark both, and on G-Eval.

    A judge's own model has no mark of it, so both models of a pair are compared without that judge. Marks
    that a judge owed and did not give are estimated. Two models without a common judge are not comparable
    when their composites have a judges' half.
    """
    models = len(cells.models)
    judges = _judges(cells, adjusted)
    tests = PairTests.none(models)
    panels, of = np.unique(judges, axis=0, return_inverse=True)
    of = of.reshape(-1)
    for first in range(len(panels)):
        for second in range(first, len(panels)):
            among = np.flatnonzero((of == first) | (of == second))
            block = _tested(adjusted, among, panels[first] & panels[second], weights, level)
            rows, columns = of[among] == first, of[among] == second
            tests.put(block, among, rows[:, None] & columns[None, :] | columns[:, None] & rows[None, :])
    return corrected(cells.models, tests)


def _judges(cells: Cells, adjusted: Adjusted) -> BoolArray:
    """Return whose marks each model has, (M, J): judges with an effect that marked it, its own left out."""
    gave = (~np.isnan(cells.given)).any(axis=1)
    unseen = np.logical_not((cells.valid > 0).any(axis=1))
    return np.asarray(~cells.own & ~np.isnan(adjusted.marks.effects) & (gave | unseen[:, None]))


def _tested(
    adjusted: Adjusted, among: IntArray, common: BoolArray, weights: FloatArray, level: float
) -> PairTests:
    """Test the pairs `among` some models on the `common` judges."""
    marks = adjusted.marks.values[among][..., common]
    normal = (over(marks, -1) - 1.0) / 4.0
    draws = resample(normal, adjusted.geval[among], weights)
    tests = test_pairs(draws.exact, draws, level)
    same = (draws.basis == adjusted.basis[among]) & (draws.basis > 0)
    return tests.only(same[:, None] & same[None, :])
