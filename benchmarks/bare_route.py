"""The bare route that the exam service is measured against: FastAPI, a body, a small answer, nothing else."""

from __future__ import annotations

from fastapi import FastAPI
from pydantic import BaseModel

app = FastAPI()


class Body(BaseModel):
    """What the load client sends; the exam's answers have the same fields."""

    text: str
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    seconds: float | None = None
    finish_reason: str | None = None


class Receipt(BaseModel):
    """What comes back; the exam's receipts have the same fields."""

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
