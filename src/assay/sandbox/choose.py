"""Opens the first sandbox that can be used here."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from assay.core.ask import CodeAsk, CodeReply, CodeStatus
from assay.core.errors import InvalidInput
from assay.sandbox.sandbox import Sandbox, Unusable

KINDS = ("wasm", "bubblewrap", "docker")


def open_sandbox(kinds: Sequence[str] = KINDS) -> Choice:
    """Return the sandbox that runs each program in the first of these kinds that is usable and fits it.

    Kinds are opened when first needed. Native packages come from the folder `$ASSAY_SANDBOX_PACKAGES`.
    Raises InvalidInput for a kind that does not exist.
    """
    unknown = sorted(set(kinds) - set(KINDS))
    if unknown:
        raise InvalidInput(f"no sandbox is called {unknown[0]!r}: use {', '.join(KINDS)}")
    given = os.environ.get("ASSAY_SANDBOX_PACKAGES")
    openers = makers(Path(given).resolve() if given else None)
    return Choice({kind: openers[kind] for kind in kinds})


def makers(packages: Path | None) -> dict[str, Callable[[], Sandbox]]:
    """Return a function for each kind that opens it or raises Unusable. Imports wait until it is called."""

    def wasm() -> Sandbox:
        try:
            from assay.sandbox.wasm import Wasm
        except ImportError as error:
            raise Unusable(f"wasmtime cannot be imported: {error}") from error
        return Wasm()

    def bubblewrap() -> Sandbox:
        from assay.sandbox.bubblewrap import Bubblewrap

        return Bubblewrap(packages)

    def docker() -> Sandbox:
        from assay.sandbox.docker import Docker

        return Docker(packages=packages)

    return {"wasm": wasm, "bubblewrap": bubblewrap, "docker": docker}


class Choice:
    """Several kinds of sandbox behind one `run`: for each program the first that is usable and fits.

    When none does, the reply is `UNAVAILABLE` with every reason; the program is never run bare.
    """

    name = "choice"

    def __init__(self, openers: Mapping[str, Callable[[], Sandbox]]) -> None:
        self._openers = openers
        self._opened: dict[str, Sandbox | Unusable] = {}
        self._opening = threading.Lock()

    def unfit(self, ask: CodeAsk) -> str | None:
        """Return why no sandbox can run this program, or None when one can."""
        found = self.pick(ask)
        return found if isinstance(found, str) else None

    def run(self, ask: CodeAsk) -> CodeReply:
        """Run the program in the first sandbox that can, and reply."""
        found = self.pick(ask)
        if isinstance(found, str):
            return CodeReply(CodeStatus.UNAVAILABLE, error=found)
        return found.run(ask)

    def pick(self, ask: CodeAsk) -> Sandbox | str:
        """Return the sandbox for this program, or the reasons why there is none."""
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
