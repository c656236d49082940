"""The pages of problems: what the `type` of a problem refers to, as Markdown, for anybody."""

from __future__ import annotations

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from assay.core.documented import slug
from assay.web.problems import PAGES, PROBLEMS, plain

_TEXTS = {slug(title): text.markdown(title) for title, text in PAGES.items()}


def add_routes(app: FastAPI) -> None:
    """Add the page of every problem."""
    app.router.routes.append(Route(f"{PROBLEMS}/{{problem}}", _page, methods=["GET"]))


async def _page(request: Request) -> Response:
    text = _TEXTS.get(request.path_params["problem"])
    return plain(404) if text is None else Response(text, media_type="text/markdown; charset=utf-8")
