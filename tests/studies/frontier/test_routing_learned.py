"""Routers that learn from texts and embeddings: their predictions, and their errors and notes."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from assay.core.errors import InvalidInput
from assay.frontier.routing.router import Features
from assay.frontier.tensor import Tensor
from assay.studies.frontier.routing import route
from assay.studies.frontier.routing_learned import Linear, Neighbours, counted_words

ANGLES = np.linspace(0.0, 1.5, 40)
VECTORS = np.stack([np.cos(ANGLES), np.sin(ANGLES)], axis=1)
QUALITY = np.stack([(ANGLES < 0.75).astype(np.float64), np.full(40, 0.5)], axis=1)


def seen_and_unseen() -> tuple[Features, Features]:
    """Return forty directions in the plane, and longer vectors at both ends and a zero vector."""
    ends = 7.0 * VECTORS[[0, -1]]
    return Features(40, vectors=VECTORS), Features(3, vectors=np.concatenate([ends, np.zeros((1, 2))]))


def test_neighbours_are_the_nearest_by_direction() -> None:
    """The eight nearest to the ends are right and wrong; a prompt without features gets the mean of all."""
    predicted = Neighbours("embedding").predict(QUALITY, *seen_and_unseen(), [0, 4])
    assert np.allclose(predicted[0], QUALITY.mean(axis=0))
    assert predicted[1, :, 0].tolist() == [1.0, 0.0, 0.5]


@pytest.mark.parametrize("bounded", [True, False])
def test_linear_models_follow_the_direction(bounded: bool) -> None:
    """Less regularisation gives more extreme predictions; a constant quality is predicted exactly."""
    router = Linear("embedding", bounded)
    predicted = router.predict(QUALITY, *seen_and_unseen(), range(4))
    first, last = predicted[:, 0, 0], predicted[:, 1, 0]
    assert np.allclose(predicted[0], QUALITY.mean(axis=0))
    assert first[3] > first[2] > first[1] > 0.5 > last[1] > last[2] > last[3]
    assert np.allclose(predicted[:, :, 1], 0.5)
    assert router.name == ("logistic, embedding" if bounded else "ridge, embedding")


def test_words_are_weighted_by_their_rarity_in_training_only() -> None:
    """A text of unknown words has no features, and gets the mean of all."""
    words = counted_words(["red apple", "red pear", "blue sky", "blue sea", "zebra"])
    features = Features(5, words=words)
    quality = np.array([[1.0], [1.0], [0.0], [0.0]])
    seen, unseen = features.take(np.arange(4)), features.take(np.array([0, 4]))
    predicted = Neighbours("text").predict(quality, seen, unseen, [5])
    assert predicted[0, 1, 0] == 0.5
    linear = Linear("text").predict(quality, seen, unseen, [3])
    assert linear[0, 0, 0] > 0.6
    assert linear[0, 1, 0] == 0.5


def test_without_scikit_learn_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error is raised only if there are texts or embeddings to learn from."""
    monkeypatch.setitem(sys.modules, "sklearn", None)
    rng = np.random.default_rng(0)
    tensor = Tensor(
        tuple(f"q{row:02d}" for row in range(20)), ("a", "b"), (rng.random((20, 2, 3)) < 0.5) * 1.0
    )
    with pytest.raises(InvalidInput, match=r"pip install 'assay\[route\]'"):
        route(tensor, embeddings=rng.random((20, 3)))
    assert route(tensor, resamples=0, repeats=1).nested == "best single"


@pytest.mark.slow
def test_few_words_or_none_are_enough() -> None:
    """There can be fewer terms than prompts, and a note has the number of prompts without a text."""
    rng = np.random.default_rng(0)
    texts = tuple("" if row % 3 else f"{'abcdefghijkl'[row // 3]} word" for row in range(36))
    quality = (rng.random((36, 2, 2)) < 0.5) * 1.0
    tensor = Tensor(tuple(f"q{row:02d}" for row in range(36)), ("a", "b"), quality, texts=texts)
    result = route(tensor, routers=["linear"], resamples=0, folds=2, repeats=1)
    assert result.router("logistic, text").quality.value is not None
    assert any("24 of 36 prompts have no text" in note for note in result.notes)
