"""Made-up questions for the tests of the causal lint: clean ones, and ones with a planted leak."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from assay.causal.item import Item, Variant

VARIANTS = tuple(variant.value for variant in Variant)
_WORDS = """
cohort exposure outcome confounder mediator collider selection instrument effect bias strata adjust path
arrow cause latent proxy trial dose clinic survey income school region season mortality harvest pupil soil
engine filter signal noise rate odds risk hazard ratio mean change trend baseline follow measure error
missing random censored exit entry panel village worker factory union price demand
"""
WORDS = _WORDS.split()
Plant = Callable[[list[str], int, np.random.Generator], tuple[list[str], int]]


def item(options: tuple[str, ...], stem: str = "Which holds?", key: int = 0, **given: str) -> Item:
    """Return one question; its id, concept and variant may be given."""
    return Item(
        given.get("id", "q"), given.get("concept", "c"), given.get("variant", "base"), stem, options, key
    )


def form(seed: int, plant: Plant | None = None, *, concepts: int = 20, options: int = 4) -> list[Item]:
    """Return a form of clean random questions: a concept and a variant each, words and keys drawn evenly.

    `plant` gets a question's options and key and returns what is to stand instead.
    """
    rng = np.random.default_rng(seed)
    made = []
    for variant in VARIANTS:
        for concept in range(concepts):
            texts = _numbers(rng, options) if variant == "numeric" else [_words(rng) for _ in range(options)]
            key = int(rng.integers(options))
            if plant is not None:
                texts, key = plant(texts, key, rng)
            stem = " ".join(rng.choice(WORDS, 40)) + f" {rng.integers(1, 900)} of {rng.integers(900, 2000)}?"
            name = f"s{seed}-c{concept:02d}-{variant}"
            made.append(Item(name, f"concept-{concept:02d}", variant, stem, tuple(texts), key))
    return made


def _numbers(rng: np.random.Generator, count: int) -> list[str]:
    return [f"{value / 1000:.3f}" for value in rng.choice(np.arange(1, 1000), count, replace=False)]


def _words(rng: np.random.Generator) -> str:
    return " ".join(rng.choice(WORDS, int(rng.integers(6, 14)))) + "."


def longest_is_key(share: float) -> Plant:
    """The key is the longest option in this share of the questions, beyond chance's own."""

    def plant(texts: list[str], key: int, rng: np.random.Generator) -> tuple[list[str], int]:
        longest = int(np.argmax([len(text) for text in texts]))
        others = [place for place in range(len(texts)) if place != longest]
        return texts, longest if rng.random() < share else int(rng.choice(others))

    return plant


def letter_is_key(position: int, share: float) -> Plant:
    """The key stands at this position in this share of the questions."""

    def plant(texts: list[str], key: int, rng: np.random.Generator) -> tuple[list[str], int]:
        others = [place for place in range(len(texts)) if place != position]
        return texts, position if rng.random() < share else int(rng.choice(others))

    return plant


def keyword_in_distractors(word: str, share: float) -> Plant:
    """This share of the distractors, and no key, ends in a certain word."""

    def plant(texts: list[str], key: int, rng: np.random.Generator) -> tuple[list[str], int]:
        return [
            f"{text[:-1]} {word}." if place != key and rng.random() < share else text
            for place, text in enumerate(texts)
        ], key

    return plant


def roundest_is_key(share: float) -> Plant:
    """In this share of the questions the key is a round number among longer ones."""

    def plant(texts: list[str], key: int, rng: np.random.Generator) -> tuple[list[str], int]:
        drawn = rng.choice(np.arange(111, 999)[np.arange(111, 999) % 10 != 0], len(texts), replace=False)
        values = [f"{value / 1000:.3f}" for value in drawn]
        if rng.random() < share:
            values[key] = f"{rng.integers(1, 10) / 10:.1f}"
        return values, key

    return plant
