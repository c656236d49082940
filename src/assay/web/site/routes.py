"""The routes of pages: each renders a page in a thread, for a visitor with the role that it needs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from assay.core.errors import AssayError, NotFound
from assay.report.frame import SITE_POLICY, SiteFrame
from assay.report.site.message import message_page
from assay.runs.site.fresh import Fresh
from assay.runs.site.source import SiteSource
from assay.web.site.access import PageRole, SiteAccess, Visitor, address_of

SECTIONS: Final = (
    ("Today", ""),
    ("Boards", "boards"),
    ("Frontier", "frontier"),
    ("Samples", "samples"),
    ("Runs", "runs"),
    ("Feeds", "feeds"),
)
MOST_RENDERED: Final = 400
"""Rendered pages that a process keeps."""
OWNER_SECTIONS: Final = (("Admin", "admin"),)


@dataclass(frozen=True, slots=True)
class SiteContext:
    """What all pages of a serving process share. `openapi` describes the exam, if it serves one."""

    source: SiteSource
    access: SiteAccess
    frontiers: Fresh[str, Any]
    openapi: Callable[[], Mapping[str, object]] | None = None
    _rendered: dict[Hashable, tuple[object, str]] = field(default_factory=dict, repr=False)

    def once(self, asked: PageRequest, value: object, render: Callable[[], str]) -> str:
        """Return a page that depends on nothing but `value`, its address and the visitor, rendered once."""
        key = (asked.site.path, asked.visitor)
        known, page = self._rendered.get(key, (None, ""))
        if known is not value:
            page = render()
            if len(self._rendered) >= MOST_RENDERED:
                self._rendered.clear()
            self._rendered[key] = (value, page)
        return page


@dataclass(frozen=True, slots=True)
class PageRequest:
    """A request for a page: its path parameters and query, the frame to render in, and the visitor.

    `base` is the absolute address of the site, with a slash at its end.
    """

    path: Mapping[str, str]
    query: Mapping[str, str]
    site: SiteFrame
    visitor: Visitor
    context: SiteContext
    base: str = "/"

    @property
    def source(self) -> SiteSource:
        """The workspace that the page is read from."""
        return self.context.source

    def number(self, name: str) -> int:
        """Return a path parameter as a number. Raises NotFound for any other text."""
        return number(self.path[name])

    def chosen(self, name: str) -> int:
        """Return a parameter of the query as a number. Raises NotFound for any other text."""
        return number(self.query.get(name, ""))

    def sample_id(self, name: str) -> tuple[int, int]:
        """Return a sample's run and position from a path parameter; see `sample_place`."""
        return sample_place(self.path[name])


def sample_place(text: str) -> tuple[int, int]:
    """Return a sample's run and position from its id, such as `59.3`. Raises NotFound for another text."""
    run, _, position = text.partition(".")
    if not (run.isascii() and run.isdigit() and position.isascii() and position.isdigit()):
        raise NotFound(f"there is no sample {text!r}: ids look like 59.3")
    if len(run) > 9 or len(position) > 18:
        raise NotFound(f"there is no sample {text!r}")
    return int(run), int(position)


def number(text: str) -> int:
    """Return a text as a number. Raises NotFound for any other text."""
    if not (text.isascii() and text.isdigit() and len(text) < 19):
        raise NotFound(f"there is nothing at {text!r}")
    return int(text)


Render = Callable[[PageRequest], str]


def page_route(path: str, render: Render, *, role: PageRole = PageRole.READER) -> Route:
    """Return the route of a page. Visitors without the role are sent to the sign-in."""

    async def endpoint(request: Request) -> Response:
        context: SiteContext = request.app.state.context
        visitor = context.access.visitor(request)
        if visitor.role is None or (role is PageRole.OWNER and not visitor.owner):
            return RedirectResponse(_sign_in(request), 303)
        return await asyncio.to_thread(_rendered, render, _asked(request, visitor))

    return Route(path, endpoint, methods=["GET"])


def file_route(path: str, render: Render, kind: str) -> Route:
    """Return the route of a file for programs, of this media type. Its errors are plain text.

    Programs without a role get status 401, and 429 after too many wrong secrets.
    """

    async def endpoint(request: Request) -> Response:
        context: SiteContext = request.app.state.context
        visitor = context.access.visitor(request)
        if visitor.role is None:
            if context.access.limited(address_of(request)):
                return PlainTextResponse("Too many wrong secrets: wait a minute.\n", 429)
            text = "Sign in, or send the reader's secret: Authorization: Bearer SECRET\n"
            return PlainTextResponse(text, 401, {"WWW-Authenticate": "Bearer"})
        try:
            return Response(
                await asyncio.to_thread(render, _asked(request, visitor)), headers={"Content-Type": kind}
            )
        except AssayError as error:
            return PlainTextResponse(f"{error}\n", error.status)

    return Route(path, endpoint, methods=["GET"])


def _asked(request: Request, visitor: Visitor) -> PageRequest:
    context: SiteContext = request.app.state.context
    site, base = frame(request, visitor), str(request.base_url)
    return PageRequest(request.path_params, request.query_params, site, visitor, context, base)


def frame(request: Request, visitor: Visitor) -> SiteFrame:
    """Return the frame of a page at the address of a request."""
    sections = SECTIONS + (OWNER_SECTIONS if visitor.owner else ())
    return SiteFrame(
        request.url.path.strip("/"),
        live=True,
        sections=sections,
        reveal=visitor.owner,
        signed_in=visitor.signed_in,
    )


def _rendered(render: Render, asked: PageRequest) -> Response:
    try:
        return html(render(asked))
    except AssayError as error:
        return html(message_page(title_of(error), str(error), asked.site), error.status)


def html(text: str, status: int = 200) -> Response:
    """Return a page as a response."""
    return HTMLResponse(text, status, headers={"Content-Security-Policy": SITE_POLICY + FRAME_ANCESTORS})


FRAME_ANCESTORS: Final = "; frame-ancestors 'none'"


def title_of(error: AssayError) -> str:
    """Return the heading of an error's page."""
    return "Not found" if error.status == 404 else "This page cannot be shown"


def _sign_in(request: Request) -> str:
    query = f"?{request.url.query}" if request.url.query else ""
    return f"/sign-in?next={quote(request.url.path + query)}"
