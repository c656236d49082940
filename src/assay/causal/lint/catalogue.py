"""All fixed rules, in the order of the report."""

from __future__ import annotations

from assay.causal.lint.rules_on_numbers import NUMBER_RULES
from assay.causal.lint.rules_on_words import WORD_RULES

RULES = (*WORD_RULES, *NUMBER_RULES)
