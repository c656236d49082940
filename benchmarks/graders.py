"""How many answers the mechanical graders mark in a second of one core (CPU time). Prints JSON."""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import time
from typing import Any

from assay.core.case import Case, GraderSpec
from assay.grading.registry import grader

CASE = Case("case", "benchmark", (), ())
PROSE = "We add the two amounts and take the discount off, which leaves the sum below.\n" * 25
INVOICE_FIELDS: dict[str, Any] = {
    "vendor.name": {"type": "text", "expect": ["Müller GmbH", "Mueller GmbH"]},
    "total": {"type": "money", "expect": {"amount": "1234.50", "currency": "EUR"}, "weight": 2},
    "due": {"type": "date", "expect": "2024-05-17"},
    "paid": {"type": "boolean", "expect": False},
    "note": {"type": "null"},
    "count": {"type": "integer", "expect": 2},
    "lines": {
        "type": "list",
        "by": "sku",
        "fields": {"sku": {"type": "text"}, "qty": {"type": "integer"}, "price": {"type": "number"}},
        "expect": [{"sku": "A", "qty": 1, "price": 9.99}, {"sku": "B", "qty": 2, "price": 5}],
    },
}
INVOICE = json.dumps(
    {
        "vendor": {"name": "Müller GmbH"},
        "total": "1.234,50 €",
        "due": "2024-05-17",
        "paid": False,
        "note": None,
        "count": 2,
        "lines": [{"sku": "B", "qty": 2, "price": 5.0}, {"sku": "A", "qty": 1, "price": 9.99}],
    },
    indent=2,
)
NUMBER = GraderSpec("number", {"expect": "42.50"})
EXACT = GraderSpec("exact", {"expect": ["New York", "NYC"], "marker": "ANSWER:"})
CHOICE = GraderSpec("choice", {"expect": "B"})
FIELDS = GraderSpec("json_fields", {"fields": INVOICE_FIELDS})
JOBS: list[tuple[str, GraderSpec, str]] = [
    ("number, short and right", NUMBER, "ANSWER: 42.50"),
    ("number, short and wrong", NUMBER, "ANSWER: 43"),
    ("number, bold with currency", NUMBER, "**ANSWER:** $42.50"),
    ("number, LaTeX with a unit", NUMBER, "ANSWER: $\\boxed{\\frac{85}{2}\\,\\text{km}}$"),
    ("number, German with a unit", NUMBER, "ANSWER: 42,50 €"),
    ("number, stated in prose", NUMBER, "The final answer is 42.50 dollars."),
    ("number, marker after 2,000 characters", NUMBER, PROSE + "ANSWER: 42.50"),
    ("number, last line after 2,000 characters", NUMBER, PROSE + "So she has $42.50."),
    ("exact, after a marker", EXACT, "ANSWER: New York"),
    ("choice, one letter", CHOICE, "B"),
    ("choice, boxed after 2,000 characters", CHOICE, PROSE + "The final answer is $\\boxed{B}$"),
    ("json_fields, 7 fields", FIELDS, INVOICE),
    ("json_fields, 7 fields, fenced with prose", FIELDS, f"Here it is:\n```json\n{INVOICE}\n```\nRegards"),
]


def measure(spec: GraderSpec, answer: str, seconds: float, rounds: int) -> dict[str, float]:
    """Return grades a second (the median and the best round) and microseconds a grade (of the median)."""
    instance = grader(spec.name)
    read = instance.read
    found = read(CASE, spec, answer, ())
    start = time.process_time()
    loops = 0
    while time.process_time() - start < seconds / 10:
        read(CASE, spec, answer, ())
        loops += 1
    rates = []
    for _ in range(rounds):
        start = time.process_time()
        for _ in range(loops):
            read(CASE, spec, answer, ())
        rates.append(loops / (time.process_time() - start))
    median = statistics.median(rates)
    return {
        "per_second": round(median),
        "best_per_second": round(max(rates)),
        "microseconds": round(1e6 / median, 2),
        "grade": float(found.value if hasattr(found, "value") and found.value is not None else -1),
    }


def main() -> None:
    """Measure every job and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1.0, help="time for each job")
    parser.add_argument("--rounds", type=int, default=10)
    options = parser.parse_args()
    jobs = [
        {"job": name, "characters": len(answer), **measure(spec, answer, options.seconds, options.rounds)}
        for name, spec, answer in JOBS
    ]
    print(
        json.dumps({"python": platform.python_version(), "clock": "process CPU time", "jobs": jobs}, indent=1)
    )


if __name__ == "__main__":
    main()
