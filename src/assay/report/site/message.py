"""Pages without results: a message (what is not there, or why it cannot be shown), and the sign-in."""

from __future__ import annotations

from dataclasses import dataclass

from assay.report.frame import SiteFrame
from assay.report.site.style import site_page


@dataclass(frozen=True, slots=True)
class MessageView:
    """A heading and a sentence."""

    title: str
    text: str
    made: None = None


def message_page(title: str, text: str, site: SiteFrame) -> str:
    """Return the page of a message."""
    return site_page("site_message.html", MessageView(title, text), site)


@dataclass(frozen=True, slots=True)
class SignInView:
    """The form, the page that follows it, and what was wrong with the last try."""

    following: str
    problem: str
    possible: bool
    made: None = None


def sign_in_page(following: str, problem: str, site: SiteFrame, *, possible: bool = True) -> str:
    """Return the page. It is not `possible` to sign in where the environment has no secret."""
    return site_page("site_sign_in.html", SignInView(following, problem, possible), site)
