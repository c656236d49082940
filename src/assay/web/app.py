"""The exam service as a web application."""

from __future__ import annotations

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

from assay.core.errors import AssayError
from assay.core.exam import EXAM_JUDGE
from assay.core.sealed import Sealer
from assay.exams.delivery import Delivery
from assay.exams.desk import MOST_WAITING, Desk
from assay.exams.keys import Keyring
from assay.files.sealing import bank_sealer
from assay.store.engine import open_database
from assay.web.api import health, results, sessions, sitting, tokens
from assay.web.api.reviewing import routes as reviewing
from assay.web.edge import Edge, on_error, on_http
from assay.web.pages import review
from assay.web.routes import PREFIX, describe
from assay.web.service import Service
from assay.web.shapes import AnswerBody, LoginBody, OpenBody

DATABASE_ENV: Final = "ASSAY_DATABASE"
DURABLE_ENV: Final = "ASSAY_SERVE_DURABLE"
JUDGE_ENV: Final = "ASSAY_SERVE_JUDGE"


def create_app(
    engine: Engine,
    sealer: Sealer,
    *,
    judge: str = EXAM_JUDGE,
    clock: Callable[[], float] = time.time,
    most_waiting: int = MOST_WAITING,
) -> FastAPI:
    """Return the application over a database.

    `sealer` opens the keys that sign tokens, and answer keys for the operator's reviewers alone. `judge` is
    whose marks published results rest on. Raises Denied at once where the sealer does not open the signing
    keys.
    """
    service = Service(
        engine, Desk(engine, most_waiting=most_waiting), Keyring(engine, sealer), Delivery(), judge, clock
    )
    service.keyring.reload(now=clock())

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        service.desk.start()
        yield
        await service.desk.stop()

    app = FastAPI(
        title="Assay exam",
        version=version("assay"),
        description="Sits candidates at exams. Errors are problem+json (RFC 9457).",
        lifespan=lifespan,
        openapi_url=f"{PREFIX}/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        exception_handlers={AssayError: on_error, HTTPException: on_http},
    )
    app.state.service = service
    app.add_middleware(Edge, service=lambda: service)
    for part in (sitting, tokens, sessions, results, health):
        part.add_routes(app)
    reviewing.add_routes(app, sealer)
    review.add_routes(app)
    bodies: list[type[BaseModel]] = [AnswerBody, LoginBody, OpenBody, *reviewing.GIVEN]
    app.openapi = describe(app, bodies)  # type: ignore[method-assign]
    return app


def from_environment(environment: Mapping[str, str] | None = None) -> FastAPI:
    """Return the application of a worker process, over what the variables name."""
    given = os.environ if environment is None else environment
    engine = open_database(given[DATABASE_ENV], durable=given.get(DURABLE_ENV) == "1")
    return create_app(engine, bank_sealer(given), judge=given.get(JUDGE_ENV) or EXAM_JUDGE)
