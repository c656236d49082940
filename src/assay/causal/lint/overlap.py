"""Attacks by the words that an option has in common with the stem."""

from __future__ import annotations

from collections.abc import Sequence

from assay.causal.lint.attack import Rule, opposite
from assay.causal.lint.reading import Reading


def shared(question: Reading) -> Sequence[float]:
    """Count the content words of each option that stand in the stem."""
    return [float(len(each & question.stem_words)) for each in question.option_content]


def share(question: Reading) -> Sequence[float]:
    """Return the share of each option's content words that stand in the stem."""
    return [len(each & question.stem_words) / max(1, len(each)) for each in question.option_content]


RULES = (
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
)
