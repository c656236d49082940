"""Coverage of the exam's intervals on simulated sittings with known scores. Prints JSON."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import orjson
from scipy.special import expit

from assay.ranking.exam.relative import ReferenceSittings, relative
from assay.ranking.exam.scores import score
from assay.results.exam_sitting import CountedQuestion, SittingScore

SEED = 51
REPLICATES = 500
SUBJECTS = tuple(f"subject {number}" for number in range(10))
FloatArray = npt.NDArray[np.float64]


def chances(right: float, kind: str) -> FloatArray:
    """Return the probabilities of 0, 1, 2 and 3 stars of an answer with this probability of being right."""
    wrong = 1.0 - right
    if kind == "0 or 3":
        return np.array([wrong, 0.0, 0.0, right])
    return np.array([0.6 * wrong, 0.4 * wrong, 0.3 * right, 0.7 * right])


def scores() -> Iterator[dict[str, Any]]:
    """Yield the coverage of S's interval: subjects differ by up to 15 points either way."""
    rng = np.random.default_rng(SEED)
    for n, kind, level in itertools.product((30, 100, 300), ("0 or 3", "graded"), (0.3, 0.6, 0.9, 0.98)):
        room = 0.15 * min(1.0, 2 * min(level, 1 - level))
        by_subject = [chances(float(p), kind) for p in np.clip(level + np.linspace(-room, room, 10), 0, 1)]
        truth = 100 * float(np.mean([each @ np.arange(4) / 3 for each in by_subject]))
        found = [sitting(rng, by_subject, n // 10) for _ in range(REPLICATES)]
        yield {
            "interval": "S",
            "n": n,
            "stars": kind,
            "truth": round(truth, 1),
            "coverage": float(np.mean([one.interval.low <= truth <= one.interval.high for one in found])),
            "normal": float(np.mean([abs(one.value - truth) <= 1.96 * one.error for one in found])),
            "width": round(float(np.mean([one.interval.high - one.interval.low for one in found])), 1),
        }


def sitting(rng: np.random.Generator, by_subject: list[FloatArray], each: int) -> SittingScore:
    """Return the score of a sitting with this number of questions of each subject."""
    counted = [
        CountedQuestion(0, code, int(stars))
        for code, chance in zip(SUBJECTS, by_subject, strict=True)
        for stars in rng.choice(4, each, p=chance)
    ]
    found = score(counted, dict.fromkeys(SUBJECTS, each))
    assert found is not None
    return found


def ratios() -> Iterator[dict[str, Any]]:
    """Yield the coverage of R's interval on the same and on other questions of different difficulty."""
    rng = np.random.default_rng(SEED)
    population = rng.normal(0, 1.5, 200_000)
    for n, gap in itertools.product((30, 100, 300), (0.0, 1.0, 3.0)):
        truth = 100 * float(expit(2.0 - gap + population).mean() / expit(2.0 + population).mean())
        hits, widths, undefined = [0, 0], [0.0, 0.0], 0
        for _ in range(REPLICATES):
            hard, other = rng.normal(0, 1.5, n), rng.normal(0, 1.5, n)
            mine = answers(rng, 2.0 - gap, hard)
            for place, draw in enumerate((1, 2)):
                theirs = answers(rng, 2.0, hard if draw == 1 else other, first=0 if draw == 1 else n)
                interval = compared(mine, draw, theirs)
                if interval is None:
                    undefined += 1
                    continue
                hits[place] += interval[0] <= truth <= interval[1]
                widths[place] += interval[1] - interval[0]
        yield {
            "interval": "R",
            "n": n,
            "truth": round(truth, 1),
            "same questions": hits[0] / REPLICATES,
            "different questions": hits[1] / REPLICATES,
            "widths": [round(width / REPLICATES, 1) for width in widths],
            "undefined": undefined,
        }


def answers(
    rng: np.random.Generator, level: float, hard: FloatArray, first: int = 0
) -> tuple[CountedQuestion, ...]:
    """Return a sitting in which half the questions give 0 or 3 stars and half a sum of three coin flips."""
    chance = expit(level + hard)
    stars = np.where(np.arange(len(hard)) % 2, 3 * rng.binomial(1, chance), rng.binomial(3, chance))
    return tuple(CountedQuestion(first + row, SUBJECTS[row % 10], int(one)) for row, one in enumerate(stars))


def compared(
    mine: tuple[CountedQuestion, ...], draw: int, theirs: tuple[CountedQuestion, ...]
) -> tuple[float, float] | None:
    """Return the interval of R for the draw that the reference took; the model's own draw is 1."""
    drawn = dict.fromkeys(SUBJECTS, len(mine) // 10)
    own, other = score(mine, drawn), score(theirs, drawn)
    assert own is not None
    assert other is not None
    found = relative(1, mine, own, drawn, ReferenceSittings("best", ((draw, theirs),), (other,)))
    return None if found is None or found.interval is None else (found.interval.low, found.interval.high)


if __name__ == "__main__":
    rows = [*scores(), *ratios()]
    print(
        orjson.dumps(
            {"seed": SEED, "replicates": REPLICATES, "rows": rows}, option=orjson.OPT_INDENT_2
        ).decode()
    )
