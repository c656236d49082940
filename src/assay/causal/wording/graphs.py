"""Graphs in words: arrows, sets and lists as a formal question writes them."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence

from assay.causal.scm import Dag


def arrows(dag: Dag, rng: random.Random) -> str:
    """Return all arrows in a random order: `A → B, C → B`."""
    return ", ".join(f"{cause} → {effect}" for cause, effect in rng.sample(dag.edges, len(dag.edges)))


def braces(names: Collection[str]) -> str:
    """Return a set in braces, sorted; the empty set is ∅."""
    return "{" + ", ".join(sorted(names)) + "}" if names else "∅"


def listed(words: Sequence[str], joint: str = "and") -> str:
    """Join words into a list: `A, B and C`."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {joint} {words[-1]}"


def sentence(text: str) -> str:
    """Return the text with a capital first letter."""
    return text[:1].upper() + text[1:]
