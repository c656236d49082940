"""The database, desk and keys that all routes of a serving process share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import Engine
from starlette.requests import Request

from assay.exam.delivery import Delivery
from assay.exam.desk import Desk
from assay.exam.keys import Keyring


@dataclass(frozen=True, slots=True)
class Service:
    """The shared state of the routes. Published results are based on the marks of `judge`."""

    engine: Engine
    desk: Desk
    keyring: Keyring
    delivery: Delivery
    judge: str
    clock: Callable[[], float]


def service_of(request: Request) -> Service:
    """Return the service that received a request."""
    service: Service = request.app.state.service
    return service
