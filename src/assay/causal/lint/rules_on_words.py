"""Attacks by position, length, wording, and what options have in common with the stem and with each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from assay.causal.lint.attack import Rule, Score, opposite
from assay.causal.lint.reading import Reading
from assay.causal.lint.words import jaccard
from assay.core.case import LETTERS


def _at(position: int) -> Score:
    def score(question: Reading) -> Sequence[float] | None:
        if position >= question.size:
            return None
        return [float(place == position) for place in range(question.size)]

    return score


def characters(question: Reading) -> Sequence[float]:
    """Count the characters of each option."""
    return [float(len(option)) for option in question.item.options]


def counted(question: Reading) -> Sequence[float]:
    """Count the words of each option."""
    return [float(len(each)) for each in question.option_words]


def middling(question: Reading) -> Sequence[float]:
    """Score high where an option is neither the longest nor the shortest, in characters."""
    lengths = [len(option) for option in question.item.options]
    return [float(min(lengths) < length < max(lengths)) for length in lengths]


def shared(question: Reading) -> Sequence[float]:
    """Count the content words of each option that stand in the stem."""
    return [float(len(each & question.stem_words)) for each in question.option_content]


def share(question: Reading) -> Sequence[float]:
    """Return the share of each option's content words that stand in the stem."""
    return [len(each & question.stem_words) / max(1, len(each)) for each in question.option_content]


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


WORD_RULES = (
    *(
        Rule(f"always-{letter}", f"Always picks option {letter}.", _at(position))
        for position, letter in enumerate(LETTERS)
    ),
    Rule("longest", "Picks the option with the most characters.", characters),
    Rule("shortest", "Picks the option with the fewest characters.", opposite(characters)),
    Rule("most-words", "Picks the option with the most words.", counted),
    Rule("fewest-words", "Picks the option with the fewest words.", opposite(counted)),
    Rule("middle-length", "Picks an option that is neither the longest nor the shortest.", middling),
    Rule("most-stem-words", "Picks the option with the most words of the stem.", shared, about_stem=True),
    Rule(
        "fewest-stem-words",
        "Picks the option with the fewest words of the stem.",
        opposite(shared),
        about_stem=True,
    ),
    Rule(
        "closest-to-stem",
        "Picks the option with the largest share of its words in the stem.",
        share,
        about_stem=True,
    ),
    Rule(
        "farthest-from-stem",
        "Picks the option with the smallest share of its words in the stem.",
        opposite(share),
        about_stem=True,
    ),
    Rule("most-hedged", "Picks the option with the most hedges (may, often, unless).", hedged),
    Rule("least-hedged", "Picks the option with the fewest hedges.", opposite(hedged)),
    Rule("most-absolute", "Picks the option with the most absolute words (always, only, proves).", absolute),
    Rule("least-absolute", "Picks the option with the fewest absolute words.", opposite(absolute)),
    Rule("most-negated", "Picks the option with the most negations.", negated),
    Rule("least-negated", "Picks the option with the fewest negations.", opposite(negated)),
    Rule("most-like-others", "Picks the option most similar to the other options.", centrality),
    Rule("odd-one-out", "Picks the option least similar to the other options.", opposite(centrality)),
    Rule(
        "intersection",
        "Picks the option whose words stand most often in the other options.",
        intersection,
    ),
    Rule("opposites", "Picks one of two options that contradict each other.", paired),
)
