"""The bare route that the exam service is compared with: FastAPI that parses a body and sends a reply."""

from __future__ import annotations

from fastapi import FastAPI
from pydantic import BaseModel

app = FastAPI()


class Body(BaseModel):
    """The request of the load client, with the same fields as the exam's answers."""

    text: str
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    seconds: float | None = None
    finish_reason: str | None = None


class Receipt(BaseModel):
    """The reply, with the same fields as the exam's receipts."""

    receipt: str
    position: int
    status: str
    received_at: str


@app.post("/bare")
async def bare(body: Body) -> Receipt:
    """Return a constant."""
    return Receipt(
        receipt="0123456789abcdef0123456789abcdef",
        position=len(body.text),
        status="answered",
        received_at="2026-11-20T12:00:00.000Z",
    )
