"""Choosing the first usable sandbox."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from assay.core.ask import CodeAsk, CodeReply, CodeStatus
from assay.core.errors import InvalidInput
from assay.sandbox.bubblewrap import Bubblewrap
from assay.sandbox.docker import Docker
from assay.sandbox.sandbox import Sandbox, Unusable

KINDS = ("wasm", "bubblewrap", "docker")


def open_sandbox(kinds: Sequence[str] = KINDS) -> SandboxChoice:
    """Return a sandbox that runs each program in the first of these kinds that is usable and suitable.

    Kinds are opened on first use. Native packages come from the folder `$ASSAY_SANDBOX_PACKAGES`.
    Raises InvalidInput for an unknown kind.
    """
    unknown = sorted(set(kinds) - set(KINDS))
    if unknown:
        raise InvalidInput(f"unknown sandbox {unknown[0]!r}: use {', '.join(KINDS)}")
    given = os.environ.get("ASSAY_SANDBOX_PACKAGES")
    openers = makers(Path(given).resolve() if given else None)
    return SandboxChoice({kind: openers[kind] for kind in kinds})


def makers(packages: Path | None) -> dict[str, Callable[[], Sandbox]]:
    """Return a function for each kind that opens it or raises Unusable."""

    def open_wasm() -> Sandbox:
        try:
            from assay.sandbox.wasm import Wasm  # wasmtime takes long to import
        except ImportError as error:
            raise Unusable(f"wasmtime cannot be imported: {error}") from error
        return Wasm()

    return {
        "wasm": open_wasm,
        "bubblewrap": lambda: Bubblewrap(packages),
        "docker": lambda: Docker(packages=packages),
    }


class SandboxChoice:
    """Several kinds of sandbox; each program runs in the first one that is usable and suitable.

    Without one the reply is `UNAVAILABLE` with all reasons; a program never runs without a sandbox.
    """

    name = "choice"

    def __init__(self, openers: Mapping[str, Callable[[], Sandbox]]) -> None:
        self._openers = openers
        self._opened: dict[str, Sandbox | Unusable] = {}
        self._opening = threading.Lock()

    def unfit(self, ask: CodeAsk) -> str | None:
        """Return the reasons why no sandbox can run this program, or None."""
        sandbox = self.pick(ask)
        return sandbox if isinstance(sandbox, str) else None

    def run(self, ask: CodeAsk) -> CodeReply:
        """Run the program in the first suitable sandbox and return its result."""
        sandbox = self.pick(ask)
        if isinstance(sandbox, str):
            return CodeReply(CodeStatus.UNAVAILABLE, error=sandbox)
        return sandbox.run(ask)

    def pick(self, ask: CodeAsk) -> Sandbox | str:
        """Return the sandbox for this program, or the reasons why none is suitable."""
        reasons = []
        for kind in self._openers:
            sandbox = self._open(kind)
            reason = str(sandbox) if isinstance(sandbox, Unusable) else sandbox.unfit(ask)
            if reason is None and not isinstance(sandbox, Unusable):
                return sandbox
            reasons.append(f"{kind}: {reason}")
        return "; ".join(reasons) or "no kind of sandbox was allowed"

    def close(self) -> None:
        """Close every sandbox that was opened."""
        with self._opening:
            for sandbox in self._opened.values():
                if not isinstance(sandbox, Unusable):
                    sandbox.close()
            self._opened.clear()

    def _open(self, kind: str) -> Sandbox | Unusable:
        with self._opening:
            if kind not in self._opened:
                try:
                    self._opened[kind] = self._openers[kind]()
                except Unusable as error:
                    self._opened[kind] = error
            return self._opened[kind]
