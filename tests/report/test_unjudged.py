"""Why days could not be judged."""

from collections.abc import Callable

from assay.report.unjudged import reasons, stretches
from assay.runs.verdicts import Verdicts

MakeVerdicts = Callable[..., Verdicts]


def test_consecutive_days_of_one_reason_are_one_stretch(verdicts: MakeVerdicts) -> None:
    """Five calibrating days are told once, an outage apart, newest first."""
    made = verdicts(days=12, errors=[(0, 8)])
    told = stretches(made, 0, 11, reasons(made, 0, 11))
    assert [(str(each.first), each.days, each.reason) for each in told] == [
        ("2026-03-10", 1, "10 of 10 samples errored"),
        ("2026-03-02", 5, "no use case has the 5 days that a baseline needs"),
    ]


def test_the_same_reason_on_days_apart_is_told_twice(verdicts: MakeVerdicts) -> None:
    """A day in between was judged."""
    made = verdicts(days=12, errors=[(0, 8), (0, 10)])
    told = [each for each in stretches(made, 0, 11, reasons(made, 0, 11)) if "errored" in each.reason]
    assert [each.days for each in told] == [1, 1]


def test_days_answered_from_elsewhere_are_told(verdicts: MakeVerdicts) -> None:
    """They are gaps, and the reader is told why."""
    made = verdicts(days=12, elsewhere=[(1, 10), (1, 11)])
    assert set(reasons(made, 1, 11)) == {0, 1, 2, 3, 4, 10, 11}
    assert "another provider than the pin" in reasons(made, 1, 11)[10]


def test_it_agrees_with_every_day_report(verdicts: MakeVerdicts) -> None:
    """The short way round gives what wording all days would give."""
    made = verdicts(days=15, errors=[(0, 3), (0, 8)], elsewhere=[(0, 11)], absent=[(0, 0), (0, 6)])
    whole = {
        (report.verdict.day - made.stored.history.first).days: report.verdict.reason
        for report in made.history(0)
        if report.verdict.reason
    }
    assert reasons(made, 0, 14) == whole


def test_a_use_case_left_as_it_was_is_named(verdicts: MakeVerdicts) -> None:
    """It looked suspicious without the evidence of a full re-run."""
    made = verdicts(days=12, falls={0: 10}, full=3)
    thin = [each for each in stretches(made, 0, 11, reasons(made, 0, 11)) if each.use_cases]
    assert thin[0].use_cases == ("use-0", "use-1")
    assert "re-run left 5 of 15 samples scored" in thin[0].reason
