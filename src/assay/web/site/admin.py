"""The administration of exams, for the owner."""

from __future__ import annotations

from assay.bank.review import day_start
from assay.exam.administration import administration
from assay.report.site.admin import admin_page
from assay.results.review import ReviewerWork, ReviewWork
from assay.store.bank.counts import count_states
from assay.store.bank.reviewers import list_reviewers, review_work
from assay.web.site.access import PageRole
from assay.web.site.routes import PageRequest, page_route


def admin(asked: PageRequest) -> str:
    """Return the page of the administration."""
    engine, now = asked.source.engine, asked.source.work.now().timestamp()
    work = review_work(engine, since=day_start(now))
    reviewers = [
        ReviewerWork(reviewer, work.get(reviewer.id, ReviewWork())) for reviewer in list_reviewers(engine)
    ]
    return admin_page(administration(engine, now=now), count_states(engine), reviewers, asked.site)


ROUTES = (page_route("/admin", admin, role=PageRole.OWNER),)
