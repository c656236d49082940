"""What the how-to shows of payload and signature is what is sent."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from assay.core.notification import Notification
from assay.notify.webhooks import generic, signature

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "how-to" / "notify.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    """The first fenced block in a language."""
    found = re.search(rf"^```{language}\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)
    assert found is not None
    return found[1]


def test_the_payload_shown_has_the_fields_sent(change: Notification) -> None:
    """Every field is documented, and none that is not sent."""
    shown, sent = json.loads(block("json")), generic(change)
    assert (list(shown), list(shown["use_cases"][0]), shown["event"]) == (
        list(sent),
        list(sent["use_cases"][0]),
        sent["event"],
    )


def test_the_receiver_shown_accepts_what_is_sent() -> None:
    """The recipe accepts a signed body, and refuses another body, another secret and an old time."""
    space: dict[str, Any] = {}
    exec(block("python"), space)
    header = signature("key", '{"a":"é"}', 1000)
    body = '{"a":"é"}'.encode()
    assert [
        space["genuine"](header, body, "key", 1100.0),
        space["genuine"](header, b"{}", "key", 1100.0),
        space["genuine"](header, body, "other", 1100.0),
        space["genuine"](header, body, "key", 2000.0),
    ] == [True, False, False, False]
