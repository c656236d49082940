"""The watch's page as text: all of the evidence, escaped, and nothing from outside."""

import json
import re
from collections.abc import Callable
from datetime import UTC, date, datetime
from html import unescape

import pytest
from small_suite import make_suite

from assay.core.suite import Suite
from assay.report.bundle import vega_bundle
from assay.report.inline import content_policy
from assay.report.watch_page import watch_page
from assay.runs.verdicts import Verdicts

MakeVerdicts = Callable[..., Verdicts]
MADE = datetime(2026, 3, 22, 6, 30, tzinfo=UTC)


def markup(page: str) -> str:
    """Return the page without its scripts and styles."""
    return re.sub(r"<(script|style).*?</\1>", "", page, flags=re.S)


def body(page: str) -> str:
    """Return what a reader sees of the page, as one line of plain text."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", markup(page))).split())


def test_the_header_says_what_this_is(verdicts: MakeVerdicts) -> None:
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


def test_nothing_is_called_simulated_that_is_not(verdicts: MakeVerdicts) -> None:
    """The word stands nowhere."""
    assert "imulated" not in body(watch_page(verdicts(models=("real/a",)), made=MADE))


def test_the_evidence_is_that_of_the_day_report(verdicts: MakeVerdicts) -> None:
    """Score, baseline, drop and flipped cases of a collapsed use case."""
    made = verdicts(days=14, falls={0: 13})
    found = made.day(0, made.last_day).verdict.use_cases[0]
    assert found.baseline is not None and found.baseline.drop is not None and found.flips
    text = body(watch_page(made, made=MADE, models=[0]))
    assert f"{found.score:.1f}" in text
    assert f"{found.baseline.mean:.1f} ± {found.baseline.spread:.1f}" in text
    assert f"{100 * found.baseline.drop:.0f} %" in text
    assert all(
        f"{flip.case} {100 * flip.before:.0f} → {100 * flip.after:.0f}" in text for flip in found.flips
    )


def test_only_the_chosen_models_and_days_are_in_it(verdicts: MakeVerdicts) -> None:
    """Nothing of the other model, and nothing after the day."""
    page = watch_page(verdicts(models=("a/one", "a/two")), made=MADE, models=[1], day=date(2026, 3, 11))
    assert "a/two" in page
    assert "a/one" not in page
    assert "2026-03-12" not in page


def test_an_outage_is_told_with_its_denominator(verdicts: MakeVerdicts) -> None:
    """The last day is a gap: what errored of how many, and that no score came of it."""
    made = verdicts(days=10, errors=[(0, 9)])
    text = body(watch_page(made, made=MADE, models=[0]))
    assert "10 of 10 samples errored" in text
    assert "1 run left out as an outage" in text


def test_the_sequential_test_says_that_it_calibrates(verdicts: MakeVerdicts) -> None:
    """Before the first bet there is no evidence to show; afterwards it is shown with its days."""
    assert "calibrating, 5 of 7 scored days" in body(watch_page(verdicts(days=5), made=MADE))
    assert "of an alarm, after 9 scored days" in body(watch_page(verdicts(days=9), made=MADE))


def test_what_is_typed_by_others_is_only_text(verdicts: MakeVerdicts) -> None:
    """A model's name and a case's id with markup and quotes arrive as they are written."""
    name = "simulated/<script>alert(1)</script>"
    page = watch_page(verdicts(models=(name, "a/\"><img src=x onerror='alert(2)'>")), made=MADE)
    assert name in body(page)
    assert "<script>alert" not in page
    assert "<img" not in markup(page)


def test_the_policy_covers_exactly_what_the_page_holds(verdicts: MakeVerdicts) -> None:
    """The hashes are those of the scripts and the style that are in it, byte for byte."""
    page = watch_page(verdicts(), made=MADE)
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', page)
    scripts = re.findall(r'<script type="module">(.*?)</script>', page, flags=re.S)
    styles = re.findall(r"<style>(.*?)</style>", page, flags=re.S)
    assert scripts[0] == vega_bundle()
    assert policy is not None
    assert unescape(policy.group(1)) == content_policy(scripts, styles)


def test_it_points_at_nothing_outside(verdicts: MakeVerdicts) -> None:
    """No address but places on the page itself; no attribute that a strict policy would refuse."""
    page = markup(watch_page(verdicts(), made=MADE))
    assert set(re.findall(r'(?:href|src)="([^"#]*)', page)) <= {"", "data:,"}
    assert not re.findall(r'\s(?:style|on\w+)="', page)


def test_a_private_suite_shows_scores_and_no_case(verdicts: MakeVerdicts, private_suite: Suite) -> None:
    """Flips are counted, and the cases that flipped are not named, in the text or in the data."""
    page = watch_page(verdicts(days=14, falls={0: 13}, suite=private_suite), made=MADE, models=[0])
    assert "secret" not in page
    assert "the suite is private" in body(page)
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
    assert "One mark a week" in body(page)


def test_a_few_snapshots_point_to_compare(verdicts: MakeVerdicts) -> None:
    """Two days three weeks apart: the command stands in the place of three weeks of gaps."""
    made = verdicts(days=22, models=("real/a",), absent=[(0, day) for day in range(1, 21)])
    text = body(watch_page(made, made=MADE))
    assert "assay compare" in text
    assert "no samples this day" not in text
