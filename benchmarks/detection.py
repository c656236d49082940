"""Days to detection and false alarms of each rule of the watch, in simulations. Prints JSON.

The null, the falls, seeds, replicates and settings are part of the output. It takes about three minutes on
one core.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.core.suite import Thresholds
from assay.watch import sequential
from assay.watch.null import Profile, stated
from assay.watch.operating import BLOCK, SETTLING, YEAR, Rules, quiet, rate, share
from assay.watch.tuning import chart_height
from detection_falls import HISTORIES, HORIZON, falls, local_falls
from plain_cusum import plain_alarms, plain_height

TARGET = 0.05
SEARCH_SEED, NULL_SEED, FALL_SEED, LIMITS_SEED, RARE_SEED = 101, 102, 103, 104, 105
KNOWN = {
    "source": "the separate quick simulations quoted in issue 2",
    "seed": {
        "false_cooked_a_model_year": 0.07,
        "median_days_at_20_percent": 2,
        "seen_within_60_days_at_10_percent": 0.57,
        "median_days_at_10_percent_of_those_seen": 7.5,
        "seen_within_60_days_at_5_percent": 0.05,
    },
    "plain_cusum_median_days": {"10 %": 2, "5 %": 4, "2.5 %": 11},
    "t_mixture_median_days": {"10 %": 2, "5 %": 6, "2.5 %": 58},
}

FloatArray = npt.NDArray[np.float64]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replicates", type=int, default=400, help="simulated falls of each kind")
    parser.add_argument("--years", type=int, default=1000, help="simulated model-years of the null")
    options = parser.parse_args()
    began = time.perf_counter()

    search = np.random.default_rng(SEARCH_SEED)
    profile = stated(search, 1000)
    blocks = [profile.draw(np.ones(SETTLING + YEAR), BLOCK, search) for _ in range(8)]
    height = chart_height(blocks, TARGET)
    pooled = [block.base.mean(axis=1) for block in blocks]
    plain = {k: plain_height(np.concatenate(pooled), k, TARGET) for k in (0.5, 0.75, 1.0)}
    del blocks, pooled
    rules = Rules(Thresholds(), TARGET, height)
    progress(f"heights found: {height}, plain {plain}", began)

    false_alarms = nothing_wrong(rules, plain, options.years)
    progress("null done", began)
    rng = np.random.default_rng(FALL_SEED)
    detections = falls(stated(rng, options.replicates), rules, plain, rng)
    local = local_falls(stated(rng, options.replicates), rules, rng)
    progress("falls done", began)
    limits = limits_of_the_promise(rules, options.replicates)
    progress("limits done", began)
    rare = rare_flips(options.replicates)
    progress("rare flips done", began)
    document = {
        "simulated": True,
        "suite": {
            "use_cases": 10,
            "cases_each": 5,
            "base_samples": [1] * 5 + [3] * 5,
            "full_samples": [3] * 5 + [5] * 5,
            "null": " ".join(str(stated.__doc__).split()),
            "flip_rate": 0.1,
            "judged_noise_a_sample": 0.12,
            "fall": "every case's expected quality is multiplied by 1 - drop from one day on",
        },
        "settings": {
            "false_alarms_a_model_year": TARGET,
            "sequential": "guaranteed for exchangeable days; level 365 / 0.05 = 7300",
            "cusum_height": height,
            "cusum_height_from": "2000 simulated model-years of the same null, other seed",
            "plain_cusum": "pooled daily mean, 28 days of calibration, reference k deviations",
            "plain_cusum_heights": {str(k): found for k, found in plain.items()},
            "seeds": {
                "search": SEARCH_SEED,
                "null": NULL_SEED,
                "falls": FALL_SEED,
                "limits": LIMITS_SEED,
                "every_case_flips": RARE_SEED,
            },
            "replicates": options.replicates,
            "model_years": options.years,
            "horizon_days": HORIZON,
        },
        "false_alarms": false_alarms,
        "detection": detections,
        "falls_of_one_use_case": local,
        "limits": limits,
        "every_case_flips_now_and_then": rare,
        "earliest_possible": earliest_possible(),
        "known": KNOWN,
        "seconds": round(time.perf_counter() - began, 1),
    }
    print(json.dumps(rounded(document), indent=1, allow_nan=False))


def nothing_wrong(rules: Rules, plain: dict[float, float], years: int) -> list[dict[str, Any]]:
    """Return the alarms of every rule over simulated years without a fall."""
    rng = np.random.default_rng(NULL_SEED)
    profile = stated(rng, years)
    found = [asdict(each) for each in quiet(profile, rules, rng, replicates=years)]
    counts: dict[float, list[FloatArray]] = {k: [] for k in plain}
    for start in range(0, years, BLOCK):
        size = min(BLOCK, years - start)
        part = replace_rows(profile, start, size)
        means = part.draw(np.ones(SETTLING + YEAR), size, rng).base.mean(axis=1)
        for k, height in plain.items():
            counts[k].append(plain_alarms(means, k, height)[:, SETTLING:].sum(axis=1))
    for k, parts in counts.items():
        alarms = np.concatenate(parts)
        found.append(
            {
                "rule": f"plain cusum, k = {k}",
                "per_year": asdict(rate(alarms, 1.0)),
                "years_with_any": asdict(share(int((alarms > 0).sum()), years)),
                "alarms": int(alarms.sum()),
                "model_years": years,
            }
        )
    return found


def limits_of_the_promise(rules: Rules, replicates: int) -> list[dict[str, Any]]:
    """Return the false alarms on nulls that violate the assumptions, with the same settings."""
    changes: dict[str, Callable[[Profile], Profile]] = {
        "stable cases flip once in 200 samples": lambda p: replace(p, mean=np.clip(p.mean, 0.005, 0.995)),
        "days swing together by 2 %, independently": lambda p: replace(p, shared=0.02),
        "the same with correlation 0.3 from day to day": lambda p: replace(p, shared=0.02, persistence=0.3),
        "the same with correlation 0.6": lambda p: replace(p, shared=0.02, persistence=0.6),
        "the same with correlation 0.9": lambda p: replace(p, shared=0.02, persistence=0.9),
    }
    rng = np.random.default_rng(LIMITS_SEED)
    rows = []
    for name, change in changes.items():
        profile = change(stated(rng, replicates))
        for found in quiet(profile, rules, rng, replicates=replicates):
            rows.append({"null": name, "exchangeable": "correlation" not in name, **asdict(found)})
    return rows


def rare_flips(replicates: int) -> dict[str, Any]:
    """Return the figures of all rules if stable cases change too, once in 200 samples.

    The heights of the rules are found on that null.
    """
    rng = np.random.default_rng(RARE_SEED)

    def profile(models: int) -> Profile:
        made = stated(rng, models)
        return replace(made, mean=np.clip(made.mean, 0.005, 0.995))

    search = profile(1000)
    blocks = [search.draw(np.ones(SETTLING + YEAR), BLOCK, rng) for _ in range(4)]
    height = chart_height(blocks, TARGET)
    plain = {1.0: plain_height(np.concatenate([block.base.mean(axis=1) for block in blocks]), 1.0, TARGET)}
    del blocks
    rules = Rules(Thresholds(), TARGET, height)
    models = profile(replicates)
    return {
        "cusum_height": height,
        "plain_cusum_height": plain[1.0],
        "false_alarms": [asdict(each) for each in quiet(models, rules, rng, replicates=replicates)],
        "detection": falls(models, rules, plain, rng, (60,)),
    }


def earliest_possible() -> list[dict[str, Any]]:
    """Return the days that any test valid for exchangeable days needs, at a constant level of 7300.

    After n days of history and k days of a fall, the last k days are the worst with probability
    1 / C(n + k, k) if nothing changed; no fair bet on them pays more than C(n + k, k).
    """
    level = sequential.YEAR / TARGET
    rows = []
    for history in (*HISTORIES, 365):
        days = next(k for k in range(1, 100) if math.comb(history + k, k) >= level)
        rows.append({"history_days": history, "days": days})
    return rows


def replace_rows(profile: Profile, start: int, size: int) -> Profile:
    """Return the profile of the selected models."""
    rows = slice(start, start + size)
    return replace(
        profile, mean=profile.mean[rows], deviation=profile.deviation[rows], binary=profile.binary[rows]
    )


def rounded(value: Any) -> Any:
    """Return the document with its figures rounded to four decimals."""
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(item) for item in value]
    return value


def progress(text: str, began: float) -> None:
    print(f"{time.perf_counter() - began:6.1f} s  {text}", file=sys.stderr)


if __name__ == "__main__":
    main()
