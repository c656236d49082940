"""The watch's page as text: all evidence, escaped, and no reference to another file."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from html import unescape

import pytest
from small_suite import make_suite

from assay.core.errors import InvalidInput
from assay.core.suite import Suite
from assay.core.verdict import ModelState, StateReason
from assay.report.bundle import vega_bundle
from assay.report.inline import content_policy
from assay.report.watch.page import reasons, suite_view, unjudged_days, watch_page
from assay.runs.watch.verdicts import Verdicts

MakeVerdicts = Callable[..., Verdicts]
MADE = datetime(2026, 3, 22, 6, 30, tzinfo=UTC)


def markup(page: str) -> str:
    """Return the page without its scripts and styles."""
    return re.sub(r"<(script|style).*?</\1>", "", page, flags=re.S)


def body(page: str) -> str:
    """Return what a reader sees of the page, as one line of plain text."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", markup(page))).split())


def test_the_header_describes_the_page(verdicts: MakeVerdicts) -> None:
    """Suite, version, digest, days, when it was made, and that it is simulated."""
    made = verdicts(simulated=True)
    text = body(watch_page(made, made=MADE))
    for words in (
        "Small small 1",
        "Simulated. Everything here is simulated",
        "2026-03-02 to 2026-03-21 (20, UTC)",
        "2026-03-22 06:30 UTC",
        made.stored.suite.digest,
        "n 400: 400 ok, 0 invalid, 0 error, 0 ungraded",
    ):
        assert words in text


def test_real_models_are_not_called_simulated(verdicts: MakeVerdicts) -> None:
    """The word is not on the page."""
    assert "imulated" not in body(watch_page(verdicts(models=("real/a",)), made=MADE))


def test_the_evidence_is_that_of_the_day_report(verdicts: MakeVerdicts) -> None:
    """Score, baseline, drop and flipped cases of a collapsed use case."""
    made = verdicts(days=14, falls={0: 13})
    verdict = made.day(0, made.last_day).verdict.use_cases[0]
    assert verdict.baseline is not None and verdict.baseline.drop is not None and verdict.flips
    text = body(watch_page(made, made=MADE, models=[0]))
    assert f"{verdict.score:.1f}" in text
    assert f"{verdict.baseline.mean:.1f} ± {verdict.baseline.spread:.1f}" in text
    assert f"{100 * verdict.baseline.drop:.0f} %" in text
    assert all(
        f"{flip.case} {100 * flip.before:.0f} → {100 * flip.after:.0f}" in text for flip in verdict.flips
    )


def test_only_the_chosen_models_and_days_are_in_it(verdicts: MakeVerdicts) -> None:
    """Nothing of the other model, and nothing after the day."""
    page = watch_page(verdicts(models=("a/one", "a/two")), made=MADE, models=[1], day=date(2026, 3, 11))
    assert "a/two" in page
    assert "a/one" not in page
    assert "2026-03-12" not in page


@pytest.mark.slow
def test_an_outage_is_shown_with_its_denominator(verdicts: MakeVerdicts) -> None:
    """The last day is a gap: the page shows how many of its samples errored."""
    made = verdicts(days=10, errors=[(0, 9)])
    text = body(watch_page(made, made=MADE, models=[0]))
    assert "10 of 10 samples errored" in text
    assert "1 run left out because of an outage" in text


@pytest.mark.slow
def test_the_sequential_test_says_that_it_calibrates(verdicts: MakeVerdicts) -> None:
    """Before the first bet there is no evidence to show; afterwards it is shown with its days."""
    assert "calibrating, 5 of 7 scored days" in body(watch_page(verdicts(days=5), made=MADE))
    assert "of an alarm, after 9 scored days" in body(watch_page(verdicts(days=9), made=MADE))


def test_names_are_escaped(verdicts: MakeVerdicts) -> None:
    """Markup and quotes in a model's name are shown as they were written."""
    name = "simulated/<script>alert(1)</script>"
    page = watch_page(verdicts(models=(name, "a/\"><img src=x onerror='alert(2)'>")), made=MADE)
    assert name in body(page)
    assert "<script>alert" not in page
    assert "<img" not in markup(page)


def test_the_policy_has_the_hashes_of_scripts_and_style(verdicts: MakeVerdicts) -> None:
    """The hashes are those of the page's scripts and style, byte for byte."""
    page = watch_page(verdicts(), made=MADE)
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', page)
    scripts = re.findall(r'<script type="module">(.*?)</script>', page, flags=re.S)
    styles = re.findall(r"<style>(.*?)</style>", page, flags=re.S)
    assert scripts[0] == vega_bundle()
    assert policy is not None
    assert unescape(policy.group(1)) == content_policy(scripts, styles)


def test_the_page_links_only_to_itself(verdicts: MakeVerdicts) -> None:
    """All addresses are on the page, and it has no attribute that a strict policy refuses."""
    page = markup(watch_page(verdicts(), made=MADE))
    assert set(re.findall(r'(?:href|src)="([^"#]*)', page)) <= {"", "data:,"}
    assert not re.findall(r'\s(?:style|on\w+)="', page)


def test_a_private_suite_shows_scores_and_no_case(verdicts: MakeVerdicts, private_suite: Suite) -> None:
    """Flips are counted, and the cases that flipped are not named, in the text or in the data."""
    page = watch_page(verdicts(days=14, falls={0: 13}, suite=private_suite), made=MADE, models=[0])
    assert "secret" not in page
    assert "The suite is private" in body(page)
    assert re.search(r"(\d+) cases fell", body(page))


def test_the_same_results_make_the_same_page(verdicts: MakeVerdicts) -> None:
    """Nothing in it depends on the clock or on chance."""
    assert watch_page(verdicts(), made=MADE) == watch_page(verdicts(), made=MADE)


def test_a_month_of_six_models_is_a_small_page(verdicts: MakeVerdicts) -> None:
    """Ten use cases, 30 days: under 3 MB, and its data reads as JSON."""
    models = [f"a/model-{number}" for number in range(6)]
    page = watch_page(verdicts(days=30, models=models, suite=make_suite(use_cases=10, full=1)), made=MADE)
    assert len(page.encode()) < 3_000_000
    data = re.search(r'id="data">(.*?)</script>', page, flags=re.S)
    assert data is not None
    assert set(json.loads(data.group(1))["models"]) == set("012345")


@pytest.mark.slow
def test_a_year_of_twenty_models_is_shown_by_the_week(verdicts: MakeVerdicts) -> None:
    """53 marks a model, every day still in the charts' data."""
    models = [f"a/model-{number}" for number in range(20)]
    page = watch_page(verdicts(days=365, models=models, suite=make_suite(use_cases=10, full=1)), made=MADE)
    assert page.count('<button type="button"') == 20 * 53
    assert "One mark per week" in body(page)


def test_a_few_snapshots_refer_to_compare(verdicts: MakeVerdicts) -> None:
    """For two days three weeks apart, the page shows the command instead of three weeks of gaps."""
    made = verdicts(days=22, models=("real/a",), absent=[(0, day) for day in range(1, 21)])
    text = body(watch_page(made, made=MADE))
    assert "assay compare" in text
    assert "no samples this day" not in text


def test_the_header_counts_every_sample(verdicts: MakeVerdicts) -> None:
    """Judged samples by status, and those that the gap rule left out."""
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
    """The message has the first and last day of the history."""
    with pytest.raises(InvalidInput, match="2026-03-02 to 2026-03-11"):
        suite_view(verdicts(days=10), (0,), date(2027, 1, 1), MADE)


def test_states_are_counted_most_serious_first(verdicts: MakeVerdicts) -> None:
    """By their state on the last day."""
    made = verdicts(days=14, models=("a/x", "a/y", "a/z"), falls={1: 12}, errors=[(2, 13)])
    tally = suite_view(made, (0, 1, 2), made.last_day, MADE).tally
    assert tally[0] == (ModelState.COOKED, 1)
    assert tally[-1] == (ModelState.GAP, 1)


def test_settings_of_one_name_are_numbered(verdicts: MakeVerdicts) -> None:
    """A model whose pin changed is there twice."""
    made = verdicts(models=("a/x", "a/y", "a/x"))
    labels = [model.label for model in suite_view(made, (0, 1, 2), made.last_day, MADE).models]
    assert labels == ["a/x (settings 1 of 2)", "a/y", "a/x (settings 2 of 2)"]


@pytest.mark.parametrize(
    ("models", "simulated", "words"),
    [
        (("simulated/a", "simulated/b"), True, "Everything here is simulated"),
        (("simulated/a", "real/b"), True, "simulated/a"),
        (("imported/a",), True, "At least one run"),
        (("real/a",), False, None),
    ],
)
def test_it_says_what_is_simulated(
    verdicts: MakeVerdicts, models: tuple[str, ...], simulated: bool, words: str | None
) -> None:
    """Everything, the named models, or at least one run; there is no notice without simulated data."""
    made = verdicts(models=models, simulated=simulated)
    notice = suite_view(made, range(len(models)), made.last_day, MADE).simulation
    assert (words is None and notice is None) or (words is not None and words in (notice or ""))


def test_flips_are_counted_by_direction(verdicts: MakeVerdicts) -> None:
    """As many as the verdict lists."""
    made = verdicts(days=12, falls={0: 11})
    use_case = suite_view(made, (0,), made.last_day, MADE).models[0].use_cases[0]
    assert use_case.fell == len(use_case.verdict.flips) > 0
    assert use_case.rose == 0


def test_titles_come_from_the_suite(verdicts: MakeVerdicts) -> None:
    """Use cases are shown by title, models by name."""
    suite = make_suite(full=1)
    named = replace(suite, use_cases=(replace(suite.use_cases[0], title="Sums"), suite.use_cases[1]))
    made = verdicts(suite=named, ungraded=[0])
    model = suite_view(made, (0,), made.last_day, MADE).models[0]
    assert [use_case.title for use_case in model.uncharted] == ["Sums"]
    assert model.reasons == (("5 of 5 samples ungraded", ("Sums",)),)


def test_the_latest_alarm_remains_on_the_page(verdicts: MakeVerdicts) -> None:
    """The test restarts after an alarm, so the days after it have little evidence."""
    made = verdicts(days=60, falls={0: 30})
    alarms = [report for report in made.history(0) if report.sequential.alarm]
    view = suite_view(made, (0, 1), made.last_day, MADE)
    assert alarms
    assert view.models[0].alarm == alarms[-1]
    assert view.models[1].alarm is None
    before = alarms[0].verdict.day - timedelta(days=1)
    assert suite_view(made, (0,), before, MADE).models[0].alarm is None


def test_consecutive_days_with_one_reason_are_merged(verdicts: MakeVerdicts) -> None:
    """Five calibrating days are one entry, an outage is another; newest first."""
    made = verdicts(days=12, errors=[(0, 8)])
    unjudged = unjudged_days(made, 0, 11, reasons(made, 0, 11))
    assert [(str(days.first), days.days, days.reason) for days in unjudged] == [
        ("2026-03-10", 1, "10 of 10 samples errored"),
        ("2026-03-02", 5, "no use case has the 5 scored days that a baseline needs"),
    ]


def test_a_reason_on_separate_days_has_two_entries(verdicts: MakeVerdicts) -> None:
    """A day in between was judged."""
    made = verdicts(days=12, errors=[(0, 8), (0, 10)])
    unjudged = unjudged_days(made, 0, 11, reasons(made, 0, 11))
    assert [days.days for days in unjudged if "errored" in days.reason] == [1, 1]


def test_days_answered_by_another_provider_have_a_reason(verdicts: MakeVerdicts) -> None:
    """They are gaps, and the reason names the pin."""
    made = verdicts(days=12, elsewhere=[(1, 10), (1, 11)])
    assert set(reasons(made, 1, 11)) == {0, 1, 2, 3, 4, 10, 11}
    assert "another provider than the pin" in reasons(made, 1, 11)[10]


def test_it_agrees_with_every_day_report(verdicts: MakeVerdicts) -> None:
    """The shortcut gives the same reasons as reading every day's report."""
    made = verdicts(days=15, errors=[(0, 3), (0, 8)], elsewhere=[(0, 11)], absent=[(0, 0), (0, 6)])
    whole = {
        (report.verdict.day - made.stored.history.first).days: report.verdict.reason
        for report in made.history(0)
        if report.verdict.reason
    }
    assert reasons(made, 0, 14) == whole


def test_an_underpowered_use_case_is_named(verdicts: MakeVerdicts) -> None:
    """It looked suspicious, but the re-run scored too few samples."""
    made = verdicts(days=12, falls={0: 10}, full=3)
    underpowered = [days for days in unjudged_days(made, 0, 11, reasons(made, 0, 11)) if days.use_cases]
    assert underpowered[0].use_cases == ("use-0", "use-1")
    assert "only 5 of 15 samples are scored after the re-run" in underpowered[0].reason


def test_the_states_and_reasons_shown_are_explained(verdicts: MakeVerdicts) -> None:
    """Every state and each reason of the last day with its meaning; tooltips hold the first sentence."""
    made = verdicts(days=3)
    page = watch_page(made, made=MADE, models=[0])
    text = body(page)
    for state in ModelState:
        assert state.help.meaning.replace("`", "") in text
    assert StateReason.FEW_DAYS.help.meaning in text
    assert StateReason.ERRORS.help.meaning not in text
    assert f'title="{ModelState.CALIBRATING.help.summary}"' in page
