"""One budget for many workers: each gets an allowance of its own, so that the sum stays within the limit."""

from __future__ import annotations

from assay.calls.budget import Budget
from assay.core.money import Spend


class Allowances:
    """Hands a budget out in allowances and takes back what was not spent. All sums are US dollars.

    What was spent and what is handed out never pass the limit together. Within its allowance each worker
    keeps `Budget`'s rule, so the limit can be passed by no more than the difference between all calls in
    flight and their mean.
    """

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self._out = 0.0

    @property
    def affordable(self) -> bool:
        """Whether what is left pays for one more call."""
        return self.budget.limit is None or self._free(self.budget.limit) >= self.budget.mean

    def grant(self, workers: int) -> float | None:
        """Return an allowance: what is left, divided by `workers` who wait, but enough for one call.

        None when there is no limit. Only while `affordable`.
        """
        if self.budget.limit is None:
            return None
        free = self._free(self.budget.limit)
        allowance = min(free, max(self.budget.mean, free / workers))
        self._out += allowance
        return allowance

    def settle(self, allowance: float | None, spend: Spend) -> None:
        """Take an allowance back of which `spend` was spent."""
        if allowance is not None:
            self._out -= allowance
        before = self.budget.spent
        self.budget.spent = Spend(
            before.known + spend.known, before.calls + spend.calls, before.unknown + spend.unknown
        )

    def _free(self, limit: float) -> float:
        return limit - self.budget.spent.known - self._out
