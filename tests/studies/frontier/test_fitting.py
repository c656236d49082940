"""The oracle by several methods: the choice of methods, and a method that cannot be used."""

from __future__ import annotations

import numpy as np
import pytest

from assay.core.errors import InvalidInput
from assay.frontier.methods import registry
from assay.frontier.tensor import Tensor
from assay.studies.frontier.fitting import choose_methods, fit


def tensor() -> Tensor:
    """Return six prompts of quality outside 0-1, which the graphical model cannot take."""
    quality = np.random.default_rng(0).normal(50, 10, (6, 3, 3))
    return Tensor(tuple("abcdef"), ("x", "y", "z"), quality, scale=None)


def test_methods_are_named_once_in_their_order() -> None:
    """The order and repetition of the names do not matter."""
    assert choose_methods(["bracket", "naive", "bracket"]) == ("naive", "bracket")


def test_all_leaves_out_what_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The graphical model needs an extra."""
    monkeypatch.setattr(registry, "find_spec", lambda name: None)
    assert choose_methods(["all"]) == ("naive", "power", "smooth", "mixture", "bracket")


def test_every_unknown_method_is_named() -> None:
    """The error has a problem for each unknown name."""
    with pytest.raises(InvalidInput, match="'magic'") as caught:
        choose_methods(["magic", "naive", "luck"])
    assert len(caught.value.problems) == 2


@pytest.mark.slow
def test_a_method_that_cannot_be_used_is_an_error_alone_and_a_note_among_others() -> None:
    """The other methods have their values, and each step is reported."""
    pytest.importorskip("numpyro")
    steps: list[str] = []
    with pytest.raises(InvalidInput):
        fit(tensor(), ("pgm",), resamples=10, progress=steps.append)
    naive, pgm = fit(tensor(), ("naive", "pgm"), resamples=10, progress=steps.append)
    assert naive.quality.value is not None
    assert pgm.quality.value is None
    assert "0" in pgm.notes[0]
    assert steps[-1] == "method pgm"
