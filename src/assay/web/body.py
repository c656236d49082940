"""Reading a request's body: JSON in UTF-8, never more of it than is allowed."""

from __future__ import annotations

from typing import Final, TypeVar

from pydantic import BaseModel, ValidationError
from starlette.requests import ClientDisconnect, Request

from assay.core.errors import AssayError, InvalidInput
from assay.web.problems import TooLarge, Unsupported, unreadable

MOST_BYTES: Final = 1_048_576
"""Holds the longest answer even where every character of it is escaped."""
MOST_DRAINED: Final = 8 * MOST_BYTES
"""How much of a body that is too long is read and thrown away, so that its sender hears why."""
M = TypeVar("M", bound=BaseModel)


async def read_body(request: Request, model: type[M], *, most: int = MOST_BYTES) -> M | AssayError:
    """Return a body as a model, or what is wrong with it. Keeps no more than `most` bytes of it."""
    headers = request.headers
    kind, _, parameters = headers.get("content-type", "").partition(";")
    charset = parameters.replace(" ", "").replace('"', "").lower()
    if kind.strip().lower() != "application/json" or charset not in ("", "charset=utf-8"):
        return Unsupported("send JSON in UTF-8, with Content-Type: application/json")
    raw, length = b"", 0
    try:
        async for part in request.stream():
            length += len(part)
            if length > MOST_DRAINED:
                break
            raw = b"" if length > most else raw + part if raw else part
    except ClientDisconnect:
        return InvalidInput("the body ended before it was whole: send all of it")
    if length > most:
        return TooLarge(f"the body is longer than {most:,} bytes: send a shorter one")
    try:
        return model.model_validate_json(raw)
    except ValidationError as error:
        return unreadable(error)
