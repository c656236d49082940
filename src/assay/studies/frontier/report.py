"""Composes a frontier's report: the posterior is fitted once and serves every part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from assay.core.errors import InvalidInput, Problem
from assay.frontier.capability import frontier
from assay.frontier.methods.extrapolation import POWER, SMOOTH
from assay.frontier.methods.registry import DEFAULT, check_names, method_named
from assay.frontier.posterior import Posterior
from assay.frontier.prepared import prepare
from assay.frontier.sweep.prices import Price, price_change
from assay.frontier.tensor import Tensor
from assay.results.frontier import OracleEstimate
from assay.results.frontier_report import FittedDecay, Judged, KShot, ReportSettings
from assay.results.frontier_selection import BreakEven, Carriers, Cheapest, Sequential
from assay.studies.frontier.read import Read
from assay.studies.frontier.report_groups import group, groups_of
from assay.studies.frontier.report_parts import ReportParts, Tell
from assay.studies.frontier.report_result import FrontierReport
from assay.studies.frontier.report_shots import default_ks

BESIDE: tuple[str, ...] = ("naive", "bracket", "power", "smooth")
NO_ROUTER = (
    "an oracle is no router: it knows beforehand which model is best on each prompt, so its figures bound "
    "what routing can reach and are reached by nobody"
)
PERFECT_JUDGE = (
    "k-shot figures suppose a judge that never errs and costs nothing; the table of judges shows what is "
    "left when it errs"
)
TRAJECTORIES = (
    "agentic tasks are understated: where one generation is a whole trajectory, changing models from step to "
    "step could reach more, and is out of scope"
)
TAUGHT = (
    "models, prompts and categories are those of the source: nothing is said of others, nor of "
    "prompts that were in training data"
)


def frontier_report(
    read: Read,
    *,
    method: str = DEFAULT,
    methods_beside: Sequence[str] = BESIDE,
    ks: Sequence[int] | None = None,
    prices: Mapping[str, Price] | None = None,
    prices_date: str | None = None,
    level: float = 0.95,
    resamples: int = 500,
    seed: int = 0,
    progress: Tell | None = None,
) -> FrontierReport:
    """Return everything about one source by one method, with others beside it.

    Where no cell has two generations no method can see through luck: `mixture` and `pgm` give way to `naive`
    with `bracket` beside it, and a note says so and by how much naive figures may mislead. `ks` are the k of
    the k-shot results, 1..G unless given. `prices` decide and count at new prices, by model; `prices_date`
    says of which day the recorded ones are. Parts that the data do not allow (reliability, sequential
    prompting and judges need quality 0/1, topic entropy two categories) are None, with a note. Raises
    InvalidInput where nothing can be said at all.
    """
    tell = progress or (lambda text: None)
    check_names((method, *methods_beside))
    prepared = prepare(read.tensor)
    used, degraded = _degraded(prepared.tensor, method)
    kept = prepared.tensor
    beside = tuple(dict.fromkeys(each for each in (*methods_beside, *degraded.beside) if each != used))
    if ks is not None and any(k < 1 for k in ks):
        raise InvalidInput(Problem(f"{list(ks)!r} shots: give numbers from 1"))
    settings = ReportSettings(
        used,
        method,
        beside,
        tuple(ks) if ks is not None else default_ks(kept.generations),
        level,
        resamples,
        seed,
        prices is not None,
        prices_date,
    )
    if method_named(used).modelled:
        tell(f"{used}: a model of {len(kept.prompts):,} x {len(kept.models)} cells")
    posterior = method_named(used).fit(kept, seed=seed, progress=tell)
    if posterior is not None and not posterior.claims_point and len(kept.models) > 1:
        settings, degraded, posterior = _without_point(settings, degraded, posterior)
        used = settings.method
    now, then = kept, posterior
    if prices is not None:
        if kept.cost is None:
            raise InvalidInput(Problem("prices were given, but no costs were recorded: leave the prices out"))
        moved = price_change(prices, kept.models)
        now, then = moved.of_tensor(kept), None if posterior is None else moved.of_posterior(posterior)
    parts = ReportParts(now, then, settings, tell)
    with ThreadPoolExecutor(1) as second:
        aside = second.submit(_aside, parts)
        tell("the frontier")
        whole_frontier = frontier(
            kept, used, posterior=posterior, prices=prices, level=level, resamples=resamples, seed=seed
        )
        whole = group(now, then, whole_frontier, settings)
        groups, few = groups_of(now, then, settings, tell)
        notes = [*prepared.notes, *degraded.notes, *(posterior.notes if posterior is not None else ())]
        reliability = parts.reliability(notes)
        of_uplift: list[str] = []
        uplift = parts.uplift(read, of_uplift)
        found = aside.result()
    methods = found.methods
    notes += [*found.notes, *of_uplift]
    return FrontierReport(
        read=read,
        settings=settings,
        whole=whole,
        groups=groups,
        few=few,
        methods=methods,
        decay=_decay(methods[0]),
        reliability=reliability,
        carriers=found.carriers,
        cheapest=found.cheapest,
        sequential=found.sequential,
        judged=found.judged,
        break_even=found.break_even,
        uplift=uplift,
        notes=tuple(dict.fromkeys((*notes, *whole_frontier.notes, *methods[0].notes))),
        caveats=caveats(now, whole.shots, prices_date),
    )


@dataclass(frozen=True, slots=True)
class _Aside:
    """The parts that a second thread makes while the first one sweeps."""

    methods: tuple[OracleEstimate, ...]
    carriers: Carriers
    cheapest: Cheapest
    judged: tuple[Judged, ...]
    break_even: BreakEven | None
    sequential: Sequential | None
    notes: tuple[str, ...]


def _aside(parts: ReportParts) -> _Aside:
    """Make what needs nothing of the sweep."""
    notes: list[str] = []
    return _Aside(
        parts.methods(),
        parts.carriers(),
        parts.cheapest(),
        parts.judged(),
        parts.break_even(),
        parts.sequential(notes),
        tuple(notes),
    )


@dataclass(frozen=True, slots=True)
class _Degraded:
    """What stands in the place of what was asked for, and why."""

    notes: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()


def _degraded(tensor: Tensor, method: str) -> tuple[str, _Degraded]:
    """Return the method that can be used, and what to say where it is not the one asked for."""
    if not method_named(method).modelled or not method_named(method).unmet_need(tensor.generations):
        return method, _Degraded()
    if len(tensor.models) == 1:
        return "naive", _Degraded()
    told = (
        f"G = 1: {method} has nothing to learn luck from, so every figure here is naive, biased upwards by "
        "an amount that cannot be measured; the bracket stands beside it, open below"
    )
    return "naive", _Degraded((told,), ("bracket",))


def _without_point(
    settings: ReportSettings, degraded: _Degraded, posterior: Posterior
) -> tuple[ReportSettings, _Degraded, None]:
    """Put the bracket in the place of a method that claims no point, with its reasons."""
    told = f"{settings.method} claims no value here: the two ends of the bracket are the result"
    beside = tuple(each for each in settings.beside if each != "bracket")
    return (
        replace(settings, method="bracket", beside=beside),
        _Degraded((told, *degraded.notes, *posterior.notes), degraded.beside),
        None,
    )


def _decay(found: OracleEstimate) -> FittedDecay:
    """Return the forms fitted to the biased curve."""
    size = len(found.curve)
    return FittedDecay(
        found.points,
        *(form.fit(found.curve) if size >= form.parameters else None for form in (POWER, SMOOTH)),
    )


def caveats(tensor: Tensor, shots: tuple[KShot, ...], prices_date: str | None) -> tuple[str, ...]:
    """Return the caveats of a report, with the numbers that they are about."""
    told = [NO_ROUTER, PERFECT_JUDGE]
    if shots:
        last = shots[-1]
        paid = last.all_models.answers.value
        made = f"{last.k} x {len(tensor.models)} = {last.k * len(tensor.models):,}"
        uneven = (
            ""
            if paid is None or abs(paid - last.k * len(tensor.models)) < 0.5
            else f" ({paid:,.4g} on average, as many as are recorded)"
        )
        told.append(
            f"all models at k = {last.k} make and pay {made} generations a prompt{uneven}; the best model by "
            f"prompt pays k, and its oracle's knowledge is free"
        )
    told.append(TRAJECTORIES)
    if tensor.cost is None:
        told.append("no costs are known: nothing is said of savings")
    elif prices_date is None:
        told.append(
            "date of prices: not stated (--prices-date); costs are as the source recorded them, and prices "
            "fall quickly"
        )
    else:
        told.append(f"date of prices: {prices_date}; at other prices other models are chosen (--prices)")
    told.append(TAUGHT)
    return tuple(told)
