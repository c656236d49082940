"""The digest of a suite, which changes with everything that can change the score of an answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assay.core.canonical import digest
from assay.core.case import Case
from assay.core.suite import UseCase

FORMAT = 1


def suite_digest(
    use_cases: Sequence[UseCase],
    *,
    name: str,
    version: str,
    parameters: Mapping[str, Any],
    judge: str | None,
    versions: Mapping[str, str],
) -> str:
    """Return the SHA-256 of prompts, graders with their `versions`, rubrics and calibration exemplars.

    Also covered: the suite's name and version (so every version has its own digest), the order of use cases
    and cases (a case is identified by its position), generation parameters, token limits, weights and the
    judge. Not covered, as they change no score: title, description, canary, visibility, thresholds, sample
    counts, tags, derivations, and exemplars without an expert's marks.
    """
    return digest(
        {
            "format": FORMAT,
            "suite": name,
            "version": version,
            "parameters": parameters,
            "judge": judge,
            "use_cases": [
                {
                    "name": use_case.name,
                    "grading": use_case.grading.value,
                    "weights": list(use_case.weights),
                    "cases": [_case(case, versions) for case in use_case.cases],
                }
                for use_case in use_cases
            ],
        }
    )


def _case(case: Case, versions: Mapping[str, str]) -> dict[str, Any]:
    return {
        "id": case.id,
        "messages": [[message.role, message.content] for message in case.messages],
        "max_tokens": case.max_tokens,
        "weights": None if case.weights is None else list(case.weights),
        "graders": [
            {
                "name": spec.name,
                "version": versions[spec.name],
                "parameters": spec.parameters,
                "weight": spec.weight,
            }
            for spec in case.graders
        ],
        "calibration": [
            {"answer": exemplar.answer, "marks": exemplar.marks}
            for exemplar in case.exemplars
            if exemplar.marks is not None
        ],
    }
