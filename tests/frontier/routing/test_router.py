"""The router by category: its shrinkage, and its prediction for unseen categories."""

from __future__ import annotations

import numpy as np

from assay.frontier.routing.router import BestSingle, ByCategory, Features


def features(*categories: int) -> Features:
    """Return prompts of these categories."""
    return Features(len(categories), np.array(categories))


def test_a_category_is_shrunk_towards_the_means_of_all_prompts() -> None:
    """Two prompts of 1 among four whose mean is 0.5, weight 4: (2 + 4 x 0.5) / 6."""
    quality = np.array([[1.0], [1.0], [0.0], [0.0]])
    found = ByCategory().predict(quality, features(0, 0, 1, 1), features(0, 1), [3])
    assert np.allclose(found[0, :, 0], [4 / 6, 2 / 6])


def test_an_unseen_category_has_the_means_of_all() -> None:
    """With any weight; the greatest weight ignores categories."""
    quality = np.array([[1.0, 0.0], [0.0, 0.5]])
    found = ByCategory().predict(quality, features(0, 1), features(2, 0), range(5))
    assert np.allclose(found[:, 0], quality.mean(axis=0))
    assert np.allclose(found[0, 1], quality.mean(axis=0))


def test_the_best_single_model_predicts_the_same_for_every_prompt() -> None:
    """Each model's mean."""
    found = BestSingle().predict(np.array([[1.0, 0.0], [0.5, 1.0]]), features(0, 0), features(0, 1, 2), [0])
    assert np.allclose(found, [[[0.75, 0.5]] * 3])
