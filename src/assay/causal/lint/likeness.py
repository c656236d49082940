"""Attacks by how options resemble each other: distractors are often made from the right option."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from assay.causal.lint.attack import Rule, opposite
from assay.causal.lint.reading import Reading
from assay.causal.lint.wording import NEGATIONS
from assay.causal.lint.words import jaccard

_OPPOSITES = """
yes/no true/false increase/decrease increases/decreases raise/lower raises/lowers higher/lower
larger/smaller more/less more/fewer over/under overstates/understates overestimates/underestimates
overestimate/underestimate upward/downward upwards/downwards positive/negative open/closed opens/closes
opens/blocks open/blocked valid/invalid identified/unidentified biased/unbiased above/below before/after
toward/away with/without include/exclude right/wrong correct/incorrect benefits/harms beneficial/harmful
helps/harms direct/indirect first/second
"""
OPPOSITES = tuple(frozenset(pair.split("/")) for pair in _OPPOSITES.split())


def centrality(question: Reading) -> Sequence[float]:
    """Return each option's mean Jaccard similarity with the other options."""
    sets = question.option_content
    return [
        sum(jaccard(one, other) for place, other in enumerate(sets) if place != here)
        for here, one in enumerate(sets)
    ]


def intersection(question: Reading) -> Sequence[float]:
    """Count, for each option, how often its content words stand in the other options."""
    counts = Counter(word for each in question.option_content for word in each)
    return [float(sum(counts[word] - 1 for word in each)) for each in question.option_content]


def paired(question: Reading) -> Sequence[float]:
    """Score 1 for options that contradict another one: the same words but for a negation or an opposite."""
    sets = [frozenset(each) for each in question.option_words]
    return [
        float(any(_contradict(one, other) for place, other in enumerate(sets) if place != here))
        for here, one in enumerate(sets)
    ]


def _contradict(one: frozenset[str], other: frozenset[str]) -> bool:
    differs = one ^ other
    if not differs or not one & other:
        return False
    if any(pair <= differs and len(pair & one) == 1 for pair in OPPOSITES):
        return len(differs) <= 4
    return bool(differs & NEGATIONS) and len(differs) <= 3


RULES = (
    Rule("most-like-others", "Picks the option most similar to the other options.", centrality),
    Rule("odd-one-out", "Picks the option least similar to the other options.", opposite(centrality)),
    Rule(
        "intersection",
        "Picks the option whose words stand most often in the other options.",
        intersection,
    ),
    Rule("opposites", "Picks one of two options that contradict each other.", paired),
)
