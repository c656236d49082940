"""Statements about material, written by a model and verified by another."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
from banked import NOW, SEALER, fill, material
from command_line import served
from sqlalchemy import Engine, select

from assay.bank.material import Written, expand_materials
from assay.calls.asking import Place
from assay.core.model import Model, Provider
from assay.core.money import Prices
from assay.core.question import QuestionKind
from assay.core.sealed import key_about, read_key
from assay.store.bank.questions import StoredQuestion, walk_questions
from assay.store.engine import reading
from assay.store.schema import calls

PASSAGE = (
    "The clerk wrote the ledger by candle light in March. The mayor read it in April and burned it. "
    "Two copies were kept by the clerk's daughter. She sold one of them to a bookseller from Ghent."
)
WRITER, VERIFIER = Model("mine", "writer"), Model("mine", "verifier")
SIMULATED = {"simulated": Provider("simulated", "http://simulated.invalid/v1", dialect="simulated")}
STATEMENTS = [
    ("The ledger was written in March.", True, "wrote the ledger by candle light in March"),
    ("The mayor kept the ledger safe.", False, "The mayor read it in April and burned it"),
    ("The daughter held two copies.", True, "Two copies were kept by the clerk's daughter"),
    ("Both copies were sold in Ghent.", False, "She sold one of them to a bookseller"),
]


def written(statements: list[tuple[str, bool, str]] = STATEMENTS) -> str:
    """Return a writer's reply."""
    listed = [
        {"text": text, "correct": true, "span": span, "why": "It says so."} for text, true, span in statements
    ]
    return json.dumps({"statements": listed})


def verified(prompt: str, **instead: str) -> str:
    """Return a verifier's reply, right but for statements that are named by their first word."""
    truths = {text: str(true).lower() for text, true, _ in STATEMENTS}
    listed = [line.split(". ", 1) for line in prompt.splitlines() if line[:1].isdigit() and ". " in line]
    answers = [
        {"number": int(number), "answer": instead.get(text.split()[0], truths.get(text, "unclear"))}
        for number, text in listed
    ]
    return json.dumps({"answers": answers})


def scripted(prompt: str, _: int) -> str:
    """Answer both asks rightly."""
    return written() if "Write 2 true" in prompt else verified(prompt)


def expanded(
    engine: Engine, answer: Callable[[str, int], Any] = scripted, **more: Any
) -> tuple[Written, list[dict[str, Any]]]:
    """Expand the materials of a bank with a scripted model; return what came of it, and the requests."""
    with served(answer) as upstream:
        provider = Provider("mine", upstream.address, attempts=1)
        place = Place(engine, {"mine": provider}, {}, clock=lambda: NOW)
        work = expand_materials(place, SEALER, writer=WRITER, verifier=VERIFIER, each=2, **more)
        return asyncio.run(work), upstream.bodies


def statements(engine: Engine) -> list[StoredQuestion]:
    """Return the statements in a bank."""
    return list(walk_questions(engine, kinds=[QuestionKind.TRUE_OR_FALSE]))


@pytest.fixture
def bank(engine: Engine) -> Engine:
    """A bank with one material analysis."""
    fill(engine, [material(1, PASSAGE)])
    return engine


def test_verified_statements_are_stored_with_who_made_them(bank: Engine) -> None:
    """Four statements that the verifier agrees on are in the bank, with passage, key, span and maker."""
    told, _ = expanded(bank)
    found = statements(bank)
    key = read_key(SEALER.open(found[0].sealed, key_about(found[0].question.uuid, 1)))
    assert (told.parents, told.added, told.reason) == (1, 4, None)
    assert {each.question.passage for each in found} == {PASSAGE}
    assert {each.made_by for each in found} == {"mine/writer, verified by mine/verifier (statements/1)"}
    assert "The material: “" in key.explanation
    assert (told.tally.true, told.tally.false, told.tally.baseline) == (2, 2, 0.5)


def test_the_verifier_is_blind_to_the_keys(bank: Engine) -> None:
    """Its request holds the passage and the statements, and neither spans, reasons, keys nor the answer."""
    _, bodies = expanded(bank)
    asked = json.dumps([body["messages"] for body in bodies if body["model"] == "verifier"])
    assert PASSAGE[:40] in asked
    assert not any(word in asked for word in ("It says so", '"correct"', "wished to be read", "span"))


def test_what_the_verifier_disagrees_with_is_dropped_and_counted(bank: Engine) -> None:
    """One said to be the opposite and three unclear are each counted with their reason."""

    def answer(prompt: str, _: int) -> str:
        return written() if "Write 2" in prompt else verified(prompt, Both="true", The="unclear")

    told, _ = expanded(bank, answer)
    assert told.added == 0
    assert told.dropped == {
        "the verifier says the opposite": 1,
        "the verifier cannot tell from the material": 3,
    }


def test_a_span_that_is_not_in_the_material_drops_its_statement_unasked(bank: Engine) -> None:
    """An invented quotation counts against the statement before anybody verifies it."""
    invented = [*STATEMENTS[:3], ("Both copies were sold in Ghent.", False, "and nobody ever saw them again")]

    def answer(prompt: str, _: int) -> str:
        return written(invented) if "Write 2" in prompt else verified(prompt)

    told, bodies = expanded(bank, answer)
    assert (told.added, told.dropped) == (3, {"the quoted piece is not in the material": 1})
    assert "Both copies" not in bodies[-1]["messages"][-1]["content"]


def test_an_unreadable_reply_is_asked_for_once_more(bank: Engine) -> None:
    """The second, readable reply counts, and the re-ask says what was wrong."""

    def answer(prompt: str, _: int) -> str:
        if "could not be read" in prompt:
            return written()
        return "Here you are!" if "Write 2" in prompt else verified(prompt)

    told, bodies = expanded(bank, answer)
    assert told.added == 4
    assert "it is no JSON object" in bodies[1]["messages"][-1]["content"]


def test_two_unreadable_replies_leave_the_question_for_another_time(bank: Engine) -> None:
    """It is counted with the reason and asked about again by the next call."""
    told, bodies = expanded(bank, lambda prompt, before: "no")
    assert (told.unread, told.parents, len(bodies)) == ({"mine/writer: it is no JSON object": 1}, 0, 2)
    again, _ = expanded(bank)
    assert (again.before, again.added) == (0, 4)


def test_nothing_is_asked_twice(bank: Engine) -> None:
    """A second call asks about what is new only, even where nothing was kept the first time."""

    def answer(prompt: str, _: int) -> str:
        return written() if "Write 2" in prompt else verified(prompt, Both="unclear", The="unclear")

    first, _ = expanded(bank, answer)
    second, bodies = expanded(bank)
    assert (first.added, second.before, second.run, bodies) == (0, 1, None, [])


def test_no_word_of_an_answer_is_in_the_ledger(bank: Engine) -> None:
    """Asks for statements are sealed: the ledger has their hashes, costs and purposes."""
    expanded(bank)
    with reading(bank) as connection:
        rows = connection.execute(select(calls.c.purpose, calls.c.answer)).all()
    assert [tuple(row) for row in rows] == [("expand", None), ("verify", None)]


def test_a_spent_budget_keeps_what_came_and_goes_on_later(engine: Engine) -> None:
    """Stopped by the budget, the next call asks about the rest."""
    fill(engine, [material(number, f"{PASSAGE} Extract {number}.") for number in range(6)])
    priced = Model("mine", "writer", prices=Prices(prompt=1000.0, completion=1000.0))
    with served(scripted) as upstream:
        provider = Provider("mine", upstream.address, attempts=1)
        place = Place(engine, {"mine": provider}, {}, clock=lambda: NOW, concurrency=1)
        work = expand_materials(place, SEALER, writer=priced, verifier=priced, each=2, max_cost=0.003)
        told = asyncio.run(work)
    assert told.reason is not None and "budget" in told.reason
    assert 0 < told.parents < 6
    assert told.left == 6 - told.parents
    again, _ = expanded(engine)
    assert (again.before, again.parents) == (told.parents, 6 - told.parents)


def test_simulated_models_work_offline_and_say_so(bank: Engine) -> None:
    """Without a key the pipeline runs, and every statement tells that it is simulated."""
    steady = Model("simulated", "steady")
    place = Place(bank, SIMULATED, {}, clock=lambda: NOW)
    told = asyncio.run(expand_materials(place, SEALER, writer=steady, verifier=steady, each=2))
    assert told.simulated
    assert told.added >= 2
    assert all(each.question.stem.startswith("Simulated:") for each in statements(bank))
    assert {str(each.made_by)[:16] for each in statements(bank)} == {"simulated/steady"}
