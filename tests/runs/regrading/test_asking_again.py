"""Missing marks are asked for again at the end of a run, in a bounded number of rounds."""

from __future__ import annotations

from typing import Any

from judged import Court, JudgedRun, always, loaded, mark
from sqlalchemy import Engine

from assay.calls.control import RunControl
from assay.results.runs import RunOutcome
from assay.runs.conduct import RunContext, conduct
from assay.runs.regrading.asking_again import ask_again


def finished(run: JudgedRun, **options: Any) -> RunOutcome:
    """Execute a run and let its judges be asked again, as `assay run` does."""

    async def work(context: RunContext, control: RunControl) -> RunOutcome:
        outcome = await conduct(context, run.run, run.plan, control=control)
        limit = options.get("max_cost")
        return await ask_again(context, run.run, run.plan, outcome, max_cost=limit, control=control)

    return run._with(work, {})


def on(prompt: str, body: dict[str, Any]) -> bool:
    """Return whether a judge is asked about an answer to this prompt."""
    return f"\n{prompt}\n" in body["messages"][-1]["content"]


def test_a_mark_that_failed_once_is_asked_for_again(engine: Engine) -> None:
    """`odd` gives no readable mark for one answer until it is asked anew; then coverage is complete."""
    seen: list[bool] = []

    def odd(body: dict[str, Any], before: int) -> str:
        if on("Write 1.", body):
            seen.append(True)
            return "?" if len(seen) <= 2 else mark(3, body)
        return mark(3, body)

    court = Court({"kind": always(5), "odd": odd})
    outcome = finished(JudgedRun(engine, court, suite=loaded()))
    assert (outcome.counts.ungraded, outcome.unmarked) == (0, 0)
    assert not any("odd" in remark for remark in outcome.remarks)
    assert (court.asked["kind"], court.asked["subject"]) == (4, 4)


def test_asking_ends_and_what_is_missing_is_named(sqlite: Engine) -> None:
    """A judge that never marks one answer is asked in two rounds at most; what is missing is named."""

    def odd(body: dict[str, Any], before: int) -> str:
        return "?" if on("Write 2.", body) else mark(3, body)

    court = Court({"kind": always(5), "odd": odd})
    outcome = finished(JudgedRun(sqlite, court, suite=loaded()))
    asked = sum(on("Write 2.", body) for body in court.bodies["odd"])
    once = Court({"kind": always(5), "odd": odd})
    JudgedRun(sqlite, once, suite=loaded(version="2")).execute()
    assert asked <= 3 * sum(on("Write 2.", body) for body in once.bodies["odd"])
    assert (
        "test/odd has not marked 1 answer (case-2); ask again with: assay grade 1 --only ungraded"
        in outcome.remarks
    )
    assert outcome.unmarked == 0


def test_a_judge_without_any_mark_is_not_asked_again(sqlite: Engine) -> None:
    """What failed throughout would fail again; the answers that no judge marked are counted."""
    court = Court({"odd": lambda body, before: "?"})
    run = JudgedRun(sqlite, court, suite=loaded())
    alone = run.execute()
    before = court.asked["odd"]
    outcome = finished(run)
    assert court.asked["odd"] == before
    assert (outcome.unmarked, alone.counts.ungraded) == (4, 4)


def test_the_limit_holds_for_asking_again(sqlite: Engine) -> None:
    """With nothing left of the limit nobody is asked again."""

    def odd(body: dict[str, Any], before: int) -> str:
        return "?" if on("Write 2.", body) else mark(3, body)

    court = Court({"odd": odd})
    outcome = finished(JudgedRun(sqlite, court, suite=loaded()), max_cost=0.0)
    assert outcome.unmarked == 1
