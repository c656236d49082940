"""Every planted fault of the benchmark's list is refused; sound questions are not."""

from __future__ import annotations

import random

import pytest

from assay.causal.draft import Unproved, proved
from assay.causal.proof.proof import Disagreement
from planted_faults import EFFECT, FAULTS, SOUND, WRONG, effect_draft, plant

QUESTIONS = 12


def test_there_are_many_kinds() -> None:
    """Of words, of numbers, of data, of routes and of keys."""
    assert len(FAULTS) >= 40


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_refused(name: str) -> None:
    """Wherever it changes a text, a key or a route, an error is raised."""
    planted, refused = plant(name, QUESTIONS)
    assert planted > 0
    assert refused == planted


def test_a_sound_question_is_proved() -> None:
    """By hand: the effect is 3/5 * 1/5 + 2/5 * 3/10 = 6/25, the first answer."""
    assert proved(SOUND) == 0


def test_what_is_wrong_is_said() -> None:
    """The messages of the two errors that stop a form."""
    with pytest.raises(Unproved, match="meant to be"):
        proved(effect_draft(WRONG[0], EFFECT, *WRONG[1:]))
    with pytest.raises(Disagreement, match=r"derived .* counted"):
        next(FAULTS["first route: seeing for setting"](random.Random(0)))()
