"""What an endpoint says of a failed call, where it may repeat what is sealed."""

from __future__ import annotations

import re
from typing import Final

from assay.core.ask import ErrorKind, ModelAsk, ModelReply

WITHHELD: Final = "what the endpoint said is not shown: it holds, or may hold, what is sealed"
LEAST: Final = 12
"""So many letters and digits in a row, as they stand in the ask, are no coincidence."""
_ESCAPE: Final = re.compile(r"\\u([0-9a-fA-F]{4})|\\[nrtbf]")
_OTHER: Final = re.compile(r"[\W_]+")


def told_of(ask: ModelAsk, reply: ModelReply) -> str | None:
    """Return what may be kept and shown of an endpoint's words.

    Of a sealed ask that is nothing that repeats what was sent, nor an answer that could not be read.
    """
    if reply.detail is None or not ask.sealed:
        return reply.detail
    if reply.error is ErrorKind.MALFORMED:
        return WITHHELD
    said = _plain(reply.detail)
    sent = _plain(" ".join(turn.content for turn in ask.messages))
    repeated = any(said[at : at + LEAST] in sent for at in range(len(said) - LEAST + 1))
    return WITHHELD if repeated else reply.detail


def _plain(text: str) -> str:
    """Return letters and digits alone, whatever way the text was quoted."""
    return _OTHER.sub("", _ESCAPE.sub(lambda found: chr(int(found[1], 16)) if found[1] else " ", text))
