"""Questions that ask the same: by words on a labelled set, by a model's vectors, and bad models."""

from __future__ import annotations

import csv
import sys
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from assay.core.errors import InvalidInput
from assay.questions.overlap import QuestionText
from assay.studies.embedding_model import embed, load_embedding_model
from assay.studies.similar_questions import by_meaning, by_words, without_texts

PAIRS = Path(__file__).parent / "meaning_pairs.csv"


class Letters:
    """A model whose vectors count the letters a, b and c."""

    def encode(self, texts: list[str]) -> Any:
        return [[text.count(letter) for letter in "abc"] for text in texts]


def asked(*texts: str) -> list[QuestionText]:
    return [QuestionText(text, (text,)) for text in texts]


def labelled(kind: str) -> list[tuple[QuestionText, QuestionText]]:
    """Return the labelled pairs of a kind: paraphrase, translation or different."""
    with PAIRS.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["kind"] == kind]
    return [
        (QuestionText(f"q{number}", (row["question"],)), QuestionText(f"o{number}", (row["other"],)))
        for number, row in enumerate(rows)
    ]


@pytest.mark.parametrize(("kind", "pairs"), [("paraphrase", 50), ("translation", 10), ("different", 20)])
def test_by_words_no_pair_of_the_labelled_set_is_seen(kind: str, pairs: int) -> None:
    """Neither paraphrases nor translations are seen, and no different question is flagged."""
    labels = labelled(kind)
    report = by_words("one", [one for one, _ in labels], "other", [other for _, other in labels])
    assert (len(labels), len(report.pairs)) == (pairs, 0)


def test_by_words_pairs_lie_between_the_sources_only() -> None:
    """A slip makes a pair across sources; the same pair within one source is not reported."""
    stem = "Which clause of the treaty of Westphalia ended the quarrel about the Rhine tolls?"
    slip = stem.replace("quarrel", "quarel")
    first = [QuestionText("a", (stem,)), QuestionText("b", (slip,))]
    within = by_words("one", first, None)
    assert [(pair.question, pair.other) for pair in within.pairs] == [("a", "b")]
    across = by_words("one", first, "other", [QuestionText("c", (slip,))])
    assert {(pair.question, pair.other) for pair in across.pairs} == {("a", "c"), ("b", "c")}
    assert {pair.text for pair in without_texts(across).pairs} == {None}


def test_by_meaning_pairs_are_sorted_by_cosine() -> None:
    """Cosines are those of the vectors, and each pair is listed once."""
    report = by_meaning("one", asked("aab", "ab", "c"), None, (), ("letters", Letters()), 0.5)
    assert [(pair.question, pair.other) for pair in report.pairs] == [("aab", "ab")]
    assert report.pairs[0].similarity == pytest.approx(3 / 10**0.5)
    across = by_meaning("one", asked("a", "c"), "two", asked("cc", "aab"), ("letters", Letters()), 0.8)
    assert [(pair.question, pair.other) for pair in across.pairs] == [("c", "cc"), ("a", "aab")]


def test_a_question_is_no_pair_with_itself_even_without_a_threshold() -> None:
    """With a threshold of 0 every pair is listed once."""
    report = by_meaning("one", asked("a", "b", "c"), None, (), ("letters", Letters()), 0.0)
    assert [(pair.question, pair.other) for pair in report.pairs] == [("a", "b"), ("a", "c"), ("b", "c")]


def test_a_family_and_a_passage_are_exempt() -> None:
    """Variants of one question, and questions about one passage, are alike by design."""
    family = [QuestionText("1", ("ab",), "f"), QuestionText("2", ("ab",), "f")]
    passage = [QuestionText("3", ("ba",), "g", 7), QuestionText("4", ("ab",), "h", 7)]
    report = by_meaning("bank", [*family, *passage], None, (), ("letters", Letters()))
    assert {(pair.question, pair.other) for pair in report.pairs} == {
        *(("1", "3"), ("1", "4"), ("2", "3"), ("2", "4"))
    }


class Scripted:
    """A model that returns the same value for all texts."""

    def __init__(self, value: object) -> None:
        self.value = value

    def encode(self, texts: Sequence[str]) -> Any:
        return self.value


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("text", "no table of numbers"),
        ([1.0, 2.0], r"the shape \(2,\) for 2 texts"),
        ([[1.0]], r"the shape \(1, 1\) for 2 texts"),
        ([[1.0], [0.0]], "zero or not finite"),
        ([[1.0], [np.nan]], "zero or not finite"),
    ],
)
def test_bad_vectors_are_refused(value: object, message: str) -> None:
    """Each message says what the model returned."""
    with pytest.raises(InvalidInput, match=message):
        embed(Scripted(value), ["a", "b"])


def test_a_model_of_a_package_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """MODULE:NAME is called without arguments."""
    monkeypatch.setitem(sys.modules, "letters", SimpleNamespace(Letters=Letters, size=3, bare=dict))
    assert isinstance(load_embedding_model("letters:Letters"), Letters)
    for name, message in (
        ("letters:none", "cannot make an embedding model"),
        ("letters:size", "cannot make an embedding model"),
        ("letters:bare", "no method encode"),
        ("no_such_package:x", "cannot import 'no_such_package'"),
        ("letters", "give the folder of a sentence-transformers model"),
    ):
        with pytest.raises(InvalidInput, match=message):
            load_embedding_model(name)


def test_a_folder_needs_sentence_transformers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the library the message says what to install."""
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(InvalidInput, match="install it into the environment"):
        load_embedding_model(str(tmp_path))


def test_a_folder_is_given_to_sentence_transformers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The model is loaded from the folder, without network."""
    calls: list[tuple[str, dict[str, Any]]] = []

    def load(name: str, **more: Any) -> Letters:
        calls.append((name, more))
        return Letters()

    library = SimpleNamespace(SentenceTransformer=load)
    monkeypatch.setitem(sys.modules, "sentence_transformers", library)
    assert isinstance(load_embedding_model(str(tmp_path)), Letters)
    assert calls == [(str(tmp_path), {"device": "cpu", "local_files_only": True})]
