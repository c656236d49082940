"""Whether the service works."""

from __future__ import annotations

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response

from assay.web.routes import add, sent
from assay.web.service import service_of
from assay.web.shapes import HealthBody


def add_routes(app: FastAPI) -> None:
    """Add the route of health."""
    add(app, "GET", "/health", health, sent=HealthBody, token=False)


async def health(request: Request) -> Response:
    """Tell that the service and its database answer."""
    await service_of(request).desk.do(lambda raw: raw.row("SELECT 1", ()))
    return sent(HealthBody(status="ok"))
