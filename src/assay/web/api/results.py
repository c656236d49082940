"""The own organisation's standing in official series."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response

from assay.core.exam import Permission
from assay.exam.access import Allowed
from assay.exam.results import read_standings
from assay.store.engine import reading
from assay.store.exam.people import organisation_name
from assay.store.exam.serving import RawStatements
from assay.web.auth import carry_out, claims_of
from assay.web.routes import add, sent
from assay.web.service import Service, service_of
from assay.web.shapes import (
    IdentityBody,
    RankBody,
    RatioBody,
    ResultBody,
    ResultsBody,
    SeriesBody,
    SpreadBody,
    SubjectBody,
)


def add_routes(app: FastAPI) -> None:
    """Add the route of results."""
    add(app, "GET", "/results", results, sent=ResultsBody)


async def results(request: Request) -> Response:
    """List the own organisation's published results in every official series, the best first."""
    claims = await claims_of(request)
    service = service_of(request)

    def deed(raw: RawStatements, allowed: Allowed, at: float) -> int:
        return allowed.organisation

    organisation = await carry_out(request, claims, deed, Permission.READ_RESULTS)
    return sent(await asyncio.to_thread(_body, service, organisation))


def _body(service: Service, organisation: int) -> ResultsBody:
    with reading(service.engine) as connection:
        name = organisation_name(connection, organisation)
    found = read_standings(service.engine, service.judge, now=service.clock())
    return ResultsBody(judge=service.judge, series=[_series(each, name) for each in found])


def _series(one: dict[str, Any], organisation: str) -> SeriesBody:
    return SeriesBody(
        series=one["series"],
        n=one["n"],
        prompting=one["prompting"],
        sittings=one["sittings"],
        reference=IdentityBody(**one["reference"]),
        ranked=one["ranked"],
        results=[
            _result(each)
            for each in one["models"]
            if each["published"] and each["organisation"] == organisation
        ],
    )


def _result(one: dict[str, Any]) -> ResultBody:
    score, ratio, rank = one["score"], one["relative"], one["rank"]
    return ResultBody(
        organisation=one["organisation"],
        model=one["model"],
        prompting=one["prompting"],
        simulated=one["simulated"],
        sittings=score["sittings"],
        rank=RankBody(**rank),
        score=SpreadBody(
            n=score["sittings"],
            mean=score["mean"],
            sd=score["sd"],
            least=score["least"],
            most=score["most"],
            interval=[score["low"], score["high"]],
        ),
        relative=None if ratio is None else _ratio(ratio),
        subjects=[SubjectBody(**each) for each in one["subjects"]],
    )


def _ratio(one: dict[str, Any]) -> RatioBody:
    return RatioBody(value=one["value"], interval=None if one["low"] is None else [one["low"], one["high"]])
