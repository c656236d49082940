"""Reading a request's body: JSON in UTF-8, never more of it than is allowed."""

from __future__ import annotations

from typing import Final, TypeVar

from pydantic import BaseModel, ValidationError
from starlette.requests import Request

from assay.core.errors import AssayError
from assay.web.problems import TooLarge, Unsupported, unreadable

MOST_BYTES: Final = 1_048_576
"""Holds the longest answer even where every character of it is escaped."""
M = TypeVar("M", bound=BaseModel)


async def read_body(request: Request, model: type[M]) -> M | AssayError:
    """Return a body as a model, or what is wrong with it. Reads no more than `MOST_BYTES` of it."""
    headers = request.headers
    kind, _, parameters = headers.get("content-type", "").partition(";")
    charset = parameters.replace(" ", "").replace('"', "").lower()
    if kind.strip().lower() != "application/json" or charset not in ("", "charset=utf-8"):
        return Unsupported("send JSON in UTF-8, with Content-Type: application/json")
    declared = headers.get("content-length", "")
    if declared.isdigit() and (len(declared) > 9 or int(declared) > MOST_BYTES):
        return _too_large()
    raw = b""
    async for part in request.stream():
        raw = raw + part if raw else part
        if len(raw) > MOST_BYTES:
            return _too_large()
    try:
        return model.model_validate_json(raw)
    except ValidationError as error:
        return unreadable(error)


def _too_large() -> TooLarge:
    return TooLarge(f"the body is longer than {MOST_BYTES:,} bytes: send a shorter one")
