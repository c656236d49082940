"""What a page needs to carry everything inside: scripts, styles and data, and a policy that says so."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from typing import Any

import orjson

ESCAPES = (("&", "\\u0026"), ("<", "\\u003c"), (">", "\\u003e"), ("\u2028", "\\u2028"), ("\u2029", "\\u2029"))


def json_block(document: Any) -> str:
    """Return JSON that may stand inside a script element: no character of it can end the element."""
    text = orjson.dumps(document, option=orjson.OPT_SERIALIZE_NUMPY).decode()
    for character, escape in ESCAPES:
        text = text.replace(character, escape)
    return text


def content_policy(scripts: Iterable[str], styles: Iterable[str] | None) -> str:
    """Return a Content-Security-Policy that lets exactly these inline texts act, and nothing be fetched.

    Each text must be the whole content of its element, byte for byte, with line feeds only. None lets
    every inline style act: Vega's own tooltips bring theirs.
    """
    return "; ".join(
        (
            "default-src 'none'",
            "script-src " + " ".join(map(_hash, scripts)),
            "style-src " + ("'unsafe-inline'" if styles is None else " ".join(map(_hash, styles))),
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
