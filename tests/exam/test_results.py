"""Results of exams."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import pytest
from exam_rows import NOW, Answered, add_draw, add_marks, add_organisation, add_session, fill_bank
from sqlalchemy import Engine, text

from assay.core.errors import NotFound
from assay.core.exam import EXAM_JUDGE, Prompting
from assay.exam.results import by_draw_size, by_prompting, read_results
from assay.exam.series import NewSeries, make_series, read_identity, register, void_sitting
from assay.exam.tally import exclude_positions
from assay.results.exam import ModelResult
from assay.results.exam_sitting import QuestionStanding, ReferenceBasis
from assay.store.engine import writing

JUDGE = EXAM_JUDGE
FULL, HALF = [3, 3, 3, 3], [3, 0, 3, 0]


class Lab:
    """An organisation whose models sit draws of two questions in law and two in history."""

    def __init__(self, engine: Engine, name: str = "lab") -> None:
        self.engine, self.name = engine, name
        self.bank = fill_bank(engine, {"law": 30, "history": 30}) if name == "lab" else {}
        self.organisation = add_organisation(engine, name)
        self._taken = itertools.count()

    def draw(self, each: int = 2) -> int:
        """Store a draw of questions that are in no other draw."""
        first = next(self._taken) * each
        return add_draw(self.engine, {code: ids[first : first + each] for code, ids in self.bank.items()})

    def series(self, *models: str, sittings: int = 3, reference: str = "lab/lab/best") -> int:
        """Create the series `spring` of two questions in law and two in history with these models."""
        new = NewSeries("spring", reference, allocation="law=2,history=2", sittings=sittings)
        made = make_series(self.engine, new, now=NOW, by="tester")
        register(self.engine, "spring", models, now=NOW, by="tester")
        return made.id

    def sit(self, draw: int, stars: Sequence[int | None], model: str = "lab/one", **more: object) -> str:
        """Store a finished, marked sitting with these stars in order."""
        n = len(stars)
        session = add_session(
            self.engine,
            self.organisation,
            draw,
            [Answered()] * n,
            n=n,
            model=model,
            owner=self.name,
            **more,  # type: ignore[arg-type]
        )
        add_marks(self.engine, session, dict(enumerate(stars, 1)))
        return session


@pytest.fixture
def lab(engine: Engine) -> Lab:
    """A lab on a database of either kind."""
    return Lab(engine)


def only(lab: Lab, model: str = "lab/one", **more: object) -> ModelResult:
    """Return the results of one model."""
    found = read_results(lab.engine, JUDGE, **more).models  # type: ignore[arg-type]
    chosen = [one for one in found if one.identity.model == model]
    assert len(chosen) == 1
    return chosen[0]


def test_three_sittings_of_a_series_are_averaged(lab: Lab) -> None:
    """S of 100, 75 and 50: mean 75, sd 25; law, always full, has 10 and history 5 on the ten scale."""
    series = lab.series("lab/lab/one")
    for stars in (FULL, [3, 3, 3, 0], HALF):
        lab.sit(lab.draw(), stars, series=series)
    found = only(lab)
    assert found.published
    assert found.score is not None
    assert (found.score.mean, found.score.sd) == (pytest.approx(75.0), pytest.approx(25.0))
    assert found.score.interval.low < 75.0 < found.score.interval.high
    assert {one.code: round(one.score, 6) for one in found.subjects} == {"law": 10.0, "history": 5.0}
    assert found.draws == 3


def test_two_sittings_are_not_published(lab: Lab) -> None:
    """The result names what is missing and has a score but no rank."""
    series = lab.series("lab/lab/one")
    for _ in range(2):
        lab.sit(lab.draw(), FULL, series=series)
    found = only(lab)
    assert (found.published, found.missing, found.rank) == (False, ("2 of 3 finished sittings",), None)
    assert found.score is not None


def test_sittings_of_no_series_are_unofficial(lab: Lab) -> None:
    """They have S with an interval, but neither rank nor R, however many there are."""
    series = lab.series("lab/lab/one")
    for _ in range(4):
        lab.sit(lab.draw(), FULL, "lab/apart")
        lab.sit(lab.draw(), FULL, "lab/best", series=series)
    results = read_results(lab.engine, JUDGE)
    assert [one.identity.model for one in results.unofficial] == ["lab/apart"]
    found = results.unofficial[0]
    assert (found.published, found.rank, found.relative) == (False, None, None)
    assert found.score is not None
    assert [str(one.identity) for one in results.series[0].models if one.published] == ["lab/lab/best"]


def test_a_sitting_with_unread_answers_has_no_score(lab: Lab) -> None:
    """An unparsable mark is not 0 stars: the sitting has no S until it is marked again."""
    series = lab.series("lab/lab/one")
    for _ in range(2):
        lab.sit(lab.draw(), FULL, series=series)
    unread = lab.sit(lab.draw(), [3, 3, 3, None], series=series)
    found = only(lab)
    assert not found.published
    assert [one.sitting.session for one in found.sittings if one.score is None] == [unread]
    assert [one.standings.get(QuestionStanding.UNREAD, 0) for one in found.sittings if one.score is None] == [
        1
    ]


def test_answers_not_given_in_time_count_0(lab: Lab) -> None:
    """One right, one empty, one late and one missing answer: 3 of 12 stars."""
    given = [Answered(), Answered(""), Answered("True.", status="late")]
    session = add_session(lab.engine, lab.organisation, lab.draw(), given, n=4, state="expired")
    add_marks(lab.engine, session, {1: 3})
    found = only(lab).sittings[0]
    assert found.score is not None
    assert (found.score.value, found.score.n) == (pytest.approx(25.0), 4)
    assert dict(found.standings) == {
        QuestionStanding.MARKED: 1,
        QuestionStanding.EMPTY: 1,
        QuestionStanding.LATE: 1,
        QuestionStanding.UNANSWERED: 1,
    }
    assert not found.counts
    assert only(lab).abandoned == 1


def test_an_excluded_question_leaves_the_denominator(lab: Lab) -> None:
    """Excluding a 0 leaves one law question with 3 stars, and S rises from 50 to 75."""
    session = lab.sit(lab.draw(), [0, 3, 3, 0])
    before = only(lab).sittings[0].score
    exclude_positions(lab.engine, session, [1], reason="the key is wrong", by="tester", now=NOW)
    after = only(lab).sittings[0].score
    assert before is not None
    assert after is not None
    assert (before.value, after.value, after.n) == (pytest.approx(50.0), pytest.approx(75.0), 3)


def test_r_is_relative_to_the_pinned_reference(lab: Lab) -> None:
    """6 of 12 stars against 12 on the same draws are 50, with an interval."""
    series = lab.series("lab/lab/one")
    for draw in [lab.draw() for _ in range(3)]:
        lab.sit(draw, FULL, "lab/best", series=series)
        lab.sit(draw, HALF, series=series)
    found, best = only(lab), only(lab, "lab/best")
    assert str(found.reference) == "lab/lab/best"
    assert found.relative is not None
    assert found.relative.value == pytest.approx(50.0)
    assert found.relative.interval is not None
    assert dict(found.bases) == {ReferenceBasis.SAME_QUESTIONS: 3}
    assert best.relative is not None
    assert (best.relative.value, best.relative.interval) == (100.0, None)


def test_a_reference_on_other_draws_is_reported(lab: Lab) -> None:
    """R then divides by the reference's mean, on the basis of different questions."""
    series = lab.series("lab/lab/one")
    for model, stars in (("lab/best", FULL), ("lab/one", HALF)):
        for _ in range(3):
            lab.sit(lab.draw(), stars, model, series=series)
    assert dict(only(lab).bases) == {ReferenceBasis.DIFFERENT_QUESTIONS: 3}


def test_without_the_reference_there_is_no_r(lab: Lab) -> None:
    """The model is still ranked by S, and no other model replaces the reference."""
    series = lab.series("lab/lab/one")
    for _ in range(3):
        lab.sit(lab.draw(), FULL, series=series)
    found = only(lab)
    assert (found.published, found.relative) == (True, None)
    assert found.rank is not None


def test_ranks_and_pairs(lab: Lab) -> None:
    """The better of two models is first; without a significant difference both could have rank 1."""
    series = lab.series("lab/lab/one", sittings=1)
    draw = lab.draw(10)
    lab.sit(draw, [3] * 20, "lab/best", series=series)
    lab.sit(draw, [3] * 10 + [0] * 10, series=series)
    results = read_results(lab.engine, JUDGE)
    assert results.series[0].pairs == ()  # a draw of twenty questions breaks the rules of the series
    lab.sit(draw := lab.draw(), FULL, "lab/best", series=series)
    lab.sit(draw, HALF, series=series)
    found = read_results(lab.engine, JUDGE).series[0]
    assert [(one.identity.model, one.rank.place if one.rank else None) for one in found.models] == [
        ("lab/best", 1), ("lab/one", 2)
    ]  # fmt: skip
    (pair,) = found.pairs
    assert (str(pair.first), str(pair.second)) == ("lab/lab/best", "lab/lab/one")
    assert pair.difference == pytest.approx(50.0)
    assert [one.rank.ranks.low if one.rank else None for one in found.models] == [1, 1]


def test_a_void_sitting_is_left_out_and_reported(lab: Lab) -> None:
    """It does not count, and the number of void sittings is reported."""
    series = lab.series("lab/lab/one")
    bad = lab.sit(lab.draw(), [0, 0, 0, 0], series=series)
    for _ in range(3):
        lab.sit(lab.draw(), FULL, series=series)
    void_sitting(lab.engine, bad, reason="the power failed", by="tester", now=NOW)
    found = only(lab)
    assert found.score is not None
    assert (found.score.mean, found.void, found.published) == (100.0, 1, True)
    assert [one.sitting.void for one in found.sittings if one.state.void] == ["the power failed"]


def test_a_requested_reference_gives_r_to_unofficial_sittings(lab: Lab) -> None:
    """Organisation and model must match: a rival's model of the same name is another model."""
    rival = Lab(lab.engine, "rival")
    draw = lab.draw()
    lab.sit(draw, FULL, "lab/best")
    rival.sit(draw, HALF, "lab/best")
    lab.sit(draw, HALF)
    for reference, value in (("lab/lab/best", 50.0), ("rival/lab/best", 100.0)):
        row = only(lab, reference=read_identity(reference)).sittings[0].relative
        assert row is not None
        assert row.value == pytest.approx(value)


def test_an_unknown_reference_draw_or_series_is_refused(lab: Lab) -> None:
    """The message names the value and the known ones."""
    lab.sit(lab.draw(), FULL)
    with pytest.raises(NotFound, match=r"'lab/none'.*lab/lab/one"):
        read_results(lab.engine, JUDGE, reference=read_identity("lab/none"))
    with pytest.raises(NotFound, match="'winter'"):
        read_results(lab.engine, JUDGE, draw="winter")
    with pytest.raises(NotFound, match=r"'autumn'.*series add"):
        read_results(lab.engine, JUDGE, series="autumn")


def test_organisations_and_promptings_are_separate(lab: Lab) -> None:
    """One name in two organisations is two models, and so are two promptings."""
    other = Lab(lab.engine, "rival")
    draw = lab.draw()
    lab.sit(draw, FULL)
    lab.sit(draw, FULL, prompting="cot")
    other.sit(draw, [0, 0, 0, 0])
    found = read_results(lab.engine, JUDGE).models
    assert sorted((one.identity.organisation, one.prompting) for one in found) == [
        ("lab", Prompting.CHAIN_OF_THOUGHT), ("lab", Prompting.ZERO_SHOT), ("rival", Prompting.ZERO_SHOT)
    ]  # fmt: skip


def test_a_judge_of_the_models_family_is_reported(lab: Lab) -> None:
    """The result says that the judge may favour the model."""
    draw = lab.draw()
    lab.sit(draw, FULL, "openrouter/openai/gpt-5-mini")
    lab.sit(draw, FULL, EXAM_JUDGE)
    assert only(lab, "openrouter/openai/gpt-5-mini").kin == "is of the model's own family (openai)"
    assert only(lab, EXAM_JUDGE).kin == "is the model itself"


def test_prompting_is_compared_by_the_population_variance(lab: Lab) -> None:
    """100, 75 and 50 on one draw: mean 75, variance 1250/3; without one of the three there is none."""
    draw = lab.draw()
    stars = {"zero-shot": FULL, "few-shot": [3, 3, 3, 0], "cot": [3, 3, 0, 0]}
    for prompting, given in stars.items():
        lab.sit(draw, given, prompting=prompting)
    lab.sit(draw, FULL, "lab/once")
    rows = {row.model: row for row in by_prompting(read_results(lab.engine, JUDGE)).models}
    assert rows["lab/one"].mean == pytest.approx(75.0)
    assert rows["lab/one"].variance == pytest.approx(1250 / 3)
    assert rows["lab/one"].draws == 1
    assert (rows["lab/once"].mean, rows["lab/once"].variance) == (None, None)


def test_draw_sizes_are_compared_by_the_sample_variance(lab: Lab) -> None:
    """R of 100 on four questions and 50 on eight: mean 75, variance 1250, the smaller draw first."""
    large, small = lab.draw(4), lab.draw(2)
    for draw, n in ((large, 8), (small, 4)):
        lab.sit(draw, [3] * n, "lab/best")
    lab.sit(large, [3, 0] * 4)
    lab.sit(small, [3] * 4)
    found = read_results(lab.engine, JUDGE, reference=read_identity("lab/lab/best"))
    row = next(one for one in by_draw_size(found).models if one.model == "lab/one")
    assert [(trial.n, trial.relative) for trial in row.trials] == [
        (4, pytest.approx(100.0)), (8, pytest.approx(50.0))
    ]  # fmt: skip
    assert row.mean == pytest.approx(75.0)
    assert row.variance == pytest.approx(1250.0)


def test_questions_of_the_public_example_bank_are_counted(lab: Lab) -> None:
    """Each question of each sitting that comes from a source of kind `example` is counted."""
    lab.sit(lab.draw(), FULL)
    assert read_results(lab.engine, JUDGE).example_questions == 0
    with writing(lab.engine) as connection:
        connection.execute(text("UPDATE sources SET kind = 'example'"))
    lab.sit(lab.draw(), HALF)
    assert read_results(lab.engine, JUDGE).example_questions == 8
