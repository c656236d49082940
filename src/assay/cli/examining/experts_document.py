"""Agreement of judges with experts, coverage and work: as a JSON document and as tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assay.cli.output import dollars, print_table
from assay.exams.agreement import Agreed, Covered, Work


def agreement_document(
    found: Sequence[Agreed], covered: Sequence[Covered], work: Sequence[Work]
) -> dict[str, Any]:
    """Return agreement, coverage and work as a JSON document; null where kappa is not defined."""
    return {
        "agreement": [
            {
                "rater": one.rater,
                "model": one.model,
                "n": one.kappa.n,
                "kappa": one.kappa.value,
                "low": None if one.kappa.interval is None else one.kappa.interval.low,
                "high": None if one.kappa.interval is None else one.kappa.interval.high,
                "observed": one.kappa.agreement,
                "weighted_kappa": one.weighted.value,
            }
            for one in found
        ],
        "coverage": [
            {
                "discipline": one.discipline,
                "experts": one.experts,
                "answers": one.answers,
                "twice": one.twice,
                "waiting": one.waiting,
            }
            for one in covered
        ],
        "work": [
            {
                "reviewer": one.reviewer,
                "assigned": one.assigned,
                "marked": one.marked,
                "hours": one.hours,
                "untimed": one.untimed,
                "cost": one.cost,
            }
            for one in work
        ],
    }


def print_agreement(found: Sequence[Agreed], covered: Sequence[Covered], work: Sequence[Work]) -> None:
    """Print agreement, coverage and work."""
    print_table(
        "Agreement with experts",
        ("rater", "model", "n", "kappa", "95 %", "same stars", "weighted"),
        [
            (
                one.rater,
                one.model,
                f"{one.kappa.n}",
                _figure(one.kappa.value),
                "-"
                if one.kappa.interval is None
                else f"{one.kappa.interval.low:.3f} to {one.kappa.interval.high:.3f}",
                _figure(one.kappa.agreement),
                _figure(one.weighted.value),
            )
            for one in found
        ],
        right=("n", "kappa", "same stars", "weighted"),
    )
    print_table(
        "Coverage",
        ("discipline", "experts", "answers", "twice", "waiting"),
        [(one.discipline, one.experts, one.answers, one.twice, one.waiting) for one in covered],
        right=("experts", "answers", "twice", "waiting"),
    )
    print_table(
        "Work",
        ("expert", "given", "marked", "hours", "without time", "cost"),
        [
            (one.reviewer, one.assigned, one.marked, f"{one.hours:.2f}", one.untimed, dollars(one.cost))
            for one in work
        ],
        right=("given", "marked", "hours", "without time", "cost"),
    )


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
