"""The judges that a study of selection after the fact is made for: perfect, as stated, or as measured."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from assay.core.errors import InvalidInput, Problem
from assay.files.outcome_table_columns import BETWEEN_ARMS
from assay.frontier.selection.judged import ErringJudge, MeasuredJudge, erring
from assay.frontier.tensor import Tensor
from assay.results.frontier_selection import JudgeKind
from assay.studies.frontier.judge_rates import JudgeRates

ERRORS = (0.01, 0.05, 0.1, 0.2)
"""Error rates that stand beside the perfect judge where none is named."""
PERFECT = "perfect, free"
SETTINGS = re.compile(r" \([0-9a-f]{6}\)$")
"""What stands behind a run's model that was asked with several settings."""
MODEL = "model"


@dataclass(frozen=True, slots=True)
class NamedJudge:
    """A judge and what it is called; `rates` say how it was measured, None where it was not.

    `example` is one of the judges shown where nobody named any.
    """

    label: str
    kind: JudgeKind
    judge: ErringJudge | MeasuredJudge
    rates: JudgeRates | None = None

    @property
    def point(self) -> ErringJudge:
        """The judge, with its rates as measured where they were."""
        return self.judge if isinstance(self.judge, ErringJudge) else self.judge.judge()


def stated_judge(
    error: float | None, true_positive: float | None, false_positive: float | None, price: float | None
) -> ErringJudge | None:
    """Return the judge that rates describe, None where there are none.

    InvalidInput for rates outside 0-1, a price below 0, one rate without the other, and both forms at once.
    """
    wrong = [
        Problem(f"{option} {value!r}: give a share, 0 to 1 (5 % is 0.05)")
        for option, value in (
            ("--judge-error", error),
            ("--true-positive", true_positive),
            ("--false-positive", false_positive),
        )
        if value is not None and not 0.0 <= value <= 1.0
    ]
    if price is not None and not 0.0 <= price < float("inf"):
        wrong.append(Problem(f"--judge-price {price!r}: give 0 or more"))
    both = true_positive is not None or false_positive is not None
    if error is not None and both:
        wrong.append(
            Problem(
                "--judge-error and --true-positive or --false-positive both say how a judge errs: give one"
            )
        )
    elif both and (true_positive is None or false_positive is None):
        given, lacks = ("--true-positive", "--false-positive")[:: 1 if false_positive is None else -1]
        wrong.append(Problem(f"{given} says half of how a judge errs: give {lacks} as well"))
    if wrong:
        raise InvalidInput(wrong)
    if error is not None:
        return erring(error, price or 0.0)
    if true_positive is not None and false_positive is not None:
        return ErringJudge(true_positive, false_positive, price or 0.0)
    return None


def judges_of(
    stated: ErringJudge | None, rates: JudgeRates | None, price: float | None
) -> tuple[NamedJudge, ...]:
    """Return the perfect free judge and the one that is meant beside it, or examples where none is."""
    found = [NamedJudge(PERFECT, "perfect", ErringJudge())]
    if rates is not None:
        return (*found, NamedJudge(rates.judge, "measured", rates.measured, rates))
    if stated is not None:
        same = stated.perfect and stated.price == 0.0
        return tuple(found) if same else (*found, NamedJudge(spell_rates(stated), "stated", stated))
    if price:
        found.append(NamedJudge("perfect, paid", "example", ErringJudge(price=price)))
    examples = [
        NamedJudge(f"errs {100 * each:g} %", "example", erring(each, price or 0.0)) for each in ERRORS
    ]
    return (*found, *examples)


def spell_rates(judge: ErringJudge) -> str:
    """Return a judge's rates in words."""
    missed = 1.0 - judge.true_positive
    if abs(missed - judge.false_positive) < 1e-12:
        return f"errs {100 * missed:.3g} %" if missed else "perfect, paid"
    return f"accepts {100 * judge.true_positive:.3g} % right, {100 * judge.false_positive:.3g} % wrong"


def in_unit(
    judges: tuple[NamedJudge, ...], tensor: Tensor, price: float | None
) -> tuple[tuple[NamedJudge, ...], tuple[str, ...]]:
    """Return the judges with prices that can be added to the tensor's costs, and what was dropped.

    Without recorded costs a `price` that was stated raises InvalidInput; one that was measured is left out.
    """
    if tensor.cost is not None:
        return judges, ()
    if price:
        raise InvalidInput(
            Problem(
                f"--judge-price {price:g}: the source has no costs that it could be added to; leave it out, "
                "or name the column of costs (--column cost=...)"
            )
        )
    kept, notes = [], []
    for each in judges:
        if each.point.price == 0.0:
            kept.append(each)
            continue
        notes.append(
            f"what a judgement cost, ${each.point.price:.3g}, is not counted: the source has no costs"
        )
        kept.append(replace(each, judge=replace(each.judge, price=0.0)))
    return tuple(kept), tuple(notes)


def groups_of(models: Sequence[str], arms: Sequence[str], column: str) -> dict[str, str]:
    """Return each arm's group: its part for this column of `arms`, which name it together.

    A run's arms, without columns, are grouped by `model` over their settings, where one has several.
    InvalidInput for another column, or where a name cannot be taken apart.
    """
    if not arms and column == MODEL:
        found = {name: SETTINGS.sub("", name) for name in models}
        if len(set(found.values())) < len(found):
            return found
    if column not in arms:
        there = f"give one of {', '.join(arms)}" if arms else "name such columns with --arm"
        raise InvalidInput(Problem(f"--group-by {column!r} groups nothing: {there}"))
    found = {}
    for name in models:
        parts = name.split(BETWEEN_ARMS)
        if len(parts) != len(arms):
            told = f"arm {name!r} cannot be taken apart at {BETWEEN_ARMS!r}: rename the values that hold it"
            raise InvalidInput(Problem(told))
        found[name] = parts[list(arms).index(column)]
    return found
