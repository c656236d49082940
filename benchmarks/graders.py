"""Answers per second of the mechanical graders on one core (CPU time). Prints JSON."""

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

PARAGRAPHS = (
    "The deployment failed because the health check never returned a ready state within the limit that "
    "the operator had set, so the controller rolled the change back and kept the earlier replica set in"
    " service for every region.",
    "- Start with the logs of the **first pod** that was replaced, since later ones only repeat what it"
    " says about the missing volume.",
    "You can then compare the two manifests with `kubectl diff` and look for the field that moved; it's"
    " usually the mount path or a secret's name.",
    "I don't think the network is at fault here, but it's worth a quick look: a policy that denies "
    "egress would give the same symptom after a minute.",
    "If the volume is there and the path is right, the next thing to look at is the user that the "
    "process runs as, because a read-only mount is reported in nearly the same words.",
    "Finally, write down what you changed and when. The next person who reads the incident will want to"
    " know which of these steps mattered, and which did not.",
)
ANSWER = " ".join("\n\n".join(PARAGRAPHS * 2).split(" ")[:300])
TABLE = "| pod | state | age |\n|---|---|---|\n" + "| a pod of the set | waiting for its volume | 12 |\n" * 25
OBJECT = json.dumps({"a": {"b": 1}, "c": [{"name": f"value {number} of many"} for number in range(60)]})
CHECKS: list[tuple[str, dict[str, Any], str]] = [
    ("acknowledges_nonexistence", {"thing": "kubectl diff"}, ANSWER),
    ("ambiguity_check", {"about": ["format", "column"]}, ANSWER),
    (
        "banned_words",
        {"words": ["delve", "leverage", "tapestry", "game-changer", "robust", "seamless", "crucial"]},
        ANSWER,
    ),
    ("constraint_check", {"must": ["kubectl"], "must_not": ["^# "]}, ANSWER),
    ("hallucination_api", {"names": ["quickfetch", "kubectl"]}, ANSWER),
    ("json_valid", {"keys": ["a.b", "c"], "types": {"c": "array"}}, OBJECT),
    ("multi_step_verify", {"expect": 14}, f"{ANSWER}\n\nSo **14** pods are left."),
    ("refusal_check", {"refuse": False}, ANSWER),
    ("response_length", {"max_words": 250, "max_sentences": 20}, ANSWER),
    ("self_awareness", {"claims": ["I can browse"]}, ANSWER),
    (
        "statistical_significance",
        {"significant": True},
        f"{ANSWER}\n\nThe result is statistically significant.",
    ),
    ("sycophancy_check", {"wrong": "a", "agree": ["you're right"], "correct": ["the logs"]}, ANSWER),
    ("table_format", {"rows": 25, "columns": 3, "only": True}, TABLE),
    ("trap_common_error", {"wrong": ["path is wrong"], "right": ["read-only"]}, ANSWER),
    ("trap_no_bug", {"bugs": ["off-by-one"]}, ANSWER),
    ("trap_wrong_claim", {"wrong": ["path is wrong"], "right": ["read-only"]}, ANSWER),
    ("word_count", {"target": 300}, ANSWER),
    ("word_count_reduction", {"original": 700, "share": 0.5}, ANSWER),
]
JOBS += [(f"{name}, 300 words", GraderSpec(name, parameters), answer) for name, parameters, answer in CHECKS]


def measure(spec: GraderSpec, answer: str, seconds: float, rounds: int) -> dict[str, float]:
    """Return grades per second (median and best round) and microseconds per grade (median)."""
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
    costs = [float(job["microseconds"]) for job in jobs]
    checks = costs[-len(CHECKS) :]
    found = {
        "python": platform.python_version(),
        "clock": "process CPU time",
        "all jobs in turn, per second": round(1e6 / statistics.mean(costs)),
        "auto-checks in turn, per second": round(1e6 / statistics.mean(checks)),
        "jobs": jobs,
    }
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
