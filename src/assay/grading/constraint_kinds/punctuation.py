"""Constraints on punctuation marks."""

from __future__ import annotations

from assay.grading.constraint_kinds.kind import Demands, Finding, Kind, Parameters


def _no_comma(answer: str, parameters: Parameters) -> Finding:
    counted = answer.count(",")
    return Finding(not counted, counted, "no comma")


KINDS = (Kind("punctuation:no_comma", (), _no_comma, lambda given: Demands(letters=",")),)
