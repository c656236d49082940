"""The time to make and lint a causal form, and the number of forms without a disagreement of the proofs.

Prints JSON. Seconds are CPU time of one process; the yardstick, measured in the same run, is a plain loop of
exact fractions. `--forms 1000` generates and proves that many forms, and lints only the first `--lint`.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import json
import platform
import statistics
import sys
from collections import Counter
from fractions import Fraction
from time import process_time
from typing import Any

from assay.causal.form import Form, form
from assay.causal.proof.proof import Disagreement
from assay.causal.solvers.bands import BANDS
from assay.causal.solvers.solver import Solver
from assay.studies.causal.generate import linted

YARD = 20_000


def yardstick() -> float:
    """Return the seconds of a fixed number of fraction additions and products."""
    begun = process_time()
    total = Fraction(0)
    for place in range(YARD):
        total = (total + Fraction(place % 7, 11)) * Fraction(1, 2)
        total = Fraction(total.numerator % 97, 101)
    return process_time() - begun


def band(forms: list[Form], solver: Solver) -> dict[str, float]:
    """Return a solver's expected accuracies over forms: mean, spread between forms, extremes."""
    found = [each.expected(solver) for each in forms]
    return {
        "mean": round(statistics.mean(found), 4),
        "sd": round(statistics.stdev(found), 4) if len(found) > 1 else 0.0,
        "low": round(min(found), 4),
        "high": round(max(found), 4),
    }


def by_variant(forms: list[Form], solver: Solver) -> dict[str, float]:
    """Return a solver's mean expected accuracy for each variant."""
    odds: dict[str, list[float]] = {}
    for each in forms:
        for question in each.questions:
            odds.setdefault(question.item.variant, []).append(question.odds[solver])
    return {variant: round(statistics.mean(found), 4) for variant, found in odds.items()}


def main() -> None:
    """Generate, prove and lint forms, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--forms", type=int, default=20)
    parser.add_argument("--lint", type=int, default=5)
    parser.add_argument("--seed", default="benchmark")
    parser.add_argument("--first", type=int, default=0, help="the number of the first form's seed")
    parser.add_argument("--no-bands", action="store_true", help="redraw nothing for the naive solvers' sake")
    given = parser.parse_args()
    yard = yardstick()
    drawn: list[Form] = []
    seconds: list[float] = []
    lints: list[float] = []
    disagreements = 0
    findings: Counter[str] = Counter()
    bands = {} if given.no_bands else BANDS
    for number in range(given.forms):
        begun = process_time()
        try:
            drawn.append(form(f"{given.seed} {given.first + number}", bands=bands))
        except Disagreement as error:
            disagreements += 1
            print(error, file=sys.stderr)
            continue
        seconds.append(process_time() - begun)
        if number < given.lint:
            begun = process_time()
            found = linted(drawn[-1].items)
            lints.append(process_time() - begun)
            findings.update(finding.kind for finding in found.findings)
        if sys.stderr.isatty():
            print(f"\r{number + 1} of {given.forms}", end="", file=sys.stderr)
    print(json.dumps(told(drawn, seconds, lints, yard, disagreements, findings), indent=2))


def told(
    drawn: list[Form],
    seconds: list[float],
    lints: list[float],
    yard: float,
    disagreements: int,
    findings: Counter[str],
) -> dict[str, Any]:
    """Return the measurements."""
    one = statistics.median(seconds) + (statistics.median(lints) if lints else 0.0)
    return {
        "machine": platform.machine(),
        "python": platform.python_version(),
        "forms": len(drawn),
        "questions": sum(len(each.questions) for each in drawn),
        "disagreements": disagreements,
        "seconds_to_draw_and_prove": {
            "median": round(statistics.median(seconds), 2),
            "worst": round(max(seconds), 2),
        },
        "seconds_to_lint": round(statistics.median(lints), 2) if lints else None,
        "seconds_a_form": round(one, 2),
        "yardstick_seconds": round(yard, 3),
        "form_over_yardstick": round(one / yard, 2),
        "linted": len(lints),
        "findings": dict(findings),
        "solvers": {solver.value: band(drawn, solver) for solver in Solver},
        "by_variant": {
            solver.value: by_variant(drawn, solver) for solver in (Solver.MARGINAL, Solver.ADJUSTING)
        },
    }


if __name__ == "__main__":
    main()
