"""Asking a judge for the main cause of an error, as one of five categories (seed 003, finding 4)."""

from __future__ import annotations

from typing import ClassVar, Final

from assay.grading.judging.question import PromptGrader
from assay.results.study_errors import ErrorCategory

CATEGORIES: Final = tuple(ErrorCategory)
"""The categories by the number that a judge writes: 0 is none of the five."""


class ErrorCauses(PromptGrader):
    """A judge's choice of one category for a wrong answer, written as a whole number from 0 to 5.

    The number is a code and no mark, so this is no grader of a suite. The parameter `reference` is the
    correct answer.
    """

    name = "errors"
    version = "1"
    scale = (0.0, 5.0)
    required: ClassVar = {}
    optional = ("reference",)
    parameter_sections = (("CORRECT ANSWER", "reference"),)
