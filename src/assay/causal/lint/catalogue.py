"""All fixed rules, in the order of the report."""

from __future__ import annotations

from assay.causal.lint import (
    lengths,
    likeness,
    numeric_look,
    numeric_order,
    numeric_relations,
    overlap,
    positions,
    wording,
)

RULES = (
    *positions.RULES,
    *lengths.RULES,
    *overlap.RULES,
    *wording.RULES,
    *likeness.RULES,
    *numeric_order.RULES,
    *numeric_look.RULES,
    *numeric_relations.RULES,
)
