"""Models as providers serve them, with their pins, parameters and prices."""

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

    `base_url` ends before `/chat/completions`. `dialect` selects extensions of the common protocol
    (`openrouter` has fields for routing, reasoning and cost). `recordings` is the file of a `recorded`
    provider's answers, None for the others.
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
class SuiteExclusion:
    """A suite that a model is not measured on, and why."""

    suite: str
    reason: str


@dataclass(frozen=True, slots=True)
class Model:
    """A model, named `provider/upstream` on the command line.

    With `unretained` a router is asked to use only endpoints that do not store requests.
    """

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
    exclusions: tuple[SuiteExclusion, ...] = ()
    unretained: bool = False

    @property
    def name(self) -> str:
        """The name users type: `openrouter/openai/gpt-5-mini`, `local/llama3`."""
        return f"{self.provider}/{self.upstream}"

    @property
    def fingerprint(self) -> str:
        """The hash of everything that changes requests to the model: name, pin and parameters."""
        pin = None if self.pin is None else list(self.pin.only)
        return digest({"model": self.name, "pin": pin, "parameters": dict(self.parameters)})
