"""Forms on disk: written, sealed, read back, explained."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path

import pytest
from small_form import SEED, small_made, written_form

from assay.core.errors import Conflict, Denied, InvalidInput, NotFound
from assay.files.suite_folder import load_suite
from assay.files.suite_seal import open_suite
from assay.grading import registry
from assay.studies.causal.blind import WITHHELD, blind_suite
from assay.studies.causal.explained import explain_question
from assay.studies.causal.form_files import seal_form
from assay.studies.causal.texts import FormLabel, form_prompt
from assay.studies.causal.written import form_items

KEY = bytes(range(32))
ENVIRONMENT = {"ASSAY_SUITE_KEY": base64.urlsafe_b64encode(KEY).decode()}


def test_a_form_is_a_suite_that_loads(tmp_path: Path) -> None:
    """Use cases are the variants; every case shows its question and knows its letter and its concept."""
    suite = load_suite(written_form(tmp_path / "form"), graders=registry)

    assert [use_case.name for use_case in suite.use_cases] == [
        "base", "trap", "transfer", "numeric", "analyst",
    ]  # fmt: skip
    for case, question in zip(suite.cases, small_made().form.questions, strict=True):
        assert case.messages[-1].content == form_prompt(question)
        assert case.graders[0].parameters["expect"] == question.item.letter
        assert case.metadata["subcategory"] == question.item.concept
    assert suite.parameters == {"temperature": 0}
    assert suite.canary is not None


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    """The items of a written form are the items that were drawn."""
    assert form_items(str(written_form(tmp_path / "form")), {}) == small_made().form.items


def test_a_form_is_not_written_over_another(tmp_path: Path) -> None:
    """A folder with content is left alone."""
    written_form(tmp_path / "form")
    with pytest.raises(Conflict, match="not empty"):
        written_form(tmp_path / "form")


def test_files_of_a_private_form_are_for_their_owner_alone(tmp_path: Path) -> None:
    """Keys lie in these files: nobody else may read them."""
    folder = written_form(tmp_path / "form")
    assert {path.stat().st_mode & 0o077 for path in folder.iterdir()} == {0}


def test_a_sealed_form_shows_nothing_without_its_key(tmp_path: Path) -> None:
    """Neither question, option nor seed stands in any file; with the key the form is whole."""
    made = small_made()
    header, sealed = seal_form(made, tmp_path / "mine", FormLabel(), key=KEY)

    everything = b"".join(path.read_bytes() for path in tmp_path.iterdir())

    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine.sealed", "mine.sealed.form.json"]
    for item in made.form.items:
        assert item.stem[:40].encode() not in everything
        assert all(option.encode() not in everything for option in item.options if len(option) > 12)
    assert SEED.encode() not in everything
    assert json.loads((tmp_path / "mine.sealed.form.json").read_bytes())["seed"] is None
    assert open_suite(sealed, graders=registry, environment=ENVIRONMENT).digest == header.digest
    assert form_items(str(sealed), ENVIRONMENT) == made.form.items
    with pytest.raises(Denied):
        form_items(str(sealed), {})


def test_a_seed_that_can_be_guessed_is_not_sealed(tmp_path: Path) -> None:
    """Whoever guesses the seed has every key."""
    with pytest.raises(InvalidInput, match="3 characters"):
        seal_form(small_made("abc"), tmp_path / "mine", FormLabel(), key=KEY)
    assert list(tmp_path.iterdir()) == []


def test_a_sealed_form_is_explained_with_its_seed_only(tmp_path: Path) -> None:
    """Without the seed, or with another one, nothing is explained."""
    _, sealed = seal_form(small_made(), tmp_path / "mine", FormLabel(), key=KEY)
    name = small_made().form.items[0].id

    with pytest.raises(InvalidInput, match="give it with --seed"):
        explain_question(name, str(sealed), seed=None, environment=ENVIRONMENT)
    with pytest.raises(InvalidInput, match="the seed is another one"):
        explain_question(name, str(sealed), seed="something else entirely", environment=ENVIRONMENT)
    assert explain_question(name, str(sealed), seed=SEED, environment=ENVIRONMENT).id == name


def test_every_question_of_a_form_is_explained(tmp_path: Path) -> None:
    """One option is right; the others have a kind and at least one claim that both routes find false."""
    folder = written_form(tmp_path / "form")
    for item in small_made().form.items:
        found = explain_question(item.id, str(folder), seed=None, environment={})
        assert [option.right for option in found.options].index(True) == item.key
        for option in found.options:
            assert all(claim.derived == claim.counted for claim in option.claims)
            assert option.right == all(claim.true for claim in option.claims)
            assert option.right == (option.kind is None)
            assert option.why


def test_an_altered_form_is_not_explained(tmp_path: Path) -> None:
    """An explanation that does not fit the question is worse than none."""
    folder = written_form(tmp_path / "form")
    base = folder / "base.yaml"
    text = base.read_text()
    word = max(re.findall(r"[a-z]{6,}", small_made().form.items[0].stem), key=len)
    assert word in text
    base.write_text(text.replace(word, word[::-1], 1))

    with pytest.raises(InvalidInput, match="altered after it was generated"):
        explain_question(small_made().form.items[0].id, str(folder), seed=None, environment={})


def test_an_unknown_question_is_told(tmp_path: Path) -> None:
    """The message shows how ids look."""
    with pytest.raises(NotFound, match="front-door-trap"):
        explain_question("b1", str(written_form(tmp_path / "form")), seed=None, environment={})


def test_the_blind_form_withholds_every_question() -> None:
    """Only the options are shown, in their order, with the same key."""
    items = small_made().form.items
    suite = blind_suite(items, "causal")

    assert (suite.name, suite.visibility) == ("causal-blind", "private")
    for case, item in zip(suite.cases, items, strict=True):
        shown = case.messages[-1].content
        assert shown.startswith(WITHHELD)
        assert item.stem[:40] not in shown
        assert all(option in shown for option in item.options)
        assert case.graders[0].parameters["expect"] == item.letter
