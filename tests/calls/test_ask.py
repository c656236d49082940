"""An endpoint that repeats a sealed ask does not bring the answer key into the ledger or onto the screen."""

from __future__ import annotations

import json

import pytest

from assay.calls.ask import WITHHELD, publishable_detail
from assay.core.ask import CallStatus, ErrorKind, Message, ModelAsk, ModelReply

KEY = "It follows from 条约 that\nthe harbour froze."
ASK = ModelAsk("judge", "a/b", (Message("user", f"The key: {KEY} Mark it."),), sealed=True)
OPEN = ModelAsk("judge", "a/b", ASK.messages)


def failed(detail: str, error: ErrorKind = ErrorKind.REFUSED) -> ModelReply:
    """Return a failed call."""
    return ModelReply(CallStatus.ERROR, error=error, detail=detail, http_status=400)


@pytest.mark.parametrize(
    "detail",
    [KEY, f"bad input: {json.dumps(KEY)}", json.dumps(json.dumps(KEY)), "cut short: the harbour fro"],
    ids=["plain", "escaped", "escaped twice", "cut short"],
)
def test_a_message_that_repeats_a_sealed_ask_is_withheld(detail: str) -> None:
    """In whatever way the ask is quoted."""
    assert publishable_detail(ASK, failed(detail)) == WITHHELD


@pytest.mark.parametrize("detail", ["insufficient credits", "no such model: a/b", ""])
def test_a_message_that_does_not_repeat_the_ask_is_kept(detail: str) -> None:
    """The operator needs it to mend the cause."""
    assert publishable_detail(ASK, failed(detail)) == detail


def test_an_unreadable_reply_to_a_sealed_ask_is_withheld() -> None:
    """It may paraphrase the key."""
    assert publishable_detail(ASK, failed("<p>The key is B</p>", ErrorKind.MALFORMED)) == WITHHELD


def test_messages_about_open_asks_are_kept() -> None:
    """Text that is not sealed may be repeated."""
    assert publishable_detail(OPEN, failed(KEY)) == KEY
