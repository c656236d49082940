"""One budget for many workers: each gets an allowance of its own, so that the sum stays within the limit."""

from __future__ import annotations

from collections.abc import Mapping

from assay.calls.budget import Budget
from assay.core.money import Spend


class Allowances:
    """Hands a budget out in allowances and takes back what was not spent. All sums are US dollars.

    What was spent, is held for attempts whose cost is unknown, and is handed out never passes the limit
    together. Within its allowance each worker keeps `Budget`'s rule. `dearest` are the largest costs of a
    call, by the model's row, that any worker has seen.
    """

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.dearest: dict[int, float] = {}
        self._out = 0.0

    def affordable(self, needed: float = 0.0) -> bool:
        """Whether what is left pays for a call that reserves `needed`."""
        if self.budget.limit is None:
            return True
        free = self._free(self.budget.limit)
        return free > 0.0 and free >= needed

    def grant(self, workers: int, needed: float = 0.0) -> float | None:
        """Return an allowance: what is left, divided by `workers` who wait, but at least what is `needed`.

        None when there is no limit. Only while `affordable`.
        """
        if self.budget.limit is None:
            return None
        free = self._free(self.budget.limit)
        allowance = min(free, max(needed, free / workers))
        self._out += allowance
        return allowance

    def settle(
        self,
        allowance: float | None,
        spend: Spend,
        *,
        held: float = 0.0,
        dearest: Mapping[int, float] | None = None,
    ) -> None:
        """Take an allowance back of which `spend` was spent and `held` may have been."""
        if allowance is not None:
            self._out -= allowance
        before = self.budget.spent
        self.budget.spent = Spend(
            before.known + spend.known, before.calls + spend.calls, before.unknown + spend.unknown
        )
        self.budget.held += held
        for model, cost in (dearest or {}).items():
            self.dearest[model] = max(cost, self.dearest.get(model, 0.0))

    def _free(self, limit: float) -> float:
        return limit - self.budget.spent.known - self.budget.held - self._out
