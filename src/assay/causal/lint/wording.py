"""Attacks by wording: hedged options are often right, absolute ones often wrong."""

from __future__ import annotations

from collections.abc import Sequence

from assay.causal.lint.attack import Rule, Score, opposite
from assay.causal.lint.reading import Reading

_HEDGES = """
may might could can likely unlikely probably perhaps possibly possible plausible plausibly often sometimes
usually generally typically mostly largely some partly partially partial depends depending unless if
provided assuming approximately about roughly around suggests suggest suggestive appears appear seems seem
tends tend potentially potential although though however whereas even yet still rather somewhat
"""
HEDGES = frozenset(_HEDGES.split())
_ABSOLUTES = """
always never all none every everyone everything only must cannot can't impossible certainly certain
definitely completely entirely entire wholly totally proves proven prove guarantee guarantees guaranteed
necessarily fully solely purely exactly any no nothing nobody regardless whatever automatically
undoubtedly clearly obviously absolutely invariably perfectly
"""
ABSOLUTES = frozenset(_ABSOLUTES.split())
_NEGATIONS = """
no not nor none never neither cannot without can't isn't doesn't don't won't
"""
NEGATIONS = frozenset(_NEGATIONS.split())


def _count(listed: frozenset[str]) -> Score:
    def score(question: Reading) -> Sequence[float]:
        return [float(sum(word in listed for word in each)) for each in question.option_words]

    return score


hedged, absolute, negated = _count(HEDGES), _count(ABSOLUTES), _count(NEGATIONS)

RULES = (
    Rule("most-hedged", "Picks the option with the most hedges (may, often, unless).", hedged),
    Rule("least-hedged", "Picks the option with the fewest hedges.", opposite(hedged)),
    Rule("most-absolute", "Picks the option with the most absolute words (always, only, proves).", absolute),
    Rule("least-absolute", "Picks the option with the fewest absolute words.", opposite(absolute)),
    Rule("most-negated", "Picks the option with the most negations.", negated),
    Rule("least-negated", "Picks the option with the fewest negations.", opposite(negated)),
)
