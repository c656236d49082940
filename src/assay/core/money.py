"""Prices and spending in US dollars. What is unknown stays unknown; it never becomes 0."""

from __future__ import annotations

from dataclasses import dataclass

MILLION = 1_000_000
LARGEST_COUNT = 20_000_000
"""More tokens than any model reads or writes in one call; a larger count cannot be right."""
LARGEST_COST = 10_000.0
"""US dollars. No single call costs as much: a higher cost cannot be right, and sums could overflow."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Token counts of one call; None where the provider reported nothing.

    `completion` includes `reasoning`, and `prompt` includes `cached` (read from the provider's cache) and
    `written` (written to it), as in the OpenAI protocol. Other dialects are converted when they are read.
    """

    prompt: int | None = None
    completion: int | None = None
    reasoning: int | None = None
    cached: int | None = None
    written: int | None = None

    def contradiction(self) -> str | None:
        """Say why these counts cannot be right; None where they can."""
        prompt, completion = self.prompt, self.completion
        reasoning, cached, written = self.reasoning or 0, self.cached or 0, self.written or 0
        if not (
            0 <= (prompt or 0) <= LARGEST_COUNT
            and 0 <= (completion or 0) <= LARGEST_COUNT
            and reasoning >= 0
            and cached >= 0
            and written >= 0
        ):
            return f"a count outside 0 to {LARGEST_COUNT:,}"
        if prompt is not None and cached + written > prompt:
            return f"{cached + written:,} tokens read from or written to a cache, of {prompt:,} prompt tokens"
        if completion is not None and reasoning > completion:
            return f"{reasoning:,} reasoning tokens of {completion:,} completion tokens"
        return None


@dataclass(frozen=True, slots=True)
class Prices:
    """US dollars per million tokens, and per request.

    `cached` is for tokens read from the provider's cache, and None means: as `prompt`. `cache_write` is for
    tokens written to it; None means unknown, so that a call that writes any has no known cost.
    """

    prompt: float
    completion: float
    cached: float | None = None
    request: float = 0.0
    cache_write: float | None = None

    def cost(self, usage: Usage) -> float | None:
        """Return the cost of one call in US dollars.

        None when a token count is missing, when the counts cannot be right, or when a price is missing.
        """
        if usage.prompt is None or usage.completion is None or usage.contradiction() is not None:
            return None
        cached, written = usage.cached or 0, usage.written or 0
        if written and self.cache_write is None:
            return None
        cached_price = self.prompt if self.cached is None else self.cached
        tokens = (
            (usage.prompt - cached - written) * self.prompt
            + cached * cached_price
            + written * (self.cache_write or 0.0)
            + usage.completion * self.completion
        )
        return credible_cost(tokens / MILLION + self.request)

    def most(self, prompt: int, completion: int) -> float:
        """Return the most that a call of at most so many tokens can cost, in US dollars."""
        dearest = max(self.prompt, self.cached or 0.0, self.cache_write or 0.0)
        return (prompt * dearest + completion * self.completion) / MILLION + self.request


def credible_cost(dollars: float) -> float | None:
    """Return a cost, or None where it cannot be right: negative, not finite or above `LARGEST_COST`."""
    return dollars if 0 <= dollars <= LARGEST_COST else None


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
