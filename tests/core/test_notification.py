"""Changes that somebody is told of."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from assay.core.notification import Notification
from assay.core.verdict import ModelState

CHANGE = Notification("p/m", "daily", "2.0.0", date(2026, 3, 31), ModelState.OK, ModelState.COOKED)


def test_the_same_change_has_the_same_event() -> None:
    """What it was before and what is noted beside it have no say: it is told once."""
    again = replace(CHANGE, before=ModelState.SUSPICIOUS, notes=("more",), simulated=True)
    assert again.event == CHANGE.event


def test_another_change_has_another_event() -> None:
    """Model, suite, version, day and new state each make one."""
    others = [
        replace(CHANGE, model="p/n"),
        replace(CHANGE, suite="other"),
        replace(CHANGE, suite_version="2.0.1"),
        replace(CHANGE, day=date(2026, 4, 1)),
        replace(CHANGE, after=ModelState.OK),
    ]
    assert len({each.event for each in (CHANGE, *others)}) == 6
