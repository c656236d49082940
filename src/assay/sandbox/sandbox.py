"""The interface of a sandbox, and the error for one that cannot be used on this machine."""

from __future__ import annotations

from typing import Protocol

from assay.core.ask import CodeAsk, CodeReply


class Unusable(Exception):
    """This kind of sandbox cannot be used on this machine; the message gives the reason and what to do."""


class Sandbox(Protocol):
    """A sandbox for untrusted programs. `run` blocks, and may be called from several threads."""

    @property
    def name(self) -> str:
        """The name of the sandbox in replies."""
        ...

    def unfit(self, ask: CodeAsk) -> str | None:
        """Return the reason why it cannot run this program, or None."""
        ...

    def run(self, ask: CodeAsk) -> CodeReply:
        """Run the program within its limits; failures are replies, not exceptions."""
        ...

    def close(self) -> None:
        """Release all resources after current runs have ended."""
        ...
