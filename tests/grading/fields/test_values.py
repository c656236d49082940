"""Dates as text."""

from datetime import date

import pytest
from every_row import every_row
from hypothesis import given
from hypothesis import strategies as st

from assay.grading.fields.values import read_date

MAY = date(2024, 5, 17)


@every_row(
    "text",
    [
        "17 May 2024",
        "17th of May 2024",
        "May 17, 2024",
        "May 17th 2024",
        "17. Mai 2024",
        "17 mai 2024",
        "17 de mayo de 2024",
        "17-May-2024",
        "17.05.2024",
        "17.5.2024",
        "2024/05/17",
        "20240517",
        "17/05/2024",
        "05/17/2024",
    ],
)
def test_unambiguous_dates_are_read_where_declared_and_not_else(text: str) -> None:
    """Month names, dots and impossible months leave one reading; by default only ISO counts."""
    assert read_date(text, ["unambiguous"]) == MAY
    assert isinstance(read_date(text), str)


def test_exchangeable_day_and_month_are_ambiguous() -> None:
    """05/06/2024 is no date until the order is declared."""
    assert "ambiguous" in str(read_date("05/06/2024", ["unambiguous"]))
    assert read_date("05/06/2024", ["dmy"]) == date(2024, 6, 5)
    assert read_date("05/06/2024", ["mdy"]) == date(2024, 5, 6)


def test_the_same_day_and_month_are_not_ambiguous() -> None:
    """05/05/2024 has one reading."""
    assert read_date("05/05/2024", ["unambiguous"]) == date(2024, 5, 5)


@pytest.mark.parametrize(
    "text", ["30 February 2024", "2024-13-01", "31/04/2024", "17 Maybe 2024", "May 2024", "", "tomorrow"]
)
def test_what_is_no_day_is_refused_with_a_reason(text: str) -> None:
    """Impossible days and vague words are not bent into a date."""
    assert isinstance(read_date(text, ["unambiguous"]), str)


@given(st.dates())
def test_iso_round_trips(day: date) -> None:
    """Every day reads back from its ISO form."""
    assert read_date(day.isoformat()) == day


@given(
    st.dates(date(1000, 1, 1)), st.sampled_from(["%d %B %Y", "%B %d, %Y", "%d.%m.%Y", "%Y/%m/%d", "%Y%m%d"])
)
def test_unambiguous_forms_round_trip(day: date, form: str) -> None:
    """Every day reads back from each unambiguous form."""
    assert read_date(day.strftime(form), ["unambiguous"]) == day
