"""Official series: their rules, registered models and numbers of sittings."""

from __future__ import annotations

import uuid

import pytest
from exam_room import NOW, Room, add_organisation, add_user, room
from sqlalchemy import Engine, text

from assay.core.errors import AssayError, Conflict, Denied, InvalidInput, NotFound
from assay.core.exam import Prompting
from assay.exam.opening import Opening, open_session
from assay.exam.series import NewSeries, make_series, read_identity, register, void_sitting
from assay.results.exam import Identity
from assay.store.engine import writing

OURS = "simulated/steady"


@pytest.fixture
def hall(engine: Engine) -> Room:
    """Return a room with an operator and the series `spring` with one participant's model."""
    made = room(engine)
    operator = add_organisation(engine, "The house", operator=True)
    add_user(engine, operator, "reference")
    make_series(engine, NewSeries("spring", "The house/simulated/best", 10, sittings=2), now=NOW, by="op")
    register(engine, "spring", [f"Lovelace Labs/{OURS}"], now=NOW, by="op")
    return made


def opened(hall: Room, **more: object) -> str:
    """Open a session for the series and return its id."""
    session, seed = str(uuid.uuid4()), hall.count("SELECT count(*) FROM sessions")
    values = {"candidate": hall.ada, "model": OURS, "n": None, "series": "spring", **more}
    with writing(hall.engine) as connection:
        open_session(connection, Opening(**values), session=session, seed=seed, now=NOW)  # type: ignore[arg-type]
    return session


def test_a_sitting_gets_the_rules_of_its_series(hall: Room) -> None:
    """Values that are left out come from the series, whose id is stored with the session."""
    opened(hall)
    query = "SELECT count(*) FROM sessions WHERE series IS NOT NULL AND quota = 10 AND question_seconds = 600"
    assert hall.count(query) == 1


@pytest.mark.parametrize(
    ("more", "name"),
    [
        ({"n": 20}, "n"),
        ({"allocation": "law=3"}, "allocation"),
        ({"prompting": Prompting.CHAIN_OF_THOUGHT}, "prompting"),
        ({"hours": 100.0}, "hours"),
        ({"question_minutes": 60.0}, "question minutes"),
        ({"draw": "winter"}, "draw"),
    ],
)
def test_what_a_series_fixes_cannot_be_changed(hall: Room, more: dict[str, object], name: str) -> None:
    """The refusal names the value to leave out, and no session is opened."""
    with pytest.raises(Conflict, match=f"^{name} .* contradicts series 'spring'.*leave {name} out"):
        opened(hall, **more)
    assert hall.count("SELECT count(*) FROM sessions") == 0


def test_a_model_that_is_not_registered_cannot_sit(hall: Room) -> None:
    """A model of the reference's name in another organisation is another model."""
    for model in ("simulated/other", "simulated/best"):
        with pytest.raises(Denied, match=rf"'Lovelace Labs/{model}' is not registered for series 'spring'"):
            opened(hall, model=model)


def test_the_number_of_sittings_is_limited(hall: Room) -> None:
    """An unfinished sitting counts until the operator declares it void."""
    first, _ = opened(hall), opened(hall)
    with pytest.raises(Conflict, match="all its 2 sittings"):
        opened(hall)
    with pytest.raises(Conflict, match="is open: close it"):
        void_sitting(hall.engine, first, reason="a power cut", by="op", now=NOW)
    with writing(hall.engine) as connection:
        connection.execute(text("UPDATE sessions SET state = 'closed'"))
    void_sitting(hall.engine, first, reason="a power cut", by="op", now=NOW)
    opened(hall)


def test_the_reference_repeats_each_participants_draw_once(hall: Room) -> None:
    """Such sittings do not count towards its own number and need a session of the series."""
    sat, apart = opened(hall), opened(hall, series=None, n=10)
    house = {"candidate": candidate(hall, "reference"), "model": "simulated/best"}
    opened(hall, **house, like=sat)
    with pytest.raises(Conflict, match="has the draw of an earlier sitting"):
        opened(hall, **house, like=sat)
    with pytest.raises(Conflict, match="is of another series"):
        opened(hall, **house, like=apart)


def candidate(hall: Room, name: str) -> str:
    """Return the id of a user."""
    with writing(hall.engine) as connection:
        query = text("SELECT id FROM users WHERE name = :name")
        return str(connection.execute(query, {"name": name}).scalar_one())


@pytest.mark.parametrize(
    ("new", "error", "message"),
    [
        (NewSeries("spring", "The house/simulated/best", 10), Conflict, "'spring' exists already"),
        (NewSeries(" ", "The house/simulated/best", 10), InvalidInput, "invalid series name ' '"),
        (NewSeries("autumn", "best", 10), InvalidInput, "ORGANISATION/MODEL"),
        (NewSeries("autumn", "Nobody/simulated/best", 10), NotFound, "'Nobody'"),
        (NewSeries("autumn", "The house/simulated/best", 15), InvalidInput, "15"),
        (NewSeries("autumn", "The house/simulated/best"), InvalidInput, "--n"),
        (
            NewSeries("autumn", "The house/simulated/best", 10, sittings=0),
            InvalidInput,
            "sittings 0",
        ),
        (NewSeries("autumn", "The house/simulated/best", draw="winter"), NotFound, "'winter'"),
        (NewSeries("autumn", "The house/simulated/best", 10, hours=0.0), InvalidInput, "invalid hours 0"),
        (
            NewSeries("autumn", "The house/x", 10, draw="w", allocation="law=3"),
            InvalidInput,
            "one of them",
        ),
    ],
)
def test_an_invalid_series_is_refused(
    hall: Room, new: NewSeries, error: type[AssayError], message: str
) -> None:
    """The message names the value."""
    with pytest.raises(error, match=message):
        make_series(hall.engine, new, now=NOW, by="op")


def test_an_invalid_registration_is_refused(hall: Room) -> None:
    """Unknown organisation or series, missing model, real model with a simulated reference."""
    for series, who, error in (
        ("autumn", "Lovelace Labs/x", NotFound),
        ("spring", "Nobody/x", NotFound),
        ("spring", "Lovelace Labs", InvalidInput),
        ("spring", "Lovelace Labs/openai/o1", Conflict),
    ):
        with pytest.raises(error):
            register(hall.engine, series, ["Lovelace Labs/simulated/two", who], now=NOW, by="op")
    assert hall.count("SELECT count(*) FROM exam_entrants") == 2


def test_registering_again_changes_nothing(hall: Room) -> None:
    """The result says that the model is not new."""
    found = register(hall.engine, "spring", [f"Lovelace Labs/{OURS}"], now=NOW, by="op")
    assert found == [(Identity("Lovelace Labs", OURS), False)]


def test_a_named_draw_is_for_the_operators_models(hall: Room) -> None:
    """Others never get a question twice, so they cannot repeat a draw."""
    with writing(hall.engine) as connection:
        opening = Opening(candidate(hall, "reference"), "simulated/best", 10, draw="winter")
        open_session(connection, opening, session=str(uuid.uuid4()), seed=1, now=NOW)
    made = make_series(
        hall.engine, NewSeries("cold", "The house/simulated/best", draw="winter"), now=NOW, by="op"
    )
    assert (made.n, made.draw_name) == (10, "winter")
    with pytest.raises(Conflict, match="only the operator's own models"):
        register(hall.engine, "cold", [f"Lovelace Labs/{OURS}"], now=NOW, by="op")


def test_a_series_leaves_out_unread_questions(hall: Room) -> None:
    """A series and its named draw contain accepted questions only, unless screened ones are allowed."""
    house = candidate(hall, "reference")
    with writing(hall.engine) as connection:
        opening = Opening(house, "simulated/best", 10, draw="winter")
        open_session(connection, opening, session=str(uuid.uuid4()), seed=1, now=NOW)
        connection.execute(text("UPDATE questions SET state = 'screened'"))
    with pytest.raises(AssayError, match="law has 0 of 1"):
        opened(hall)
    rules = {"reference": "The house/simulated/best", "sittings": 1}
    with pytest.raises(Conflict, match="10 questions that no reviewer has read"):
        make_series(hall.engine, NewSeries("cold", draw="winter", **rules), now=NOW, by="op")  # type: ignore[arg-type]
    made = NewSeries("wide", n=10, screened=True, **rules)  # type: ignore[arg-type]
    make_series(hall.engine, made, now=NOW, by="op")
    opened(hall, series="wide", candidate=house, model="simulated/best")


def test_an_identity_is_split_at_the_first_slash() -> None:
    """Names of models may contain slashes, names of organisations may not."""
    assert read_identity("Acme/openai/o1") == Identity("Acme", "openai/o1")


def test_only_sittings_of_a_series_can_be_void(hall: Room) -> None:
    """It needs a reason and a sitting of a series."""
    session = opened(hall, series=None, n=10)
    with pytest.raises(Conflict, match="no series"):
        void_sitting(hall.engine, session, reason="x", by="op", now=NOW)
    with pytest.raises(InvalidInput, match="--reason"):
        void_sitting(hall.engine, session, reason=" ", by="op", now=NOW)
    with pytest.raises(NotFound, match="'none'"):
        void_sitting(hall.engine, "none", reason="x", by="op", now=NOW)
