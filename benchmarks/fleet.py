"""The fleet-adjusted test compared with the sequential test, also on correlated days. Prints JSON.

Simulated fleets of the benchmark's stated suite: with and without swings that all models share, and with
falls of one model, of several, and of a control. Only the worlds marked `tuned` were used for tuning; those
marked `fresh` were run for the first time after the test was finished. It takes about twenty minutes on one
core.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.watch import fleet, sequential
from assay.watch.bets import FALLS
from assay.watch.dependence import CORRELATIONS
from assay.watch.null import stated
from assay.watch.operating import SETTLING, YEAR, delays, quantile, rate, share

SWING, PERSISTENCE, SLOW = 0.02, 0.6, 0.9
HISTORY, HORIZON = 60, 40
CONTROLS = (1, 2, 5, 10)
NULL_SEED, FALL_SEED, TABLE_SEED = 301, 302, 303

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]
World = Callable[[int, int, np.random.Generator], FloatArray]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--years", type=int, default=150, help="simulated model-years of each null")
    parser.add_argument("--falls", type=int, default=40, help="simulated fleets of each fall")
    parser.add_argument("--table", type=int, default=1000, help="simulated model-years of each correlation")
    options = parser.parse_args()
    document = {
        "simulated": True,
        "settings": {
            "false_alarms_a_model_year": sequential.FALSE_ALARMS,
            "swing": SWING,
            "correlation": PERSISTENCE,
            "seeds": {"null": NULL_SEED, "falls": FALL_SEED, "table": TABLE_SEED},
            **vars(options),
        },
        "correlated_days": correlated_days(options.table),
        "nothing_wrong": nothing_wrong(options.years),
        "falls": falls(options.falls),
    }
    print(json.dumps(document, indent=1))


def autoregressive(size: tuple[int, ...], correlation: float, rng: np.random.Generator) -> FloatArray:
    """Return standard normal series along the last axis, with this correlation between successive days."""
    series: FloatArray = rng.standard_normal(size)
    for day in range(1, size[-1]):
        fresh = np.sqrt(1.0 - correlation**2) * series[..., day]
        series[..., day] = correlation * series[..., day - 1] + fresh
    return series


def calm(models: int, days: int, rng: np.random.Generator) -> FloatArray:
    """Return no shared swing."""
    return np.ones((models, 50, days))


def shared(models: int, days: int, rng: np.random.Generator) -> FloatArray:
    """Return a common swing of all models and cases by 2 %, with correlation 0.6 from day to day."""
    return np.ones((models, 50, days)) * (1.0 + SWING * autoregressive((days,), PERSISTENCE, rng))


def judge(models: int, days: int, rng: np.random.Generator) -> FloatArray:
    """Return a drift of the judge: only its cases swing, by 3 %, with correlation 0.9."""
    factors = calm(models, days, rng)
    factors[:, 25:] *= 1.0 + 0.03 * autoregressive((days,), SLOW, rng)
    return factors


def unequal(models: int, days: int, rng: np.random.Generator) -> FloatArray:
    """Return a swing that reaches each model with its own strength, between 0.5 and 1.5."""
    strength = rng.uniform(0.5, 1.5, (models, 1, 1))
    return calm(models, days, rng) * (1.0 + strength * SWING * autoregressive((days,), PERSISTENCE, rng))


def groups(models: int, days: int, rng: np.random.Generator) -> FloatArray:
    """Return independent swings of two providers by 2 %; every second model has the second provider."""
    swings = autoregressive((2, days), PERSISTENCE, rng)
    return calm(models, days, rng) * (1.0 + SWING * swings[np.arange(models) % 2][:, None, :])


def own(models: int, days: int, rng: np.random.Generator) -> FloatArray:
    """Return an independent swing of each model by 1 %, with correlation 0.6, that no other model shows."""
    return calm(models, days, rng) * (1.0 + 0.01 * autoregressive((models, 1, days), PERSISTENCE, rng))


TUNED: tuple[World, ...] = (calm, shared)
OTHERS: tuple[World, ...] = (judge, unequal, groups, own)
FRESH: tuple[World, ...] = (groups, own)


def nothing_wrong(years: int) -> list[dict[str, Any]]:
    """Return the false alarms per model-year of both tests, by world and number of controls."""
    cells = [(world, controls) for world in TUNED for controls in CONTROLS]
    cells += [(world, 5) for world in OTHERS]
    rows = []
    for world, controls in cells:
        rng, counts = np.random.default_rng([NULL_SEED, controls]), []
        while len(counts) * (controls + 1) < years:
            factors = world(controls + 1, SETTLING + YEAR, rng)
            raised = both(factors, rng)
            counts.append([alarms[:, SETTLING:].sum() / (controls + 1) for alarms in raised])
        alone, beside = (rate(np.array(each), 1.0) for each in np.transpose(counts))
        row = {
            "world": " ".join(str(world.__doc__).split()),
            "tuned": world in TUNED,
            "fresh": world in FRESH,
            "controls": controls,
            "model_years": len(counts) * (controls + 1),
            "sequential": asdict(alone),
            "fleet_adjusted": asdict(beside),
        }
        rows.append(noted(row))
    return rows


def falls(fleets: int) -> list[dict[str, Any]]:
    """Return the days to detection of a fall of the first model, alone or with falls of its controls."""
    kinds: list[tuple[str, int, float, tuple[int, ...]]] = [
        (f"one model falls by {100 * drop:.0f} %", controls, drop, (0,))
        for controls in (1, 5)
        for drop in (0.05, 0.10)
    ]
    kinds += [
        ("two of six fall by 10 %", 5, 0.10, (0, 1)),
        ("four of six fall by 10 %", 5, 0.10, (0, 1, 2, 3)),
    ]
    kinds += [
        ("all six fall by 10 %", 5, 0.10, tuple(range(6))),
        ("both of two fall by 10 %", 1, 0.10, (0, 1)),
    ]
    rows = []
    for name, controls, drop, fallen in kinds:
        for world in TUNED if len(fallen) == 1 else (shared,):
            rng, waits = np.random.default_rng([FALL_SEED, controls, len(fallen)]), []
            for _ in range(fleets):
                factors = world(controls + 1, HISTORY + HORIZON, rng)
                factors[list(fallen), :, HISTORY:] *= 1.0 - drop
                waits.append([delays(alarms[:1, HISTORY:])[0] for alarms in both(factors, rng)])
            rows.append(noted({"fall": name, "world": world.__name__, "controls": controls, **_waits(waits)}))
    rows += [_fallen_controls(fleets, controls) for controls in (1, 2, 5)]
    return rows


def _fallen_controls(fleets: int, controls: int) -> dict[str, Any]:
    """Return the alarms of a healthy model while one of its controls falls by 20 % for 30 days."""
    rng, hits = np.random.default_rng([FALL_SEED, controls, 99]), np.zeros(2, dtype=int)
    for _ in range(fleets):
        factors = shared(controls + 1, HISTORY + 90, rng)
        factors[1, :, HISTORY : HISTORY + 30] *= 0.8
        hits += [bool(alarms[0, HISTORY:].any()) for alarms in both(factors, rng)]
    return noted(
        {
            "fall": "a control falls by 20 % for 30 days; alarms of another model within 90 days",
            "controls": controls,
            "fleets": fleets,
            "sequential": asdict(share(int(hits[0]), fleets)),
            "fleet_adjusted": asdict(share(int(hits[1]), fleets)),
        }
    )


def _waits(waits: list[list[float]]) -> dict[str, Any]:
    found = {}
    for name, column in zip(("sequential", "fleet_adjusted"), np.transpose(waits), strict=True):
        found[name] = {
            "median_days": asdict(quantile(column, 0.5)),
            "seen_within_5_days": float((column <= 5).mean()),
            "seen_within_40_days": float(np.isfinite(column).mean()),
        }
    return {"fleets": len(waits), **found}


def both(factors: FloatArray, rng: np.random.Generator) -> tuple[BoolArray, BoolArray]:
    """Return the alarms of the sequential and of the fleet-adjusted test on one simulated fleet."""
    models, _, days = factors.shape
    profile = stated(rng, models)
    scores, ties = profile.draw(factors, models, rng).base, 1.0 - rng.random((models, days))
    use_cases = profile.shape.use_cases
    beside = fleet.follow(scores, use_cases, ties, np.zeros((models, models), dtype=bool))
    return sequential.follow(scores, use_cases, ties).alarm, beside.alarm


def correlated_days(years: int) -> list[dict[str, Any]]:
    """Return the sequential test's false alarms per model-year, by the lag-1 correlation of the day score."""
    rows = []
    for correlation in CORRELATIONS:
        rng, size = np.random.default_rng(TABLE_SEED), (years, SETTLING + YEAR)
        quick = autoregressive(size, correlation, rng)
        part = min(1.0, correlation / SLOW)
        slow = np.sqrt(part) * autoregressive(size, SLOW, rng)
        slow += np.sqrt(1.0 - part) * rng.standard_normal(size)
        row = {"lag_1": correlation, "model_years": years}
        for name, series in (("quick", quick), ("slow", slow)):
            row[name] = asdict(rate(ranked(series, rng)[:, SETTLING:].sum(axis=1), 1.0))
        rows.append(noted(row))
    return rows


def ranked(series: FloatArray, rng: np.random.Generator) -> BoolArray:
    """Return the sequential test's alarms on given day scores, shape (models, days)."""
    models, days = series.shape
    stakes, ties = np.empty((models, 0, len(FALLS))), 1.0 - rng.random((models, days))
    alarms = np.zeros((models, days), dtype=bool)
    for day in range(days):
        same = np.ones((models, day + 1), dtype=bool)
        ready = np.full(models, day + 1 > sequential.LEAST_DAYS)
        ranks = sequential.ranks_today(series[:, : day + 1], same, ties[:, day])
        placed = sequential.wager(stakes, ranks, same, ready, false_alarms=sequential.FALSE_ALARMS)
        stakes, alarms[:, day] = placed.stakes, placed.alarm
    return alarms


BEGAN = time.perf_counter()


def noted(row: dict[str, Any]) -> dict[str, Any]:
    """Show a finished row on stderr."""
    print(f"{time.perf_counter() - BEGAN:.0f} s {json.dumps(row)}", file=sys.stderr, flush=True)
    return row


if __name__ == "__main__":
    main()
