"""The pages of runs, and the events of a run that goes on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Final

import orjson
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from assay.core.errors import AssayError
from assay.report.site.runs import run_view_page, runs_page
from assay.runs.run_pages import run_page
from assay.runs.site.progress import list_page, run_progress
from assay.web.site.routes import PageRequest, SiteContext, page_route

MOST_STREAMS: Final = 50
"""Streams of events that one process serves at a time."""
SECONDS: Final = 1.0
"""Time between two events."""
LONGEST: Final = 3600
"""Events after which a stream ends; the browser then begins another."""
_streams: set[object] = set()


def runs(asked: PageRequest) -> str:
    """Return the list of runs."""
    before = asked.chosen("before") if asked.query.get("before") else None
    return runs_page(list_page(asked.source.engine, before), before, asked.site)


def run(asked: PageRequest) -> str:
    """Return a run's page."""
    number, engine = asked.number("run"), asked.source.engine
    stored = run_page(engine, number, only=None, limit=0)
    budget = asked.source.work.workspace.budget.max_cost
    return run_view_page(stored, run_progress(engine, number), budget, asked.site)


async def events(request: Request) -> Response:
    """Send the progress of a run once a second until it ends or the reader leaves."""
    context: SiteContext = request.app.state.context
    if context.access.visitor(request).role is None:
        return PlainTextResponse("sign in first\n", 401)
    number = request.path_params["run"]
    try:
        await asyncio.to_thread(run_progress, context.source.engine, number)
    except AssayError as error:
        return PlainTextResponse(f"{error}\n", error.status)
    if len(_streams) >= MOST_STREAMS:
        return PlainTextResponse("too many readers follow runs: load the page again later\n", 503)
    return StreamingResponse(
        _events(context, number, object()),
        media_type="text/event-stream",
        headers={"X-Accel-Buffering": "no"},
    )


async def _events(context: SiteContext, number: int, stream: object) -> AsyncIterator[bytes]:
    _streams.add(stream)
    try:
        for _ in range(LONGEST):
            progress = await asyncio.to_thread(run_progress, context.source.engine, number)
            yield b"data: " + orjson.dumps(progress.message()) + b"\n\n"
            if not progress.going_on:
                yield b"event: end\ndata: {}\n\n"
                return
            await asyncio.sleep(SECONDS)
    finally:
        _streams.discard(stream)


ROUTES: Final = (
    page_route("/runs", runs),
    page_route("/runs/{run}", run),
    Route("/events/runs/{run:int}", events, methods=["GET"]),
)
