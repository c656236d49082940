"""The time to make and lint a causal form, and what was refused: proofs that disagree, texts misread.

Prints JSON. Seconds are CPU time; the yardstick, measured in the same run, is a plain loop of exact
fractions. `--forms 1000` generates and proves that many forms, and lints only the first `--lint`.
The forms are the fresh ones of `stem_learners.py`, for which `--cache PATH` keeps the questions.
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
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from time import process_time
from typing import Any

from assay.causal.form import Form
from assay.causal.solvers.solver import Solver
from assay.core.errors import AssayError
from assay.studies.causal.generate import linted_form
from kept_forms import FIRST_FRESH, PLANS, asked, drawn_form, keep, kept

YARD = 20_000


def timed_form(plan: str, seed: str) -> tuple[Form | str, float]:
    """Return the form of a seed, or why it was refused, and the seconds that it took."""
    begun = process_time()
    try:
        return drawn_form(plan, seed), process_time() - begun
    except AssayError as error:
        return f"{seed}: {type(error).__name__}: {error}"[:300], process_time() - begun


def yardstick() -> float:
    """Return the seconds of a fixed number of fraction additions and products."""
    begun = process_time()
    total = Fraction(0)
    for place in range(YARD):
        total = (total + Fraction(place % 7, 11)) * Fraction(1, 2)
        total = Fraction(total.numerator % 97, 101)
    return process_time() - begun


def by_variant(forms: list[Form]) -> dict[str, dict[str, float]]:
    """Return each solver's mean expected accuracy for each variant, on questions with options."""
    odds: dict[str, list[dict[Solver, float]]] = {}
    for each in forms:
        for question in each.questions:
            if question.item.options:
                odds.setdefault(question.item.variant, []).append(dict(question.odds))
    return {
        variant: {solver: round(statistics.mean(each[solver] for each in found), 3) for solver in Solver}
        for variant, found in sorted(odds.items())
    }


def main() -> None:
    """Generate, prove, read back and lint forms, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plan", choices=PLANS, default="bundles")
    parser.add_argument("--forms", type=int, default=20)
    parser.add_argument("--lint", type=int, default=5)
    parser.add_argument("--cache", type=Path, help="pickle file that keeps the questions")
    parser.add_argument("--processes", type=int, default=1, help="how many forms are drawn at a time")
    given = parser.parse_args()
    yard = yardstick()
    drawn: dict[int, Form] = {}
    seconds: list[float] = []
    lints: list[float] = []
    refused: list[str] = []
    findings: Counter[str] = Counter()
    seeds = range(FIRST_FRESH, FIRST_FRESH + given.forms)
    with get_context("spawn").Pool(given.processes) as pool:
        for number, (made, spent) in enumerate(pool.imap(partial(timed_form, given.plan), map(str, seeds))):
            if isinstance(made, str):
                refused.append(made)
                print(made, file=sys.stderr)
                continue
            drawn[seeds[number]] = made
            seconds.append(spent)
            if number < given.lint:
                begun = process_time()
                found = linted_form(made)
                lints.append(process_time() - begun)
                findings.update(finding.kind for finding in found.findings)
            if sys.stderr.isatty():
                print(f"\r{number + 1} of {given.forms}", end="", file=sys.stderr)
    if given.cache:
        keep(given.cache, kept(given.cache) | {seed: asked(each) for seed, each in drawn.items()})
    print(json.dumps(measurements(list(drawn.values()), seconds, lints, yard, refused, findings), indent=2))


def measurements(
    drawn: list[Form],
    seconds: list[float],
    lints: list[float],
    yard: float,
    refused: list[str],
    findings: Counter[str],
) -> dict[str, Any]:
    """Return the measurements."""
    one = statistics.median(seconds) + (statistics.median(lints) if lints else 0.0)
    questions = [question for each in drawn for question in each.questions]
    stems = Counter(question.item.stem for question in questions)
    return {
        "machine": platform.machine(),
        "python": platform.python_version(),
        "forms": len(drawn),
        "questions": len(questions),
        "open": sum(question.open is not None for question in questions),
        "concepts": len({question.item.concept for question in questions}),
        "rungs": dict(Counter(question.rung for question in questions)),
        "equal_stems": sum(count - 1 for count in stems.values()),
        "refused": refused,
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
        "solvers": by_variant(drawn),
    }


if __name__ == "__main__":
    main()
