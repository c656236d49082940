"""The routes of pages: each renders a page in a thread, for a visitor with the role that it needs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from assay.core.errors import AssayError, NotFound
from assay.report.frame import SITE_POLICY, SiteFrame
from assay.report.site.message import message_page
from assay.runs.site.source import SiteSource
from assay.web.site.access import Role, SiteAccess, Visitor

SECTIONS: Final = (
    ("Today", ""),
    ("Boards", "boards"),
    ("Frontier", "frontier"),
    ("Samples", "samples"),
    ("Runs", "runs"),
    ("Feeds", "feeds"),
)
OWNER_SECTIONS: Final = (("Admin", "admin"),)


@dataclass(frozen=True, slots=True)
class SiteContext:
    """What all pages of a serving process share. `docs` returns the exam's OpenAPI document, if it serves."""

    source: SiteSource
    access: SiteAccess
    openapi: Callable[[], Mapping[str, object]] | None = None


@dataclass(frozen=True, slots=True)
class PageRequest:
    """A request for a page: its path parameters and query, the frame to render in, and the visitor."""

    path: Mapping[str, str]
    query: Mapping[str, str]
    site: SiteFrame
    visitor: Visitor
    context: SiteContext

    @property
    def source(self) -> SiteSource:
        """The workspace that the page is read from."""
        return self.context.source

    def number(self, name: str) -> int:
        """Return a path parameter as a number. Raises NotFound for any other text."""
        text = self.path[name]
        if not (text.isascii() and text.isdigit() and len(text) < 19):
            raise NotFound(f"there is nothing at {text!r}")
        return int(text)

    def sample_id(self, name: str) -> tuple[int, int]:
        """Return a sample's run and position from its id, such as `59.3`. Raises NotFound for others."""
        run, _, position = self.path[name].partition(".")
        if not (run.isascii() and run.isdigit() and position.isascii() and position.isdigit()):
            raise NotFound(f"there is no sample {self.path[name]!r}: ids look like 59.3")
        if len(run) > 9 or len(position) > 18:
            raise NotFound(f"there is no sample {self.path[name]!r}")
        return int(run), int(position)


Render = Callable[[PageRequest], str]


def page_route(path: str, render: Render, *, role: Role = Role.READER) -> Route:
    """Return the route of a page. Visitors without the role are sent to the sign-in."""

    async def endpoint(request: Request) -> Response:
        context: SiteContext = request.app.state.context
        visitor = context.access.visitor(request)
        if visitor.role is None or (role is Role.OWNER and not visitor.owner):
            return RedirectResponse(_sign_in(request), 303)
        site = frame(request, visitor)
        asked = PageRequest(request.path_params, request.query_params, site, visitor, context)
        return await asyncio.to_thread(_rendered, render, asked)

    return Route(path, endpoint, methods=["GET"])


def frame(request: Request, visitor: Visitor) -> SiteFrame:
    """Return the frame of a page at the address of a request."""
    sections = SECTIONS + (OWNER_SECTIONS if visitor.owner else ())
    return SiteFrame(
        request.url.path.strip("/"), live=True, sections=sections, reveal=visitor.owner, token=visitor.token
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
    return f"/sign-in?next={request.url.path}"
