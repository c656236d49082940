"""The public causal forms: what is shipped is what its seed gives, and it passes what it preaches."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import orjson
import pytest

from assay.causal.blueprint import BUNDLED
from assay.causal.form import GENERATOR
from assay.causal.item import Item, Variant
from assay.core.suite import Suite
from assay.files.suite_folder import find_suite, load_suite
from assay.files.suite_lint import check_suite
from assay.grading import registry
from assay.studies.causal.explained import explain_question
from assay.studies.causal.form_files import record
from assay.studies.causal.generate import bundles_request, ladder_request, linted, make_form
from assay.studies.causal.texts import FormLabel, form_texts
from assay.studies.causal.written import form_items

REQUESTS = {"causal": bundles_request(), "causal-ladder": ladder_request()}


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
    assert (suite.name, suite.version, suite.visibility) == ("causal", "6.0.0", "public")
    assert suite.canary is not None
    assert suite.canary.startswith("assay-canary-")
    assert suite.parameters == {"temperature": 0}


def test_twenty_concepts_times_five_variants(items: tuple[Item, ...]) -> None:
    """Every cell once, and every letter right five times in each variant."""
    assert Counter((item.concept, item.variant) for item in items) == {
        (concept.replace("_", "-"), variant.value): 1 for concept in BUNDLED for variant in Variant
    }
    letters = Counter((item.variant, item.letter) for item in items)
    assert set(letters.values()) == {5}


@pytest.mark.parametrize("name", REQUESTS)
def test_nothing_weakens_it(name: str) -> None:
    """`assay suite check` has no warning."""
    assert check_suite(find_suite(name), graders=registry).warnings == ()


@pytest.mark.slow
@pytest.mark.parametrize("name", REQUESTS)
def test_it_is_what_its_seed_gives(name: str) -> None:
    """Drawn and proved again from the recorded seed, every file is the same to the letter.

    Whoever changes the generator, its words, concepts or recipes raises GENERATOR and makes both suites
    again, with new versions.
    """
    folder = find_suite(name)
    kept = orjson.loads((folder / "form.json").read_bytes())
    version = load_suite(folder, graders=registry).version
    again = make_form(kept["seed"], REQUESTS[name])

    assert kept["generator"] == GENERATOR
    for file, text in form_texts(again.form, again.request, FormLabel(name, version, "public")).items():
        assert (folder / file).read_text(encoding="utf-8") == text, file
    assert kept["content_sha256"] == record(again, seed=None).content_sha256


@pytest.mark.slow
@pytest.mark.parametrize("name", REQUESTS)
def test_it_passes_its_lint(name: str) -> None:
    """No attack gains more than luck allows, and no text repeats."""
    assert linted(form_items(name, {}), alike=False).findings == ()


@pytest.mark.slow
@pytest.mark.parametrize("name", REQUESTS)
def test_every_question_is_explained(name: str) -> None:
    """Both routes agree on every claim again, and exactly the key's claims all hold."""
    for item in form_items(name, {})[::3]:
        found = explain_question(item.id, name, seed=None, environment={})
        assert [option.right for option in found.options].index(True) == item.key
        for option in found.options:
            assert option.right == all(claim.true for claim in option.claims)
            assert all(claim.derived == claim.counted for claim in option.claims)
