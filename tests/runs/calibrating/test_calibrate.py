"""Calibrating a judge over real HTTP: what is frozen, what has moved, and what a watch makes of it."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest
from judged import Court, always, held, judged_suite, mark, provider
from sqlalchemy import Engine

from assay.calls.control import RunControl
from assay.calls.progress import Progress
from assay.core.errors import Conflict, InvalidInput
from assay.core.judging import Panel
from assay.core.model import Model
from assay.core.suite import Suite
from assay.results.judges import Calibration
from assay.results.watch import WatchDay
from assay.runs.calibrating.calibrate import calibrate
from assay.runs.conduct import RunContext
from assay.runs.plan import stored_plan
from assay.runs.watch.daily import finish_watch, watch_day
from assay.runs.watch.history import stored_history
from assay.sandbox.choose import open_sandbox
from assay.store.ledger import finished_positions
from assay.store.marks import marks_of_run
from assay.store.runs import count_runs, keep_models, list_runs, read_run
from assay.watch.judgement import judge as judge_history

DAY = date(2026, 11, 20)
JUDGE = Model("test", "judge")


def setting(engine: Engine, court: Court) -> RunContext:
    """Return a setting in which the court serves everybody."""
    return RunContext(
        engine,
        {"test": provider(court)},
        {},
        rng=random.Random(0),
        sandbox=lambda: open_sandbox(()),
    )


def calibrated(engine: Engine, court: Court, suite: Suite | None = None, **options: Any) -> Calibration:
    """Calibrate the judge once."""

    async def main() -> Calibration:
        async with held(court):
            (seat,) = await asyncio.to_thread(keep_models, engine, [JUDGE])
            made = suite or judged_suite(cases=4)
            return await calibrate(setting(engine, court), made, seat, DAY, panel=Panel(), **options)

    return asyncio.run(main())


def marks_by(text: dict[str, int]) -> Callable[[dict[str, Any], int], str]:
    """Return a judge that marks by a word of the answer."""

    def judge(body: dict[str, Any], before: int) -> str:
        asked = body["messages"][-1]["content"]
        return mark(next(value for word, value in text.items() if f"\n{word} " in asked), body)

    return judge


def test_the_first_calibration_is_frozen(engine: Engine) -> None:
    """Twelve exemplars, marked as the experts did: no shift, and the run is its own reference."""
    court = Court({"judge": marks_by({"fine": 5, "fair": 3, "poor": 1})})
    found = calibrated(engine, court)
    assert (found.reference, found.missing, found.moved) == (found.run, 0, ())
    assert [(shift.n, shift.shift, shift.experts) for shift in found.shifts] == [(12, 0.0, 0.0)]
    assert marks_of_run(engine, found.run) == {
        case * 1000 + place: value for case in range(4) for place, value in enumerate((5.0, 3.0, 1.0))
    }


def test_a_judge_that_moved_is_seen_against_its_own_marks(engine: Engine) -> None:
    """Fair answers get 4 in the place of 3: a third of a mark over all twelve, over the limit of 0.3."""
    court = Court({"judge": marks_by({"fine": 5, "fair": 3, "poor": 1})})
    first = calibrated(engine, court)
    court.judges["judge"] = marks_by({"fine": 5, "fair": 4, "poor": 1})
    found = calibrated(engine, court)
    assert (found.reference, found.moved) == (first.run, ("writing",))
    assert found.shifts[0].shift == pytest.approx(1 / 3)
    assert "its verdicts are frozen today" in " ".join(found.remarks)


def test_every_calibration_pays_for_its_marks(sqlite: Engine) -> None:
    """Marks are never reused: they would hide the very drift that is looked for."""
    court = Court({"judge": always(3)})
    for _ in range(2):
        calibrated(sqlite, court)
    assert court.asked["judge"] == 24


def test_freezing_again(sqlite: Engine) -> None:
    """With `freeze` today's marks take the place of the first."""
    court = Court({"judge": always(3)})
    calibrated(sqlite, court)
    court.judges["judge"] = always(4)
    second = calibrated(sqlite, court, freeze=True)
    third = calibrated(sqlite, court)
    assert (second.reference, third.reference, third.moved) == (second.run, second.run, ())


def test_a_failing_judge_is_not_frozen(sqlite: Engine) -> None:
    """No mark can be read: nothing is frozen, the use case counts as moved, and the reason is told."""
    court = Court({"judge": lambda body, before: "prose"})
    found = calibrated(sqlite, court)
    assert (found.reference, found.missing, found.moved) == (None, 12, ("writing",))
    assert "unreadable" in found.reasons[0]


def test_marks_that_are_too_few_to_freeze_leave_the_reference_as_it_was(sqlite: Engine) -> None:
    """With `freeze` and a judge that fails, the message says so, and the first marks stay the frozen ones."""
    court = Court({"judge": always(3)})
    first = calibrated(sqlite, court)
    court.judges["judge"] = lambda body, before: "prose"
    with pytest.raises(Conflict, match="marked 0 of 12 exemplars: too few to freeze"):
        calibrated(sqlite, court, freeze=True)
    court.judges["judge"] = always(3)
    assert calibrated(sqlite, court).reference == first.run


def test_another_output_budget_is_another_reference(sqlite: Engine) -> None:
    """Marks under another budget are another judge's, as it may think shorter."""
    court = Court({"judge": always(3)})
    first = calibrated(sqlite, court)

    async def main() -> Calibration:
        async with held(court):
            (seat,) = await asyncio.to_thread(keep_models, sqlite, [JUDGE])
            panel = Panel(max_tokens=100)
            made = setting(sqlite, court)
            return await calibrate(made, judged_suite(cases=4), seat, DAY, panel=panel)

    assert asyncio.run(main()).reference != first.run


def test_a_suite_without_exemplars_cannot_calibrate(sqlite: Engine) -> None:
    """The message says what is missing."""
    suite = judged_suite(cases=1)
    bare = tuple(replace(case, exemplars=()) for case in suite.cases)
    suite = replace(suite, use_cases=(replace(suite.use_cases[0], cases=bare),))
    with pytest.raises(InvalidInput, match="no exemplars with `marks`"):
        calibrated(sqlite, Court({"judge": always(3)}), suite)


class Days:
    """A judged suite watched day by day against a court."""

    def __init__(self, engine: Engine, court: Court) -> None:
        self.engine, self.court, self.suite = engine, court, judged_suite(cases=4)

    def on(self, number: int, judge: Model | None = JUDGE, **options: Any) -> WatchDay:
        """Watch one day."""

        async def main() -> WatchDay:
            async with held(self.court):
                day = DAY + timedelta(days=number)
                subject = [Model("test", "subject")]
                made = setting(self.engine, self.court)
                return await watch_day(made, self.suite, subject, day, judge=judge, **options)

        return asyncio.run(main())

    def resume(self, run: int, **options: Any) -> WatchDay:
        """Resume a watch run."""

        async def main() -> WatchDay:
            async with held(self.court):
                stored = read_run(self.engine, run)
                models = [model for _, model in stored.models]
                plan = stored_plan(self.suite, models, stored.plan, stored.judges)
                return await finish_watch(setting(self.engine, self.court), stored, plan, **options)

        return asyncio.run(main())

    def ledger(self) -> float:
        """Return the cost of all rows of the ledger, US dollars."""
        runs = [run.id for run in list_runs(self.engine)]
        return sum(counts.spend.known for counts in count_runs(self.engine, runs).values())

    def barred(self) -> list[bool]:
        """Return on which days the judge bars the use case."""
        stored = stored_history(self.engine, self.suite.digest)
        judged = judge_history(stored.history, stored.suite.thresholds)
        barred: list[bool] = judged.daily.barred[0, 0].tolist()
        return barred


def test_a_watch_calibrates_first_and_bars_a_day_of_drift(sqlite: Engine) -> None:
    """Five days as before, a sixth on which the judge is milder: it is barred, and the next is not."""
    court = Court({"judge": marks_by({"fine": 5, "fair": 3, "poor": 1, "subject": 4})})
    days = Days(sqlite, court)
    for number in range(5):
        ended = days.on(number)
        assert [found.moved for found in ended.calibrations] == [()]
    court.judges["judge"] = marks_by({"fine": 5, "fair": 4, "poor": 2, "subject": 5})
    moved = days.on(5)
    assert moved.calibrations[0].moved == ("writing",)
    assert any("moved by" in line for line in moved.outcome.remarks)
    court.judges["judge"] = marks_by({"fine": 5, "fair": 3, "poor": 1, "subject": 4})
    days.on(6)
    assert days.barred() == [False] * 5 + [True, False]


def test_a_change_of_judge_bars_no_day_that_the_earlier_one_marked(sqlite: Engine) -> None:
    """Each day is judged by its own judge's days: a new judge takes nothing from the days before."""
    court = Court({"judge": always(4), "second": always(4)})
    days = Days(sqlite, court)
    days.on(0)
    days.on(1)
    days.on(2, Model("test", "second"))
    assert days.barred() == [False, False, False]


def test_without_a_judge_nothing_is_calibrated(sqlite: Engine) -> None:
    """The judged use case stays ungraded, and no run of calibration is stored."""
    ended = Days(sqlite, Court({})).on(0, judge=None)
    assert (ended.calibrations, ended.outcome.counts.ungraded) == ((), 4)
    assert list_runs(sqlite, kind="calibrate") == []


def test_a_resumed_watch_is_not_calibrated_twice(sqlite: Engine) -> None:
    """The calibration's run stands in the watch's plan."""
    court = Court({"judge": always(4)})
    ended = Days(sqlite, court).on(0)
    (run,) = list_runs(sqlite, kind="watch")
    assert run.plan["calibrations"] == [found.run for found in ended.calibrations]
    assert len(finished_positions(sqlite, run.id)) == 4


def test_the_history_names_who_marked_last(sqlite: Engine) -> None:
    """The page of a watch says whose marks its judged use cases are made of."""
    court = Court({"judge": always(4)})
    days = Days(sqlite, court)
    days.on(0)
    assert stored_history(sqlite, days.suite.digest).judge == "test/judge"


def test_what_a_day_spent_is_told_by_part_and_sums_to_the_ledger(sqlite: Engine) -> None:
    """Twelve exemplars, four samples and four marks at $0.001; a second day adds nothing to the first."""
    days = Days(sqlite, Court({"judge": always(4)}))
    ended = days.on(0)
    parts = {part.name: (part.spend.calls, round(part.spend.known, 6)) for part in ended.spent.parts}
    assert parts == {"samples": (4, 0.004), "judges": (4, 0.004), "calibration": (12, 0.012)}
    assert ended.spent.total.known == pytest.approx(days.ledger())
    assert days.on(1).spent.total.known == pytest.approx(0.02)


def test_a_second_ask_of_a_judge_is_a_re_ask(sqlite: Engine) -> None:
    """One sample's mark can be read only the second time: five calls to the judge, one of them a re-ask."""

    def judge(body: dict[str, Any], before: int) -> str:
        return "prose" if before == 12 else mark(4, body)

    ended = Days(sqlite, Court({"judge": judge})).on(0)
    parts = {part.name: part.spend.calls for part in ended.spent.parts}
    assert parts == {"samples": 4, "judges": 4, "calibration": 12, "re-asks": 1}


def test_one_limit_bounds_calibration_and_samples_together(sqlite: Engine) -> None:
    """$0.016 pay for the twelve exemplars and some of the rest; what is spent never passes it."""
    days = Days(sqlite, Court({"judge": always(4)}))
    ended = days.on(0, max_cost=0.016)
    assert ended.outcome.status == "stopped"
    assert 0.012 < days.ledger() <= 0.016 + 1e-9


def test_a_resumed_day_counts_the_calibration_it_began_with(sqlite: Engine) -> None:
    """Under the same limit nothing more is spent; under a higher one the day is finished within it."""
    days = Days(sqlite, Court({"judge": always(4)}))
    stopped = days.on(0, max_cost=0.014)
    spent = days.ledger()
    again = days.resume(stopped.outcome.run, max_cost=0.014)
    assert (again.outcome.status, days.ledger() - spent <= 0.001 + 1e-9) == ("stopped", True)
    done = days.resume(stopped.outcome.run, max_cost=0.0205)
    assert (done.outcome.status, round(days.ledger(), 6)) == ("finished", 0.02)


def test_calibrating_is_part_of_the_progress(sqlite: Engine) -> None:
    """While it goes on the exemplars are counted; at the end the calls and costs of all parts are."""
    seen: list[tuple[str, int]] = []

    class Watched(Progress):
        def begin(self, phase: str, total: int, done: int = 0) -> None:
            super().begin(phase, total, done)
            seen.append((phase, total))

    progress = Watched(0)
    Days(sqlite, Court({"judge": always(4)})).on(0, control=RunControl(progress))
    assert seen == [("calibrating", 12), ("", 4)]
    assert (progress.calls, round(progress.known_cost, 6), progress.done) == (20, 0.02, 4)
