"""The trained attacks: what each sees, and how it learns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from assay.causal.lint import design
from assay.causal.lint.bayes import KeywordBayes
from assay.causal.lint.design import Design, FloatArray, IntArray
from assay.causal.lint.logit import ConditionalLogit
from assay.causal.lint.reading import Reading


class Fitter(Protocol):
    """Learns from the keys of some of its questions and scores the options of others."""

    def scores(self, train: IntArray, test: IntArray, keys: IntArray) -> FloatArray:
        """Return scores (test questions, width, sets) after training on keys (training questions, sets)."""
        ...


class LearnerKind(Protocol):
    """A way to learn."""

    def on(self, design: Design) -> Fitter:
        """Return what fits this model on parts of a design."""
        ...


@dataclass(frozen=True, slots=True)
class Learner:
    """An attack that is trained on other questions."""

    name: str
    description: str
    sees: Callable[[Sequence[Reading]], Design]
    model: LearnerKind


LEARNERS = (
    Learner("keywords", "naive Bayes on the options' words", design.keywords, KeywordBayes()),
    Learner(
        "options-only",
        "a conditional logit on the options' words, pairs of words, lengths, wording and numbers",
        design.option_only,
        ConditionalLogit(),
    ),
    Learner(
        "options-and-stem",
        "a conditional logit on the options' words crossed with whether the stem has them",
        design.crossed,
        ConditionalLogit(),
    ),
)
