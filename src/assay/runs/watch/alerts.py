"""Notifying webhooks of changed states; deliveries are stored first, so that a later process can retry."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import aiohttp
from sqlalchemy import Engine

from assay.core.errors import InvalidInput
from assay.core.notification import DeliveryStatus, Notification, UseCaseNote
from assay.core.verdict import ModelState, UseCaseState
from assay.core.workspace import Webhook
from assay.notify.webhooks import deliver, prepare, target, wanted
from assay.providers.network import open_session, proxy_for
from assay.results.watch import ModelVerdict, NotificationDelivery, StateChange
from assay.store.verdicts import add_deliveries, finish_delivery, list_deliveries, reopen_failed
from assay.watch.wording import describe_change

SILENT = frozenset({ModelState.GAP, ModelState.CALIBRATING})
NOTABLE = frozenset({UseCaseState.SUSPICIOUS, UseCaseState.COOKED})


def notifications(changes: Sequence[StateChange], *, simulated: bool) -> list[Notification]:
    """Return the notifications of changed states; a model's first OK needs none."""
    return [
        _notification(change, simulated)
        for change in changes
        if change.verdict.state not in SILENT
        and not (change.before in (None, ModelState.CALIBRATING) and change.verdict.state is ModelState.OK)
    ]


def _notification(change: StateChange, simulated: bool) -> Notification:
    verdict = change.verdict
    return Notification(
        verdict.model,
        verdict.suite,
        verdict.version,
        verdict.day,
        change.before,
        verdict.state,
        tuple(
            UseCaseNote(
                use_case.use_case,
                use_case.state,
                use_case.score,
                None if use_case.baseline is None else use_case.baseline.mean,
                None if use_case.baseline is None else use_case.baseline.z,
                None if use_case.baseline is None else use_case.baseline.drop,
            )
            for use_case in verdict.use_cases
            if use_case.state in NOTABLE
        ),
        tuple(_notes(verdict)),
        simulated,
    )


def _notes(verdict: ModelVerdict) -> list[str]:
    notes = [] if verdict.reason is None else [verdict.reason]
    notes += [describe_change(change) for change in verdict.conditions_changed]
    if verdict.held:
        notes.append(f"carried over from an earlier day: {', '.join(verdict.held)}")
    if verdict.routing_changed:
        notes.append(f"{verdict.routing_changed} answers from another provider than the pin were left out")
    if verdict.provider_fall is not None:
        fall = verdict.provider_fall
        notes.append(f"{len(fall.fell)} of {fall.at_risk} models behind {fall.provider} fell on this day")
    return notes


async def send(
    engine: Engine,
    hooks: Sequence[Webhook],
    notifications: Sequence[Notification],
    environment: Mapping[str, str],
    *,
    clock: Callable[[], float],
    rng: random.Random,
) -> list[NotificationDelivery]:
    """Send notifications, and pending deliveries of an earlier process, to the webhooks that want them.

    Returns the deliveries with their outcomes. A webhook whose address or secret is missing in the
    environment gets a failed delivery that names the variable; other deliveries are not affected.
    """
    new = [
        prepare(hook, notification, now=clock())
        for notification in notifications
        for hook in hooks
        if wanted(hook, notification)
    ]
    if new:
        await asyncio.to_thread(add_deliveries, engine, new)
    pending = await asyncio.to_thread(list_deliveries, engine, status=DeliveryStatus.PENDING)
    if not pending:
        return []
    named = {hook.name: hook for hook in hooks}
    async with open_session(8, environment) as session:
        waiting = [
            _deliver(engine, session, named[delivery.hook], delivery, environment, clock, rng)
            for delivery in reversed(pending)
            if delivery.hook in named
        ]
        return list(await asyncio.gather(*waiting))


async def send_again(
    engine: Engine,
    hooks: Sequence[Webhook],
    environment: Mapping[str, str],
    *,
    clock: Callable[[], float],
    rng: random.Random,
) -> list[NotificationDelivery]:
    """Send the failed and pending deliveries to these webhooks, as they were written, and return them."""
    await asyncio.to_thread(reopen_failed, engine, [hook.name for hook in hooks])
    return await send(engine, hooks, (), environment, clock=clock, rng=rng)


async def _deliver(
    engine: Engine,
    session: aiohttp.ClientSession,
    hook: Webhook,
    delivery: NotificationDelivery,
    environment: Mapping[str, str],
    clock: Callable[[], float],
    rng: random.Random,
) -> NotificationDelivery:
    try:
        to = target(hook, environment)
        proxy = proxy_for(to.url, environment)
    except InvalidInput as error:
        ended = replace(delivery, status=DeliveryStatus.FAILED, error=str(error), finished_at=clock())
    else:
        ended = await deliver(
            session, to, delivery, clock=clock, sleep=asyncio.sleep, chance=rng, proxy=proxy
        )
    await asyncio.to_thread(finish_delivery, engine, ended)
    return ended
