"""What the routes of one serving process share."""

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
    """Database, desk and signing keys. `judge` is whose marks published results rest on."""

    engine: Engine
    desk: Desk
    keyring: Keyring
    delivery: Delivery
    judge: str
    clock: Callable[[], float]


def service_of(request: Request) -> Service:
    """Return the service that a request came to."""
    found: Service = request.app.state.service
    return found
