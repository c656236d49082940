"""Making ladder forms: seconds each, failures, equal stems, and naive solvers by variant. Prints JSON.

python benchmarks/causal_ladder.py --forms 20
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections import Counter, defaultdict

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from assay.causal.ladder import LadderForm, ladder
from assay.causal.solvers.solver import Solver
from assay.core.errors import AssayError
from assay.studies.causal.ladder_form import content, lint_ladder


def main() -> None:
    """Draw, prove, read back and lint forms, and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--forms", type=int, default=20)
    count = parser.parse_args().forms
    data = content()
    forms: list[LadderForm] = []
    failures: list[str] = []
    seconds: list[float] = []
    passed = 0
    for seed in range(count):
        began = time.perf_counter()
        try:
            form = ladder(f"benchmark {seed}", data)
        except AssayError as error:
            failures.append(f"{type(error).__name__}: {error}"[:200])
            continue
        passed += lint_ladder(form).passed
        seconds.append(time.perf_counter() - began)
        forms.append(form)
    print(json.dumps(_found(forms, failures, seconds, passed), indent=2))


def _found(
    forms: list[LadderForm], failures: list[str], seconds: list[float], passed: int
) -> dict[str, object]:
    questions = [question for form in forms for question in form.questions]
    odds: defaultdict[str, list[dict[Solver, float]]] = defaultdict(list)
    for question in questions:
        odds[question.item.variant].append(dict(question.odds))
    stems = Counter(question.item.stem for question in questions)
    return {
        "forms": len(forms),
        "failures": failures,
        "median_seconds": sorted(seconds)[len(seconds) // 2] if seconds else None,
        "most_seconds": max(seconds, default=None),
        "first_draws_that_pass_the_lint": passed,
        "questions": len(questions),
        "open": sum(question.open is not None for question in questions),
        "equal_stems": sum(count - 1 for count in stems.values()),
        "rungs": dict(Counter(question.rung for question in questions)),
        "concepts": len({question.item.concept for question in questions}),
        "solvers": {
            variant: {
                solver: round(sum(each[solver] for each in several) / len(several), 3) for solver in Solver
            }
            for variant, several in sorted(odds.items())
        },
    }


if __name__ == "__main__":
    main()
