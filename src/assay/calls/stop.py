"""Asking everybody who is at work to stop."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from assay.core.errors import AssayError


@dataclass(slots=True)
class Stop:
    """Tells workers to start nothing more, and why; the first reason stands.

    What is in flight is waited for, unless that is given up too.
    """

    reason: str | None = None
    error: AssayError | None = None
    event: asyncio.Event = field(default_factory=asyncio.Event)
    given_up: asyncio.Event = field(default_factory=asyncio.Event)

    def ask(self, reason: str, error: AssayError | None = None) -> None:
        """Ask everybody to stop."""
        if self.reason is None:
            self.reason, self.error = reason, error
            self.event.set()

    def give_up(self) -> None:
        """Ask everybody to leave what is in flight; what came back before is still written."""
        self.given_up.set()
