"""Claims: what they name."""

from __future__ import annotations

import random

import pytest

from assay.causal.stories.claims import Slot, Template, bind


def template(slot: Slot) -> Template:
    """Return a claim about one slot."""
    return Template(
        "claim", "identified", (("X",), ("Y",), ("a",)), {"a": slot}, "", "", ("", ""), "intervention"
    )


@pytest.mark.parametrize(
    ("slot", "named"),
    [
        (Slot(1, 1, recorded=True), {"F0", "F1"}),
        (Slot(1, 1, recorded=False), {"F0", "F1", "F2", "F3"}),
        (Slot(1, 1, recorded=False, missing=True), {"F2", "F3"}),
    ],
    ids=["recorded", "any", "missing"],
)
def test_a_slot_names_the_factors_of_its_sort(slot: Slot, named: set[str]) -> None:
    """A slot takes recorded factors, all factors, or only those that nobody recorded."""
    rng = random.Random(1)
    drawn = [bind(template(slot), ("F0", "F1", "F2", "F3"), ("F0", "F1"), rng) for _ in range(40)]

    assert {name for each in drawn if each is not None for name in each.bound["a"]} == named


def test_a_claim_without_factors_of_its_sort_is_not_made() -> None:
    """Where everything is recorded, no claim about a missing record can be bound."""
    missing = Slot(1, 1, recorded=False, missing=True)

    assert bind(template(missing), ("F0", "F1"), ("F0", "F1"), random.Random(1)) is None
