"""The four ways in which a request to the exam service is turned away, in the words of Algorithm 1."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from assay.core.errors import Denied

if TYPE_CHECKING:
    from assay.exams.token import Claims


class Refusal(Enum):
    """A title with its HTTP status and what to do, in the order of the checks (seed 003, appendix F)."""

    UNAUTHORIZED = ("Unauthorized", 401, "this needs a valid token: get one with your user id and secret")
    EXPIRED = ("Token Expired", 401, "get a new token with your user id and secret")
    FORBIDDEN = ("Forbidden", 403, "this token does not allow that: ask an administrator what yours may do")
    SESSION = ("Session Invalid", 403, "the session is not yours, is over, or is another client's just now")

    def __init__(self, title: str, status: int, advice: str) -> None:
        self.title = title
        self.status = status
        self.advice = advice


class Refused(Denied):
    """A request that may not proceed. The text begins with the refusal's title and shows nothing sent.

    `claims` are those of a token that was proven to be this service's own, for the access log.
    """

    def __init__(self, refusal: Refusal, advice: str | None = None, *, claims: Claims | None = None) -> None:
        super().__init__(f"{refusal.title}: {advice or refusal.advice}", status=refusal.status)
        self.refusal = refusal
        self.title = refusal.title
        self.claims = claims
