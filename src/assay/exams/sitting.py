"""What comes of sitting an exam: the receipts, how it ended, and what is handed in for a model's reply."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from assay.core.ask import ModelReply
from assay.core.errors import AssayError
from assay.exams.examiner_client import Receipt, Standing
from assay.store.runs import RunCounts

REPLACED: Final = "\ufffd"
LONGEST_REASON: Final = 64


@dataclass(slots=True)
class Tally:
    """What one call of `sit` did: answers bought and delivered from the ledger, and what was odd of them."""

    asked: int = 0
    reused: int = 0
    invalid: int = 0
    cut: int = 0
    refused: int = 0
    receipts: dict[int, Receipt] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Sitting:
    """How a sitting stands after one call of `sit`.

    `status` is `finished` when no question is left, else `stopped` for `reason`; `error` is what stopped it,
    None for a user. `counts` are those of the whole run. `tally.receipts` holds all receipts known, by
    position.
    """

    run: int
    session: str
    model: str
    status: str
    reason: str | None
    error: AssayError | None
    standing: Standing
    counts: RunCounts
    tally: Tally
    simulated: bool
    again: str


def read_receipts(plan: Mapping[str, Any]) -> dict[int, Receipt]:
    """Return the receipts that a sitting's plan holds, by position."""
    return {each[0]: Receipt(*each) for each in plan.get("receipts", ())}


def answer_body(reply: ModelReply, most_characters: int | None) -> dict[str, Any]:
    """Return what is handed in for a reply: its text, and tokens and seconds as they were metered.

    An invalid reply is handed in as an empty text with the reason; a text that is too long is cut, and
    U+0000, which no database keeps, is replaced.
    """
    text = (reply.text or "").replace("\x00", REPLACED)[:most_characters]
    why = reply.finish_reason or (None if reply.error is None else str(reply.error))
    metered = {
        "prompt_tokens": reply.usage.prompt,
        "completion_tokens": reply.usage.completion,
        "seconds": reply.latency,
        "finish_reason": why[:LONGEST_REASON] if why else None,
    }
    return {"text": text, **{name: value for name, value in metered.items() if value is not None}}
