"""Means of human marks from many judge marks and a few human marks: prediction-powered and Rogan-Gladen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy

from assay.stats.intervals import Interval

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

LEAST = 2
"""A stratum has at least this many human marks; smaller ones are merged with their neighbours."""

LEAST_SLOPE = 0.1
"""Rogan-Gladen needs a judge whose mean mark rises by at least this much from the lowest human mark to the
highest (Youden's index for yes-or-no marks). Below, its estimate is noise."""


@dataclass(frozen=True, slots=True)
class RectifiedMean:
    """The mean human mark of all answers, estimated from judge marks on all and human marks on some.

    `n` of the `answers` answers have human marks, in `strata` strata. `slope` is the weight of the judge's
    marks within strata: the lambda of PPI++ is slope (1 - n/answers). `influence` (answers,) has each
    answer's share in the error of the estimate.
    """

    value: float
    interval: Interval
    n: int
    answers: int
    strata: int
    slope: float
    influence: FloatArray


def rectified_mean(
    human: npt.ArrayLike,
    judge: npt.ArrayLike,
    strata: npt.ArrayLike | None = None,
    *,
    clusters: npt.ArrayLike | None = None,
    level: float = 0.95,
) -> RectifiedMean:
    """Return the mean human mark by stratified prediction-powered inference, marks 0-1.

    `human` (answers,) is NaN where there is no human mark; `judge` has every answer's mark. `strata` has one
    ordered number per answer, such as its judge mark: human marks must be a random sample within each
    stratum, and may be denser in some strata. Without strata the human marks must be a random sample of all
    answers, and the estimate is that of PPI++. Answers of the same cluster (such as a prompt) are dependent.

    The estimate is mean(slope f_i + r_s), with r_s the mean of y - slope f over the human marks of the
    answer's stratum. Strata with fewer than `LEAST` human marks are merged with the nearest one. Each
    stratum has Jeffreys' interval, and these are combined with the variation between strata. Raises
    ValueError for fewer than two human marks.
    Sources: A. Angelopoulos, J. Duchi and T. Zrnic, PPI++, arXiv 2311.01453 (2023); A. Fisch et al.,
    Stratified Prediction-Powered Inference, arXiv 2406.04291 (2024); G. Zou and A. Donner, Statistics in
    Medicine 27 (2008) 1693-1702 (the combination of intervals).
    """
    y, f = np.asarray(human, dtype=np.float64), np.asarray(judge, dtype=np.float64)
    marked = ~np.isnan(y)
    if int(marked.sum()) < 2:
        raise ValueError(f"{int(marked.sum())} human marks: give at least two")
    codes = np.zeros(len(f)) if strata is None else np.asarray(strata, dtype=np.float64)
    stratum = merge_strata(codes, marked)
    own = stratum[marked]
    n, share = np.bincount(own).astype(np.float64), np.bincount(stratum) / len(f)
    centred = _centred(np.column_stack([y[marked], f[marked]]), own, n)
    slope = _slope(centred, (share**2 / (n * np.maximum(n - 1.0, 1.0)))[own])
    residual = np.bincount(own, y[marked] - slope * f[marked]) / n
    fitted = slope * f + residual[stratum]
    value = float(fitted.mean())
    errors = centred[:, 0] - slope * centred[:, 1]
    influence = (fitted - value) / len(f)
    plain = float(influence @ influence)
    influence[marked] += (share / n)[own] * errors
    freedom = max(1.0, len(own) - len(n) - (slope != 0.0))
    means = np.bincount(stratum, fitted) / np.bincount(stratum)
    ends = _ends_within(means, errors, own, n, y[marked], slope, freedom, level)
    between = plain * float(scipy.special.ndtri(0.5 + level / 2.0)) ** 2
    wider = 1.0
    if clusters is not None:
        wider = max(1.0, _variance(influence, clusters) / max(float(influence @ influence), 1e-300))
    below = np.sqrt(wider * (between + float(share**2 @ (means - ends[0]) ** 2)))
    above = np.sqrt(wider * (between + float(share**2 @ (ends[1] - means) ** 2)))
    interval = Interval(max(0.0, value - float(below)), min(1.0, value + float(above)), level)
    return RectifiedMean(value, interval, len(own), len(f), len(n), slope, influence)


def _slope(centred: FloatArray, weight: FloatArray) -> float:
    """Return the weighted regression slope of human on judge marks within strata; 0 where none vary."""
    squares = float(weight @ centred[:, 1] ** 2)
    return float(weight @ (centred[:, 0] * centred[:, 1])) / squares if squares > 1e-12 else 0.0


def _ends_within(
    means: FloatArray,
    errors: FloatArray,
    stratum: IntArray,
    n: FloatArray,
    marks: FloatArray,
    slope: float,
    freedom: float,
    level: float,
) -> FloatArray:
    """Return the ends (2, strata) of the interval of each stratum's mean.

    With yes-or-no marks and no slope it is Jeffreys' interval of n marks. Otherwise the effective number of
    marks follows from the errors' variance. It is averaged with that of all strata together, which counts as
    one more mark and in which one more error of the smallest size is counted: strata in which all marks were
    as expected are not taken for certain.
    """
    squares = np.bincount(stratum, errors**2, minlength=len(n))
    pooled = (float(squares.sum()) + _step(marks) ** 2) / (freedom + 1.0)
    variances = (squares + pooled) / n**2
    binary = slope == 0.0 and bool(np.isin(marks, (0.0, 1.0)).all())
    intervals = [
        _jeffreys(mean, float(n[place]), level)
        if binary
        else bounded_interval(float(mean), float(variances[place]), freedom, level)
        for place, mean in enumerate(means)
    ]
    return np.array([[interval.low for interval in intervals], [interval.high for interval in intervals]])


def merge_strata(codes: npt.ArrayLike, marked: npt.NDArray[np.bool_], least: int = LEAST) -> IntArray:
    """Return the stratum of each answer, 0, 1, ..., after small strata are merged with their neighbours.

    `codes` orders the strata. The stratum with the fewest human marks is merged with the nearer of its
    neighbours until each has at least `least`, or one is left.
    """
    values, stratum = np.unique(np.asarray(codes, dtype=np.float64), return_inverse=True)
    stratum = stratum.reshape(-1)
    groups = [[place] for place in range(len(values))]
    counts = np.bincount(stratum[marked], minlength=len(values)).tolist()
    ends = [(float(value), float(value)) for value in values]
    while len(groups) > 1 and min(counts) < least:
        place = int(np.argmin(counts))
        left = ends[place][0] - ends[place - 1][1] if place else np.inf
        right = ends[place + 1][0] - ends[place][1] if place + 1 < len(groups) else np.inf
        first = place - 1 if left <= right else place
        groups[first : first + 2] = [groups[first] + groups[first + 1]]
        counts[first : first + 2] = [counts[first] + counts[first + 1]]
        ends[first : first + 2] = [(ends[first][0], ends[first + 1][1])]
    merged = np.empty(len(values), dtype=np.int64)
    for number, places in enumerate(groups):
        merged[places] = number
    return merged[stratum]


def _centred(columns: FloatArray, stratum: IntArray, n: FloatArray) -> FloatArray:
    totals = np.zeros((len(n), columns.shape[1]))
    np.add.at(totals, stratum, columns)
    return np.asarray(columns - (totals / n[:, None])[stratum], dtype=np.float64)


def _step(marks: FloatArray) -> float:
    """Return the smallest distance between two different marks, 1 if all are the same."""
    values = np.unique(marks)
    return float(np.diff(values).min()) if len(values) > 1 else 1.0


def _variance(influence: FloatArray, clusters: npt.ArrayLike | None) -> float:
    """Return the sum of squares of the influence of each cluster."""
    if clusters is not None:
        labels = np.unique(np.asarray(clusters), return_inverse=True)[1].reshape(-1)
        influence = np.bincount(labels, influence).astype(np.float64)
    return float(influence @ influence)


def bounded_interval(value: float, variance: float, freedom: float, level: float = 0.95) -> Interval:
    """Return Jeffreys' interval of a mean of marks 0-1 for its effective number of marks.

    The effective number is v(1 - v)/variance, less by (z/t)^2 for the degrees of freedom.
    """
    tail = 0.5 + level / 2.0
    inside = float(np.clip(value, 1e-3, 1.0 - 1e-3))
    narrower = float(scipy.special.ndtri(tail) / scipy.special.stdtrit(freedom, tail)) ** 2
    return _jeffreys(value, narrower * inside * (1.0 - inside) / max(variance, 1e-12), level)


def _jeffreys(value: float, n: float, level: float) -> Interval:
    """Return Jeffreys' interval of a share of n marks; it reaches 0 or 1 where the share does."""
    tail = 0.5 - level / 2.0
    inside = float(np.clip(value, 0.0, 1.0))
    a, b = inside * n + 0.5, (1.0 - inside) * n + 0.5
    low, high = float(scipy.special.betaincinv(a, b, tail)), float(scipy.special.betaincinv(a, b, 1.0 - tail))
    return Interval(0.0 if inside == 0.0 else low, 1.0 if inside == 1.0 else high, level)


@dataclass(frozen=True, slots=True)
class MeanDifference:
    """A difference of two means with its interval and the two-sided p that it is 0."""

    value: float
    interval: Interval
    p: float


def rectified_difference(
    first: RectifiedMean, second: RectifiedMean, items: tuple[npt.ArrayLike, npt.ArrayLike]
) -> MeanDifference:
    """Return the difference of two models' means; `items` names the item of each answer of both.

    Answers to the same item are dependent, whether a human marked both, one or neither. The interval
    combines those of the means with their correlation.
    Source: G. Zou, Psychological Methods 12 (2007) 399-413 (dependent estimates).
    """
    names = np.unique(np.concatenate([np.asarray(part) for part in items]), return_inverse=True)[1].reshape(
        -1
    )
    cut = len(first.influence)
    left = np.bincount(names[:cut], first.influence, minlength=int(names.max()) + 1)
    right = np.bincount(names[cut:], second.influence, minlength=int(names.max()) + 1)
    spread = float(np.sqrt((left @ left) * (right @ right)))
    correlation = float(left @ right) / spread if spread > 0.0 else 0.0
    value, level = first.value - second.value, first.interval.level
    down, up = first.value - first.interval.low, first.interval.high - first.value
    other_down, other_up = second.value - second.interval.low, second.interval.high - second.value
    below = np.sqrt(max(0.0, down**2 + other_up**2 - 2.0 * correlation * down * other_up))
    above = np.sqrt(max(0.0, up**2 + other_down**2 - 2.0 * correlation * up * other_down))
    towards_zero = float(below if value > 0.0 else above)
    reach = float(scipy.special.ndtri(0.5 + level / 2.0))
    z = np.inf if towards_zero == 0.0 else abs(value) / towards_zero * reach
    p = 1.0 if value == 0.0 else 2.0 * float(scipy.special.stdtr(max(1, min(first.n, second.n) - 1), -z))
    return MeanDifference(value, Interval(value - float(below), value + float(above), level), min(1.0, p))


@dataclass(frozen=True, slots=True)
class JudgeErrors:
    """A judge's marks given the human mark, from `n` answers with both: a line through the two ends.

    `at_lowest` is its mean mark where the human mark is 0, `at_highest` where it is 1; for yes-or-no marks
    they are 1 - specificity and sensitivity. `lowest` and `highest` count the answers with these two human
    marks; `covariance` (2, 2) is that of the line's intercept and slope.
    """

    at_lowest: float
    at_highest: float
    n: int
    lowest: int
    highest: int
    binary: bool
    covariance: FloatArray

    @property
    def slope(self) -> float:
        """The rise of the judge's mean mark from the lowest human mark to the highest."""
        return self.at_highest - self.at_lowest


def calibrate_judge(human: npt.ArrayLike, judge: npt.ArrayLike) -> JudgeErrors | None:
    """Return a judge's calibration from marks 0-1 on the same answers; None if the human marks are constant.

    The line is by least squares with the HC3 covariance of J. MacKinnon and H. White, Journal of
    Econometrics 29 (1985). For yes-or-no marks it goes through both means.
    """
    y, f = np.asarray(human, dtype=np.float64), np.asarray(judge, dtype=np.float64)
    if len(y) < 3 or np.ptp(y) == 0.0:
        return None
    design = np.column_stack([np.ones(len(y)), y])
    inverse = np.linalg.inv(design.T @ design)
    intercept, slope = inverse @ design.T @ f
    leverage = np.einsum("ij,jk,ik->i", design, inverse, design)
    errors = (f - design @ [intercept, slope]) / np.maximum(1.0 - leverage, 1.0 / len(y))
    covariance = inverse @ (design.T * errors**2) @ design @ inverse
    binary = bool(np.isin(y, (0.0, 1.0)).all() and np.isin(f, (0.0, 1.0)).all())
    lowest, highest = int((y == 0.0).sum()), int((y == 1.0).sum())
    return JudgeErrors(
        float(intercept), float(intercept + slope), len(y), lowest, highest, binary, covariance
    )


@dataclass(frozen=True, slots=True)
class JudgedMean:
    """A mean human mark that was computed from the judge's mean mark and its calibration."""

    value: float
    interval: Interval


def rogan_gladen(judge: npt.ArrayLike, known: JudgeErrors, *, level: float = 0.95) -> JudgedMean | None:
    """Return the mean human mark of answers from the judge's marks on them, 0-1, and its calibration.

    The estimate is (mean judge mark - at_lowest)/slope, which assumes that the judge errs on these answers
    as on those of the calibration, whatever their mix of good and bad answers. Yes-or-no marks have Lang and
    Reiczigel's interval, others Fieller's. None if the slope is below `LEAST_SLOPE` or not significantly
    above 0.
    Sources: W. Rogan and B. Gladen, American Journal of Epidemiology 107 (1978) 71-76; Z. Lang and J.
    Reiczigel, Preventive Veterinary Medicine 113 (2014) 13-22; E. Fieller, JRSS B 16 (1954) 175-185.
    """
    f = np.asarray(judge, dtype=np.float64)
    z = float(scipy.special.ndtri(0.5 + level / 2.0))
    if not len(f) or known.slope < LEAST_SLOPE or known.slope**2 <= z**2 * known.covariance[1, 1]:
        return None
    value = (float(f.mean()) - known.at_lowest) / known.slope
    if known.binary:
        low, high = _lang_reiczigel(float(f.mean()), len(f), known, z)
    else:
        low, high = _fieller(f, known, float(scipy.special.stdtrit(known.n - 2, 0.5 + level / 2.0)))
    ends = np.clip([low, high], 0.0, 1.0)
    return JudgedMean(float(np.clip(value, 0.0, 1.0)), Interval(float(ends[0]), float(ends[1]), level))


def _lang_reiczigel(share: float, n: int, known: JudgeErrors, z: float) -> tuple[float, float]:
    """Return the interval of Lang and Reiczigel (2014), section 2.2."""
    size, highest, lowest = n + z**2, known.highest + 2.0, known.lowest + 2.0
    share = (n * share + z**2 / 2.0) / size
    hit = (known.highest * known.at_highest + 1.0) / highest
    correct = (known.lowest * (1.0 - known.at_lowest) + 1.0) / lowest
    youden = hit + correct - 1.0
    middle = (share + correct - 1.0) / youden
    hit_variance, correct_variance = hit * (1.0 - hit) / highest, correct * (1.0 - correct) / lowest
    shift = 2.0 * z**2 * (middle * hit_variance - (1.0 - middle) * correct_variance)
    variance = (
        share * (1.0 - share) / size + middle**2 * hit_variance + (1.0 - middle) ** 2 * correct_variance
    )
    margin = z * float(np.sqrt(variance)) / youden
    return middle + shift - margin, middle + shift + margin


def _fieller(judge: FloatArray, known: JudgeErrors, t: float) -> tuple[float, float]:
    """Return the ends of the values v for which mean judge mark - at_lowest - slope v may be 0.

    They solve a quadratic inequality. Its leading coefficient is positive where the slope is significant.
    """
    gap = float(judge.mean()) - known.at_lowest
    noise = float(judge.var(ddof=1)) / len(judge) if len(judge) > 1 else 0.25
    (own, both), (_, slope) = known.covariance
    a = known.slope**2 - t**2 * slope
    b = gap * known.slope + t**2 * both
    c = gap**2 - t**2 * (noise + own)
    if a <= 0.0:
        return 0.0, 1.0
    root = float(np.sqrt(max(0.0, b**2 - a * c)))
    return (b - root) / a, (b + root) / a


def same_errors(human: npt.ArrayLike, judge: npt.ArrayLike, groups: npt.ArrayLike) -> float | None:
    """Return the p of the F test that a judge's mean mark given the human mark is the same in all groups.

    Marks have the shape (answers,), and groups are models. The alternative is a line per group: a judge that
    favours some models, or that tells good from bad answers less well for some. A small p means that one
    calibration does not fit all. None with one group or too few marks.
    """
    y, f = np.asarray(human, dtype=np.float64), np.asarray(judge, dtype=np.float64)
    levels = np.unique(y, return_inverse=True)[1].reshape(-1)
    names, group = np.unique(np.asarray(groups), return_inverse=True)
    given = np.eye(int(levels.max(initial=0)) + 1)[levels]
    own = np.eye(len(names))[group.reshape(-1)]
    full = np.column_stack([given, own, own * y[:, None]])
    ranks = int(np.linalg.matrix_rank(given)), int(np.linalg.matrix_rank(full))
    freedom = len(f) - ranks[1]
    if ranks[1] == ranks[0] or freedom < 1:
        return None
    fits = [design @ np.linalg.lstsq(design, f, rcond=None)[0] for design in (given, full)]
    squares = [float(((f - fitted) ** 2).sum()) for fitted in fits]
    if squares[1] <= 1e-12 * max(1.0, squares[0]):
        return 1.0 if squares[0] <= 1e-9 else 0.0
    ratio = (squares[0] - squares[1]) / (ranks[1] - ranks[0]) / (squares[1] / freedom)
    return float(scipy.special.fdtrc(ranks[1] - ranks[0], freedom, max(0.0, ratio)))


def random_sample(judge: npt.ArrayLike, marked: npt.ArrayLike, groups: npt.ArrayLike) -> float | None:
    """Return the p of the test that the answers with human marks are a random sample of each group's answers.

    It compares the judge's mean mark of marked and other answers within groups (models): a normal test of the
    sum over groups of the differences from what random sampling gives. None where every answer, or none, has
    a human mark, or the judge's marks are constant.
    """
    f, taken = np.asarray(judge, dtype=np.float64), np.asarray(marked, dtype=np.bool_)
    group = np.unique(np.asarray(groups), return_inverse=True)[1].reshape(-1)
    excess = variance = 0.0
    for place in range(int(group.max(initial=-1)) + 1):
        own, chosen = f[group == place], taken[group == place]
        size, n = len(own), int(chosen.sum())
        if 0 < n < size:
            excess += float(own[chosen].sum()) - n * float(own.mean())
            variance += n * (size - n) / size * float(own.var(ddof=1))
    if variance <= 1e-12:
        return None
    return min(1.0, 2.0 * float(scipy.special.ndtr(-abs(excess) / np.sqrt(variance))))
