"""How many questions of each discipline an exam holds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.core.errors import InvalidInput
from assay.questions.draw import REPORTED, allocation, proportional, ten_subjects


def test_an_exam_of_a_thousand_has_a_hundred_of_each_subject() -> None:
    """The ten subjects of the seed's table 7."""
    assert ten_subjects(1000) == dict.fromkeys(REPORTED, 100)


@pytest.mark.parametrize("n", [0, 5, 1001])
def test_what_ten_does_not_divide_is_refused(n: int) -> None:
    """Unequal subjects would make S another quantity."""
    with pytest.raises(InvalidInput, match=f"n is {n}"):
        ten_subjects(n)


def test_proportional_follows_the_bank_by_largest_remainders() -> None:
    """10 of 50, 30 and 20 families: 5, 3, 2; of 55, 30 and 15 the halves go by remainder, then by name."""
    assert proportional(10, {"law": 50, "history": 30, "arts": 20}) == {"law": 5, "history": 3, "arts": 2}
    assert proportional(10, {"law": 55, "history": 30, "arts": 15}) == {"arts": 2, "history": 3, "law": 5}


@given(
    sizes=st.dictionaries(st.sampled_from(REPORTED), st.integers(1, 500), min_size=1), share=st.floats(0, 1)
)
def test_proportional_shares_add_up_and_never_pass_the_bank(sizes: dict[str, int], share: float) -> None:
    """Whatever the bank: n in all, and no more of a discipline than it has."""
    n = max(1, int(share * sum(sizes.values())))
    found = proportional(n, sizes)
    assert sum(found.values()) == n
    assert all(count <= sizes[name] for name, count in found.items())


def test_counts_can_be_written_out() -> None:
    """They need no n, and must add up to one that is given."""
    sizes = {"law": 9, "history": 9}
    assert allocation("law=3, history=2", None, sizes=sizes) == {"law": 3, "history": 2}
    with pytest.raises(InvalidInput, match="the sum of the counts is 5"):
        allocation("law=3,history=2", 6, sizes=sizes)


@pytest.mark.parametrize("written", ["law", "law=0", "law=x", "law=1,law=2", "alchemy=3", "=3"])
def test_what_cannot_be_read_is_shown(written: str) -> None:
    """With what could have been written."""
    with pytest.raises(InvalidInput):
        allocation(written, 10, sizes={"law": 9})
