"""Watching a run and stopping it from outside."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from assay.calls.progress import Progress
from assay.core.errors import AssayError
from assay.store.runs import StoredRun


@dataclass(slots=True)
class Stop:
    """A request to workers to start nothing more. Calls in flight are waited for, unless `give_up` is called.

    `reason` and `error` are those of the first request.
    """

    reason: str | None = None
    error: AssayError | None = None
    event: asyncio.Event = field(default_factory=asyncio.Event)
    given_up: asyncio.Event = field(default_factory=asyncio.Event)

    def request(self, reason: str, error: AssayError | None = None) -> None:
        """Request a stop; does nothing when one was requested before."""
        if self.reason is None:
            self.reason, self.error = reason, error
            self.event.set()

    def give_up(self) -> None:
        """Abandon the calls in flight; replies that have arrived are still written."""
        self.given_up.set()


@dataclass(slots=True)
class RunControl:
    """The progress of a run and the means to stop it; `started` is called when the run is stored."""

    progress: Progress = field(default_factory=lambda: Progress(0))
    stop: Stop = field(default_factory=Stop)
    started: Callable[[StoredRun], None] | None = None
