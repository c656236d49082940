"""The pages of runs, and the events of a run that goes on."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Final

import orjson
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from assay.core.errors import AssayError, NotFound
from assay.report.site.runs import run_view_page, runs_page
from assay.runs.site.progress import RunProgress, list_page, run_progress, shown_run
from assay.runs.site.source import SiteSource
from assay.web.site.routes import PageRequest, SiteContext, number, page_route

MOST_STREAMS: Final = 50
"""Streams of events that one process serves at a time."""
SECONDS: Final = 1.0
"""The shortest time between two looks at a run."""
SHARE: Final = 0.1
"""The largest share of the time in which the database is read for one run, however many follow it."""
HEARTBEAT: Final = 15.0
"""Seconds after which a comment is sent although nothing has changed, so that proxies keep the stream."""
LONGEST: Final = 3600.0
"""Seconds after which a stream ends; the browser then begins another."""


def runs(asked: PageRequest) -> str:
    """Return the list of runs."""
    before = asked.chosen("before") if asked.query.get("before") else None
    return runs_page(list_page(asked.source.engine, before), asked.site)


def run(asked: PageRequest) -> str:
    """Return a run's page."""
    source = asked.source
    shown = shown_run(source.engine, asked.number("run"), source.suite)
    budget = source.work.workspace.budget.max_cost
    simulated = source.simulated(model.model for model in shown.progress.run.models)
    return run_view_page(shown, budget, simulated, asked.site)


@dataclass(slots=True)
class _Followed:
    """A run that streams follow: how many do, and its progress with the time of the next look."""

    readers: int = 0
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    progress: RunProgress | None = None
    due: float = 0.0


class RunStreams:
    """The streams of a process. All that follow the same run share what is read from the database.

    A run is looked at every `seconds`. After `heartbeat` seconds without a change a comment is sent.
    """

    def __init__(self, source: SiteSource, *, seconds: float = SECONDS, heartbeat: float = HEARTBEAT) -> None:
        self._source, self._seconds, self._heartbeat = source, seconds, heartbeat
        self._followed: dict[int, _Followed] = {}

    def join(self, number: int) -> bool:
        """Count a new stream of a run; return False if there are too many."""
        if sum(followed.readers for followed in self._followed.values()) >= MOST_STREAMS:
            return False
        self._followed.setdefault(number, _Followed()).readers += 1
        return True

    def leave(self, number: int) -> None:
        """Count a stream that has ended."""
        followed = self._followed[number]
        followed.readers -= 1
        if not followed.readers:
            del self._followed[number]

    async def progress(self, number: int) -> RunProgress:
        """Return the present progress of a followed run. Raises NotFound for an unknown one."""
        followed = self._followed[number]
        async with followed.lock:
            began = time.monotonic()
            if followed.progress is None or began >= followed.due:
                source = self._source
                followed.progress = await asyncio.to_thread(run_progress, source.engine, number, source.suite)
                took = time.monotonic() - began
                followed.due = began + max(self._seconds, took / SHARE)
            return followed.progress

    async def events(self, number: int) -> AsyncIterator[bytes]:
        """Yield the progress of a run when it changes, until the run has ended."""
        sent, spoke = None, time.monotonic()
        end = spoke + LONGEST
        while (now := time.monotonic()) < end:
            try:
                progress = await self.progress(number)
            except NotFound:
                return
            except AssayError:  # the database does not respond: the page keeps its figures
                progress = None
            if progress is not None and progress != sent:
                yield b"data: " + orjson.dumps(progress.message()) + b"\n\n"
                sent, spoke = progress, now
            elif now - spoke >= self._heartbeat:
                yield b":\n\n"
                spoke = now
            if progress is not None and not progress.going_on:
                yield b"event: end\ndata: {}\n\n"
                return
            await asyncio.sleep(self._seconds)


class RunEvents(StreamingResponse):
    """A stream of events that is counted from its beginning to its end, also if its reader leaves."""

    def __init__(self, streams: RunStreams, number: int) -> None:
        super().__init__(
            streams.events(number), media_type="text/event-stream", headers={"X-Accel-Buffering": "no"}
        )
        self._streams, self._number = streams, number

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the stream."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._streams.leave(self._number)


async def events(request: Request) -> Response:
    """Send the progress of a run until it ends or the reader leaves."""
    context: SiteContext = request.app.state.context
    if context.access.visitor(request).role is None:
        return PlainTextResponse("Sign in first.\n", 401)
    streams: RunStreams = request.app.state.streams
    try:
        run = number(request.path_params["run"])
        await asyncio.to_thread(run_progress, context.source.engine, run, context.source.suite)
    except AssayError as error:
        return PlainTextResponse(f"{error}\n", error.status)
    if request.method == "HEAD":
        return Response(media_type="text/event-stream")
    if not streams.join(run):
        return PlainTextResponse("Too many readers follow runs: load the page again later.\n", 503)
    return RunEvents(streams, run)


ROUTES: Final = (
    page_route("/runs", runs),
    page_route("/runs/{run}", run),
    Route("/events/runs/{run}", events, methods=["GET"]),
)
