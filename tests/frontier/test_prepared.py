"""Tests of what a frontier can use of a tensor."""

from __future__ import annotations

import numpy as np
import pytest

from assay.core.errors import InvalidInput
from assay.frontier.posterior import Posterior
from assay.frontier.prepared import fitting, prepare
from assay.frontier.tensor import Tensor

NAN = np.nan


def made(quality: list[list[float]], cost: list[list[float]] | None = None) -> Tensor:
    """Return a tensor of one generation a cell."""
    cells = np.array(quality)[:, :, None]
    prompts, models = (
        tuple(f"{kind}{n}" for n in range(many)) for kind, many in zip("pm", cells.shape, strict=False)
    )
    return Tensor(prompts, models, cells, cost=None if cost is None else np.array(cost)[:, :, None])


def test_a_prompt_without_an_answer_is_left_out_and_named() -> None:
    """The rest keeps its order."""
    found = prepare(made([[1.0, 0.0], [NAN, NAN], [0.0, 1.0]]))
    assert found.tensor.prompts == ("p0", "p2")
    assert found.notes == ("1 of 3 prompts have no usable answer and are left out: 'p1'",)


def test_a_model_without_any_cost_has_no_place_beside_costs_and_is_named() -> None:
    """A cell without a cost is left out too."""
    found = prepare(made([[1.0, 0.0], [1.0, 0.0]], [[1.0, NAN], [1.0, NAN]]))
    assert found.tensor.models == ("m0",)
    assert "2 cells of 4 have a quality but no cost" in found.notes[0]
    assert "no cost at all of 'm1'" in found.notes[0]


@pytest.mark.parametrize("cost", [-0.5, np.inf])
def test_an_impossible_cost_is_refused_with_its_place(cost: float) -> None:
    """The message names prompt, model and generation."""
    with pytest.raises(InvalidInput, match=f"cost is {cost}") as caught:
        prepare(made([[1.0, 1.0]], [[1.0, cost]]))
    assert "p0, m1, generation 0" in str(caught.value)


def test_nothing_usable_is_refused() -> None:
    """There is no frontier of nothing."""
    with pytest.raises(InvalidInput, match="no prompt has an answer with a quality and a cost"):
        prepare(made([[1.0]], [[NAN]]))


def test_a_posterior_of_another_shape_is_refused() -> None:
    """The message shows both shapes."""
    tensor = made([[1.0, 0.0]])
    posterior = Posterior("made up", np.ones((3, 2, 2)), None, np.ones((2, 2), dtype=np.bool_))
    with pytest.raises(InvalidInput, match="fit it to this tensor of 1 prompts and 2 models"):
        fitting(posterior, tensor, prepare(tensor))


def test_a_posterior_without_costs_does_not_fit_a_tensor_with_them() -> None:
    """The message names its method."""
    tensor = made([[1.0]], [[1.0]])
    posterior = Posterior("made up", np.ones((3, 1, 1)), None, np.ones((1, 1), dtype=np.bool_))
    with pytest.raises(InvalidInput, match="the posterior of 'made up' has no costs"):
        fitting(posterior, tensor, prepare(tensor))


def test_a_posterior_is_cut_to_what_was_kept_and_chooses_only_what_was_seen() -> None:
    """The empty prompt goes; a cell that was not observed has draws, and may not be chosen."""
    tensor = made([[NAN, NAN], [1.0, NAN], [1.0, 0.0]])
    posterior = Posterior("made up", np.arange(6.0).reshape(1, 3, 2), None, np.ones((3, 2), dtype=np.bool_))
    found = fitting(posterior, tensor, prepare(tensor))
    assert found.quality.tolist() == [[[2.0, 3.0], [4.0, 5.0]]]
    assert found.may_choose.tolist() == [[True, False], [True, True]]


def test_names_that_stand_twice_are_refused() -> None:
    """Two models of one name would share their figures; the message names it."""
    quality = np.ones((1, 2, 1))
    with pytest.raises(InvalidInput, match="model 'a' stands twice"):
        prepare(Tensor(("p",), ("a", "a"), quality))
    with pytest.raises(InvalidInput, match="prompt 'p' stands twice"):
        prepare(Tensor(("p", "p"), ("a",), quality.reshape(2, 1, 1)))


def test_quality_outside_its_scale_is_refused_unless_declared() -> None:
    """Marks from 1 to 5 are no shares: they need a declared range."""
    marks = np.array([[[4.0], [5.0]]])
    with pytest.raises(InvalidInput, match=r"quality is 4\.0: give numbers from 0 to 1"):
        prepare(Tensor(("p",), ("a", "b"), marks))
    assert prepare(Tensor(("p",), ("a", "b"), marks, scale=(1.0, 5.0))).tensor.scale == (1.0, 5.0)
    assert prepare(Tensor(("p",), ("a", "b"), marks, scale=None)).tensor.scale is None
