"""Prices and spending in US dollars. What is unknown stays unknown; it never becomes 0."""

from __future__ import annotations

from dataclasses import dataclass

MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Usage:
    """Token counts of one call as the provider reported them; None where it reported nothing.

    `completion` includes `reasoning`, and `prompt` includes `cached`, as in the OpenAI protocol.
    """

    prompt: int | None = None
    completion: int | None = None
    reasoning: int | None = None
    cached: int | None = None


@dataclass(frozen=True, slots=True)
class Prices:
    """US dollars per million tokens, and per request. `cached` None means: as `prompt`."""

    prompt: float
    completion: float
    cached: float | None = None
    request: float = 0.0

    def cost(self, usage: Usage) -> float | None:
        """Return the cost of one call in US dollars, or None when a token count is missing."""
        if usage.prompt is None or usage.completion is None:
            return None
        cached = usage.cached or 0
        cached_price = self.prompt if self.cached is None else self.cached
        tokens = (
            (usage.prompt - cached) * self.prompt + cached * cached_price + usage.completion * self.completion
        )
        return tokens / MILLION + self.request


@dataclass(frozen=True, slots=True)
class Spend:
    """What a set of calls cost: the known part in US dollars, and how many calls have no known cost."""

    known: float = 0.0
    calls: int = 0
    unknown: int = 0

    def add(self, cost: float | None) -> Spend:
        """Return this spend with one more call, whose cost may be unknown (None)."""
        if cost is None:
            return Spend(self.known, self.calls + 1, self.unknown + 1)
        return Spend(self.known + cost, self.calls + 1, self.unknown)

    def __str__(self) -> str:
        if self.calls and self.unknown == self.calls:
            return "cost unknown"
        text = f"${self.known:.4f}" if self.known < 1 else f"${self.known:,.2f}"
        return f"{text} + {self.unknown} calls of unknown cost" if self.unknown else text
