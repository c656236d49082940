"""What every sandbox can do, and the word for one that cannot be used here."""

from __future__ import annotations

from typing import Protocol

from assay.core.ask import CodeAsk, CodeReply


class Unusable(Exception):
    """This kind of sandbox cannot be used on this machine; the message says why and what to do."""


class Sandbox(Protocol):
    """Runs programs that nobody trusts. `run` blocks, and may be called from several threads at once."""

    @property
    def name(self) -> str:
        """Return what replies call it."""
        ...

    def unfit(self, ask: CodeAsk) -> str | None:
        """Return why it cannot run this program, or None when it can."""
        ...

    def run(self, ask: CodeAsk) -> CodeReply:
        """Run the program within its limits; every outcome is a reply, none an exception."""
        ...

    def close(self) -> None:
        """Give back what it holds. Runs under way end first."""
        ...
