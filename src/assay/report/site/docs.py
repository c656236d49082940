"""A readable page of an OpenAPI document: operations by topic with parameters, bodies and an example."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import orjson

from assay.core.documented import slug
from assay.report.frame import SiteFrame
from assay.report.site.style import site_page

Json = Mapping[str, Any]
METHODS: Final = ("get", "post", "put", "patch", "delete")
DEEPEST: Final = 4
"""Levels of an example's body; deeper ones are left out."""
_CHOICE: Final = re.compile(r"\^\(([\w|-]+)\)\$")
_UUID_PATTERN: Final = "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"
_UUID: Final = "5b1c1c50-4c0f-4a8e-8f0b-2b9f2d1f7e11"


@dataclass(frozen=True, slots=True)
class ApiType:
    """The type of a value in words; `schema` is the name of the schema in it, empty without one."""

    before: str
    schema: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class ApiField:
    """A parameter, or a field of a body. `place` is where a parameter stands: path, query or header."""

    name: str
    kind: ApiType
    required: bool
    limits: str
    place: str = ""
    description: str = ""


@dataclass(frozen=True, slots=True)
class ApiReply:
    """A reply by its HTTP status; `body` is None for a reply without one."""

    status: str
    description: str
    body: ApiType | None

    @property
    def error(self) -> bool:
        """Whether it reports an error."""
        return self.status >= "400"


@dataclass(frozen=True, slots=True)
class ApiOperation:
    """One method at one address, with a call that can be typed into a shell."""

    method: str
    path: str
    anchor: str
    summary: str
    token: bool
    parameters: tuple[ApiField, ...]
    body: ApiType | None
    replies: tuple[ApiReply, ...]
    example: str

    def replies_of(self, *, errors: bool) -> list[ApiReply]:
        """Return the replies that report an error, or the others."""
        return [reply for reply in self.replies if reply.error == errors]


@dataclass(frozen=True, slots=True)
class ApiSchema:
    """A body or a part of one. Without fields, `limits` says which values there are."""

    name: str
    description: str
    fields: tuple[ApiField, ...]
    limits: str


@dataclass(frozen=True, slots=True)
class DocsView:
    """The page of an API; `base` is the address that it is served at."""

    title: str
    version: str
    description: str
    base: str
    groups: tuple[tuple[str, tuple[ApiOperation, ...]], ...]
    schemas: tuple[ApiSchema, ...]
    made: None = None


def docs_page(document: Json, base: str, site: SiteFrame) -> str:
    """Return the page of an OpenAPI document. `base` is the absolute address of the service."""
    schemas: Json = document.get("components", {}).get("schemas", {})
    operations = [
        _operation(method, path, described, base.rstrip("/"), schemas)
        for path, methods in document["paths"].items()
        for method, described in methods.items()
        if method in METHODS
    ]
    start = _common_start([operation.path for operation in operations])
    groups: dict[str, list[ApiOperation]] = {}
    for operation in operations:
        topic = operation.path.removeprefix(start).strip("/").partition("/")[0]
        groups.setdefault(topic.capitalize(), []).append(operation)
    info = document["info"]
    view = DocsView(
        title=info["title"],
        version=info["version"],
        description=info.get("description", ""),
        base=base.rstrip("/"),
        groups=tuple((topic, tuple(own)) for topic, own in groups.items()),
        schemas=tuple(_schema(name, schema) for name, schema in sorted(schemas.items())),
    )
    return site_page("site_docs.html", view, site)


def _common_start(paths: Sequence[str]) -> str:
    """Return the segments that all paths begin with, such as `/api/v1`."""
    split = [path.split("/") for path in paths]
    common = []
    for segments in zip(*split, strict=False):
        if len(set(segments)) > 1 or segments[0].startswith("{"):
            break
        common.append(segments[0])
    return "/".join(common)


def _operation(method: str, path: str, described: Json, base: str, schemas: Json) -> ApiOperation:
    parameters = tuple(_parameter(parameter) for parameter in described.get("parameters", ()))
    body = _content(described.get("requestBody", {}))
    token = bool(described.get("security"))
    return ApiOperation(
        method=method.upper(),
        path=path,
        anchor=slug(f"{method} {path}"),
        summary=described.get("summary", ""),
        token=token,
        parameters=parameters,
        body=None if body is None else type_of(body),
        replies=tuple(
            ApiReply(status, _meaning(reply), None if (own := _content(reply)) is None else type_of(own))
            for status, reply in sorted(described["responses"].items())
        ),
        example=_example_call(method, f"{base}{path}", parameters, body, token=token, schemas=schemas),
    )


def _meaning(reply: Json) -> str:
    text: str = reply.get("description", "")
    return "" if text == "Successful Response" else text


def _content(described: Json) -> Json | None:
    """Return the schema of a body, None for none."""
    for content in described.get("content", {}).values():
        schema: Json = content.get("schema", {})
        return schema
    return None


def _parameter(parameter: Json) -> ApiField:
    schema = parameter.get("schema", {})
    return ApiField(
        parameter["name"],
        type_of(schema),
        bool(parameter.get("required")),
        limits_of(schema),
        parameter["in"],
        parameter.get("description", ""),
    )


def _schema(name: str, schema: Json) -> ApiSchema:
    required = set(schema.get("required", ()))
    fields = tuple(
        ApiField(
            field, type_of(own), field in required, limits_of(own), description=own.get("description", "")
        )
        for field, own in schema.get("properties", {}).items()
    )
    return ApiSchema(name, " ".join(schema.get("description", "").split()), fields, limits_of(schema))


def type_of(schema: Json) -> ApiType:
    """Return the type of a schema in words."""
    if "$ref" in schema:
        return ApiType("", schema["$ref"].rpartition("/")[2])
    options = [option for option in schema.get("anyOf", ()) if option.get("type") != "null"]
    if options:
        inner = [type_of(option) for option in options]
        nullable = " or null" if len(options) < len(schema["anyOf"]) else ""
        if len(inner) == 1:
            return ApiType(inner[0].before, inner[0].schema, inner[0].after + nullable)
        return ApiType(" or ".join(part.before or part.schema for part in inner) + nullable)
    if schema.get("type") == "array":
        inner_type = type_of(schema.get("items", {}))
        return ApiType(f"list of {inner_type.before}", inner_type.schema, inner_type.after)
    kind: str = schema.get("type", "any value")
    return ApiType({"string": "text", "boolean": "true or false"}.get(kind, kind))


def limits_of(schema: Json) -> str:
    """Return which values a schema allows, in words."""
    options = [option for option in schema.get("anyOf", ()) if option.get("type") != "null"]
    merged = {**options[0], **schema} if len(options) == 1 else schema
    parts = []
    if "enum" in merged:
        parts.append(f"one of {', '.join(map(str, merged['enum']))}")
    for least, most, unit in (
        ("minLength", "maxLength", " characters"),
        ("minItems", "maxItems", " entries"),
        ("minimum", "maximum", ""),
    ):
        parts += _between(merged.get(least), merged.get(most), unit)
    if "exclusiveMinimum" in merged:
        parts.append(f"more than {merged['exclusiveMinimum']:,}")
    if "pattern" in merged:
        parts.append(_described(merged["pattern"]))
    if merged.get("default") is not None:
        parts.append(f"default {merged['default']}")
    return "; ".join(parts)


def _described(pattern: str) -> str:
    choice = _CHOICE.fullmatch(pattern)
    if choice:
        return f"one of {choice[1].replace('|', ', ')}"
    return "a UUID" if pattern == _UUID_PATTERN else f"matches `{pattern}`"


def _between(least: float | None, most: float | None, unit: str) -> list[str]:
    if least is not None and most is not None:
        return [f"{least:,} to {most:,}{unit}"]
    if least is not None:
        return [f"{least:,}{unit} or more"]
    return [] if most is None else [f"at most {most:,}{unit}"]


def _example_call(
    method: str,
    address: str,
    parameters: Sequence[ApiField],
    body: Json | None,
    *,
    token: bool,
    schemas: Json,
) -> str:
    """Return a curl command; words in capitals stand for values of one's own."""
    named = re.sub(r"{(\w+)}", lambda name: name[1].upper(), address)
    lines = ["curl" if method == "get" else f"curl -X {method.upper()}"]
    lines[0] += f" {shlex.quote(named)}"
    if token:
        lines.append('-H "Authorization: Bearer $TOKEN"')
    lines += [
        f"-H {shlex.quote(f'{parameter.name}: {parameter.name.upper()}')}"
        for parameter in parameters
        if parameter.place == "header" and parameter.required
    ]
    if body is not None:
        example = orjson.dumps(example_of(body, schemas)).decode()
        lines += ['-H "Content-Type: application/json"', f"-d {shlex.quote(example)}"]
    return " \\\n  ".join(lines)


def example_of(schema: Json, schemas: Json, depth: int = 0) -> Any:
    """Return a value that a schema allows, with the required fields of objects only."""
    if "$ref" in schema:
        schema = schemas.get(schema["$ref"].rpartition("/")[2], {})
    for option in schema.get("anyOf", ()):
        return example_of(option, schemas, depth)
    if schema.get("examples"):
        return schema["examples"][0]
    if schema.get("default") is not None:
        return schema["default"]
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type")
    if kind == "object" and depth < DEEPEST:
        required = schema.get("required", ())
        return {
            name: example_of(own, schemas, depth + 1)
            for name, own in schema.get("properties", {}).items()
            if name in required
        }
    if kind == "array" and depth < DEEPEST:
        return [example_of(schema.get("items", {}), schemas, depth + 1)]
    if kind == "string":
        choice = _CHOICE.fullmatch(schema.get("pattern", ""))
        if choice:
            return choice[1].partition("|")[0]
        return _UUID if schema.get("pattern") == _UUID_PATTERN else "TEXT"
    return schema.get("minimum", 1) if kind in ("integer", "number") else kind == "boolean" or None
