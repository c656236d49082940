"""What the watch page shows."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from small_suite import make_suite

from assay.core.errors import InvalidInput
from assay.core.verdict import ModelState
from assay.report.watch_view import suite_view
from assay.runs.verdicts import Verdicts

MakeVerdicts = Callable[..., Verdicts]
MADE = datetime(2026, 3, 22, 6, tzinfo=UTC)


def test_the_header_counts_every_sample(verdicts: MakeVerdicts) -> None:
    """Judged ones by how they ended, and those that the gap rule left out."""
    made = verdicts(days=10, errors=[(0, 7)], ungraded=[1])
    view = suite_view(made, (0, 1), date(2026, 3, 11), MADE)
    counts = view.counts
    assert (counts.n, counts.ok, counts.ungraded, view.left_out) == (190, 95, 95, 10)
    assert (view.days, view.cases) == (10, 10)


def test_an_earlier_last_day_leaves_the_later_ones_out(verdicts: MakeVerdicts) -> None:
    """The page of the tenth day is what it was on the tenth day."""
    made = verdicts(days=20, falls={0: 12})
    view = suite_view(made, (0,), date(2026, 3, 11), MADE)
    assert view.counts.n == 100
    assert sum(len(week) for week in view.models[0].strip) == 10
    assert view.models[0].verdict.state is not ModelState.COOKED


def test_a_day_outside_the_history_is_refused(verdicts: MakeVerdicts) -> None:
    """With the days that there are."""
    with pytest.raises(InvalidInput, match="2026-03-02 to 2026-03-11"):
        suite_view(verdicts(days=10), (0,), date(2027, 1, 1), MADE)


def test_models_are_tallied_gravest_first(verdicts: MakeVerdicts) -> None:
    """By their state on the last day."""
    made = verdicts(days=14, models=("a/x", "a/y", "a/z"), falls={1: 12}, errors=[(2, 13)])
    tally = suite_view(made, (0, 1, 2), made.last_day, MADE).tally
    assert tally[0] == (ModelState.COOKED, 1)
    assert tally[-1] == (ModelState.GAP, 1)


def test_settings_of_one_name_are_told_apart(verdicts: MakeVerdicts) -> None:
    """A model whose pin changed is there twice."""
    made = verdicts(models=("a/x", "a/y", "a/x"))
    labels = [model.label for model in suite_view(made, (0, 1, 2), made.last_day, MADE).models]
    assert labels == ["a/x (settings 1 of 2)", "a/y", "a/x (settings 2 of 2)"]


@pytest.mark.parametrize(
    ("models", "simulated", "words"),
    [
        (("simulated/a", "simulated/b"), True, "Everything here is simulated"),
        (("simulated/a", "real/b"), True, "simulated/a"),
        (("imported/a",), True, "at least one run"),
        (("real/a",), False, None),
    ],
)
def test_it_says_what_is_simulated(
    verdicts: MakeVerdicts, models: tuple[str, ...], simulated: bool, words: str | None
) -> None:
    """All of it, the named models, or that it cannot tell which; nothing when nothing is."""
    made = verdicts(models=models, simulated=simulated)
    told = suite_view(made, range(len(models)), made.last_day, MADE).simulation
    assert (words is None and told is None) or (words is not None and words in (told or ""))


def test_flips_are_counted_by_direction(verdicts: MakeVerdicts) -> None:
    """As many as the verdict lists."""
    made = verdicts(days=12, falls={0: 11})
    each = suite_view(made, (0,), made.last_day, MADE).models[0].use_cases[0]
    assert each.fell == len(each.verdict.flips) > 0
    assert each.rose == 0


def test_titles_come_from_the_suite(verdicts: MakeVerdicts) -> None:
    """Use cases are shown by title, models by name."""
    suite = make_suite(full=1)
    named = replace(suite, use_cases=(replace(suite.use_cases[0], title="Sums"), suite.use_cases[1]))
    made = verdicts(suite=named, ungraded=[0])
    model = suite_view(made, (0,), made.last_day, MADE).models[0]
    assert [each.title for each in model.uncharted] == ["Sums"]
    assert model.reasons == (("5 of 5 samples ungraded", ("Sums",)),)


def test_the_latest_alarm_is_kept_in_sight(verdicts: MakeVerdicts) -> None:
    """The test begins anew after an alarm, so that the days after it look calm."""
    made = verdicts(days=60, falls={0: 30})
    alarms = [report for report in made.history(0) if report.sequential.alarm]
    view = suite_view(made, (0, 1), made.last_day, MADE)
    assert alarms
    assert view.models[0].alarm == alarms[-1]
    assert view.models[1].alarm is None
    before = alarms[0].verdict.day - timedelta(days=1)
    assert suite_view(made, (0,), before, MADE).models[0].alarm is None
