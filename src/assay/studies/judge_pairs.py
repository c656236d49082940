"""Every two judges on the answers that both marked; pairs that speak of marks in two codings are refused."""

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


def compare_pairs(marks: MarkMatrix, draws: BootstrapDraws | None) -> tuple[PairFigures, ...]:
    """Compare every two judges."""
    used = [{float(value) for value in np.unique(row[~np.isnan(row)])} for row in marks.table]
    return tuple(_pair(marks, used, one, other, draws) for one, other in combinations(range(len(used)), 2))


def _pair(
    marks: MarkMatrix, used: list[set[float]], one: int, other: int, draws: BootstrapDraws | None
) -> PairFigures:
    names, rows = (marks.judges[one], marks.judges[other]), marks.table[[one, other]]
    n = int((~np.isnan(rows)).all(axis=0).sum())
    why = _two_codings(marks, used, one, other)
    if why is not None:
        return PairFigures(*names, n, refused=why)
    if not marks.scale.codes:
        return _measured(names, rows, n)
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


def _two_codings(marks: MarkMatrix, used: list[set[float]], one: int, other: int) -> str | None:
    """Return why two judges' marks look like two codings of the same categories, None when they do not.

    Each uses a mark that the other never does, and they share at most half of what they use, or their numbers
    are the same but for a shift (1-5 and 0-4). It does not count where the scale was declared, or where a
    judge uses the marks of both. A kappa of {1, 2} against {0, 1} means nothing.
    """
    left, right = used[one], used[other]
    if marks.scale.declared or not marks.scale.codes or left <= right or right <= left:
        return None
    if any(left | right <= others for others in used):
        return None
    shifted = marks.scale.kind == "numbers" and _shifted(left, right)
    if not shifted and 2 * len(left & right) > len(left | right):
        return None
    names = marks.judges[one], marks.judges[other]
    return (
        f"{names[0]} uses {_listed(marks.scale, left)}, {names[1]} {_listed(marks.scale, right)}: each uses "
        "marks that the other never does, which looks like two codings of the same thing. Recode one of "
        "them, or, if all stand on one scale, declare it: "
        + " ".join(f"--category {mark}" for mark in marks.scale.categories[: 2 * LISTED])
    )


def _shifted(left: set[float], right: set[float]) -> bool:
    """Return whether one set of numbers is the other plus a constant."""
    gaps = {round(a - b, 9) for a, b in zip(sorted(left), sorted(right), strict=False)}
    return len(left) == len(right) and len(gaps) == 1


def _listed(scale: MarkScale, used: set[float]) -> str:
    names = [name for name, value in scale.codes.items() if value in used]
    return "{" + ", ".join(names[:LISTED]) + (", ..." if len(names) > LISTED else "") + "}"


def _measured(names: tuple[str, str], rows: FloatArray, n: int) -> PairFigures:
    """Return how often two judges' measurements are the same; there are no categories for kappa."""
    left, right = rows[:, (~np.isnan(rows)).all(axis=0)]
    same = int(np.count_nonzero(left == right))
    return PairFigures(
        *names,
        n,
        same / n if n else None,
        clopper_pearson(same, n) if n else None,
        float(np.mean(np.abs(left - right) <= 1.0)) if n else None,
    )
