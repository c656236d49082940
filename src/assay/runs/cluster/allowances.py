"""Dividing one budget among workers: each gets an allowance, and their sum stays within the limit."""

from __future__ import annotations

from collections.abc import Mapping

from assay.calls.budget import Budget
from assay.results.runs import Spend


class Allowances:
    """The allowances granted from a budget, in US dollars; unspent money is returned to it.

    The sum of the money spent, held for attempts of unknown cost, and granted never exceeds the limit. Within
    its allowance each worker keeps the rules of `Budget`. `dearest` has the largest cost of a call of any
    worker, by the model's row.
    """

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.dearest: dict[int, float] = {}
        self._out = 0.0

    def affordable(self, needed: float = 0.0) -> bool:
        """Return whether the rest pays for a call that reserves `needed`."""
        if self.budget.limit is None:
            return True
        free = self._free(self.budget.limit)
        return free > 0.0 and free >= needed

    def grant(self, workers: int, needed: float = 0.0) -> float | None:
        """Return an allowance: the rest divided by the number of waiting `workers`, but at least `needed`.

        None without a limit. Call it only while `affordable`.
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
        """Return an allowance of which `spend` was spent and `held` may have been spent."""
        if allowance is not None:
            self._out -= allowance
        self.budget.spent += spend
        self.budget.held += held
        for model, cost in (dearest or {}).items():
            self.dearest[model] = max(cost, self.dearest.get(model, 0.0))

    def _free(self, limit: float) -> float:
        return limit - self.budget.spent.known - self.budget.held - self._out
