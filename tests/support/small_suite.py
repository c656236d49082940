"""A small suite for tests of the engine."""

from __future__ import annotations

from assay.core.ask import Message
from assay.core.canonical import digest
from assay.core.case import Case, Exemplar, GraderSpec, Grading
from assay.core.suite import Suite, UseCase


def make_suite(*, use_cases: int = 2, cases: int = 5, version: str = "1", full: int = 3) -> Suite:
    """Return a suite whose answers must contain the word `right`."""
    made = tuple(
        UseCase(
            f"use-{number}",
            f"Use case {number}",
            Grading.DETERMINISTIC,
            1,
            full,
            tuple(
                Case(
                    f"case-{number}-{index}",
                    f"use-{number}",
                    (Message("user", f"Question {index} of use case {number}?"),),
                    (GraderSpec("contains", {"all": ["right"]}),),
                    exemplars=(Exemplar("right", 1.0), Exemplar("wrong", 0.0), Exemplar("bad", 0.0)),
                )
                for index in range(cases)
            ),
        )
        for number in range(use_cases)
    )
    name = digest({"use_cases": use_cases, "cases": cases, "version": version, "full": full})
    return Suite("small", version, "Small", "public", made, name, parameters={"temperature": 0})
