"""Composes a frontier's report: the posterior is fitted once and serves every part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from assay.core.errors import InvalidInput, Problem
from assay.frontier.carriers.cheapest import Cheapest
from assay.frontier.carriers.shapley import Carriers
from assay.frontier.oracles.extrapolate import LEAST, fit_power, fit_smooth
from assay.frontier.oracles.oracle import METHODS, Method, OracleEstimate
from assay.frontier.prepared import prepare
from assay.frontier.selection.break_even import BreakEven
from assay.frontier.selection.sequential import Sequential
from assay.frontier.sweep.frontier import frontier
from assay.frontier.sweep.prices import Price, change
from assay.frontier.tensor import Tensor
from assay.studies.frontier.read import Read
from assay.studies.frontier.report_caveats import caveats
from assay.studies.frontier.report_groups import group, groups_of
from assay.studies.frontier.report_parts import MODELLED, Parts, Tell, posterior_of
from assay.studies.frontier.report_result import Decay, FrontierReport, Judged, Settings
from assay.studies.frontier.report_shots import default_ks

BESIDE: tuple[Method, ...] = ("naive", "bracket", "power", "smooth")


def frontier_report(
    read: Read,
    *,
    method: Method = "shrink",
    methods_beside: Sequence[Method] = BESIDE,
    ks: Sequence[int] | None = None,
    prices: Mapping[str, Price] | None = None,
    prices_date: str | None = None,
    level: float = 0.9,
    resamples: int = 500,
    seed: int = 0,
    progress: Tell | None = None,
) -> FrontierReport:
    """Return everything about one source by one method, with others beside it.

    Where no cell has two generations no method can see through luck: `shrink` and `pgm` give way to `naive`
    with `bracket` beside it, and a note says so and by how much naive figures may mislead. `ks` are the k of
    the k-shot results, 1..G unless given. `prices` decide and count at new prices, by model; `prices_date`
    says of which day the recorded ones are. Parts that the data do not allow (reliability, sequential
    prompting and judges need quality 0/1, topic entropy two categories) are None, with a note. Raises
    InvalidInput where nothing can be said at all.
    """
    tell = progress or (lambda text: None)
    wrong = [each for each in (method, *methods_beside) if each not in METHODS]
    if wrong:
        raise InvalidInput(Problem(f"there is no method {wrong[0]!r}: give {', '.join(METHODS)}"))
    prepared = prepare(read.tensor)
    used, degraded = _degraded(prepared.tensor, method)
    kept = prepared.tensor
    beside = tuple(dict.fromkeys(each for each in (*methods_beside, *degraded.beside) if each != used))
    if ks is not None and any(k < 1 for k in ks):
        raise InvalidInput(Problem(f"{list(ks)!r} shots: give numbers from 1"))
    settings = Settings(
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
    posterior = posterior_of(kept, used, seed, tell)
    now, then = kept, posterior
    if prices is not None:
        if kept.cost is None:
            raise InvalidInput(Problem("prices were given, but no costs were recorded: leave the prices out"))
        moved = change(prices, kept.models)
        now, then = moved.of_tensor(kept), None if posterior is None else moved.of_posterior(posterior)
    parts = Parts(now, then, settings, tell)
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


def _aside(parts: Parts) -> _Aside:
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
    beside: tuple[Method, ...] = ()


def _degraded(tensor: Tensor, method: Method) -> tuple[Method, _Degraded]:
    """Return the method that can be used, and what to say where it is not the one asked for."""
    if len(tensor.models) == 1 and tensor.generations < 2:
        return ("naive" if method in MODELLED else method), _Degraded()
    if method in MODELLED and tensor.generations < 2:
        told = (
            f"G = 1: {method} has nothing to learn luck from, so every figure here is naive, biased upwards "
            "by an amount that cannot be measured; the bracket stands beside it, open below"
        )
        return "naive", _Degraded((told,), ("bracket",))
    return method, _Degraded()


def _decay(found: OracleEstimate) -> Decay:
    """Return the forms fitted to the biased curve."""
    size = len(found.curve)
    return Decay(
        fit_power(found.curve) if size >= LEAST["power"] else None,
        fit_smooth(found.curve) if size >= LEAST["smooth"] else None,
    )
