"""Statements about material, written by one model and verified by another."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
from banked import NOW, SEALER, fill, material
from command_line import served
from sqlalchemy import Engine, select

from assay.bank.material import MaterialPlan, expand_materials
from assay.calls.asking import AskingContext
from assay.core.model import Model, Provider
from assay.core.money import Prices
from assay.core.question import QuestionKind
from assay.core.sealed import key_about, read_key
from assay.results.expansion import ExpandedMaterial
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
    """Return a verifier's right reply; `instead` changes answers by the first word of the statement."""
    truths = {text: str(true).lower() for text, true, _ in STATEMENTS}
    listed = [line.split(". ", 1) for line in prompt.splitlines() if line[:1].isdigit() and ". " in line]
    answers = [
        {"number": int(number), "answer": instead.get(text.split()[0], truths.get(text, "unclear"))}
        for number, text in listed
    ]
    return json.dumps({"answers": answers})


def scripted(prompt: str, _: int) -> str:
    """Answer as a good writer and verifier."""
    return written() if "Write 2 true" in prompt else verified(prompt)


def expanded(
    engine: Engine, answer: Callable[[str, int], Any] = scripted, **more: Any
) -> tuple[ExpandedMaterial, list[dict[str, Any]]]:
    """Expand the materials of a bank with a scripted model; return the outcome and the requests."""
    with served(answer) as upstream:
        provider = Provider("mine", upstream.address, attempts=1)
        context = AskingContext(engine, {"mine": provider}, {}, clock=lambda: NOW)
        work = expand_materials(context, SEALER, MaterialPlan(WRITER, VERIFIER, 2), **more)
        return asyncio.run(work), upstream.bodies


def statements(engine: Engine) -> list[StoredQuestion]:
    """Return the statements in a bank."""
    return list(walk_questions(engine, kinds=[QuestionKind.TRUE_OR_FALSE]))


@pytest.fixture
def bank(engine: Engine) -> Engine:
    """A bank with one material analysis."""
    fill(engine, [material(1, PASSAGE)])
    return engine


def test_verified_statements_are_stored_with_their_origin(bank: Engine) -> None:
    """Four confirmed statements are in the bank with passage, key, quotation and models."""
    outcome, _ = expanded(bank)
    found = statements(bank)
    key = read_key(SEALER.open(found[0].sealed, key_about(found[0].question.uuid, 1)))
    assert (outcome.parents, outcome.added, outcome.reason) == (1, 4, None)
    assert {each.question.passage for each in found} == {PASSAGE}
    assert {each.made_by for each in found} == {"mine/writer, verified by mine/verifier (statements/1)"}
    assert "The material: “" in key.explanation
    assert (outcome.statements.true, outcome.statements.false, outcome.statements.constant_baseline) == (
        2,
        2,
        0.5,
    )


def test_the_verifier_is_blind_to_the_keys(bank: Engine) -> None:
    """Its request contains passage and statements, but no quotations, reasons, keys or answers."""
    _, bodies = expanded(bank)
    asked = json.dumps([body["messages"] for body in bodies if body["model"] == "verifier"])
    assert PASSAGE[:40] in asked
    assert not any(word in asked for word in ("It says so", '"correct"', "wished to be read", "span"))


def test_statements_that_the_verifier_contradicts_are_dropped_and_counted(bank: Engine) -> None:
    """One contradicted and three unclear statements are counted by reason."""

    def answer(prompt: str, _: int) -> str:
        return written() if "Write 2" in prompt else verified(prompt, Both="true", The="unclear")

    outcome, _ = expanded(bank, answer)
    assert outcome.added == 0
    assert outcome.dropped == {
        "the verifier says the opposite": 1,
        "the verifier cannot tell from the material": 3,
    }


def test_a_statement_with_an_invented_quotation_is_not_verified(bank: Engine) -> None:
    """It is dropped before the verifier is asked."""
    invented = [*STATEMENTS[:3], ("Both copies were sold in Ghent.", False, "and nobody ever saw them again")]

    def answer(prompt: str, _: int) -> str:
        return written(invented) if "Write 2" in prompt else verified(prompt)

    outcome, bodies = expanded(bank, answer)
    assert (outcome.added, outcome.dropped) == (3, {"the quoted piece is not in the material": 1})
    assert "Both copies" not in bodies[-1]["messages"][-1]["content"]


def test_an_unparsable_reply_is_asked_for_again(bank: Engine) -> None:
    """The second ask names the fault, and its reply counts."""

    def answer(prompt: str, _: int) -> str:
        if "could not be read" in prompt:
            return written()
        return "Here you are!" if "Write 2" in prompt else verified(prompt)

    outcome, bodies = expanded(bank, answer)
    assert outcome.added == 4
    assert "it is not a JSON object" in bodies[1]["messages"][-1]["content"]


def test_two_unparsable_replies_leave_the_question_for_the_next_call(bank: Engine) -> None:
    """It is counted with the reason, and the next call asks about it again."""
    outcome, bodies = expanded(bank, lambda prompt, before: "no")
    assert (outcome.unread, outcome.parents, len(bodies)) == (
        {"mine/writer: it is not a JSON object": 1},
        0,
        2,
    )
    again, _ = expanded(bank)
    assert (again.before, again.added) == (0, 4)


def test_nothing_is_asked_twice(bank: Engine) -> None:
    """A second call asks only about new questions, even if no statement was confirmed before."""

    def answer(prompt: str, _: int) -> str:
        return written() if "Write 2" in prompt else verified(prompt, Both="unclear", The="unclear")

    first, _ = expanded(bank, answer)
    second, bodies = expanded(bank)
    assert (first.added, second.before, second.run, bodies) == (0, 1, None, [])


def test_the_ledger_contains_no_answers(bank: Engine) -> None:
    """Asks for statements are sealed: only hash, cost and purpose are stored."""
    expanded(bank)
    with reading(bank) as connection:
        rows = connection.execute(select(calls.c.purpose, calls.c.answer)).all()
    assert [tuple(row) for row in rows] == [("expand", None), ("verify", None)]


def test_an_expansion_stopped_by_its_budget_can_be_continued(engine: Engine) -> None:
    """The next call asks about the remaining questions."""
    fill(engine, [material(number, f"{PASSAGE} Extract {number}.") for number in range(6)])
    priced = Model("mine", "writer", prices=Prices(prompt=1000.0, completion=1000.0))
    with served(scripted) as upstream:
        provider = Provider("mine", upstream.address, attempts=1)
        context = AskingContext(engine, {"mine": provider}, {}, clock=lambda: NOW, concurrency=1)
        work = expand_materials(context, SEALER, MaterialPlan(priced, priced, 2), max_cost=0.003)
        outcome = asyncio.run(work)
    assert outcome.reason is not None and "budget" in outcome.reason
    assert 0 < outcome.parents < 6
    assert outcome.left == 6 - outcome.parents
    again, _ = expanded(engine)
    assert (again.before, again.parents) == (outcome.parents, 6 - outcome.parents)


def test_simulated_models_work_offline(bank: Engine) -> None:
    """Every statement says that it is simulated."""
    steady = Model("simulated", "steady")
    context = AskingContext(bank, SIMULATED, {}, clock=lambda: NOW)
    outcome = asyncio.run(expand_materials(context, SEALER, MaterialPlan(steady, steady, 2)))
    assert outcome.simulated
    assert outcome.added >= 2
    assert all(each.question.stem.startswith("Simulated:") for each in statements(bank))
    assert {str(each.made_by)[:16] for each in statements(bank)} == {"simulated/steady"}
