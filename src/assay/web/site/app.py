"""The pages as a web application, beside the exam service or alone."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from importlib.resources import files
from typing import Final
from urllib.parse import parse_qs

from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from assay.core.errors import AssayError
from assay.report.assets import Asset, charts_asset, site_asset
from assay.report.site.message import message_page, sign_in_page
from assay.report.site.style import ASSETS
from assay.runs.site.source import SiteSource
from assay.store.overview import database_state
from assay.web.site import admin, boards, feeds, frontier, runs, samples, watching
from assay.web.site.access import COOKIE, SiteAccess, Visitor, address_of, same_origin
from assay.web.site.routes import SiteContext, frame, html

FOR_EVER: Final = "public, max-age=31536000, immutable"
HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    # With `no-referrer` browsers would hide the origin of the sign-in form.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
EXAM: Final = ("/api/", "/review")
"""The beginnings of the exam service's addresses."""
MOST_FORM: Final = 10_000
"""Bytes of a form that are read."""
HEALTH_SECONDS: Final = 5.0
"""The longest time in which a healthy database answers."""
logger = logging.getLogger("assay.site")


def create_site(
    source: SiteSource, access: SiteAccess, openapi: Callable[[], Mapping[str, object]] | None = None
) -> Starlette:
    """Return the application of the pages over a workspace's database."""
    app = Starlette(
        routes=[
            *watching.ROUTES,
            *samples.ROUTES,
            *boards.ROUTES,
            *frontier.ROUTES,
            *runs.ROUTES,
            *feeds.ROUTES,
            *admin.ROUTES,
            Route("/sign-in", sign_in, methods=["GET", "POST"]),
            Route("/sign-out", sign_out, methods=["POST"]),
            Route("/healthz", healthz, methods=["GET"]),
            Route("/icon.svg", icon, methods=["GET"]),
            Route("/assets/{name}", asset, methods=["GET"]),
        ],
        exception_handlers={HTTPException: _on_http},
    )
    app.state.context = SiteContext(source, access, frontier.frontiers(source), openapi)
    app.state.streams = runs.RunStreams(source)
    app.add_middleware(Guard, access=access)
    return app


class Guard:
    """The headers of every response, and the refusal of foreign host names."""

    def __init__(self, app: ASGIApp, access: SiteAccess) -> None:
        self._app, self._access = app, access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def secured(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                headers.setdefault("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        hosts = [value for name, value in scope["headers"] if name == b"host"]
        if len(hosts) != 1 or not self._access.host_allowed(hosts[0].decode("latin-1").lower()):
            text = "These pages are served to this machine only: use http://127.0.0.1 or http://localhost.\n"
            await PlainTextResponse(text, 421)(scope, receive, secured)
            return
        await self._app(scope, receive, secured)


class Beside:
    """The exam service and the pages under one address. Without an exam service there are only pages."""

    def __init__(self, pages: ASGIApp | None, exam: ASGIApp | None) -> None:
        self._pages, self._exam = pages, exam

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request to the part that its address belongs to; the lifespan belongs to the exam."""
        of_exam = scope["type"] == "lifespan" or scope["path"].startswith(EXAM)
        chosen = self._exam if self._exam is not None and (of_exam or self._pages is None) else self._pages
        assert chosen is not None
        await chosen(scope, receive, send)


async def sign_in(request: Request) -> Response:
    """Show the form, or begin a session for the right secret."""
    context: SiteContext = request.app.state.context
    site = frame(request, Visitor(None))
    following = _local(request.query_params.get("next", "/"))
    possible = context.access.reader_secret is not None or context.access.owner_secret is not None
    if request.method == "GET" or not possible:
        return html(sign_in_page(following, "", site, possible=possible))
    if not same_origin(request):
        return html(sign_in_page(following, "The form came from another page: sign in here.", site), 403)
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MOST_FORM:
            return html(sign_in_page(following, "The form is too long.", site), 413)
    address = address_of(request)
    if context.access.limited(address):
        return html(sign_in_page(following, "Too many wrong secrets: wait a minute.", site), 429)
    role = context.access.sign_in(_field(body, "secret"), address)
    if role is None:
        return html(sign_in_page(following, "Wrong secret.", site), 401)
    response = RedirectResponse(following, 303)
    context.access.begin_session(response, role, secure=request.url.scheme == "https")
    return response


def _local(path: str) -> str:
    """Return a path of this site; the front page for anything else."""
    return path if path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable() else "/"


def _field(body: bytes, name: str) -> str:
    return parse_qs(body.decode("utf-8", "replace"), keep_blank_values=True).get(name, [""])[0]


async def sign_out(request: Request) -> Response:
    """End the session."""
    response = RedirectResponse("/", 303)
    if same_origin(request):
        response.delete_cookie(COOKIE)
    return response


async def healthz(request: Request) -> Response:
    """Check that the process and its database respond."""
    context: SiteContext = request.app.state.context
    try:
        await asyncio.wait_for(asyncio.to_thread(database_state, context.source.engine), HEALTH_SECONDS)
    except (AssayError, TimeoutError) as error:
        # The message may name the database's address, which is for the log only.
        logger.warning("the database does not respond: %s", error)
        return PlainTextResponse("the database does not respond\n", 503)
    return PlainTextResponse("ok\n")


async def icon(request: Request) -> Response:
    """Return the icon."""
    content = files("assay.report").joinpath("templates", "icon.svg").read_bytes()
    return Response(content, media_type="image/svg+xml", headers={"Cache-Control": "max-age=86400"})


async def asset(request: Request) -> Response:
    """Return a file of styles or scripts."""
    known = {file.name: file for file in _assets()}
    file = known.get(request.path_params["name"])
    if file is None:
        raise HTTPException(404)
    kind = "text/css" if file.name.endswith(".css") else "text/javascript"
    return Response(file.content, media_type=f"{kind}; charset=utf-8", headers={"Cache-Control": FOR_EVER})


def _assets() -> list[Asset]:
    return [charts_asset(), *(site_asset(names) for names in ASSETS)]


async def _on_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    context: SiteContext = request.app.state.context
    site = frame(request, context.access.visitor(request))
    text = "There is no page at this address." if error.status_code == 404 else str(error.detail)
    return html(
        message_page("Not found" if error.status_code == 404 else "Error", text, site), error.status_code
    )
