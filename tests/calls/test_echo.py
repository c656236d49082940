"""An endpoint that repeats a sealed ask brings no key into the ledger or onto the screen."""

from __future__ import annotations

import json

import pytest

from assay.calls.echo import WITHHELD, told_of
from assay.core.ask import CallStatus, ErrorKind, Message, ModelAsk, ModelReply

KEY = "It follows from 条约 that\nthe harbour froze."
ASK = ModelAsk("judge", "a/b", (Message("user", f"The key: {KEY} Mark it."),), sealed=True)
OPEN = ModelAsk("judge", "a/b", ASK.messages)


def failed(detail: str, error: ErrorKind = ErrorKind.REFUSED) -> ModelReply:
    """Return a failed call."""
    return ModelReply(CallStatus.ERROR, error=error, detail=detail, http_status=400)


@pytest.mark.parametrize(
    "said",
    [KEY, f"bad input: {json.dumps(KEY)}", json.dumps(json.dumps(KEY)), "cut short: the harbour fro"],
    ids=["plain", "escaped", "escaped twice", "cut short"],
)
def test_what_repeats_a_sealed_ask_is_not_kept(said: str) -> None:
    """However it is quoted."""
    assert told_of(ASK, failed(said)) == WITHHELD


@pytest.mark.parametrize("said", ["insufficient credits", "no such model: a/b", ""])
def test_what_repeats_nothing_is_kept(said: str) -> None:
    """Whoever runs it has to know why."""
    assert told_of(ASK, failed(said)) == said


def test_a_sealed_answer_that_cannot_be_read_is_not_kept() -> None:
    """It may quote the key in words of its own."""
    assert told_of(ASK, failed("<p>The key is B</p>", ErrorKind.MALFORMED)) == WITHHELD


def test_other_asks_keep_all() -> None:
    """What is not sealed may be repeated."""
    assert told_of(OPEN, failed(KEY)) == KEY
