"""Steering a run from outside: where it stands, and the means to stop it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from assay.calls.progress import Progress
from assay.calls.stop import Stop
from assay.store.runs import StoredRun


@dataclass(slots=True)
class Steering:
    """What a caller may hold on to while a run goes on: where it stands, and the means to stop it."""

    progress: Progress = field(default_factory=lambda: Progress(0))
    stop: Stop = field(default_factory=Stop)
    started: Callable[[StoredRun], None] | None = None
