"""The exam's demonstration: simulated candidates sit a series, and a simulated judge marks it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Final

from sqlalchemy import Engine

from assay.calls.asking import AskingContext
from assay.core.case import Case, Exemplar
from assay.core.exam import Role
from assay.core.model import Model
from assay.core.question import Question
from assay.core.sealed import AnswerKey, Sealer, open_key
from assay.exam.judging import case_of, key_in_words
from assay.exam.mark import mark
from assay.exam.opening import Opening, open_by_operator
from assay.exam.people import add_organisation, add_user
from assay.exam.series import NewSeries, make_series, register
from assay.exam.service_client import Credentials, SessionAccess
from assay.exam.sit import sit
from assay.providers.simulated_models import ANCHOR, MODELS, AnswerQuality, day_index
from assay.store.bank.questions import walk_questions

SERIES: Final = "demonstration"
N, SITTINGS = 20, 3
CANDIDATE: Final = "bot"
DEMO_JUDGE: Final = Model("simulated", "judge")
SITS: Final = {"acme": "steady", "globex": "rerouted", "initech": "collapsing"}
"""The organisations with their simulated models; the first is the reference."""

DAY: Final = ANCHOR + timedelta(days=30)
"""The simulated day; by then the second and third model have lost quality."""

Items = Sequence[tuple[Question, AnswerKey]]


@dataclass(frozen=True, slots=True)
class DemoCandidate:
    """A candidate of the demonstration; its simulated model knows `known` of the bank's `questions`."""

    organisation: str
    model: Model
    user: str
    secret: str = field(repr=False)
    known: int
    questions: int

    @property
    def share(self) -> float:
        """The share of the bank that the model knows, 0-100, which S estimates."""
        return 100 * self.known / self.questions


def read_items(engine: Engine, sealer: Sealer) -> Items:
    """Return all questions of the bank with their keys."""
    return [
        (stored.question, open_key(sealer, stored.sealed, stored.question.uuid, stored.version))
        for stored in walk_questions(engine)
    ]


def demo_cases(items: Items) -> tuple[Case, ...]:
    """Return the questions as cases with the answers of simulated models: a right one and a refusal."""
    return tuple(
        replace(
            case_of(question),
            exemplars=(
                Exemplar(f"{key_in_words(question, key)}\n\nSimulated: the example bank's own answer.", 1.0),
                Exemplar(f"Simulated: this model does not know the answer to {question.stem!r}.", 0.0),
            ),
        )
        for question, key in items
    )


def enter(engine: Engine, items: Items, *, clock: Callable[[], float]) -> list[DemoCandidate]:
    """Create the organisations with a candidate each, and the series with their models."""
    candidates = []
    for organisation, name in SITS.items():
        add_organisation(engine, organisation, now=clock())
        user = add_user(engine, CANDIDATE, organisation=organisation, role=Role.CANDIDATE, now=clock())
        known = sum(
            MODELS[name].answers(0, question.uuid, day_index(DAY, None), 0) is AnswerQuality.GOOD
            for question, _ in items
        )
        model = Model("simulated", name)
        candidates.append(DemoCandidate(organisation, model, user.user.id, user.secret, known, len(items)))
    identities = [f"{candidate.organisation}/{candidate.model.name}" for candidate in candidates]
    new = NewSeries(SERIES, identities[0], N, sittings=SITTINGS, screened=True)
    make_series(engine, new, now=clock(), by=SERIES)
    register(engine, SERIES, identities, now=clock(), by=SERIES)
    return candidates


async def sit_series(
    engine: Engine,
    contexts: Mapping[str, AskingContext],
    address: str,
    candidates: Iterable[DemoCandidate],
    *,
    clock: Callable[[], float],
    on_finished: Callable[[DemoCandidate, int], None],
) -> list[str]:
    """Run all sittings of all candidates concurrently over HTTP, and return the sessions.

    `contexts` are by organisation. `on_finished` is called with the number of each finished sitting.
    """

    async def sit_all(candidate: DemoCandidate) -> list[str]:
        sessions = []
        for number in range(1, SITTINGS + 1):
            opening = Opening(
                f"{candidate.organisation}/{CANDIDATE}", candidate.model.name, None, series=SERIES
            )
            view = await asyncio.to_thread(open_by_operator, engine, opening, now=clock())
            access = SessionAccess(address, view.id, Credentials(candidate.user, candidate.secret))
            context = contexts[candidate.organisation]
            progress = await sit(context, access, candidate.model)
            if progress.error is not None:
                raise progress.error
            sessions.append(view.id)
            on_finished(candidate, number)
        return sessions

    return [session for own in await asyncio.gather(*map(sit_all, candidates)) for session in own]


async def mark_series(
    context: AskingContext, sessions: Sequence[str], sealer: Sealer, *, on_marked: Callable[[int], None]
) -> None:
    """Mark the sessions with the simulated judge; `on_marked` gets the number marked so far."""
    for number, session in enumerate(sessions, 1):
        await mark(context, session, [DEMO_JUDGE], sealer, by=SERIES)
        on_marked(number)
