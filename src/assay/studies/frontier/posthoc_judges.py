"""The judges of a study of selection after the fact: perfect, with stated rates, or measured."""

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
"""Error rates of the judges that are shown if no judge is named."""
PERFECT = "perfect, free"
SETTINGS = re.compile(r" \([0-9a-f]{6}\)$")
"""The suffix of a model's name in a run, if the model has several settings."""
MODEL = "model"


@dataclass(frozen=True, slots=True)
class NamedJudge:
    """A judge with its label. `rates` has its measurement, None for a judge that was not measured.

    Judges of the kind `example` are shown if the user named none.
    """

    label: str
    kind: JudgeKind
    judge: ErringJudge | MeasuredJudge
    rates: JudgeRates | None = None

    @property
    def point(self) -> ErringJudge:
        """The judge with point values of its rates."""
        return self.judge if isinstance(self.judge, ErringJudge) else self.judge.judge()


def stated_judge(
    error: float | None, true_positive: float | None, false_positive: float | None, price: float | None
) -> ErringJudge | None:
    """Return the judge with these rates, None without rates.

    Raises InvalidInput for rates outside 0-1, for a price below 0, for one rate without the other, and for
    both forms at once.
    """
    problems = [
        Problem(f"invalid {option} {value!r}: give a share from 0 to 1 (5 % is 0.05)")
        for option, value in (
            ("--judge-error", error),
            ("--true-positive", true_positive),
            ("--false-positive", false_positive),
        )
        if value is not None and not 0.0 <= value <= 1.0
    ]
    if price is not None and not 0.0 <= price < float("inf"):
        problems.append(Problem(f"invalid --judge-price {price!r}: give 0 or more"))
    has_rates = true_positive is not None or false_positive is not None
    if error is not None and has_rates:
        problems.append(
            Problem(
                "--judge-error sets both error rates: leave it out, or leave out --true-positive and "
                "--false-positive"
            )
        )
    elif has_rates and (true_positive is None or false_positive is None):
        given, missing = ("--true-positive", "--false-positive")[:: 1 if false_positive is None else -1]
        problems.append(Problem(f"{given} is only one of a judge's two rates: give {missing} too"))
    if problems:
        raise InvalidInput(problems)
    if error is not None:
        return erring(error, price or 0.0)
    if true_positive is not None and false_positive is not None:
        return ErringJudge(true_positive, false_positive, price or 0.0)
    return None


def judges_of(
    stated: ErringJudge | None, rates: JudgeRates | None, price: float | None
) -> tuple[NamedJudge, ...]:
    """Return the perfect free judge, then the measured or stated one, or examples without either."""
    judges = [NamedJudge(PERFECT, "perfect", ErringJudge())]
    if rates is not None:
        return (*judges, NamedJudge(rates.judge, "measured", rates.measured, rates))
    if stated is not None:
        same = stated.perfect and stated.price == 0.0
        return tuple(judges) if same else (*judges, NamedJudge(spell_rates(stated), "stated", stated))
    if price:
        judges.append(NamedJudge("perfect, paid", "example", ErringJudge(price=price)))
    examples = [
        NamedJudge(f"errs {100 * error:g} %", "example", erring(error, price or 0.0)) for error in ERRORS
    ]
    return (*judges, *examples)


def spell_rates(judge: ErringJudge) -> str:
    """Return a judge's rates in words, to label it."""
    missed = 1.0 - judge.true_positive
    if abs(missed - judge.false_positive) < 1e-12:
        return f"errs {100 * missed:.3g} %" if missed else "perfect, paid"
    return f"accepts {100 * judge.true_positive:.3g} % right, {100 * judge.false_positive:.3g} % wrong"


def in_unit(
    judges: tuple[NamedJudge, ...], tensor: Tensor, price: float | None
) -> tuple[tuple[NamedJudge, ...], tuple[str, ...]]:
    """Return the judges with prices that can be added to the tensor's costs, and notes on dropped prices.

    If the tensor has no costs, a stated `price` raises InvalidInput, and a measured one is left out.
    """
    if tensor.cost is not None:
        return judges, ()
    if price:
        raise InvalidInput(
            Problem(
                f"--judge-price {price:g} cannot be added, because the source has no costs: leave it out, or "
                "name the column of costs (--column cost=...)"
            )
        )
    free, notes = [], []
    for named in judges:
        if named.point.price != 0.0:
            notes.append(
                f"the source has no costs, so the ${named.point.price:.3g} of a judgement is left out"
            )
        free.append(replace(named, judge=replace(named.judge, price=0.0)))
    return tuple(free), tuple(notes)


def groups_of(models: Sequence[str], arms: Sequence[str], column: str) -> dict[str, str]:
    """Return the group of each arm: the part of its name that comes from `column`, one of the columns `arms`.

    A run has no such columns. Its arms are grouped by `model`, if a model has several settings. Raises
    InvalidInput for another column, and for a name that cannot be split.
    """
    if not arms and column == MODEL:
        groups = {name: SETTINGS.sub("", name) for name in models}
        if len(set(groups.values())) < len(groups):
            return groups
    if column not in arms:
        advice = f"give one of {', '.join(arms)}" if arms else "name such columns with --arm"
        raise InvalidInput(Problem(f"--group-by {column!r} is not a column of arms: {advice}"))
    groups = {}
    for name in models:
        parts = name.split(BETWEEN_ARMS)
        if len(parts) != len(arms):
            text = f"arm {name!r} cannot be split at {BETWEEN_ARMS!r}: rename the values that contain it"
            raise InvalidInput(Problem(text))
        groups[name] = parts[list(arms).index(column)]
    return groups
