"""The examples of docs/methodology/causal.md are what their discarded seed gives."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from assay.causal.concepts.registry import CONCEPTS
from assay.causal.form import question
from assay.causal.item import Variant
from assay.causal.sheet import prompt

PAGE = (Path(__file__).parents[2] / "docs" / "methodology" / "causal.md").read_text("utf-8")
SEED = "discarded: for the documents"
TITLES = {concept.title.lower(): concept for concept in CONCEPTS}


@pytest.mark.parametrize("variant", list(Variant))
def test_the_example_of_each_variant_is_generated(variant: Variant) -> None:
    """Stem, options, key and reasons stand on the page as the generator gives them."""
    heading = re.search(rf"^### {variant.value.capitalize()}: (.+)$", PAGE, re.MULTILINE)
    assert heading is not None
    found = question(SEED, 0, TITLES[heading[1]], variant)

    assert f"```text\n{prompt(found.item)}\n```" in PAGE
    assert f"Right is **{found.item.letter}**." in PAGE
    assert all(answer.why in PAGE for answer in found.answers)


def test_every_concept_is_listed() -> None:
    """Twenty rows, with what each concept is about."""
    assert all(f"| {concept.title} | {concept.about} |" in PAGE for concept in CONCEPTS)
