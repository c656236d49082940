"""Tests of the tensor of observations."""

from __future__ import annotations

import numpy as np
import pytest

from assay.core.errors import InvalidInput
from assay.frontier.tensor import Tensor, from_counts


def test_counts_become_generations_with_empty_places() -> None:
    """A cell of 1 right in 2 has two generations and an empty third position."""
    tensor = from_counts(("a",), ("x", "y"), [[1, 3]], [[2, 3]])
    assert tensor.answers.tolist() == [[2, 3]]
    assert tensor.correct.tolist() == [[1, 3]]
    assert tensor.binary
    assert tensor.mean_quality().tolist() == [[0.5, 1.0]]


def test_a_cell_without_answers_has_no_mean() -> None:
    """A cell that was never asked is missing, not 0."""
    tensor = from_counts(("a",), ("x", "y"), [[0, 0]], [[0, 2]])
    assert np.isnan(tensor.mean_quality()[0, 0])
    assert tensor.observed.tolist() == [[False, True]]


def test_more_right_than_given_is_refused_with_its_place() -> None:
    """The message names the prompt and the model."""
    with pytest.raises(InvalidInput, match="3 of 2 are right") as caught:
        from_counts(("a",), ("x", "y"), [[1, 3]], [[2, 2]])
    assert "a, y" in str(caught.value)


def test_a_mean_cost_is_repeated_at_every_generation_and_marked() -> None:
    """`cost_by_cell` says that the cost is not known generation by generation."""
    tensor = from_counts(("a",), ("x",), [[1]], [[2]], cost=[[0.25]])
    assert tensor.cost_by_cell
    assert tensor.cost is not None and tensor.cost.tolist() == [[[0.25, 0.25]]]


def test_costs_of_another_shape_are_refused() -> None:
    """Cost and quality belong to the same answers."""
    with pytest.raises(InvalidInput, match="cost has shape"):
        Tensor(("a",), ("x",), np.ones((1, 1, 2)), cost=np.ones((1, 1, 3)))


def test_taking_prompts_and_models_keeps_what_belongs_to_them() -> None:
    """Repeated prompts, as a bootstrap draws them, stay repeated, with their categories."""
    tensor = from_counts(("a", "b"), ("x", "y"), [[0, 1], [2, 0]], [[2, 2], [2, 2]])
    tensor = Tensor(tensor.prompts, tensor.models, tensor.quality, categories=("law", "code"))
    taken = tensor.take([1, 1, 0], [0])
    assert taken.prompts == ("b", "b", "a")
    assert taken.categories == ("code", "code", "law")
    assert taken.correct.tolist() == [[2], [2], [0]]
