"""A model's days as lettered marks."""

from collections.abc import Callable
from itertools import chain

from assay.core.verdict import UseCaseState as State
from assay.report.watch.strip import LETTERS, first_day, strip
from assay.runs.watch.verdicts import Verdicts

MakeVerdicts = Callable[..., Verdicts]


def test_each_state_has_its_own_letter() -> None:
    """Colour is never the only sign."""
    assert set(LETTERS) == set(State)
    assert len(set(LETTERS.values())) == len(LETTERS)


def test_one_mark_a_day_in_weeks(verdicts: MakeVerdicts) -> None:
    """Ten days from a Monday on are a week of seven marks and one of three."""
    made = verdicts(days=10)
    assert [len(week) for week in strip(made.judgement, 0, 9, {})] == [7, 3]


def test_a_mark_says_its_day_state_and_denominators(verdicts: MakeVerdicts) -> None:
    """With the reason where the day could not be judged."""
    marks = list(chain(*strip(verdicts(days=10, errors=[(0, 6)]).judgement, 0, 9, {6: "10 of 10 errored"})))
    assert marks[6].letter == "–"
    assert marks[6].text.splitlines() == [
        "2026-03-08: GAP",
        "10 of 10 errored",
        "n 0: 0 ok, 0 invalid, 0 error, 0 ungraded",
    ]
    assert marks[7].text.splitlines()[-1] == "n 10: 10 ok, 0 invalid, 0 error, 0 ungraded"


def test_a_fallen_day_names_the_use_cases(verdicts: MakeVerdicts) -> None:
    """Those that are cooked and those that are suspicious, by name."""
    marks = list(chain(*strip(verdicts(days=12, falls={0: 10}).judgement, 0, 11, {})))
    assert marks[11].name == "cooked"
    assert "cooked: use-0, use-1" in marks[11].text


def test_days_before_a_model_was_measured_are_blank(verdicts: MakeVerdicts) -> None:
    """They are not gaps, because nothing was asked."""
    made = verdicts(days=8, absent=[(0, 0), (0, 1)])
    marks = list(chain(*strip(made.judgement, 0, 7, {})))
    assert first_day(made.judgement, 0) == 2
    assert [(mark.state, mark.letter) for mark in marks[:2]] == [(None, "")] * 2
    assert "not measured yet" in marks[0].text


def test_many_days_become_weeks_that_show_their_worst_day(verdicts: MakeVerdicts) -> None:
    """A collapse from Friday on is the week's state, with its dates, although Thursday was better."""
    made = verdicts(days=365, falls={0: 361})
    marks = list(chain(*strip(made.judgement, 0, 364, {})))
    assert len(marks) == 53
    assert made.judgement.states[0, 357] < State.COOKED
    assert marks[-2].state == State.COOKED
    lines = marks[-2].text.splitlines()
    assert lines[0] == "Week of 2027-02-22: COOKED at worst"
    assert lines[2].startswith("COOKED on ") and lines[2].endswith("2027-02-26, 2027-02-27, 2027-02-28")
    assert lines[3] == "70 samples attempted"
