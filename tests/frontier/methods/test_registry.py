"""Every registered method has the common shape."""

from __future__ import annotations

import numpy as np
import pytest

from assay.core.errors import InvalidInput
from assay.frontier.methods.method import SweepRequest
from assay.frontier.methods.registry import METHODS, deciding, method_named
from assay.frontier.oracle import gather
from assay.frontier.sweep.decisions import PhiRule, scale_of
from assay.frontier.tensor import Tensor


def small() -> Tensor:
    """Return eight prompts, two models, six generations, with costs."""
    rng = np.random.default_rng(3)
    quality = rng.integers(0, 2, (8, 2, 6)).astype(float)
    return Tensor(tuple("pqrstuvw"), ("a", "b"), quality, cost=rng.uniform(1.0, 2.0, quality.shape))


@pytest.mark.parametrize("name", METHODS)
def test_a_method_is_registered_under_its_name_with_its_needs(name: str) -> None:
    """100 generations are enough for every method."""
    method = method_named(name)
    assert method.name == name
    assert method.unmet_need(100) is None
    assert method.cost_estimator


@pytest.mark.parametrize("name", [name for name in METHODS if not method_named(name).modelled])
def test_a_method_without_a_model_values_the_oracle_and_the_curve(name: str) -> None:
    """Nothing is fitted; the curve has a column for each alpha."""
    method, tensor = method_named(name), small()
    assert method.fit(tensor, seed=0) is None
    value = method.value(gather(tensor, resamples=5), None)
    assert value.quality is not None or value.upper is not None
    rule = PhiRule(scale_of(tensor.quality, tensor.cost))
    reached = method.curve(SweepRequest(tensor, rule, np.array([0.0, 0.5, 1.0]), seed=0))
    assert reached.estimate()[0].shape == (1, 3)


def test_an_unknown_method_is_refused_with_the_names_that_exist() -> None:
    """Users read this message."""
    with pytest.raises(InvalidInput, match="unknown method 'magic': use one of naive, power, smooth"):
        method_named("magic")


def test_the_methods_that_decide_are_listed_as_in_a_sentence() -> None:
    """Messages use this list."""
    assert deciding("or") == "naive, mixture or pgm"
