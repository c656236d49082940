"""One question to judges: what is asked about one answer for one metric, and what names it."""

from __future__ import annotations

import hashlib
import secrets

from assay.core.ask import ModelAsk, ModelReply
from assay.core.case import Case, GraderSpec
from assay.core.judging import JudgedGrader, Mark, Shown


class Fences:
    """Draws random texts from a secret of this process: asking the system for each one takes longer."""

    def __init__(self) -> None:
        self._secret = secrets.token_bytes(32)
        self._drawn = 0

    def draw(self) -> str:
        """Return 16 hexadecimal digits that nobody can foresee."""
        self._drawn += 1
        drawn = self._drawn.to_bytes(8, "big")
        return hashlib.blake2b(drawn, key=self._secret, digest_size=8).hexdigest()


class Question:
    """What is put to every judge about one answer for one metric; written once, whoever is asked."""

    __slots__ = ("_opening", "case", "digest", "grader", "metric", "shown", "spec")

    def __init__(self, case: Case, spec: GraderSpec, grader: JudgedGrader, metric: str, shown: Shown) -> None:
        self.case, self.spec, self.grader = case, spec, grader
        self.metric, self.shown = metric, shown
        self.digest = b""
        self._opening: ModelAsk | None = None

    def opening(self) -> ModelAsk:
        """Return the first ask."""
        if self._opening is None:
            self._opening = self.grader.ask(self.case, self.spec, self.metric, self.shown)
        return self._opening

    def read(self, replies: tuple[ModelReply, ...]) -> Mark | ModelAsk:
        """Return the mark, or one more ask."""
        return self.grader.read(self.case, self.spec, self.metric, self.shown, replies)


def digest_of(*parts: str | bytes, size: int = 32) -> bytes:
    """Return the BLAKE2b digest of texts and bytes, one after the other; `size` in bytes."""
    whole = hashlib.blake2b(digest_size=size)
    for part in parts:
        whole.update(part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass"))
    return whole.digest()
