"""The public causal form: what is shipped is what its seed gives, and it passes what it preaches."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import orjson
import pytest

from assay.causal.concepts.registry import CONCEPTS
from assay.causal.form import GENERATOR, form
from assay.causal.item import Item, Variant
from assay.causal.solvers.bands import BANDS
from assay.core.suite import Suite
from assay.files.suite_folder import find_suite, load_suite
from assay.files.suite_lint import check_suite
from assay.grading import registry
from assay.studies.causal.explained import explain_question
from assay.studies.causal.generate import linted
from assay.studies.causal.texts import content_digest
from assay.studies.causal.written import form_items


@pytest.fixture(scope="module")
def folder() -> Path:
    return find_suite("causal")


@pytest.fixture(scope="module")
def suite(folder: Path) -> Suite:
    return load_suite(folder, graders=registry)


@pytest.fixture(scope="module")
def items() -> tuple[Item, ...]:
    return form_items("causal", {})


def test_it_is_public_versioned_and_has_a_canary(suite: Suite) -> None:
    """Its questions can be read by anyone, and training-data filters can find it."""
    assert (suite.name, suite.version, suite.visibility) == ("causal", "1.1.0", "public")
    assert suite.canary is not None
    assert suite.canary.startswith("assay-canary-")
    assert suite.parameters == {"temperature": 0}


def test_twenty_concepts_times_five_variants(items: tuple[Item, ...]) -> None:
    """Every cell once, and every letter right five times in each variant."""
    assert Counter((item.concept, item.variant) for item in items) == {
        (concept.name, variant.value): 1 for concept in CONCEPTS for variant in Variant
    }
    letters = Counter((item.variant, item.letter) for item in items)
    assert set(letters.values()) == {5}


def test_nothing_weakens_it(folder: Path) -> None:
    """`assay suite check` has no warning."""
    assert check_suite(folder, graders=registry).warnings == ()


@pytest.mark.slow
def test_it_is_what_its_seed_gives(folder: Path, items: tuple[Item, ...]) -> None:
    """Drawn and proved again from the recorded seed, every question is the same to the letter.

    Whoever changes the generator raises GENERATOR and ships a new version of the suite.
    """
    record = orjson.loads((folder / "form.json").read_bytes())
    again = form(record["seed"], record["retries"])

    assert record["generator"] == GENERATOR
    assert again.items == items
    assert record["content_sha256"] == content_digest(items)
    assert {each["id"]: each["draw"] for each in record["redraws"]} == again.redraws
    for solver, band in BANDS.items():
        assert band.low <= again.expected(solver) <= band.high


@pytest.mark.slow
def test_it_passes_its_lint(items: tuple[Item, ...]) -> None:
    """No attack gains more than luck allows, and no text repeats."""
    assert linted(items).findings == ()


@pytest.mark.slow
def test_every_question_is_explained(items: tuple[Item, ...]) -> None:
    """Both routes agree on every claim again, and exactly the key's claims all hold."""
    for item in items:
        found = explain_question(item.id, "causal", seed=None, environment={})
        assert [option.right for option in found.options].index(True) == item.key
        for option in found.options:
            assert option.right == all(claim.true for claim in option.claims)
            assert all(claim.derived == claim.counted for claim in option.claims)
