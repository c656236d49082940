"""A board's input says what is wrong with it."""

import numpy as np
import pytest
from boards import measured

from assay.core.errors import InvalidInput

MARKS = [[[4.0], [5.0]]]


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"latency": np.zeros((2, 2))}, "latency has shape (2, 2): give (1, 2)"),
        ({"judges": ("x", "y")}, "marks has shape (1, 2, 1): give (1, 2, 2)"),
        ({"geval": np.full((1, 2, 1), 1.5)}, "geval has the value 1.5"),
    ],
    ids=["shape", "judges", "geval"],
)
def test_refuses(changed: dict[str, object], says: str) -> None:
    """Shapes that disagree and values out of range are refused, with the value."""
    with pytest.raises(InvalidInput) as refused:
        measured(MARKS, **changed)
    assert says in str(refused.value)


@pytest.mark.parametrize("mark", [0.0, 7.0])
def test_refuses_a_mark_off_the_scale(mark: float) -> None:
    """A 7 of 5 is no mark: whoever read it should have said so."""
    with pytest.raises(InvalidInput, match=f"marks has the value {mark}"):
        measured([[[4.0], [mark]]])


def test_refuses_a_model_given_twice() -> None:
    """A name that stands twice is refused, not averaged without a word."""
    with pytest.raises(InvalidInput, match="model 'a' is given 2 times"):
        measured([[[4.0]], [[5.0]]], models=("a", "a"))
