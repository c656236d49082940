"""A participant that wants first place without earning it: what it tries, and what comes of it.

The house runs the series `spring`: three sittings of ten questions, its own `simulated/steady` the reference.
Mallory's organisation has one registered model, `simulated/weak`, which deserves 10 of 30 stars.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pytest
from exam_room import NOW, SUBJECTS, add_organisation, add_user
from exam_rows import add_marks, fill_bank
from sqlalchemy import Engine, text

from assay.core.errors import AssayError, Conflict, Denied
from assay.core.exam import EXAM_JUDGE
from assay.exam.delivery import Delivery, QuestionView, Sitter, SubmittedAnswer
from assay.exam.opening import Opening, open_session
from assay.exam.results import read_results, read_standings
from assay.exam.series import NewSeries, make_series, read_identity, register
from assay.results.exam import ExamResults, ModelResult
from assay.store.engine import writing
from assay.store.exam.serving import RawStatements

REFERENCE, WEAK = "simulated/steady", "simulated/weak"
GOOD, POOR = [3] * 9 + [2], [1] * 10


@dataclass(frozen=True, slots=True)
class Field:
    """The exam as Mallory finds it: a bank, the reference with three sittings, and its own candidate."""

    engine: Engine
    house: str
    mallory: str
    organisation: int

    def open(self, candidate: str, model: str, **more: object) -> str:
        """Open a session as the examiner of the candidate's organisation may, and return its id."""
        session = str(uuid.uuid4())
        opening = Opening(candidate, model, **{"n": None, **more})  # type: ignore[arg-type]
        with writing(self.engine) as connection:
            seed = connection.execute(text("SELECT count(*) FROM sessions")).scalar_one()
            open_session(connection, opening, session=session, seed=int(seed), now=NOW)
        return session

    def sit(self, candidate: str, model: str, stars: Sequence[int], **more: object) -> str:
        """Open a session, answer as many questions as there are stars, and have the judge give those."""
        session, delivery = self.open(candidate, model, **more), Delivery()
        sitter = Sitter(session, candidate, "one client")
        for row in range(len(stars)):
            with writing(self.engine) as connection:
                asked = delivery.question(RawStatements(connection), sitter, NOW + 10.0 * row)
            assert isinstance(asked, QuestionView)
            with writing(self.engine) as connection:
                told = SubmittedAnswer(f"True, for reason {row}.")
                delivery.answer(
                    RawStatements(connection), sitter, asked.position, told, NOW + 10.0 * row + 5.0
                )
        add_marks(self.engine, session, dict(enumerate(stars, 1)))
        return session

    def give_up(self, session: str) -> None:
        """Finish a session early, as its candidate may at any time."""
        with writing(self.engine) as connection:
            Delivery().finish(
                RawStatements(connection), Sitter(session, self.mallory, "one client"), NOW + 500.0
            )

    def results(self) -> ExamResults:
        """Return the results as anybody would read them."""
        return read_results(self.engine, EXAM_JUDGE)

    def ranked(self) -> list[str]:
        """Return the published models of the series, the best first."""
        return [str(one.identity) for one in self.results().series[0].models if one.published]


@pytest.fixture
def field(engine: Engine) -> Field:
    """The reference has sat; Mallory has not."""
    fill_bank(engine, dict.fromkeys(SUBJECTS, 12))
    house = add_organisation(engine, "The house", operator=True)
    mallory = add_organisation(engine, "Mallory")
    made = Field(engine, add_user(engine, house, "steady"), add_user(engine, mallory, "m"), mallory)
    rules = NewSeries("spring", f"The house/{REFERENCE}", 10)
    make_series(engine, rules, now=NOW, by="op")
    register(engine, "spring", [f"Mallory/{WEAK}"], now=NOW, by="op")
    for _ in range(3):
        made.sit(made.house, REFERENCE, GOOD, series="spring")
    return made


def weak(field: Field) -> ModelResult:
    """Return Mallory's registered model as the series shows it."""
    models = field.results().series[0].models
    return next(one for one in models if str(one.identity) == f"Mallory/{WEAK}")


def one_question_sittings(field: Field) -> None:
    """Three perfect sittings of one question each: the finding that this file began with."""
    for _ in range(3):
        field.sit(field.mallory, WEAK, [3], n=1, allocation="law=1")


def many_unofficial_sittings(field: Field) -> None:
    """Five whole sittings outside the series, all perfect."""
    for _ in range(5):
        field.sit(field.mallory, WEAK, [3] * 10, n=10)


def the_name_of_the_reference(field: Field) -> None:
    """Unofficial sittings under the reference's own name, perfect or worthless."""
    for stars in ([3] * 10, [0] * 10, [3] * 10):
        field.sit(field.mallory, REFERENCE, stars, n=10)


@pytest.mark.parametrize(
    "attack", [one_question_sittings, many_unofficial_sittings, the_name_of_the_reference]
)
def test_what_is_sat_outside_the_series_changes_no_published_figure(
    field: Field, attack: Callable[[Field], None]
) -> None:
    """The series' document is the same byte for byte; the sittings are listed apart, without rank and R."""
    before = read_standings(field.engine, EXAM_JUDGE, now=NOW)
    attack(field)
    assert read_standings(field.engine, EXAM_JUDGE, now=NOW) == before
    assert field.ranked() == [f"The house/{REFERENCE}"]
    apart = field.results().unofficial
    assert {one.identity.organisation for one in apart} == {"Mallory"}
    assert all(one.rank is None and one.relative is None and not one.published for one in apart)


@pytest.mark.parametrize(
    "more",
    [
        {"n": 1, "allocation": "law=1"},
        {"n": 20},
        {"allocation": "law=10"},
        {"question_minutes": 600.0},
        {"hours": 700.0},
    ],
)
def test_a_series_cannot_be_sat_by_other_rules(field: Field, more: dict[str, object]) -> None:
    """Fewer questions, easier subjects, more time: refused, and no question is spent."""
    with pytest.raises(Conflict, match="contradicts series 'spring'"):
        field.open(field.mallory, WEAK, series="spring", **more)


@pytest.mark.parametrize("model", [REFERENCE, "simulated/another"])
def test_only_a_registered_identity_sits_the_series(field: Field, model: str) -> None:
    """The reference's name in another organisation is another model; a second name gives no more tries."""
    with pytest.raises(Denied, match="not registered"):
        field.open(field.mallory, model, series="spring")


def test_questions_that_the_reference_sat_cannot_be_chosen(field: Field) -> None:
    """Neither by sitting like another session nor by naming a draw."""
    like = field.results().series[0].models[0].sittings[0].sitting.session
    for more in ({"like": like}, {"draw": "spring"}):
        with pytest.raises(AssayError):
            field.open(field.mallory, WEAK, series="spring", **more)


def test_abandoning_a_bad_sitting_gains_nothing(field: Field) -> None:
    """It takes one of the three places, and the model is not published: it cannot be left out of the mean."""
    bad = field.sit(field.mallory, WEAK, POOR[:6], series="spring")
    field.give_up(bad)
    for _ in range(2):
        field.sit(field.mallory, WEAK, [3] * 10, series="spring")
    with pytest.raises(Conflict, match="all its 3 sittings"):
        field.open(field.mallory, WEAK, series="spring")
    assert field.ranked() == [f"The house/{REFERENCE}"]
    assert weak(field).missing == ("2 of 3 finished sittings", "1 sitting ended unfinished")
    assert weak(field).abandoned == 1


def test_a_bad_sitting_left_open_gains_nothing(field: Field) -> None:
    """It waits for its deadline, and until then the model is not published."""
    field.sit(field.mallory, WEAK, POOR[:6], series="spring")
    for _ in range(2):
        field.sit(field.mallory, WEAK, [3] * 10, series="spring")
    assert weak(field).missing == ("2 of 3 finished sittings",)
    with pytest.raises(Conflict, match="all its 3 sittings"):
        field.open(field.mallory, WEAK, series="spring")


def test_sitting_many_times_and_keeping_the_best_is_not_possible(field: Field) -> None:
    """All three count, the worst too, and there is no fourth."""
    for stars in (POOR, POOR, [3] * 10):
        field.sit(field.mallory, WEAK, stars, series="spring")
    with pytest.raises(Conflict, match="all its 3 sittings"):
        field.open(field.mallory, WEAK, series="spring")
    score = weak(field).score
    assert score is not None
    assert score.mean == pytest.approx(100 * (10 + 10 + 30) / 90)
    assert field.ranked() == [f"The house/{REFERENCE}", f"Mallory/{WEAK}"]


def test_a_perfect_participant_does_not_become_the_reference(field: Field) -> None:
    """First place is earned, but R is still relative to the pinned model, whose own stays 100."""
    for _ in range(3):
        field.sit(field.mallory, WEAK, [3] * 10, series="spring")
    first, second = field.results().series[0].models
    assert (str(first.identity), first.rank.place if first.rank else None) == (f"Mallory/{WEAK}", 1)
    assert str(first.reference) == f"The house/{REFERENCE}"
    assert first.relative is not None
    assert first.relative.value == pytest.approx(100 * 90 / 87)
    assert second.relative is not None
    assert second.relative.value == 100.0


def test_an_asked_for_reference_is_never_somebody_of_the_same_name(field: Field) -> None:
    """`--reference` matches organisation and model."""
    for _ in range(3):
        field.sit(field.mallory, REFERENCE, [1] * 10, n=10)
    found = read_results(field.engine, EXAM_JUDGE, reference=read_identity(f"The house/{REFERENCE}"))
    own = found.series[0].models[0].relative
    assert own is not None
    assert own.value == 100.0
    row = found.unofficial[0].sittings[0].relative
    assert row is not None
    assert row.value == pytest.approx(100 * 10 / 29)


def test_late_answers_and_silence_are_0_not_missing(field: Field) -> None:
    """Leaving hard questions to time out ends the sitting with 0 for them: S is over all ten."""
    for _ in range(3):
        session = field.sit(field.mallory, WEAK, [3] * 9, series="spring")
        sitter = Sitter(session, field.mallory, "one client")
        with writing(field.engine) as connection:
            Delivery().question(RawStatements(connection), sitter, NOW + 200.0)
        with writing(field.engine) as connection:
            Delivery().finish(RawStatements(connection), sitter, NOW + 300.0)
    score = weak(field).score
    assert score is not None
    assert score.mean == pytest.approx(90.0)
