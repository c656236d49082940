"""Judges in whole runs, over real HTTP and on both databases: who marks what, and what goes wrong."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from judged import Court, JudgedRun, always, judged_suite, mark
from sqlalchemy import Engine

from assay.calls.control import Stop
from assay.core.judging import Panel
from assay.core.model import Model
from assay.runs.judging.bench import MOST_FAILURES
from assay.store.marks import RunMark, read_marks
from assay.store.samples import read_samples


def marks(run: JudgedRun) -> list[RunMark]:
    """Return the marks of a run."""
    return read_marks(run.engine, [run.run.id])


def by_judge(run: JudgedRun) -> dict[str, list[float | None]]:
    """Return each judge's marks in order of position."""
    found: dict[str, list[float | None]] = {}
    for each in marks(run):
        found.setdefault(each.judge.removeprefix("test/"), []).append(each.row.value)
    return found


def grades(run: JudgedRun) -> list[Any]:
    """Return the judged grade of each sample."""
    return [sample.grades[-1] for sample in read_samples(run.engine, run.run.id)]


def test_every_judge_marks_every_answer(engine: Engine) -> None:
    """Two judges, four answers: eight marks, a grade of their rescaled mean, a finished run."""
    run = JudgedRun(engine, Court({"kind": always(5), "stern": always(2)}))
    outcome = run.execute()
    assert (outcome.status, outcome.counts.ok, outcome.counts.ungraded) == ("finished", 4, 0)
    assert by_judge(run) == {"kind": [5.0] * 4, "stern": [2.0] * 4}
    assert [grade.value for grade in grades(run)] == [0.625] * 4
    assert {sample.row.score for sample in read_samples(engine, run.run.id)} == {62.5}


def test_what_judges_are_asked_stands_in_the_ledger(sqlite: Engine) -> None:
    """Their calls have a purpose and a cost of their own, beside the subject's."""
    run = JudgedRun(sqlite, Court({"kind": always(5)}))
    outcome = run.execute()
    found = [call for sample in read_samples(sqlite, run.run.id) for call in sample.calls]
    assert sorted(call.purpose for call in found) == ["judge"] * 4 + ["subject"] * 4
    assert outcome.spend.known == pytest.approx(0.008)


def test_a_judge_is_asked_at_temperature_0_with_room_for_reasoning(sqlite: Engine) -> None:
    """The panel's output budget goes with every ask, and nothing that tells whose answer it is."""
    court = Court({"kind": always(5)})
    JudgedRun(sqlite, court, panel=Panel(("test/kind",), max_tokens=7000)).execute()
    (body, *_) = court.bodies["kind"]
    assert (body["temperature"], body["max_tokens"]) == (0, 7000)
    assert "about" not in body


def test_a_judge_never_marks_its_own_model_in_a_panel(sqlite: Engine) -> None:
    """The other judges do, and the evidence says who was left out."""
    court = Court({"kind": always(5), "stern": always(1)})
    run = JudgedRun(sqlite, court, subjects=("kind", "other"))
    court.answer = lambda body: "text"
    court.judges["kind"] = lambda body, before: (
        mark(5, body) if "token" in body["messages"][-1]["content"] else "own answer"
    )
    run.execute()
    mine = [each for each in marks(run) if each.row.position % 2 == 0]
    assert {each.judge for each in mine} == {"test/stern"}
    assert {each.judge for each in marks(run)} == {"test/stern", "test/kind"}
    assert grades(run)[0].evidence["left_out"] == {"test/kind": "is the model itself"}


def test_a_family_may_be_left_out(sqlite: Engine) -> None:
    """With `exclude: family` a judge of the subject's family gives no mark."""
    court = Court({"gpt-4.1": always(5), "claude-sonnet-4": always(1)})
    panel = Panel(("test/gpt-4.1", "test/claude-sonnet-4"), exclude="family")
    run = JudgedRun(sqlite, court, subjects=("gpt-4o",), panel=panel)
    run.execute()
    assert by_judge(run) == {"claude-sonnet-4": [1.0] * 4}


def test_a_single_judge_that_is_the_model_is_flagged(sqlite: Engine) -> None:
    """Without a substitute it marks itself, and the grade says so."""
    court = Court({})
    court.judges["solo"] = lambda body, before: (
        mark(5, body) if "token" in body["messages"][-1]["content"] else "text"
    )
    run = JudgedRun(sqlite, court, subjects=("solo",), panel=Panel(("test/solo",)))
    run.execute()
    assert grades(run)[0].evidence["self_judged"] == {"test/solo": "is the model itself"}


def test_a_substitute_takes_a_single_judges_place(sqlite: Engine) -> None:
    """The named substitute marks the judge's own answers, and only those."""
    court = Court({"other": always(2)})
    court.judges["solo"] = lambda body, before: (
        mark(5, body) if "token" in body["messages"][-1]["content"] else "text"
    )
    panel = Panel(("test/solo",), substitute="test/other")
    run = JudgedRun(sqlite, court, subjects=("solo", "third"), panel=panel)
    run.execute()
    assert by_judge(run) == {"other": [2.0] * 4, "solo": [5.0] * 4}
    assert "self_judged" not in grades(run)[0].evidence


@pytest.mark.parametrize("reply", ["I would say 4 out of 5.", "4", '{"mark": 4}', ""])
def test_an_unreadable_reply_is_asked_once_more_and_never_guessed(sqlite: Engine, reply: str) -> None:
    """Prose, bare digits and JSON without the token leave the answer ungraded, with the reason."""
    court = Court({"odd": lambda body, before: reply})
    run = JudgedRun(sqlite, court, suite=judged_suite(cases=1))
    outcome = run.execute()
    assert court.asked["odd"] == (1 if reply == "" else 2)
    assert by_judge(run) == {"odd": [None]}
    assert outcome.counts.ungraded == 1
    assert any("marks missing (1): test/odd" in line for line in outcome.remarks)


@pytest.mark.parametrize("value", [7, 0, 3.5, "4.5", True, None])
def test_a_mark_that_does_not_exist_is_none(sqlite: Engine, value: object) -> None:
    """7 of 5 is not 5, and 3.5 is not rounded."""
    run = JudgedRun(sqlite, Court({"odd": always(value)}), suite=judged_suite(cases=1))
    run.execute()
    assert by_judge(run) == {"odd": [None]}


def test_the_second_reply_counts(sqlite: Engine) -> None:
    """A judge that writes prose first and a verdict when asked again has marked."""
    court = Court({"slow": lambda body, before: "Well." if before == 0 else mark(4, body)})
    run = JudgedRun(sqlite, court, suite=judged_suite(cases=1))
    run.execute()
    assert (by_judge(run), court.asked["slow"]) == ({"slow": [4.0]}, 2)


def test_one_broken_judge_leaves_the_others_marks(sqlite: Engine) -> None:
    """The grade is made of the marks there are, and names the missing judge."""
    run = JudgedRun(sqlite, Court({"kind": always(5), "broken": lambda body, before: 500}))
    outcome = run.execute()
    assert by_judge(run) == {"broken": [None] * 4, "kind": [5.0] * 4}
    assert outcome.counts.ungraded == 0
    assert grades(run)[0].evidence["missing"] == ["test/broken"]


def test_a_judge_that_disappears_is_put_aside(sqlite: Engine) -> None:
    """After several failures in a row it is asked no more: its retries would take hours."""
    court = Court({"gone": lambda body, before: mark(4, body) if before < 3 else 500})
    run = JudgedRun(sqlite, court, suite=judged_suite(cases=120), panel=Panel(("test/gone",)))
    outcome = run.execute()
    values = by_judge(run)["gone"]
    assert sum(value is not None for value in values) == 3
    assert len(values) == 120
    # Those that were in flight when it was put aside still come back.
    assert court.asked["gone"] <= 3 + 2 * (MOST_FAILURES + 32)
    assert any(f"put aside after {MOST_FAILURES} failed calls" in line for line in outcome.remarks)


def test_a_judge_without_its_key_leaves_marks_missing(sqlite: Engine) -> None:
    """The run finishes; the reason names the variable, and the answers can be marked later."""
    from assay.core.model import Provider

    court = Court({})
    keyed = {"keyed": Provider("keyed", "http://127.0.0.1:1/v1", api_key_env="SOME_KEY")}
    panel = Panel(("keyed/j",))
    run = JudgedRun(sqlite, court, panel=panel, judges=[Model("keyed", "j")])
    outcome = run.execute(providers=keyed)
    assert (outcome.status, outcome.counts.ungraded) == ("finished", 4)
    assert "SOME_KEY" in str(marks(run)[0].row.reason)


def test_a_refused_key_puts_the_judge_aside(sqlite: Engine) -> None:
    """401 to a judge stops neither the run nor the other judges."""
    run = JudgedRun(sqlite, Court({"kind": always(5), "locked": lambda body, before: 401}))
    outcome = run.execute()
    assert outcome.status == "finished"
    assert by_judge(run) == {"kind": [5.0] * 4, "locked": [None] * 4}


def test_an_identical_answer_is_marked_once(engine: Engine) -> None:
    """Three epochs with one text each: every judge is asked once a case, and the other marks are reused."""
    court = Court({"kind": always(5), "stern": always(2)}, answer=lambda body: "same")
    run = JudgedRun(engine, court, suite=judged_suite(cases=3, epochs=3))
    run.execute()
    assert court.asked == {"subject": 9, "kind": 3, "stern": 3}
    assert sum(each.row.reused for each in marks(run)) == 12
    assert by_judge(run) == {"kind": [5.0] * 9, "stern": [2.0] * 9}


def test_a_later_run_uses_the_marks_again(engine: Engine) -> None:
    """The same answers in another run cost the subject's calls only."""
    court = Court({"kind": always(5)})
    JudgedRun(engine, court).execute()
    again = JudgedRun(engine, court)
    again.execute()
    assert court.asked == {"subject": 8, "kind": 4}
    assert by_judge(again) == {"kind": [5.0] * 4}


@pytest.mark.parametrize("change", ["rubric", "flags", "budget", "judge"])
def test_what_bears_on_a_mark_is_asked_anew(sqlite: Engine, change: str) -> None:
    """Another rubric, other flags, another output budget, or other parameters of the judge."""
    court = Court({"kind": always(5)}, answer=lambda body: "one two three")
    suite = judged_suite(check=True)
    panel, judges, other = Panel(("test/kind",)), [Model("test", "kind")], suite
    JudgedRun(sqlite, court, suite=suite, panel=panel).execute()
    if change == "rubric":
        cases = tuple(
            replace(case, graders=(case.graders[0], replace(case.graders[1], parameters={"rubric": "other"})))
            for case in suite.cases
        )
        other = replace(suite, use_cases=(replace(suite.use_cases[0], cases=cases),), version="2", digest="b")
    elif change == "flags":
        panel = replace(panel, flags=False)
    elif change == "budget":
        panel = replace(panel, max_tokens=100)
    else:
        judges = [Model("test", "kind", parameters={"seed": 1})]
    JudgedRun(sqlite, court, suite=other, panel=panel, judges=judges).execute()
    assert court.asked["kind"] == 8


def test_a_watch_judges_anew_every_day(sqlite: Engine) -> None:
    """The same answer on another day is another question: else a drifting judge would never show."""
    court = Court({"kind": always(5)})
    for day in (date(2026, 11, 20), date(2026, 11, 21)):
        JudgedRun(sqlite, court, kind="watch", day=day).execute()
    assert court.asked["kind"] == 8


def test_a_watchs_own_day_is_not_paid_for_twice(sqlite: Engine) -> None:
    """A second watch on the same day uses the marks of the first."""
    court = Court({"kind": always(5)})
    for _ in range(2):
        JudgedRun(sqlite, court, kind="watch", day=date(2026, 11, 20)).execute()
    assert court.asked["kind"] == 4


@pytest.mark.parametrize("shown", [True, False])
def test_flags_are_passed_to_judges_unless_withheld(sqlite: Engine, shown: bool) -> None:
    """A judge reads what the auto-check found, as a heuristic; an option keeps it back."""
    court = Court({"kind": always(5)}, answer=lambda body: "far too many words")
    run = JudgedRun(sqlite, court, suite=judged_suite(check=True), panel=Panel(("test/kind",), flags=shown))
    run.execute()
    text = court.bodies["kind"][0]["messages"][-1]["content"]
    assert ("TOO_LONG" in text) is shown
    assert {sample.row.score for sample in read_samples(sqlite, run.run.id)} == {100.0}


def test_an_invalid_answer_is_shown_to_no_judge(sqlite: Engine) -> None:
    """Empty answers cost nothing to judge: the board gives them the lowest mark by rule."""
    court = Court({"kind": always(5)}, answer=lambda body: "")
    run = JudgedRun(sqlite, court)
    outcome = run.execute()
    assert (outcome.counts.invalid, court.asked["kind"], marks(run)) == (4, 0, [])


def test_what_a_stopped_run_has_marked_is_not_asked_again(engine: Engine) -> None:
    """A budget that ends in the midst of a panel: going on asks judges only for what is missing."""
    court = Court({"kind": always(5), "stern": always(2)})
    run = JudgedRun(engine, court, suite=judged_suite(cases=6))
    outcome = run.execute(max_cost=0.0101)
    assert outcome.status == "stopped"
    assert run.execute().status == "finished"
    assert by_judge(run) == {"kind": [5.0] * 6, "stern": [2.0] * 6}
    assert court.asked == {"subject": 6, "kind": 6, "stern": 6}


def test_stopping_waits_for_judges_in_flight(sqlite: Engine) -> None:
    """What a judge says after the stop is recorded, since it will be paid for."""
    stop = Stop()

    def judge(body: dict[str, Any], before: int) -> str:
        stop.request("enough")
        return mark(5, body)

    court = Court({"kind": judge})
    run = JudgedRun(sqlite, court, suite=judged_suite(cases=30))
    run.execute(stop=stop)
    assert len(marks(run)) == court.asked["kind"] >= 1
