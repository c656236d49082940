"""Results of exams."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import pytest
from exam_rows import NOW, Answered, add_draw, add_marks, add_organisation, add_session, fill_bank
from sqlalchemy import Engine

from assay.core.errors import NotFound
from assay.core.exam import EXAM_JUDGE, Prompting
from assay.exams.exclude import exclude_positions
from assay.exams.publish import by_draw_size, by_prompting, published
from assay.exams.results import ModelResult, read_results
from assay.ranking.exam.relative import Basis
from assay.ranking.exam.standing import Standing

JUDGE = EXAM_JUDGE


class Lab:
    """An organisation whose models sit draws of two questions in law and two in history."""

    def __init__(self, engine: Engine, name: str = "lab") -> None:
        self.engine, self.name = engine, name
        self.bank = fill_bank(engine, {"law": 30, "history": 30}) if name == "lab" else {}
        self.organisation = add_organisation(engine, name)
        self._taken = itertools.count()

    def draw(self, each: int = 2) -> int:
        """Store a draw of questions that no other draw holds."""
        first = next(self._taken) * each
        return add_draw(self.engine, {code: ids[first : first + each] for code, ids in self.bank.items()})

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


def only(lab: Lab, model: str = "lab/one", **more: str) -> ModelResult:
    """Return the results of one model."""
    found = [one for one in read_results(lab.engine, JUDGE, **more).models if one.model == model]
    assert len(found) == 1
    return found[0]


def test_three_sittings_are_averaged_with_their_spread(lab: Lab) -> None:
    """S of 100, 75 and 50: mean 75, sd 25; law, always full, has 10 and history 5 on the ten scale."""
    for stars in ([3, 3, 3, 3], [3, 3, 3, 0], [3, 0, 3, 0]):
        lab.sit(lab.draw(), stars)
    found = only(lab)
    assert found.published
    assert found.score is not None
    assert found.score.mean == pytest.approx(75.0)
    assert found.score.sd == pytest.approx(25.0)
    assert {one.code: round(one.score, 6) for one in found.subjects} == {"law": 10.0, "history": 5.0}
    assert found.draws == 3


def test_two_sittings_are_not_published(lab: Lab) -> None:
    """They stand as what they are, with what is missing."""
    for _ in range(2):
        lab.sit(lab.draw(), [3, 3, 3, 3])
    found = only(lab)
    assert (found.published, found.missing) == (False, ("2 of 3 finished sittings",))
    assert found.score is not None


def test_unread_answers_hold_a_sitting_up(lab: Lab) -> None:
    """A judge without a verdict leaves no 0: the sitting has no S until it is asked again."""
    for stars in ([3, 3, 3, 3], [3, 3, 3, 3]):
        lab.sit(lab.draw(), stars)
    unread = lab.sit(lab.draw(), [3, 3, 3, None])
    found = only(lab)
    assert not found.published
    assert [one.sitting.session for one in found.sittings if one.score is None] == [unread]
    assert [one.standings.get(Standing.UNREAD, 0) for one in found.sittings if one.score is None] == [1]


def test_what_was_not_answered_in_time_counts_0(lab: Lab) -> None:
    """Of four questions one is right, one empty, one late, one never answered: 3 of 12 stars."""
    given = [Answered(), Answered(""), Answered("True.", status="late")]
    session = add_session(lab.engine, lab.organisation, lab.draw(), given, n=4, state="expired")
    add_marks(lab.engine, session, {1: 3})
    found = only(lab).sittings[0]
    assert found.score is not None
    assert (found.score.value, found.score.n) == (pytest.approx(25.0), 4)
    assert dict(found.standings) == {
        Standing.MARKED: 1, Standing.EMPTY: 1, Standing.LATE: 1, Standing.UNANSWERED: 1
    }  # fmt: skip
    assert not found.counts
    assert only(lab).abandoned == 1


def test_an_excluded_question_leaves_the_denominator(lab: Lab) -> None:
    """A 0 that is excluded: law keeps one question with 3 stars, and S rises from 50 to 75."""
    session = lab.sit(lab.draw(), [0, 3, 3, 0])
    before = only(lab).sittings[0].score
    exclude_positions(lab.engine, session, [1], reason="the key is wrong", by="tester", now=NOW)
    after = only(lab).sittings[0].score
    assert before is not None
    assert after is not None
    assert (before.value, after.value, after.n) == (pytest.approx(50.0), pytest.approx(75.0), 3)


def test_the_best_published_model_is_the_reference_on_the_same_draws(lab: Lab) -> None:
    """Where it sat each draw, R is their ratio there: 6 of 12 stars against 12 are 50."""
    draws = [lab.draw() for _ in range(3)]
    for draw in draws:
        lab.sit(draw, [3, 3, 3, 3], "lab/best")
        lab.sit(draw, [3, 0, 3, 0], "lab/other")
    found = only(lab, "lab/other")
    assert found.reference == "lab/best"
    assert found.relative is not None
    assert found.relative.mean == pytest.approx(50.0)
    assert dict(found.bases) == {Basis.SAME_QUESTIONS: 3}
    best = only(lab, "lab/best").relative
    assert best is not None
    assert (best.mean, best.sd, best.interval) == (100.0, 0.0, None)


def test_a_reference_on_other_draws_is_told(lab: Lab) -> None:
    """A reference that sat none of the draws gives R by its mean: different questions."""
    for model in ("lab/best", "lab/other"):
        for _ in range(3):
            lab.sit(lab.draw(), [3, 3, 3, 3] if model == "lab/best" else [3, 0, 3, 0], model)
    assert dict(only(lab, "lab/other").bases) == {Basis.DIFFERENT_QUESTIONS: 3}


def test_a_simulated_model_is_no_reference_for_real_ones(lab: Lab) -> None:
    """It is labelled, and R of the real one does not divide by it."""
    draw = lab.draw()
    for _ in range(3):
        lab.sit(draw, [3, 3, 3, 3], "simulated/steady", simulated=True)
        lab.sit(draw, [3, 0, 3, 0], "lab/real")
    assert only(lab, "simulated/steady").simulated
    assert only(lab, "lab/real").reference == "lab/real"


def test_an_unknown_reference_or_draw_is_told(lab: Lab) -> None:
    """The message names it, and who has sat."""
    lab.sit(lab.draw(), [3, 3, 3, 3])
    with pytest.raises(NotFound, match=r"'lab/none'.*lab/one"):
        read_results(lab.engine, JUDGE, reference="lab/none")
    with pytest.raises(NotFound, match="'winter'"):
        read_results(lab.engine, JUDGE, draw="winter")


def test_organisations_and_promptings_stand_apart(lab: Lab) -> None:
    """One name in two organisations is two models, and so are two promptings."""
    other = Lab(lab.engine, "rival")
    draw = lab.draw()
    lab.sit(draw, [3, 3, 3, 3])
    lab.sit(draw, [3, 3, 3, 3], prompting="cot")
    other.sit(draw, [0, 0, 0, 0])
    found = read_results(lab.engine, JUDGE).models
    assert sorted((one.organisation, one.prompting) for one in found) == [
        ("lab", Prompting.CHAIN_OF_THOUGHT), ("lab", Prompting.ZERO_SHOT), ("rival", Prompting.ZERO_SHOT)
    ]  # fmt: skip


def test_an_organisation_sees_its_own_published_results_only(lab: Lab) -> None:
    """Neither another's, nor its own that lack a sitting."""
    rival = Lab(lab.engine, "rival")
    draw = lab.draw()
    for _ in range(3):
        lab.sit(draw, [3, 3, 3, 3])
        rival.sit(draw, [0, 0, 0, 0], "rival/one")
    lab.sit(draw, [3, 3, 3, 3], "lab/once")
    assert [one.model for one in published(lab.engine, lab.organisation, JUDGE)] == ["lab/one"]


def test_a_judge_of_the_model_s_family_is_told(lab: Lab) -> None:
    """A model of the judge's maker may be favoured."""
    draw = lab.draw()
    lab.sit(draw, [3, 3, 3, 3], "openrouter/openai/gpt-5-mini")
    lab.sit(draw, [3, 3, 3, 3], EXAM_JUDGE)
    assert only(lab, "openrouter/openai/gpt-5-mini").kin == "is of the model's own family (openai)"
    assert only(lab, EXAM_JUDGE).kin == "is the model itself"


def test_prompting_is_compared_by_the_population_variance(lab: Lab) -> None:
    """100, 75 and 50 on one draw: mean 75, variance 1250/3; without one of the three there is none."""
    draw = lab.draw()
    stars = {"zero-shot": [3, 3, 3, 3], "few-shot": [3, 3, 3, 0], "cot": [3, 3, 0, 0]}
    for prompting, given in stars.items():
        lab.sit(draw, given, prompting=prompting)
    lab.sit(draw, [3, 3, 3, 3], "lab/once")
    rows = {row.model: row for row in by_prompting(read_results(lab.engine, JUDGE))}
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
    found = read_results(lab.engine, JUDGE, reference="lab/best")
    row = next(one for one in by_draw_size(found) if one.model == "lab/one")
    assert [(trial.n, trial.relative) for trial in row.trials] == [
        (4, pytest.approx(100.0)), (8, pytest.approx(50.0))
    ]  # fmt: skip
    assert row.mean == pytest.approx(75.0)
    assert row.variance == pytest.approx(1250.0)
