"""The conditions a sample was produced under. Only scores of equal conditions are compared."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from assay.core.canonical import canonical

BY_CASE = ("max_tokens", "max_completion_tokens")
"""Parameters that each case sets for itself: the condition is that they were sent, not their value."""


@dataclass(frozen=True, slots=True)
class Conditions:
    """One sample's conditions; None for what is unknown.

    `parameters` are those sent in the end, as canonical JSON, without those that the endpoint refuses.
    `provider`, `model` and `fingerprint` are those that the reply reports. `judge` names the models that
    marked the sample, and `suite` is the suite's digest.
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
    """Return parameters in the form that conditions hold: canonical JSON, with token limits by name only."""
    shown = {name: "set by case" if name in BY_CASE else value for name, value in parameters.items()}
    return canonical(shown).decode()
