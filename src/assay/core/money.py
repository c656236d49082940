"""Token counts, prices and costs in US dollars. An unknown cost stays unknown; it never becomes 0."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

MILLION = 1_000_000
LARGEST_COUNT = 20_000_000
"""Tokens. No model reads or writes more in one call: a larger count cannot be right."""
LARGEST_COST = 10_000.0
"""US dollars. No single call costs more: a higher cost cannot be right, and sums could overflow."""


class Usage(NamedTuple):
    """Token counts of one call; None for those that the provider did not report.

    `completion` includes `reasoning`, and `prompt` includes `cached` (read from the provider's cache) and
    `written` (written to it), as in the OpenAI protocol. Other dialects are converted when they are read.
    """

    prompt: int | None = None
    completion: int | None = None
    reasoning: int | None = None
    cached: int | None = None
    written: int | None = None

    def contradiction(self) -> str | None:
        """Return the reason why these counts cannot be right, or None."""
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

    `cached` is the price of tokens read from the provider's cache; None means the same as `prompt`.
    `cache_write` is the price of tokens written to it; None means unknown, so the cost of a call that writes
    to the cache is unknown.
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
        """Return the highest cost in US dollars of a call with at most these token counts."""
        dearest = max(self.prompt, self.cached or 0.0, self.cache_write or 0.0)
        return (prompt * dearest + completion * self.completion) / MILLION + self.request


def credible_cost(dollars: float) -> float | None:
    """Return the cost, or None if it cannot be right: negative, not finite or above `LARGEST_COST`."""
    return dollars if 0 <= dollars <= LARGEST_COST else None
