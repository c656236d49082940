"""Tests of the usable part of a tensor."""

from __future__ import annotations

import numpy as np
import pytest

from assay.core.errors import InvalidInput
from assay.frontier.posterior import Posterior
from assay.frontier.prepared import prepare, usable_posterior
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
    """The other prompts keep their order."""
    prepared = prepare(made([[1.0, 0.0], [NAN, NAN], [0.0, 1.0]]))
    assert prepared.tensor.prompts == ("p0", "p2")
    assert prepared.notes == ("1 of 3 prompts have no usable answer and are left out: 'p1'",)


def test_a_model_without_any_cost_is_left_out_and_named() -> None:
    """A cell without a cost is left out too."""
    prepared = prepare(made([[1.0, 0.0], [1.0, 0.0]], [[1.0, NAN], [1.0, NAN]]))
    assert prepared.tensor.models == ("m0",)
    assert "2 of 4 cells have a quality but no cost" in prepared.notes[0]
    assert "no cost was recorded for 'm1'" in prepared.notes[0]


@pytest.mark.parametrize("cost", [-0.5, np.inf])
def test_an_impossible_cost_is_refused_with_its_place(cost: float) -> None:
    """The message names prompt, model and generation."""
    with pytest.raises(InvalidInput, match=f"cost is {cost}") as caught:
        prepare(made([[1.0, 1.0]], [[1.0, cost]]))
    assert "p0, m1, generation 0" in str(caught.value)


def test_nothing_usable_is_refused() -> None:
    """A frontier needs at least one answer with a quality and a cost."""
    with pytest.raises(InvalidInput, match="no prompt has an answer with a quality and a cost"):
        prepare(made([[1.0]], [[NAN]]))


def test_a_posterior_of_another_shape_is_refused() -> None:
    """The message shows both shapes."""
    tensor = made([[1.0, 0.0]])
    posterior = Posterior("made up", np.ones((3, 2, 2)), None, np.ones((2, 2), dtype=np.bool_))
    with pytest.raises(InvalidInput, match="fit it to this tensor of 1 prompts and 2 models"):
        usable_posterior(posterior, tensor, prepare(tensor))


def test_a_posterior_without_costs_does_not_fit_a_tensor_with_them() -> None:
    """The message names the posterior's method."""
    tensor = made([[1.0]], [[1.0]])
    posterior = Posterior("made up", np.ones((3, 1, 1)), None, np.ones((1, 1), dtype=np.bool_))
    with pytest.raises(InvalidInput, match="the posterior of 'made up' has no costs"):
        usable_posterior(posterior, tensor, prepare(tensor))


def test_a_posterior_is_cut_to_the_usable_part_and_chooses_only_observed_cells() -> None:
    """The empty prompt is left out; a cell that was not observed has draws but may not be chosen."""
    tensor = made([[NAN, NAN], [1.0, NAN], [1.0, 0.0]])
    posterior = Posterior("made up", np.arange(6.0).reshape(1, 3, 2), None, np.ones((3, 2), dtype=np.bool_))
    fitted = usable_posterior(posterior, tensor, prepare(tensor))
    assert fitted.quality.tolist() == [[[2.0, 3.0], [4.0, 5.0]]]
    assert fitted.may_choose.tolist() == [[True, False], [True, True]]


def test_repeated_names_are_refused() -> None:
    """Two models of one name would share their figures; the message names it."""
    quality = np.ones((1, 2, 1))
    with pytest.raises(InvalidInput, match="model 'a' is given twice"):
        prepare(Tensor(("p",), ("a", "a"), quality))
    with pytest.raises(InvalidInput, match="prompt 'p' is given twice"):
        prepare(Tensor(("p", "p"), ("a",), quality.reshape(2, 1, 1)))


def test_quality_outside_its_scale_is_refused_unless_declared() -> None:
    """Marks from 1 to 5 need a declared range."""
    marks = np.array([[[4.0], [5.0]]])
    with pytest.raises(InvalidInput, match=r"quality is 4\.0: give numbers from 0 to 1"):
        prepare(Tensor(("p",), ("a", "b"), marks))
    assert prepare(Tensor(("p",), ("a", "b"), marks, scale=(1.0, 5.0))).tensor.scale == (1.0, 5.0)
    assert prepare(Tensor(("p",), ("a", "b"), marks, scale=None)).tensor.scale is None
