"""The exam service as a web application."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Final

from fastapi import FastAPI
from pydantic import BaseModel
from sqlalchemy import Engine
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from assay.bank.reviewing import Reviewing
from assay.core.errors import AssayError
from assay.core.exam import ACCESS_LOG_DAYS, EXAM_JUDGE
from assay.exam.delivery import Delivery
from assay.exam.desk import MOST_WAITING, Desk, delete_old_accesses
from assay.exam.keys import Keyring
from assay.files.sealing import KeySealer, bank_sealer
from assay.store.engine import open_database
from assay.web import problems
from assay.web.api import results, sessions, sitting, tokens
from assay.web.api.reviewing import marking, screening, undoing
from assay.web.api.reviewing.shapes import ReviewDecision, ReviewEdit, ReviewMark
from assay.web.edge import Edge, on_error, on_http
from assay.web.pages import review
from assay.web.routes import PREFIX, add, describe, json_response
from assay.web.service import Service, service_of
from assay.web.shapes import AnswerBody, HealthBody, LoginBody, OpenBody

DATABASE_ENV: Final = "ASSAY_DATABASE"
DURABLE_ENV: Final = "ASSAY_SERVE_DURABLE"
JUDGE_ENV: Final = "ASSAY_SERVE_JUDGE"
ACCESS_LOG_DAYS_ENV: Final = "ASSAY_SERVE_ACCESS_LOG_DAYS"
REQUEST_BODIES: Final[list[type[BaseModel]]] = [
    AnswerBody,
    LoginBody,
    OpenBody,
    ReviewDecision,
    ReviewEdit,
    ReviewMark,
]


def create_app(
    engine: Engine,
    sealer: KeySealer,
    *,
    judge: str = EXAM_JUDGE,
    clock: Callable[[], float] = time.time,
    most_waiting: int = MOST_WAITING,
    access_log_days: float = ACCESS_LOG_DAYS,
) -> FastAPI:
    """Return the application over a database.

    `sealer` opens the keys that sign tokens and, only for the operator's reviewers, answer keys. Published
    results are based on the marks of `judge`. Entries of the access log that are older than
    `access_log_days` are deleted while the service runs. Raises Denied if the sealer cannot open the signing
    keys.
    """
    service = Service(
        engine, Desk(engine, most_waiting=most_waiting), Keyring(engine, sealer), Delivery(), judge, clock
    )
    service.keyring.reload(now=clock())

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        service.desk.start()
        retention = asyncio.create_task(delete_old_accesses(service.desk, access_log_days, clock))
        yield
        retention.cancel()
        await asyncio.gather(retention, return_exceptions=True)
        await service.desk.stop()

    app = FastAPI(
        title="Assay exam",
        version=version("assay"),
        description="Serves exams to candidates. Errors are problem+json (RFC 9457).",
        lifespan=lifespan,
        openapi_url=f"{PREFIX}/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        exception_handlers={AssayError: on_error, HTTPException: on_http},
    )
    app.state.service = service
    app.state.reviewing = Reviewing(sealer)
    app.add_middleware(Edge, service=lambda: service)
    for part in (sitting, tokens, sessions, results):
        part.add_routes(app)
    add(app, "GET", "/health", health, response=HealthBody, token=False)
    for part in (screening, undoing, marking):
        part.add_routes(app)
    review.add_routes(app)
    problems.add_routes(app)
    app.openapi = describe(app, REQUEST_BODIES)  # type: ignore[method-assign]
    return app


async def health(request: Request) -> Response:
    """Check that the service and its database respond."""
    await service_of(request).desk.do(lambda raw: raw.row("SELECT 1", ()))
    return json_response(HealthBody(status="ok"))


def from_environment(environment: Mapping[str, str] | None = None) -> FastAPI:
    """Return the application of a worker process, configured by environment variables."""
    variables = os.environ if environment is None else environment
    engine = open_database(variables[DATABASE_ENV], durable=variables.get(DURABLE_ENV) == "1")
    return create_app(
        engine,
        bank_sealer(variables),
        judge=variables.get(JUDGE_ENV) or EXAM_JUDGE,
        access_log_days=float(variables.get(ACCESS_LOG_DAYS_ENV) or ACCESS_LOG_DAYS),
    )
