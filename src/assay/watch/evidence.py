"""What a day's verdict rests on: plain frozen values that become JSON as they are."""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass
from datetime import date
from enum import Enum
from typing import Any

from assay.core.case import Grading
from assay.core.verdict import ModelState, UseCaseState
from assay.stats.intervals import Interval
from assay.watch.paired import Flip, PairedTest


@dataclass(frozen=True, slots=True)
class Counts:
    """Denominators: n = ok + invalid + error + ungraded samples, of which ok + invalid are scored."""

    n: int
    ok: int
    invalid: int
    error: int
    ungraded: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """A score against a baseline (0-100), both over the same `cases`.

    `drop` is a fraction of the mean, None when the mean is 0. `score`, z and drop are None on a day without
    a score, or with too few cases in common. `deviation` is the sample standard deviation, `spread` the
    same with the floor; `days` were used.
    """

    mean: float
    deviation: float
    spread: float
    days: int
    score: float | None
    cases: int
    z: float | None
    drop: float | None


@dataclass(frozen=True, slots=True)
class Fall:
    """Whether a COOKED fall is over, by the baseline from before it. Beside the seed's verdict.

    While `down`, `since` is the fall's first day, `mean` and `spread` the baseline of that day, `within`
    how many scored days in a row are back in its band. `recovered` is the day the last fall ended.
    """

    down: bool
    since: date | None
    mean: float | None
    spread: float | None
    within: int
    recovered: date | None


@dataclass(frozen=True, slots=True)
class UseCaseVerdict:
    """One use case of one model on one day.

    `state` is the seed's verdict; `held` says that it was only carried over from the last day that counted.
    `reading` is what the day's numbers alone say. The two differ when the evidence may not change the state,
    and `reason` says why, as it does when there is nothing to judge. `baseline` is None while calibrating
    (`days_used` still counts), `golden` until its window is full; `golden_state` is the rule's state against
    it. `interval` is in points of 0-100.

    `score` is over the `cases` that the day has in common with the baseline (all of the day's while
    calibrating). `missing` are cases of the baseline without a score this day, `new` those scored this
    day that the baseline lacks.
    """

    use_case: str
    grading: Grading
    state: UseCaseState
    held: bool
    reading: UseCaseState
    reason: str | None
    score: float | None
    cases: int
    missing: tuple[str, ...]
    new: tuple[str, ...]
    interval: Interval | None
    counts: Counts
    days_used: int
    baseline: Comparison | None
    flips: tuple[Flip, ...]
    full_power: bool
    barred: bool
    golden: Comparison | None
    golden_state: UseCaseState | None
    paired: PairedTest | None
    fall: Fall


@dataclass(frozen=True, slots=True)
class ConditionChange:
    """A condition that changed since the baseline's days: a value never seen in the window before `since`.

    `kind` is `parameters` (those really sent), `judge`, `served model` or `fingerprint`; `before` are the
    earlier values, most frequent first. `samples` of the day's `known` ones (whose value is known) have the
    new value `after`. `unchanged` is the paired test on the other samples alone; None where there are none.
    """

    kind: str
    before: tuple[str, ...]
    after: str
    since: date
    samples: int
    known: int
    unchanged: PairedTest | None


@dataclass(frozen=True, slots=True)
class ProviderFall:
    """Models behind one provider that fell on the same day, and the chance of it if independent."""

    provider: str
    fell: tuple[str, ...]
    at_risk: int
    elsewhere_fell: int
    elsewhere_at_risk: int
    chance: float


@dataclass(frozen=True, slots=True)
class ModelVerdict:
    """One model on one day (UTC), with the verdicts of its use cases in the suite's order.

    `held` names the use cases whose state was only carried over. `routing_changed` counts answers from
    another provider than the pin, which are left out of everything else.

    `cases` of all `known_cases` (scored this day or in a baseline) are compared. `counts` covers the
    samples that were judged, `attempted` and `errored` all of the day's, runs left out by the gap rule
    included. `paired` is the test over all cases, `fell_overnight` McNemar's p that more cases fell than
    rose since the previous scored day. `down` holds from a COOKED day until every use case of the fall has
    recovered. `conditions_changed` tells what changed since the days of the baseline.
    """

    model: str
    day: date
    suite: str
    version: str
    state: ModelState
    reason: str | None
    cooked: tuple[str, ...]
    suspicious: tuple[str, ...]
    held: tuple[str, ...]
    cases: int
    known_cases: int
    counts: Counts
    attempted: int
    errored: int
    runs_left_out: int
    routing_changed: int
    judge_moved: bool
    paired: PairedTest | None
    fell_overnight: float
    down: bool
    provider_fall: ProviderFall | None
    conditions_changed: tuple[ConditionChange, ...]
    use_cases: tuple[UseCaseVerdict, ...]


def plain(value: Any) -> Any:
    """Return a verdict as JSON values: mappings by field, lists, ISO dates, states by name."""
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    if isinstance(value, UseCaseState):
        return value.name
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, date):
        return value.isoformat()
    return value
