"""A registered subject: a model as one provider serves it, with its pin, parameters and prices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Literal

from assay.core.canonical import digest
from assay.core.money import Prices


@dataclass(frozen=True, slots=True)
class Provider:
    """An endpoint that serves models. `api_key_env` names the environment variable with its key.

    `base_url` ends before `/chat/completions`. `dialect` selects what the endpoint understands
    beyond the common protocol (`openrouter` knows routing, reasoning and cost fields). `recordings` is the
    file that a `recorded` provider answers from, None for the others.
    """

    name: str
    base_url: str
    api_key_env: str | None = None
    dialect: Literal["openai", "openrouter", "simulated", "recorded"] = "openai"
    concurrency: int = 32
    timeout: float = 300.0
    attempts: int = 6
    recordings: str | None = None


@dataclass(frozen=True, slots=True)
class Pin:
    """The only upstream providers allowed to serve a model through a router, without fallbacks."""

    only: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Exclusion:
    """A suite that a model is not measured on, and why."""

    suite: str
    reason: str


@dataclass(frozen=True, slots=True)
class Model:
    """A model as named on the command line: `provider/upstream`."""

    provider: str
    upstream: str
    pin: Pin | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    prices: Prices | None = None
    organisation: str | None = None
    family: str | None = None
    series: str | None = None
    released: date | None = None
    weights: Literal["open", "closed"] | None = None
    exclusions: tuple[Exclusion, ...] = ()

    @property
    def name(self) -> str:
        """The name users type: `openrouter/openai/gpt-5-mini`, `local/llama3`."""
        return f"{self.provider}/{self.upstream}"

    @property
    def fingerprint(self) -> str:
        """Return the hash of all that changes what is asked of it: name, pin and parameters."""
        pin = None if self.pin is None else list(self.pin.only)
        return digest({"model": self.name, "pin": pin, "parameters": dict(self.parameters)})
