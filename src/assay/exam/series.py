"""Official series: rules that the operator fixes for all sittings, and the models registered for them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, Engine

from assay.core.errors import Conflict, InvalidInput, NotFound
from assay.core.exam import Prompting
from assay.exam.people import organisation_named
from assay.questions.draw import TEN_SUBJECTS, allocation
from assay.results.exam import Identity, OfficialSeries
from assay.results.exam_service import Organisation
from assay.store.bank.changes import current_revision
from assay.store.bank.units import count_units
from assay.store.engine import reading, writing
from assay.store.exam.series import (
    Entrant,
    SeriesRules,
    count_unread,
    entrants_of,
    keep_entrant,
    keep_series,
    keep_void,
    list_series,
)
from assay.store.exam.sessions import named_draw, session_by_id

SIMULATED: Final = ("simulated", "recorded")
LONGEST_NAME: Final = 80
LONGEST_MODEL: Final = 200
SITTINGS: Final = 3
"""At least three independent sittings of each model (seed 003, section 1)."""
MOST_SITTINGS: Final = 100
HOURS: Final = 72.0
QUESTION_MINUTES: Final = 10.0
MOST_HOURS: Final = 30 * 24.0
MOST_MINUTES: Final = 24 * 60.0


@dataclass(frozen=True, slots=True)
class NewSeries:
    """A series to create. `n` is None if the allocation or the draw determines it.

    `reference` is ORGANISATION/MODEL, the model that R divides by. `draw` names a draw that all sittings use.
    `screened` allows questions that passed the screening but were read by no reviewer.
    """

    name: str
    reference: str
    n: int | None = None
    allocation: str = TEN_SUBJECTS
    draw: str | None = None
    prompting: Prompting = Prompting.ZERO_SHOT
    sittings: int = SITTINGS
    hours: float = HOURS
    question_minutes: float = QUESTION_MINUTES
    screened: bool = False


def is_simulated(model: str) -> bool:
    """Whether a model's name marks it as simulated or recorded."""
    return model.partition("/")[0] in SIMULATED


def read_identity(text: str) -> Identity:
    """Return the organisation and model of ORGANISATION/MODEL; the model's name may contain `/`.

    Raises InvalidInput for anything else.
    """
    organisation, _, model = text.partition("/")
    if not organisation or not model or len(model) > LONGEST_MODEL or not text.isprintable():
        raise InvalidInput(f"invalid model {text!r}: use ORGANISATION/MODEL")
    return Identity(organisation, model)


def make_series(engine: Engine, new: NewSeries, *, now: float, by: str) -> OfficialSeries:
    """Create a series and register its reference.

    Raises InvalidInput for invalid rules, NotFound for an unknown organisation or draw, Conflict for a name
    that is taken.
    """
    _check(new)
    reference = read_identity(new.reference)
    with writing(engine) as connection:
        owner = organisation_named(connection, reference.organisation)
        counts, draw = _questions(connection, new)
        rules = SeriesRules(
            name=new.name,
            n=sum(counts.values()),
            allocation=counts,
            prompting=new.prompting,
            sittings=new.sittings,
            draw=draw,
            screened=new.screened,
            revision=current_revision(connection),
            session_seconds=new.hours * 3600,
            question_seconds=new.question_minutes * 60,
            reference_organisation=owner.id,
            reference_model=reference.model,
        )
        if not keep_series(connection, rules, now=now, by=by):
            raise Conflict(f"series {new.name!r} exists already: choose another name")
        series = series_named(connection, new.name)
        _register(connection, series, owner, reference, now=now, by=by)
    return series


def register(
    engine: Engine, series: str, identities: Sequence[str], *, now: float, by: str
) -> list[tuple[Identity, bool]]:
    """Register models (ORGANISATION/MODEL) for a series, all or none; return each with whether it is new.

    Raises NotFound for an unknown series or organisation, InvalidInput for an invalid model, Conflict for a
    simulated model with a real reference, or the reverse.
    """
    models = [read_identity(identity) for identity in identities]
    with writing(engine) as connection:
        official = series_named(connection, series)
        owners = [organisation_named(connection, model.organisation) for model in models]
        return [
            (model, _register(connection, official, owner, model, now=now, by=by))
            for model, owner in zip(models, owners, strict=True)
        ]


def void_sitting(engine: Engine, session: str, *, reason: str, by: str, now: float) -> OfficialSeries:
    """Declare a sitting of a series void, so that it can be repeated; the void sitting stays on record.

    Raises InvalidInput without a reason, NotFound for an unknown session, Conflict for an open or unofficial
    session or one that is void already.
    """
    if not reason.strip():
        raise InvalidInput(f"empty --reason {reason!r}: give the reason why the sitting does not count")
    with writing(engine) as connection:
        stored = session_by_id(connection, session)
        if stored is None:
            raise NotFound(f"unknown session {session!r}: list sessions with `assay exam sessions`")
        series = next((known for known in list_series(connection) if known.id == stored.series), None)
        if series is None:
            raise Conflict(f"session {session!r} belongs to no series: only sittings of a series can be void")
        if stored.state == "open":
            raise Conflict(f"session {session!r} is open: close it first with `assay exam close`")
        if not keep_void(connection, session, reason=reason.strip(), by=by, now=now):
            raise Conflict(f"session {session!r} is void already")
    return series


def all_series(engine: Engine) -> list[tuple[OfficialSeries, list[Entrant]]]:
    """Return every series with its registered models."""
    with reading(engine) as connection:
        return [(series, entrants_of(connection, series.id)) for series in list_series(connection)]


def series_named(connection: Connection, name: str) -> OfficialSeries:
    """Return a series by name. Raises NotFound."""
    known = {series.name: series for series in list_series(connection)}
    if name not in known:
        raise unknown_series(name, known)
    return known[name]


def unknown_series(name: str, known: Iterable[str]) -> NotFound:
    """Return the error for an unknown series."""
    names = ", ".join(map(repr, known))
    remedy = f"give one of {names}" if names else "create a series with `assay exam series add`"
    return NotFound(f"unknown series {name!r}: {remedy}")


def _register(
    connection: Connection,
    series: OfficialSeries,
    owner: Organisation,
    model: Identity,
    *,
    now: float,
    by: str,
) -> bool:
    if is_simulated(model.model) is not is_simulated(series.reference.model):
        raise Conflict(
            f"{str(model)!r} cannot be compared with the reference {str(series.reference)!r}: only one of "
            "the two is simulated; create a separate series for simulated models"
        )
    if series.draw is not None and not owner.operator:
        raise Conflict(
            f"series {series.name!r} repeats the draw {series.draw_name!r}, which only the operator's own "
            f"models may sit: create a series without a draw for {str(model)!r}"
        )
    return keep_entrant(connection, series.id, owner.id, model.model, now=now, by=by)


def _questions(connection: Connection, new: NewSeries) -> tuple[dict[str, int], int | None]:
    """Return the number of questions of each discipline in a sitting, and the draw that all sittings use."""
    if new.draw is None:
        return allocation(new.allocation, new.n, sizes=count_units(connection)), None
    draw = named_draw(connection, new.draw)
    if draw is None:
        raise NotFound(f"unknown draw {new.draw!r}: open a session with `--draw {new.draw}` first")
    if new.n not in (None, draw.n):
        raise Conflict(f"draw {new.draw!r} has {draw.n} questions, not {new.n}: leave n out")
    unread = 0 if new.screened else count_unread(connection, draw.id)
    if unread:
        raise Conflict(
            f"draw {new.draw!r} contains {unread} questions that no reviewer has read: "
            "allow them with --screened"
        )
    return draw.allocation, draw.id


def _check(new: NewSeries) -> None:
    if not 0 < len(new.name) <= LONGEST_NAME or not new.name.isprintable() or new.name != new.name.strip():
        raise InvalidInput(f"invalid series name {new.name!r}: use 1 to {LONGEST_NAME} visible characters")
    if not 1 <= new.sittings <= MOST_SITTINGS:
        raise InvalidInput(f"invalid number of sittings {new.sittings}: use 1 to {MOST_SITTINGS}")
    check_times(new.hours, new.question_minutes)
    if new.draw is not None and new.allocation != TEN_SUBJECTS:
        raise InvalidInput(
            f"draw {new.draw!r} and allocation {new.allocation!r} given together: leave one of them out"
        )


def check_times(hours: float, question_minutes: float) -> None:
    """Raise InvalidInput for an invalid time of a session or a question."""
    if not 0 < hours <= MOST_HOURS:
        raise InvalidInput(f"invalid hours {hours}: use more than 0, at most {MOST_HOURS:.0f}")
    if not 0 < question_minutes <= MOST_MINUTES:
        raise InvalidInput(
            f"invalid question minutes {question_minutes}: use more than 0, at most {MOST_MINUTES:.0f}"
        )
