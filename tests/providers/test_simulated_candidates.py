"""Simulated models at an exam: made up, labelled, plausible, and of different reliability."""

from __future__ import annotations

from datetime import date

import pytest
from asking import talk

from assay.core.ask import Message, ModelAsk
from assay.providers.reading import Attempt
from assay.providers.simulated import serve_simulated, simulated_provider
from assay.providers.simulated_candidates import exam_answer
from assay.providers.simulated_models import Answer

DAY = date(2026, 2, 10)
"""A day on which the collapsing model has lost much: the forty-first of its cycle."""


def answers(model: str, prompts: list[str]) -> list[str]:
    """Ask a simulated model exam questions over HTTP."""

    async def work(put):  # type: ignore[no-untyped-def]
        asks = [
            ModelAsk("subject", model, (Message("user", prompt),), about={"instrument": "exam"})
            for prompt in prompts
        ]
        found: list[Attempt] = [await put(model, ask) for ask in asks]
        return [str(each.reply.text) for each in found]

    return talk(lambda: serve_simulated((), today=lambda: DAY), simulated_provider, work)


STATEMENTS = [f"Answer True or False, and give your reasons.\n\nStatement {n}." for n in range(80)]


def test_statements_get_true_and_false_with_a_labelled_reason() -> None:
    """Both verdicts come up, each answer says that it is simulated, and asking again changes nothing."""
    found = answers("steady", STATEMENTS)
    given = {text.split(".")[0] for text in found if "left open" not in text}
    assert given == {"True", "False"}
    assert all("Simulated" in text for text in found)
    assert answers("steady", STATEMENTS) == found


def test_a_worse_model_fails_more() -> None:
    """What a model has lost shows: a collapsed one leaves more questions open than a steady one."""
    left_open = {
        name: sum("left open" in text for text in answers(name, STATEMENTS))
        for name in ("steady", "collapsing")
    }
    assert left_open["collapsing"] >= left_open["steady"]
    assert 0 < left_open["steady"] < 40


@pytest.mark.parametrize("number", range(5))
def test_a_choice_is_answered_by_letters_that_it_has(number: int) -> None:
    """Letters given are letters of the question, and not those of an exemplar before it."""
    before = "Question:\nOptions:\nY. one\nZ. two\n\nAnswer:\nZ\n\nQuestion:\n"
    text = f"{before}Which {number}?\n\nOptions:\nA. red\nB. green\nC. blue\n\nAnswer:"
    given = exam_answer(0, (("user", text),), lambda name: Answer.GOOD).split(".")[0]
    assert set(given.split(" and ")) <= {"A", "B", "C"}


def test_a_slip_is_another_answer() -> None:
    """Where a model slips it says the opposite of what the others say."""
    conversation = (("user", STATEMENTS[0]),)
    good, slip = (
        exam_answer(0, conversation, lambda name, kind=kind: kind).split(".")[0]  # type: ignore[misc]
        for kind in (Answer.GOOD, Answer.SLIP)
    )
    assert {good, slip} == {"True", "False"}


def test_without_a_mark_of_an_exam_nothing_is_made_up() -> None:
    """Only asks that say they are an exam's are answered so."""

    async def work(put):  # type: ignore[no-untyped-def]
        return (
            await put("steady", ModelAsk("subject", "steady", (Message("user", STATEMENTS[0]),)))
        ).reply.text

    assert "knows answers to the suite's own cases only" in talk(
        lambda: serve_simulated((), today=lambda: DAY), simulated_provider, work
    )
