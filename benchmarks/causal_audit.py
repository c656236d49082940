"""Shortcut attacks on generated causal questions. Prints JSON.

`--forms 20` gives 2,000 questions of 20 seeds. Every attack's upper bound is compared with 1.2 times chance.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import json
import sys
from time import perf_counter
from typing import Any

import numpy as np

from assay.causal.lint.attacked import Attacked
from assay.causal.lint.audit import AttackGroup, audit
from assay.studies.causal.generate import bundles_request, draw_unchecked

SHOWN = 12


def attack(one: Attacked) -> dict[str, Any]:
    """Return an attack's figures."""
    return {
        "attack": one.name,
        "n": one.n,
        "accuracy": round(one.accuracy, 4),
        "low": round(one.interval.low, 4),
        "upper": round(one.interval.high, 4),
        "spoke": one.spoke,
        "p": float(f"{one.p:.2g}"),
    }


def worst(group: AttackGroup) -> dict[str, Any]:
    """Return the most successful attack of a group."""
    return {"group": group.name, **attack(max(group.attacks, key=lambda one: one.accuracy))}


def main() -> None:
    """Generate forms, run the attacks and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--forms", type=int, default=20)
    parser.add_argument("--seed", default="audit")
    given = parser.parse_args()
    drawn = []
    for number in range(given.forms):
        drawn.append(draw_unchecked(f"{given.seed} {number}", bundles_request()))
        if sys.stderr.isatty():
            print(f"\r{number + 1} of {given.forms} forms", end="", file=sys.stderr)
    items = [item for each in drawn for item in each.items]
    names = [each.seed for each in drawn for _ in each.items]
    begun = perf_counter()
    found = audit(items, rng=np.random.default_rng(20_261_122), forms=names)
    ordered = sorted(found.attacks, key=lambda one: -one.interval.high)
    print(
        json.dumps(
            {
                "questions": found.questions,
                "attacks": len(found.attacks),
                "limit": found.limit,
                "passed": found.passed,
                "failing": [attack(one) for one in found.failing],
                "highest": [attack(one) for one in ordered[:SHOWN]],
                "by_variant": [worst(group) for group in found.by_variant],
                "by_concept": [worst(group) for group in found.by_concept],
                "leaks": [
                    {"group": leak.group, "holm": float(f"{leak.p:.2g}"), **attack(leak.attack)}
                    for leak in found.leaks
                ],
                "seconds_to_attack": round(perf_counter() - begun, 1),
            },
            indent=2,
        )
    )


if __name__ == "__main__":
    main()
