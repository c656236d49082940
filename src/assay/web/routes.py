"""Routes that are described in OpenAPI by the models of their bodies, and that limit the size of bodies."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeVar

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute
from pydantic import BaseModel, ValidationError
from pydantic.json_schema import JsonSchemaMode, models_json_schema
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, request_response

from assay.core.errors import AssayError, InvalidInput
from assay.web.problems import MEDIA_TYPE, BodyTooLarge, Unsupported, invalid_body
from assay.web.shapes import UUID, ProblemBody

Endpoint = Callable[[Request], Awaitable[Response]]
PREFIX: Final = "/api/v1"
BEARER: Final = {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}
CLIENT: Final[dict[str, Any]] = {
    "name": "Assay-Client",
    "in": "header",
    "required": True,
    "description": "A name that the client chooses for itself and uses in all of its requests.",
    "schema": {"type": "string", "pattern": "^[A-Za-z0-9-]{16,64}$"},
}
_PATH: Final[dict[str, dict[str, Any]]] = {
    "session": {"type": "string", "pattern": UUID},
    "position": {"type": "integer", "minimum": 1, "maximum": 2**31 - 1},
}
_DESCRIPTIONS: Final = {
    401: "Unauthorized, or Token Expired.",
    403: "Forbidden, or Session Invalid.",
    404: "Nothing exists at this address.",
    409: "The request contradicts what is already recorded.",
    413: "The body is too long.",
    415: "The body is not JSON.",
    422: "A value in the request cannot be used.",
    500: "The service failed because of a defect.",
    503: "The service is overloaded, or its database does not respond: repeat after Retry-After seconds.",
}
MOST_BYTES: Final = 1_048_576
"""Enough for the longest answer, even if each of its characters is escaped."""
MOST_DRAINED: Final = 8 * MOST_BYTES
"""The number of bytes of a too long body that are read and discarded, so that its sender gets a reply."""
M = TypeVar("M", bound=BaseModel)


class Direct(APIRoute):
    """A route whose endpoint receives the request and returns the response, without FastAPI's conversions."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **settings: Any) -> None:
        super().__init__(path, endpoint, **settings)
        self.app = request_response(endpoint)


def add(
    app: FastAPI,
    method: str,
    path: str,
    endpoint: Endpoint,
    *,
    response: type[BaseModel] | None,
    status: int = 200,
    body: type[BaseModel] | None = None,
    client: bool = False,
    query: list[dict[str, Any]] | None = None,
    token: bool = True,
    problems: tuple[int, ...] = (),
) -> None:
    """Add a route under `PREFIX`, with its bodies, parameters and possible problems for OpenAPI.

    A route for GET also serves HEAD, which has no description of its own.
    """
    refusals = (401, 403) if token else ()
    bodies = (413, 415, 422) if body is not None else ()
    statuses = sorted({*refusals, *bodies, *problems, 500, 503})
    parameters = [
        {"name": name, "in": "path", "required": True, "schema": schema}
        for name, schema in _PATH.items()
        if f"{{{name}}}" in path
    ]
    extra: dict[str, Any] = {"parameters": parameters + (query or []) + ([CLIENT] if client else [])}
    if token:
        extra["security"] = [{"bearer": []}]
    if body is not None:
        schema = {"$ref": f"#/components/schemas/{body.__name__}"}
        extra["requestBody"] = {"required": True, "content": {"application/json": {"schema": schema}}}
    app.router.add_api_route(
        f"{PREFIX}{path}",
        endpoint,
        methods=[method],
        status_code=status,
        response_model=response,
        response_class=Response if response is None else Json,
        summary=(endpoint.__doc__ or "").strip().split("\n")[0],
        operation_id=getattr(endpoint, "__name__", None),
        route_class_override=Direct,
        openapi_extra=extra,
        responses={problem_status: _problem(problem_status) for problem_status in statuses},
    )
    if method == "GET":
        head = Route(f"{PREFIX}{path}", endpoint, methods=["HEAD"], include_in_schema=False)
        app.router.routes.append(head)


def _problem(status: int) -> dict[str, Any]:
    body = {"schema": {"$ref": "#/components/schemas/ProblemBody"}}
    return {"description": _DESCRIPTIONS[status], "content": {MEDIA_TYPE: body}}


class Json(JSONResponse):
    """A response whose body, one of `shapes`, is already encoded."""

    def render(self, content: bytes) -> bytes:
        """Return the bytes unchanged."""
        return content


def json_response(body: BaseModel, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """Return a body as a response."""
    return Json(body.__pydantic_serializer__.to_json(body), status, headers)


def describe(app: FastAPI, request_bodies: list[type[BaseModel]]) -> Callable[[], dict[str, Any]]:
    """Return the function that makes the OpenAPI document; its schemas include the request bodies."""

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            document = get_openapi(
                title=app.title, version=app.version, description=app.description, routes=app.routes
            )
            bodies: list[type[BaseModel]] = [*request_bodies, ProblemBody]
            models: list[tuple[type[BaseModel], JsonSchemaMode]] = [(body, "validation") for body in bodies]
            _, more = models_json_schema(models, ref_template="#/components/schemas/{model}")
            components = document.setdefault("components", {})
            components.setdefault("schemas", {}).update(more["$defs"])
            components["securitySchemes"] = {"bearer": BEARER}
            app.openapi_schema = document
        return app.openapi_schema

    return openapi


async def read_body(request: Request, model: type[M], *, most: int = MOST_BYTES) -> M | AssayError:
    """Return a body as a model, or the error in it. Keeps at most `most` bytes in memory."""
    headers = request.headers
    kind, _, parameters = headers.get("content-type", "").partition(";")
    charset = parameters.replace(" ", "").replace('"', "").lower()
    if kind.strip().lower() != "application/json" or charset not in ("", "charset=utf-8"):
        return Unsupported("send JSON in UTF-8, with Content-Type: application/json")
    raw, length = b"", 0
    try:
        async for part in request.stream():
            length += len(part)
            if length > MOST_DRAINED:
                break
            raw = b"" if length > most else raw + part if raw else part
    except ClientDisconnect:
        return InvalidInput("the body is incomplete: send all of it")
    if length > most:
        return BodyTooLarge(f"the body is longer than {most:,} bytes: send a shorter one")
    try:
        return model.model_validate_json(raw)
    except ValidationError as error:
        return invalid_body(error)
