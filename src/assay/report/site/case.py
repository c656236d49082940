"""A case's page: its prompt, and its scores for every model and day."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from assay.core.ask import Message
from assay.report.frame import SiteFrame
from assay.report.site.style import site_page
from assay.report.watch.page import simulation_of
from assay.runs.site.watched import CaseHistory, Watched, case_history

DAYS = 30
"""Days that the page shows."""


@dataclass(frozen=True, slots=True)
class CaseView:
    """A case's history with its prompt; `messages` is None for a private suite."""

    suite: str
    title: str
    use_case: str
    grading: str
    history: CaseHistory
    messages: tuple[Message, ...] | None
    simulation: str | None
    made: datetime


def case_page(watched: Watched, case: str, site: SiteFrame) -> str:
    """Return the page of a case. Raises NotFound for an unknown case, or a private one without the role."""
    history = case_history(watched, case, DAYS)
    stored = watched.verdicts.stored
    suite = stored.suite
    use_case = suite.use_case(history.use_case)
    hidden = watched.private and not site.reveal
    view = CaseView(
        suite=suite.name,
        title=suite.title,
        use_case=use_case.title,
        grading=use_case.grading,
        history=history,
        messages=None if hidden else next(one.messages for one in use_case.cases if one.id == case),
        simulation=simulation_of(watched.verdicts, range(len(history.models))),
        made=watched.changed_at,
    )
    return site_page("site_case.html", view, site)
