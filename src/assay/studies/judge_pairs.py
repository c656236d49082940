"""Agreement of every two judges on the answers that both marked. Pairs with two codings are refused."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from assay.results.agreement import AgreementFigure, PairFigures
from assay.stats.agreement import compare_judges
from assay.stats.intervals import clopper_pearson
from assay.stats.resample import BootstrapDraws
from assay.studies.marks import FloatArray, MarkMatrix
from assay.studies.scale import MarkScale

LISTED = 6
"""The most marks of a judge that a refusal lists."""


def compare_pairs(marks: MarkMatrix, draws: BootstrapDraws | None) -> tuple[PairFigures, ...]:
    """Compare every two judges. `draws` None leaves out the intervals."""
    used = [{float(value) for value in np.unique(row[~np.isnan(row)])} for row in marks.table]
    pairs = combinations(range(len(used)), 2)
    return tuple(_compare(marks, used, first, second, draws) for first, second in pairs)


def _compare(
    marks: MarkMatrix, used: list[set[float]], first: int, second: int, draws: BootstrapDraws | None
) -> PairFigures:
    names, rows = (marks.judges[first], marks.judges[second]), marks.table[[first, second]]
    n = int((~np.isnan(rows)).all(axis=0).sum())
    reason = _explain_two_codings(marks, used, first, second)
    if reason is not None:
        return PairFigures(*names, n, refused=reason)
    if not marks.scale.codes:
        return _compare_measurements(names, rows, n)
    pair = compare_judges(*rows, categories=list(marks.scale.codes.values()), draws=draws)
    weighted = marks.scale.ordered and len(marks.scale.codes) > 2
    return PairFigures(
        *names,
        n,
        pair.agreement,
        pair.interval,
        pair.within_one if marks.scale.kind == "numbers" else None,
        AgreementFigure.of(pair.kappa),
        AgreementFigure.of(pair.linear) if weighted else None,
        AgreementFigure.of(pair.quadratic) if weighted else None,
    )


def _explain_two_codings(marks: MarkMatrix, used: list[set[float]], first: int, second: int) -> str | None:
    """Return the reason why two judges seem to use two codings of the same categories; None if they do not.

    A kappa of marks {1, 2} against {0, 1} is meaningless. Two codings are suspected if each judge uses a mark
    that the other never uses, and if they share at most half of their marks or their numbers differ by a
    constant (1-5 and 0-4). They are not suspected if the scale was declared, or if a third judge uses the
    marks of both.
    """
    left, right = used[first], used[second]
    if marks.scale.declared or not marks.scale.codes or left <= right or right <= left:
        return None
    if any(left | right <= marks_used for marks_used in used):
        return None
    shifted = marks.scale.kind == "numbers" and _shifted(left, right)
    if not shifted and 2 * len(left & right) > len(left | right):
        return None
    return (
        f"{marks.judges[first]} uses the marks {_listed(marks.scale, left)}, {marks.judges[second]} uses "
        f"{_listed(marks.scale, right)}: these look like two codings of the same categories. Recode one of "
        "them, or, if both use the same scale, declare it: "
        + " ".join(f"--category {mark}" for mark in marks.scale.categories[: 2 * LISTED])
    )


def _shifted(left: set[float], right: set[float]) -> bool:
    """Return true if one set of numbers is the other plus a constant."""
    gaps = {round(a - b, 9) for a, b in zip(sorted(left), sorted(right), strict=False)}
    return len(left) == len(right) and len(gaps) == 1


def _listed(scale: MarkScale, used: set[float]) -> str:
    names = [name for name, value in scale.codes.items() if value in used]
    return "{" + ", ".join(names[:LISTED]) + (", ..." if len(names) > LISTED else "") + "}"


def _compare_measurements(names: tuple[str, str], rows: FloatArray, n: int) -> PairFigures:
    """Return how often two judges' measurements are equal. Without categories there is no kappa."""
    left, right = rows[:, (~np.isnan(rows)).all(axis=0)]
    same = int(np.count_nonzero(left == right))
    return PairFigures(
        *names,
        n,
        same / n if n else None,
        clopper_pearson(same, n) if n else None,
        float(np.mean(np.abs(left - right) <= 1.0)) if n else None,
    )
