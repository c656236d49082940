"""Why a reviewer's decision cannot be taken in: errors as values, raised for one, listed for a table."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from assay.core.errors import AssayError, Conflict, Denied, InvalidInput, NotFound
from assay.core.question import QuestionState
from assay.questions.screen import MECHANICAL, Decided, Decision
from assay.store.bank.reviewers import Reviewer
from assay.store.bank.reviews import Standing

DAY: Final = 86_400
LONGEST_REASON: Final = 2000
_KEPT: Final = MECHANICAL.partition(":")[0] + ":"


def refusal(who: Reviewer, decided: Decided, standing: Standing | None) -> AssayError | None:
    """Return what stands against a decision by itself, None for nothing."""
    if standing is None:
        return NotFound(f"the bank has no question {decided.uuid!r}")
    if not who.reads(standing.discipline):
        mine = ", ".join(who.disciplines)
        return Denied(f"{decided.uuid!r} is of {standing.discipline!r}, and {who.name!r} reads {mine}")
    return settled(standing) or _worded(decided)


def settled(standing: Standing) -> AssayError | None:
    """Return what tells that a question waits for no decision, None for one that does."""
    if standing.retired:
        return Conflict(f"{standing.uuid!r} was retired")
    if standing.state in (QuestionState.ACCEPTED, QuestionState.REJECTED):
        return Conflict(
            f"{standing.uuid!r} is {standing.state.value} already: an edit opens it again, "
            "`assay bank retire` takes it out"
        )
    return None


def repeated(who: Reviewer, standing: Standing, told: Mapping[int, object]) -> AssayError | None:
    """Return what tells that a reviewer has decided on this version of a question before."""
    if who.id not in told:
        return None
    return Conflict(f"{who.name!r} has decided on {standing.uuid!r} already: another reviewer is needed")


def capped(who: Reviewer) -> AssayError:
    """Return what tells that a reviewer has read enough for a day."""
    return Conflict(f"{who.name!r} has reached the daily cap of {who.daily_cap:,} (UTC): go on tomorrow")


def twice(decided: Decided, seen: Collection[str]) -> AssayError | None:
    """Return what tells that a table has decided on a question before."""
    if decided.uuid not in seen:
        return None
    return InvalidInput(f"{decided.uuid!r} is decided twice in this table: the first decision counts")


def _worded(decided: Decided) -> AssayError | None:
    reason = decided.reason.strip()
    if decided.decision is Decision.REJECT and not reason:
        return InvalidInput(f"the rejection of {decided.uuid!r} has no reason: give one")
    if reason.startswith(_KEPT):
        return InvalidInput(f"{reason[:40]!r} is kept for the mechanical screening: say what you saw")
    if len(reason) > LONGEST_REASON:
        return InvalidInput(f"the reason has {len(reason):,} characters: give at most {LONGEST_REASON:,}")
    if decided.seconds is not None and not 0 <= decided.seconds <= DAY:
        return InvalidInput(f"{decided.seconds!r} is no time for reading: give seconds, from 0 to {DAY}")
    return None
