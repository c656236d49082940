"""Sitting an exam as a candidate: a model answers a session's questions over the public interface.

A sitting is a run: each answer is in the ledger before it is handed in, so that one taken up again
delivers what was paid for and asks for nothing twice.
"""

from __future__ import annotations

import asyncio
import shlex
import uuid
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Final

from assay.calls.asking import Place, begin_asking
from assay.calls.steering import Steering
from assay.calls.subjects import check_keys
from assay.core.errors import Conflict, Upstream
from assay.core.model import Model
from assay.exams.examiner_client import ExaminerClient, Standing
from assay.exams.examiner_line import PATIENCE, Credentials, ExaminerLine, Waiting, base_url
from assay.exams.seat import Seat
from assay.exams.sitting import Sitting, Tally, read_receipts
from assay.exams.stopping import Stopped, pause
from assay.providers.network import open_session, proxy_for, uses_tls
from assay.store.runs import StoredRun, count_runs, list_runs

KIND: Final = "sit"


async def sit(
    place: Place,
    url: str,
    session: str,
    model: Model,
    credentials: Credentials,
    *,
    max_cost: float | None = None,
    steering: Steering | None = None,
    say: Callable[[str], None] = lambda told: None,
    patience: float = PATIENCE,
) -> Sitting:
    """Let a model answer the questions that a session still has, in their order, and return how it went.

    `url` is the examiner's address, `session` the session's id; `max_cost` (US dollars) is for the whole run.
    A session that was begun here before is taken up again; what is known of a finished one is returned. What
    stops a sitting that has begun is in its `error`. Raises Denied, NotFound, Conflict or Upstream when it
    cannot begin, InvalidInput for a missing key.
    """
    steering = steering or Steering()
    base = base_url(url)
    check_keys([model], place.providers, place.environment)
    earlier = await asyncio.to_thread(_earlier, place, base, session, model)
    if earlier is not None and earlier.status == "finished":
        return await asyncio.to_thread(_as_it_ended, place, earlier)
    waiting = Waiting(
        place.monotonic, place.rng, lambda seconds: pause(seconds, steering.stop), say, patience
    )
    async with _examiner(base, session, credentials, waiting, place.environment) as client:
        try:
            standing = await client.standing()
        except Stopped:
            raise Upstream("stopped before the examiner was reached") from None
        if earlier is None and not standing.open:
            raise Conflict(
                f"session {session!r} is {standing.state} with {standing.completed} of {standing.quota} "
                "questions done: there is nothing to sit; ask for a new session"
            )
        run = earlier
        if run is None:
            plan = {"url": base, "session": session, "receipts": []}
            run = await asyncio.to_thread(begin_asking, place, KIND, [model], plan)
        again = _again(base, session, model, credentials)
        return await Seat(place, run, client, steering, standing, max_cost, again).sit()


@asynccontextmanager
async def _examiner(
    base: str, session: str, credentials: Credentials, waiting: Waiting, environment: Mapping[str, str]
) -> AsyncIterator[ExaminerClient]:
    """Yield a client with a name of its own: two processes never pass for one."""
    proxy = proxy_for(base, environment)
    async with open_session(2, environment, tls=uses_tls(base, environment)) as http:
        line = ExaminerLine(http, base, session, credentials, uuid.uuid4().hex, waiting, proxy=proxy)
        try:
            yield ExaminerClient(line, session)
        finally:
            await line.leave()


def _earlier(place: Place, base: str, session: str, model: Model) -> StoredRun | None:
    """Return the run that began this session here; Conflict when another model did."""
    for run in list_runs(place.engine, kind=KIND):
        if (run.plan.get("url"), run.plan.get("session")) != (base, session):
            continue
        ((_, sat),) = run.models
        if sat.fingerprint != model.fingerprint:
            raise Conflict(
                f"session {session!r} was begun by {sat.name} in run {run.id}: one model sits a session "
                "to its end, with the same parameters; go on with that one, or ask for a new session"
            )
        return run
    return None


def _as_it_ended(place: Place, run: StoredRun) -> Sitting:
    """Return how a finished sitting ended; the examiner gives no more tokens for its session."""
    quota, session, ((_, model),) = run.plan["quota"], run.plan["session"], run.models
    return Sitting(
        run.id,
        session,
        model.name,
        "finished",
        None,
        None,
        Standing("finished", quota, quota),
        count_runs(place.engine, [run.id])[run.id],
        Tally(receipts=read_receipts(run.plan)),
        run.simulated,
        "",
    )


def _again(base: str, session: str, model: Model, credentials: Credentials) -> str:
    """Return the command that takes the sitting up again."""
    words = ["assay", "sit", base, "--session", session, "--model", model.name]
    if credentials.user is not None:
        words += ["--user", credentials.user]
    return shlex.join(words)
