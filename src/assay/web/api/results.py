"""The route for the results of the user's organisation in official series."""

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
from assay.web.routes import add, json_response
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
    """Add the route for results."""
    add(app, "GET", "/results", results, response=ResultsBody)


async def results(request: Request) -> Response:
    """List the published results of your organisation in all official series, best first."""
    claims = await claims_of(request)
    service = service_of(request)

    def action(raw: RawStatements, allowed: Allowed, at: float) -> int:
        return allowed.organisation

    organisation = await carry_out(request, claims, action, Permission.READ_RESULTS)
    return json_response(await asyncio.to_thread(_body, service, organisation))


def _body(service: Service, organisation: int) -> ResultsBody:
    with reading(service.engine) as connection:
        name = organisation_name(connection, organisation)
    standings = read_standings(service.engine, service.judge, now=service.clock())
    return ResultsBody(judge=service.judge, series=[_series(series, name) for series in standings])


def _series(series: dict[str, Any], organisation: str) -> SeriesBody:
    return SeriesBody(
        series=series["series"],
        n=series["n"],
        prompting=series["prompting"],
        sittings=series["sittings"],
        reference=IdentityBody(**series["reference"]),
        ranked=series["ranked"],
        results=[
            _result(model)
            for model in series["models"]
            if model["published"] and model["organisation"] == organisation
        ],
    )


def _result(model: dict[str, Any]) -> ResultBody:
    score, ratio, rank = model["score"], model["relative"], model["rank"]
    return ResultBody(
        organisation=model["organisation"],
        model=model["model"],
        prompting=model["prompting"],
        simulated=model["simulated"],
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
        subjects=[SubjectBody(**subject) for subject in model["subjects"]],
    )


def _ratio(ratio: dict[str, Any]) -> RatioBody:
    low = ratio["low"]
    return RatioBody(value=ratio["value"], interval=None if low is None else [low, ratio["high"]])
