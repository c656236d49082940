"""Coverage of the exam's intervals of S, R, differences and ranks over 1 to 12 sittings, printed as JSON.

`python benchmarks/exam_standings.py [REPLICATES]`. The method was tuned on the worlds of `TUNED`; those of
`REPORTED` were run once, after it was finished.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
import orjson
from scipy.special import expit, logit, stdtrit

from assay.ranking.board.pairs import rank_ranges
from assay.ranking.exam.hierarchy import Hierarchy, SittingMarks, compare_models, fit

FloatArray = npt.NDArray[np.float64]
SEED = 13
SUBJECTS = 10
OFFSETS = np.linspace(-0.5, 0.5, SUBJECTS)
SITTINGS = (1, 3, 6, 12)
NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(60)
WEIGHTS = WEIGHTS / WEIGHTS.sum()
SIX = (0.90, 0.85, 0.80, 0.70, 0.60, 0.50)
HIGH = (0.985, 0.98, 0.97, 0.96, 0.95, 0.90)


@dataclass(frozen=True, slots=True)
class World:
    """A way to simulate marks. `hard`, `own` and `sitting` are standard deviations on the logit scale.

    `hard` is a question's difficulty for all models, `own` its extra difficulty for one model, and `sitting`
    the effect of a sitting on all its answers. `noise` is the probability that the judge is one star off.
    `questions`: every sitting has its own (`apart`), all models get the same (`same`), or all draw from a
    bank three times as large as one model's questions (`bank`). With `outage`, a sitting loses a share of
    answers.
    """

    name: str
    levels: tuple[float, ...] = SIX
    n: int = 100
    hard: float = 1.0
    own: float = 0.7
    sitting: float = 0.0
    noise: float = 0.0
    questions: str = "apart"
    graded: bool = False
    outage: bool = False


TUNED = (
    World("plain"),
    World("same questions", questions="same"),
    World("large sitting effects", sitting=0.5),
    World("large sitting effects, same hard questions", sitting=0.5, questions="same", hard=1.5),
    World("graded by a noisy judge", graded=True, noise=0.15, sitting=0.15),
    World("near the ceiling", levels=HIGH),
    World("near the ceiling, same questions", levels=HIGH, questions="same"),
    World("30 questions of a small bank", n=30, questions="bank", sitting=0.3),
)
REPORTED = (
    World("difficulties far apart", hard=2.5, own=0.3),
    World("specialists on the same questions", hard=0.5, own=2.0, questions="same", sitting=0.25),
    World("huge sitting effects", n=300, sitting=1.0),
    World("near the ceiling with sitting effects", levels=(0.99, *HIGH[1:]), n=300, sitting=0.6),
    World("very noisy judge, same questions", graded=True, noise=0.3, questions="same", sitting=0.2),
    World("30 questions, graded", n=30, graded=True),
    World(
        "twelve models of one bank", levels=(*SIX, *(x - 0.03 for x in SIX)), questions="bank", sitting=0.4
    ),
    World("outages", sitting=0.1, outage=True),
    World("two models", levels=(0.85, 0.70)),
    World("two models with large sitting effects", levels=(0.85, 0.70), sitting=0.5),
)


def base(level: float) -> float:
    """Return the central logit of a model's answers."""
    return float(logit(level)) * 1.25


def stars(world: World, right: FloatArray) -> FloatArray:
    """Return the probabilities of 0 to 3 stars, shape (4, ...), given those of being right."""
    wrong = 1.0 - right
    chances = (
        np.stack([0.6 * wrong, 0.4 * wrong, 0.3 * right, 0.7 * right])
        if world.graded
        else np.stack([wrong, 0.0 * wrong, 0.0 * right, right])
    )
    a, b, c, d = chances
    moved = np.stack([a + b, a + c, b + d, c + d]) / 2.0
    return (1.0 - world.noise) * chances + world.noise * moved


def truth(world: World, level: float, sitting: float | None = None) -> float:
    """Return a model's S (0-1), averaged over questions and, unless one sitting is given, over sittings."""
    spread = world.hard**2 + world.own**2
    lost = 0.0
    centre = base(level)
    if world.outage:
        lost = (
            float(WEIGHTS @ np.minimum(0.9, np.abs(NODES * world.sitting)))
            if sitting is None
            else min(0.9, abs(sitting))
        )
    elif sitting is None:
        spread += world.sitting**2
    else:
        centre += sitting
    z = centre + OFFSETS[:, None] + np.sqrt(spread) * NODES[None, :]
    right = (1.0 - lost) * expit(z)
    marks = np.tensordot(np.arange(4.0) / 3.0, stars(world, right), 1)
    return float((marks @ WEIGHTS).mean())


def simulate(rng: np.random.Generator, world: World, sittings: int) -> tuple[SittingMarks, FloatArray]:
    """Return the marks of all models, and each sitting's effect (models, sittings)."""
    models, each = len(world.levels), world.n // SUBJECTS
    shape = (models, sittings, SUBJECTS, each)
    ids = np.arange(np.prod(shape)).reshape(shape)
    if world.questions == "same":
        ids = np.broadcast_to(ids[:1], shape)
    elif world.questions == "bank":
        size = 3 * each * sittings
        order = rng.permuted(np.broadcast_to(np.arange(size), (models, SUBJECTS, size)), axis=2)[
            ..., : sittings * each
        ]
        ids = np.swapaxes(order.reshape(models, SUBJECTS, sittings, each), 1, 2) + (
            size * np.arange(SUBJECTS)[None, None, :, None]
        )
    hard = rng.normal(0.0, world.hard, int(ids.max()) + 1)[ids]
    effect = rng.normal(0.0, world.sitting, (models, sittings))
    z = np.array([base(level) for level in world.levels])[:, None, None, None] + OFFSETS[None, None, :, None]
    z = z + hard + rng.normal(0.0, world.own, shape)
    if world.outage:
        right = expit(z) * (1.0 - np.minimum(0.9, np.abs(effect)))[:, :, None, None]
    else:
        right = expit(z + effect[:, :, None, None])
    steps = np.cumsum(stars(world, right), axis=0)[:3]
    given = (rng.random(shape) > steps).sum(axis=0)
    model, sitting, subject, _ = np.indices(shape)
    number = model * sittings + sitting
    columns = (each.ravel() for each in (model, number, ids, subject))
    return SittingMarks(*columns, given.ravel() / 3.0, np.ones((models * sittings, SUBJECTS))), effect


def coverage(world: World, sittings: int, replicates: int) -> dict[str, Any]:
    """Return the coverage of the intervals in percent, and the mean half widths of S in points.

    `itself` refers to the S of the one sitting; `student` is the half width of Student's interval over
    sittings.
    """
    rng = np.random.default_rng([SEED, sittings, len(world.name), world.n])
    true = np.array([truth(world, level) for level in world.levels])
    hits: dict[str, list[float]] = {
        name: [] for name in ("S", "R", "difference", "ranks", "width", "student", "itself")
    }
    for _ in range(replicates):
        marks, effect = simulate(rng, world, sittings)
        found = fit(marks)
        score(world, found, true, effect, hits)
        relations(found, true, hits)
        student(marks, true, sittings, hits)
    scale = {"width": 1.0, "student": 1.0}
    told = {
        name: round(scale.get(name, 100.0) * float(np.mean(values)), 1)
        for name, values in hits.items()
        if values
    }
    return {"sittings": sittings, **told}


def score(
    world: World, found: Hierarchy, true: FloatArray, effect: FloatArray, hits: dict[str, list[float]]
) -> None:
    """Record which intervals of S cover the truth and, for one sitting, which cover its own S."""
    for model, level in enumerate(world.levels):
        interval = found.score(model)
        hits["S"].append(interval.low <= 100 * true[model] <= interval.high)
        hits["width"].append((interval.high - interval.low) / 2.0)
        if effect.shape[1] == 1 and world.sitting:
            own = 100 * truth(world, level, float(effect[model, 0]))
            hits["itself"].append(interval.low <= own <= interval.high)


def relations(found: Hierarchy, true: FloatArray, hits: dict[str, list[float]]) -> None:
    """Record which intervals of R (to the first model) and of differences cover, and whether all ranks do."""
    for model in range(1, len(true)):
        ratio = found.ratio(model, 0)
        if ratio is not None:
            hits["R"].append(ratio[1].low <= 100 * true[model] / true[0] <= ratio[1].high)
    pairs = compare_models(tuple(map(str, range(len(true)))), found)
    for first, second in combinations(range(len(true)), 2):
        gap = 100 * (true[first] - true[second])
        hits["difference"].append(pairs.low[first, second] <= gap <= pairs.high[first, second])
    ranks = [1 + int((true > one).sum()) for one in true]
    held = [
        reach is not None and reach.low <= rank <= reach.high
        for reach, rank in zip(rank_ranges(found.means, pairs), ranks, strict=True)
    ]
    hits["ranks"].append(all(held))


def student(marks: SittingMarks, true: FloatArray, sittings: int, hits: dict[str, list[float]]) -> None:
    """Record the half width, in points, of Student's interval over a model's own sittings."""
    if sittings == 1:
        return
    means = np.bincount(marks.sitting, marks.mark) / np.bincount(marks.sitting)
    own = means.reshape(len(true), sittings)
    half = 100 * float(stdtrit(sittings - 1, 0.975)) * own.std(axis=1, ddof=1) / np.sqrt(sittings)
    hits["student"] += list(half)


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    report: dict[str, Any] = {"seed": SEED, "replicates": count}
    for title, worlds in (("tuned on", TUNED), ("reported", REPORTED)):
        rows = [
            {"world": one.name, "rows": [coverage(one, each, count) for each in SITTINGS]} for one in worlds
        ]
        report[title] = rows
        report[f"{title}, pooled"] = [
            {
                "sittings": each,
                **{
                    name: round(float(np.mean([row["rows"][place][name] for row in rows])), 1)
                    for name in ("S", "R", "difference", "ranks", "width")
                },
            }
            for place, each in enumerate(SITTINGS)
        ]
    print(orjson.dumps(report, option=orjson.OPT_INDENT_2).decode())
