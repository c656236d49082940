"""Judges compare stored answers: both orders, paid once, resumed, by rule, and refused with the reason."""

from __future__ import annotations

from dataclasses import replace

import pytest
from compared import Compared, Court, compared, compares, prefers
from judged import judged_suite
from sqlalchemy import Engine, delete, func, select

from assay.calls.budget import BudgetSpent
from assay.calls.control import RunControl
from assay.core.errors import Conflict, InvalidInput, NotFound
from assay.core.model import Model
from assay.core.money import Prices
from assay.grading.pairs import PAIRS
from assay.runs.pairs.board import pairs_numbers, pairs_source, pairwise_board
from assay.runs.pairs.estimate import estimate_pairs
from assay.runs.pairs.plan import PairRequest, plan_pairs
from assay.runs.pairs.verdicts import read_verdicts
from assay.store.runs import read_run
from assay.store.schema import calls, marks


def asked(engine: Engine) -> int:
    """Return the number of calls to judges in the ledger."""
    with engine.connect() as connection:
        query = select(func.count()).select_from(calls).where(calls.c.purpose == "judge")
        return connection.execute(query).scalar_one()


def test_each_pair_is_shown_in_both_orders(engine: Engine) -> None:
    """Four prompts of two models are eight calls, and the better model wins all four pairs."""
    stored = compared(engine, judge=prefers("alpha"))
    study = stored.judge("judge")
    (tally,) = study.tallies
    assert (study.status, study.planned, study.stored, asked(engine)) == ("finished", 8, 8, 8)
    assert (tally.model, tally.opponent, tally.n, tally.wins) == ("test/alpha", "test/beta", 4, 4)
    (orders,) = study.orders
    assert (orders.n, orders.agree, orders.p) == (4, 4, 1.0)


def test_a_judge_that_takes_the_first_answer_decides_nothing(engine: Engine) -> None:
    """Every pair counts half for each, and the preference of the position is significant or not by its n."""
    study = compared(engine, judge=lambda first, second: "A").judge("judge")
    (tally,), (orders,) = study.tallies, study.orders
    assert (tally.split, tally.win_rate, orders.kept_first, orders.agree) == (4, 0.5, 4, 0)


def test_an_unreadable_verdict_is_missing_and_not_paid_again(engine: Engine) -> None:
    """It is asked twice; resuming sends nothing."""
    stored = compared(engine, judge=lambda first, second: "neither")
    study = stored.judge("judge")
    assert (study.stored, study.tallies[0].missing, asked(engine)) == (8, 4, 16)
    again = stored.judge(resume=study.run)
    assert (again.stored, asked(engine)) == (8, 16)


def test_a_failed_call_is_repeated_when_resumed(engine: Engine) -> None:
    """And only that one."""
    failing = True

    def choose(first: str, second: str) -> object:
        return 400 if failing and "Write 2" in first and "alpha" in first else prefers("beta")(first, second)

    stored = compared(engine, judge=choose)
    study = stored.judge("judge")
    before = asked(engine)
    assert (study.planned - study.stored, study.tallies[0].missing) == (1, 1)
    assert "1 verdict missing because the call failed" in study.remarks[0]
    failing = False
    again = stored.judge(resume=study.run)
    assert (again.stored, again.tallies[0].losses, asked(engine) - before) == (8, 4, 1)


def test_a_reply_that_was_paid_for_is_read_after_a_crash(engine: Engine) -> None:
    """If the process dies between the reply and its verdict, nothing is asked again."""
    stored = compared(engine, judge=prefers("alpha"))
    study = stored.judge("judge")
    with engine.begin() as connection:
        connection.execute(delete(marks).where(marks.c.run == study.run))
    again = stored.judge(resume=study.run)
    assert (again.tallies, asked(engine)) == (study.tallies, 8)


def test_a_stopped_comparison_goes_on(engine: Engine) -> None:
    """What was asked before the stop is kept; resuming asks for the rest and for nothing twice."""
    control = RunControl()

    def choose(first: str, second: str) -> object:
        control.stop.request("enough")
        return prefers("alpha")(first, second)

    stored = compared(engine, judge=choose)
    stored.concurrency = 1
    study = stored.judge("judge", control=control)
    assert (study.status, study.reason, study.stored) == ("stopped", "enough", 1)
    assert study.tallies[0].missing == 1
    finished = stored.judge(resume=study.run)
    assert (finished.status, finished.stored, finished.tallies[0].wins, asked(engine)) == (
        "finished",
        8,
        4,
        8,
    )


def test_a_spending_limit_is_kept(engine: Engine) -> None:
    """With known prices a limit that no call fits stops the comparison before anything is sent."""
    stored = compared(engine, judge=prefers("alpha"))
    stored.prices = Prices(1000.0, 1000.0)
    study = stored.judge("judge", max_cost=0.01)
    assert (study.status, study.stored, asked(engine)) == ("stopped", 0, 0)
    assert isinstance(study.error, BudgetSpent)
    assert study.tallies == ()


def test_verdicts_on_the_same_answers_are_taken_from_an_earlier_run(engine: Engine) -> None:
    """With a third model only its pairs are asked for."""
    stored = compared(engine, judge=prefers("alpha"))
    stored.judge("judge")
    stored.answer("gamma")
    study = stored.judge("judge")
    assert (study.planned, study.reused, asked(engine)) == (24, 8, 24)


def test_empty_and_equal_answers_are_decided_by_rule(engine: Engine) -> None:
    """An answer without visible text loses, equal texts tie, and no judge is asked."""
    said = {"alpha": "The same.", "beta": "The same.", "gamma": ""}
    court = Court({"judge": compares(prefers("alpha"))}, lambda body: said[body["model"]])
    stored = Compared(engine, court)
    stored.answer("alpha", "beta", "gamma")
    study = stored.judge("judge")
    rows = {(tally.model, tally.opponent): tally for tally in study.tallies}
    assert asked(engine) == 0
    assert rows["test/alpha", "test/beta"].ties == rows["test/alpha", "test/beta"].by_rule == 4
    assert rows["test/alpha", "test/gamma"].wins == 4
    assert study.orders[0].n == 0


def test_a_baseline_and_fewer_prompts(engine: Engine) -> None:
    """Each other model is compared with the baseline, on prompts that the seed draws."""
    stored = compared(engine, "alpha", "beta", "gamma", judge=prefers("alpha"))
    study = stored.judge("judge", baseline="test/beta", n=2)
    assert {(tally.model, tally.opponent) for tally in study.tallies} == {
        ("test/alpha", "test/beta"),
        ("test/beta", "test/gamma"),
    }
    assert (study.prompts, study.planned) == (2, 8)


def test_of_several_judges_none_judges_its_own_answers(engine: Engine) -> None:
    """A single judge does, with a remark."""
    stored = compared(engine, "alpha", "beta", "gamma", judge=prefers("alpha"), beta=prefers("beta"))
    study = stored.judge("judge", "beta")
    assert {(tally.model, tally.opponent) for tally in study.tallies if tally.judge == "test/beta"} == {
        ("test/alpha", "test/gamma")
    }
    assert "test/beta does not judge answers of test/beta" in study.remarks
    assert "judges answers of its own model or family" in stored.judge("beta").remarks[0]


def test_the_estimate_counts_calls_without_those_by_rule(engine: Engine) -> None:
    """Nothing is sent or stored."""
    stored = compared(engine, judge=prefers("alpha"))
    judges = [Model("test", "judge")]
    plan = plan_pairs(engine, stored.runs, judges, PairRequest())
    needs = estimate_pairs(engine, plan, judges)
    assert (needs.calls, needs.most_calls, needs.cost, asked(engine)) == (8, 16, None, 0)


def test_what_cannot_be_compared_is_refused(engine: Engine) -> None:
    """With what to do."""
    stored = compared(engine, judge=prefers("alpha"))
    first = stored.runs[0]
    twice = stored.answer("alpha")
    stored.suite = replace(judged_suite(version="2"))
    other = stored.answer("gamma")
    judges = [Model("test", "judge")]

    def refused(runs: list[int], **wish: object) -> str:
        with pytest.raises((InvalidInput, NotFound)) as error:
            plan_pairs(engine, runs, judges, PairRequest(**wish))  # type: ignore[arg-type]
        return str(error.value)

    assert "model 'test/alpha' is in runs 1 and 2: give one of the two" in refused([first, twice])
    assert "compare runs of one suite" in refused([first, other])
    assert "1 model in these runs: a comparison needs two" in refused([twice])
    assert "unknown baseline 'x': give one of test/alpha, test/beta" in refused([first], baseline="x")
    assert "there is no run 99" in refused([99])
    study = stored.judge("judge", runs=[first])
    assert "is of kind 'pairs'" in refused([study.run])
    with pytest.raises(Conflict, match="run 1 is of kind 'run', not 'pairs': see `assay runs --kind pairs`"):
        read_run(engine, first, PAIRS)


def test_the_board_ranks_by_stored_verdicts(engine: Engine) -> None:
    """The newest verdicts of all comparisons count once."""

    def choose(first: str, second: str) -> str:
        """Prefer the model that comes first in the alphabet, except on the first prompt."""
        better = "A" if first < second else "B"
        return {"A": "B", "B": "A"}[better] if "Write 0" in first else better

    stored = compared(engine, "alpha", "beta", "gamma", judge=choose)
    stored.judge("judge")
    again = stored.judge("judge", baseline="test/beta")
    board = pairwise_board(engine, "judged")
    assert [row.model for row in board.ratings.models] == ["test/alpha", "test/beta", "test/gamma"]
    assert (board.runs, board.ratings.comparisons) == ((2, again.run), 12)
    assert any("8 pairs judged again" in remark for remark in board.ratings.remarks)
    only = pairwise_board(engine, "judged", runs=[again.run])
    assert only.ratings.comparisons == 8
    source = pairs_source(engine, [2])
    assert (len(source.comparisons.points), source.about.source) == (12, "pairs:2")
    assert source.by_order is not None
    assert len(source.by_order.points) == 24


def test_bad_boards_are_refused(engine: Engine) -> None:
    """An unknown judge, a run that compares nothing, and a suite without comparisons."""
    stored = compared(engine, judge=prefers("alpha"))
    with pytest.raises(NotFound, match="no answers of suite 'judged' 1 were compared yet"):
        pairwise_board(engine, "judged")
    stored.judge("judge")
    with pytest.raises(InvalidInput, match="judge 'x' compared no answers here: use one of test/judge"):
        pairwise_board(engine, "judged", judges=["x"])
    with pytest.raises(InvalidInput, match="run 1 compares no answers of suite 'judged': choose from 2"):
        pairwise_board(engine, "judged", runs=[1])
    with pytest.raises(InvalidInput, match="it won all 4 comparisons"):
        pairwise_board(engine, "judged")
    with pytest.raises(InvalidInput, match="write pairs:RUN"):
        pairs_numbers(["pairs:1", "board:x"])
    assert pairs_numbers(["run:1"]) is None


def test_comparisons_of_two_suites_are_not_mixed(engine: Engine) -> None:
    """They have no prompt in common."""
    stored = compared(engine, judge=prefers("alpha"))
    first = stored.judge("judge")
    stored.suite, stored.runs = judged_suite(version="2"), []
    stored.answer("alpha", "beta")
    second = stored.judge("judge")
    runs = [read_run(engine, study.run, PAIRS) for study in (first, second)]
    with pytest.raises(InvalidInput, match="compare answers of different suites"):
        read_verdicts(engine, runs)
