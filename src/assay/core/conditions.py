"""The conditions a sample was produced under: what must be equal for its score to be compared."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from assay.core.canonical import canonical

BY_CASE = ("max_tokens", "max_completion_tokens")
"""Parameters whose value each case sets for itself: only whether they were sent is a condition."""


@dataclass(frozen=True, slots=True)
class Conditions:
    """One sample's conditions; None where something is not known.

    `parameters` are those really sent, as canonical JSON, after quirks and what the endpoint refuses.
    `provider`, `model` and `fingerprint` are what the reply says of who served it. `judge` names the models
    that marked it, and `suite` is the suite's digest.
    """

    parameters: str | None = None
    provider: str | None = None
    model: str | None = None
    fingerprint: str | None = None
    judge: str | None = None
    suite: str | None = None

    @property
    def body(self) -> str:
        """The conditions as canonical JSON: equal conditions have equal bodies."""
        return canonical(asdict(self)).decode()

    @property
    def id(self) -> int:
        """A number from the digest of the body, at least 0 and below 2**63."""
        return int.from_bytes(self.digest[:8]) >> 1

    @property
    def digest(self) -> bytes:
        """The SHA-256 of the body."""
        return hashlib.sha256(self.body.encode()).digest()


def sent_parameters(parameters: Mapping[str, Any]) -> str:
    """Return parameters as they enter conditions: canonical JSON, token limits by name only."""
    shown = {name: "set by case" if name in BY_CASE else value for name, value in parameters.items()}
    return canonical(shown).decode()
