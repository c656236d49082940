"""The page on which readers sign in."""

from __future__ import annotations

from dataclasses import dataclass

from assay.report.frame import SiteFrame
from assay.report.inline import render_page
from assay.report.site.style import FILTERS, STYLES


@dataclass(frozen=True, slots=True)
class SignInView:
    """The form, the page that follows it, and what was wrong with the last try."""

    following: str
    problem: str
    possible: bool
    made: None = None


def sign_in_page(following: str, problem: str, site: SiteFrame, *, possible: bool = True) -> str:
    """Return the page. It is not `possible` to sign in where the environment has no secret."""
    return render_page(
        "site_sign_in.html",
        SignInView(following, problem, possible),
        None,
        styles=STYLES,
        scripts=("page.js", "site.js"),
        filters=FILTERS,
        site=site,
        charts=False,
    )
