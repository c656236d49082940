"""The published results of the own organisation."""

from __future__ import annotations

import asyncio

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response

from assay.core.exam import Permission
from assay.exams.access import Allowed
from assay.exams.publish import published
from assay.exams.results import ModelResult
from assay.ranking.exam.spread import Spread
from assay.store.exam.serving import Raw
from assay.web.auth import carry_out, claims_of
from assay.web.routes import add, sent
from assay.web.service import service_of
from assay.web.shapes import ResultBody, ResultsBody, SpreadBody, SubjectBody


def add_routes(app: FastAPI) -> None:
    """Add the route of results."""
    add(app, "GET", "/results", results, sent=ResultsBody)


async def results(request: Request) -> Response:
    """List the own organisation's published results, the best first."""
    claims = await claims_of(request)
    service = service_of(request)

    def deed(raw: Raw, allowed: Allowed, at: float) -> int:
        return allowed.organisation

    organisation = await carry_out(request, claims, deed, Permission.READ_RESULTS)
    found = await asyncio.to_thread(published, service.engine, organisation, service.judge)
    return sent(ResultsBody(judge=service.judge, results=[_body(each) for each in found]))


def _body(one: ModelResult) -> ResultBody:
    assert one.score is not None
    return ResultBody(
        model=one.model,
        prompting=one.prompting,
        simulated=one.simulated,
        sittings=sum(each.counts for each in one.sittings),
        score=_spread(one.score),
        relative=None if one.relative is None else _spread(one.relative),
        reference=one.reference,
        subjects=[
            SubjectBody(subject=each.code, score=each.score, sittings=each.sittings) for each in one.subjects
        ],
    )


def _spread(told: Spread) -> SpreadBody:
    interval = None if told.interval is None else [told.interval.low, told.interval.high]
    return SpreadBody(
        n=told.n, mean=told.mean, sd=told.sd, least=told.least, most=told.most, interval=interval
    )
