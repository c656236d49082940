"""Limits on exposure: quotas, the exposure ledger by organisation and vendor, and alarms about drained banks.

A vendor may keep the questions that its model was asked, and one organisation could collect the whole bank by
repeated sittings. Therefore each session is opened under a quota and a maximum exposure rate of each question
(Sympson and Hetter 1985), and all exposure is recorded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

from sqlalchemy import Connection, Engine

from assay.core.errors import Conflict, InvalidInput, NotFound
from assay.core.times import DAY_SECONDS
from assay.results.exam_service import Drain, ExamLimits, Exposure, ExposureLedger, QuotaStanding
from assay.store.engine import reading, writing
from assay.store.exam.limits import (
    Exposed,
    QuotaUse,
    Vendor,
    keep_limits,
    keep_vendor,
    list_drain,
    list_exposed,
    list_vendors,
    most_exposed,
    own_quota,
    quota_used_since,
    read_limits,
    set_quota,
)
from assay.store.exam.people import list_organisations

ROUTERS: Final = frozenset({"openrouter"})
"""Providers that forward requests: in a model's name the vendor follows them."""


def vendor_of(model: str) -> str:
    """Return a model's vendor by its name: `openai` for `openrouter/openai/gpt-5-mini`."""
    provider, _, rest = model.partition("/")
    vendor, slash, _ = rest.partition("/")
    return vendor if provider in ROUTERS and slash else provider


def exposure_ledger(engine: Engine) -> ExposureLedger:
    """Return what was exposed to whom, the vendors' retention policies, and the drained disciplines."""
    with reading(engine) as connection:
        limits = read_limits(connection)
        most, draws = most_exposed(connection)
        return ExposureLedger(
            exposures=tuple(_by_vendor(list_exposed(connection), list_vendors(connection))),
            alarms=tuple(drained(list_drain(connection), limits.drain_share)),
            limits=limits,
            most_draws=most,
            draws=draws,
        )


def quota_standings(engine: Engine, *, now: float) -> list[QuotaStanding]:
    """Return every organisation's quota and its use, by name. The operator's own has no quota."""
    with reading(engine) as connection:
        limits = read_limits(connection)
        since = now - limits.period_days * DAY_SECONDS
        standings = []
        for organisation in list_organisations(connection):
            if not organisation.operator:
                own = own_quota(connection, organisation.id)
                uses = quota_used_since(connection, organisation.id, since)
                standings.append(
                    QuotaStanding(
                        organisation.name,
                        limits.quota if own is None else own,
                        own is not None,
                        sum(use.questions for use in uses),
                    )
                )
    return standings


def drained(counts: Sequence[Drain], share: float) -> list[Drain]:
    """Return the disciplines of which an organisation has met at least this share."""
    return [drain for drain in counts if drain.met >= share * drain.drawable]


def drain_alarms(connection: Connection, organisation: int, share: float) -> list[str]:
    """Return a sentence for each discipline of which an organisation has met at least this share."""
    return [explain_drain(drain) for drain in drained(list_drain(connection, organisation), share)]


def explain_drain(drain: Drain) -> str:
    """Return the text of an alarm."""
    return (
        f"{drain.organisation!r} has met {drain.met:,} of the {drain.drawable:,} questions of "
        f"{drain.discipline} ({drain.met / drain.drawable:.0%})"
    )


def check_quota(
    connection: Connection, limits: ExamLimits, organisation: int, name: str, wanted: int, *, now: float
) -> None:
    """Raise Conflict if a session with `wanted` questions would exceed an organisation's quota."""
    own = own_quota(connection, organisation)
    quota = limits.quota if own is None else own
    period = limits.period_days * DAY_SECONDS
    uses = quota_used_since(connection, organisation, now - period)
    used = sum(use.questions for use in uses)
    if used + wanted <= quota:
        return
    if wanted > quota:
        reason = "more than the whole quota"
    else:
        free = _freed_at(uses, used + wanted - quota) + period
        reason = f"enough of it is free again on {datetime.fromtimestamp(free, UTC):%Y-%m-%d %H:%M} UTC"
    raise Conflict(
        f"organisation {name!r} has used {used:,} of its quota of {quota:,} questions in "
        f"{limits.period_days} days, and this session needs {wanted:,} ({reason}): draw fewer questions, or "
        "ask the operator to raise the quota with `assay exam limits`"
    )


def change_limits(engine: Engine, **changes: float | int | None) -> ExamLimits:
    """Change the limits that are given by name and not None; return all limits.

    Raises InvalidInput for an invalid limit.
    """
    given = {name: value for name, value in changes.items() if value is not None}
    for name, value in given.items():
        label = name.replace("_", " ")
        if name in ("exposure_rate", "drain_share") and not 0 < value <= 1:
            raise InvalidInput(f"invalid {label} {value!r}: use more than 0, at most 1")
        if name in ("quota", "period_days") and value < 1:
            raise InvalidInput(f"invalid {label} {value!r}: use 1 or more")
    with writing(engine) as connection:
        limits = read_limits(connection, hold=True)
        if given:
            limits = replace(limits, **given)  # type: ignore[arg-type]
            keep_limits(connection, limits)
    return limits


def change_quota(engine: Engine, organisation: str, quota: int | None) -> None:
    """Set an organisation's own quota for a period; None restores the service's."""
    if quota is not None and quota < 0:
        raise InvalidInput(f"invalid quota {quota!r}: use 0 or more")
    with writing(engine) as connection:
        if not set_quota(connection, organisation, quota):
            raise NotFound(
                f"unknown organisation {organisation!r}: give one from `assay exam organisation list`"
            )


def register_vendor(engine: Engine, name: str, *, retention: str, source: str, now: float) -> None:
    """Register a vendor's retention of the requests it gets, with the source of that statement."""
    for label, text in (("vendor", name), ("retention", retention), ("source", source)):
        if not text.strip() or not text.isprintable():
            raise InvalidInput(f"invalid {label} {text!r}: give a line of text")
    with writing(engine) as connection:
        keep_vendor(connection, Vendor(name.strip(), retention.strip(), source.strip(), now))


def _freed_at(uses: Sequence[QuotaUse], wanted: int) -> float:
    """Return the time of the use by which the oldest `wanted` questions were given."""
    freed = 0
    for use in uses:
        freed += use.questions
        if freed >= wanted:
            return use.at
    return uses[-1].at


def _by_vendor(exposures: Sequence[Exposed], known: Mapping[str, Vendor]) -> list[Exposure]:
    grouped: dict[tuple[str, str], list[Exposed]] = {}
    for exposed in exposures:
        grouped.setdefault((exposed.organisation, vendor_of(exposed.model)), []).append(exposed)
    return [
        Exposure(
            organisation=organisation,
            vendor=vendor,
            models=tuple(part.model for part in parts),
            sessions=sum(part.sessions for part in parts),
            questions=sum(part.questions for part in parts),
            last_at=max(part.last_at for part in parts),
            retention=known[vendor].retention if vendor in known else None,
        )
        for (organisation, vendor), parts in grouped.items()
    ]
