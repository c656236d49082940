"""Several methods over one tensor: which are wanted, and what happens where one cannot be used."""

from __future__ import annotations

import numpy as np
import pytest

from assay.core.errors import InvalidInput
from assay.frontier.methods import registry
from assay.frontier.tensor import Tensor
from assay.studies.frontier.fitting import fit, wanted


def tensor() -> Tensor:
    """Return six prompts of quality outside 0-1, which the graphical model cannot take."""
    quality = np.random.default_rng(0).normal(50, 10, (6, 3, 3))
    return Tensor(tuple("abcdef"), ("x", "y", "z"), quality, scale=None)


def test_methods_are_named_once_in_their_order() -> None:
    """However they are given."""
    assert wanted(["bracket", "naive", "bracket"]) == ("naive", "bracket")


def test_all_leaves_out_what_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The graphical model needs an extra."""
    monkeypatch.setattr(registry, "find_spec", lambda name: None)
    assert wanted(["all"]) == ("naive", "power", "smooth", "mixture", "bracket")


def test_every_unknown_method_is_named() -> None:
    """Not only the first."""
    with pytest.raises(InvalidInput, match="'magic'") as caught:
        wanted(["magic", "naive", "luck"])
    assert len(caught.value.problems) == 2


@pytest.mark.slow
def test_a_method_that_cannot_be_used_is_an_error_alone_and_a_note_among_others() -> None:
    """The other methods' values stand, and each step is reported."""
    pytest.importorskip("numpyro")
    told: list[str] = []
    with pytest.raises(InvalidInput):
        fit(tensor(), ("pgm",), resamples=10, tell=told.append)
    naive, pgm = fit(tensor(), ("naive", "pgm"), resamples=10, tell=told.append)
    assert naive.quality.value is not None
    assert pgm.quality.value is None
    assert "0" in pgm.notes[0]
    assert told[-1] == "method pgm"
