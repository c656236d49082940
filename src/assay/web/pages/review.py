"""The files of the review page. Their policy allows only scripts and styles from the service's own files."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from importlib import resources
from typing import Final

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

ADDRESS: Final = "/review"
POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "img-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
_TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
_HEADERS: Final = {"Content-Security-Policy": POLICY, "Cross-Origin-Opener-Policy": "same-origin"}


def add_routes(app: FastAPI) -> None:
    """Add the page at `/review` and its files."""
    for name, content in _files().items():
        path = ADDRESS if name == "review.html" else f"{ADDRESS}/{name}"
        kind = _TYPES[name[name.rindex(".") :]]
        app.router.routes.append(Route(path, _endpoint(content, kind), methods=["GET"]))


def _files() -> dict[str, bytes]:
    folder = resources.files("assay.web.pages").joinpath("static")
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}


def _endpoint(content: bytes, kind: str) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        return Response(content, media_type=kind, headers=_HEADERS)

    return endpoint
