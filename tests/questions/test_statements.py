"""Asks for statements about material, and the replies."""

from __future__ import annotations

import json
from typing import Any

import pytest
from every_row import every_row

from assay.core.question import Question, QuestionKind
from assay.questions.statements import (
    Backing,
    StatementDraft,
    UnreadableStatement,
    blind_order,
    fence,
    filled,
    read_answers,
    read_statements,
    sift,
    statement_of,
    statements_ask,
    unverified,
    verify_ask,
)

MATERIAL = "The clerk wrote the ledger in March. The mayor burned it."
QUESTION = Question("u", QuestionKind.MATERIAL_ANALYSIS, "Who wrote it?", "law", (), MATERIAL)
GOOD: dict[str, Any] = {"text": "It was March.", "correct": True, "span": "the ledger in March", "why": "w"}


def reply(*changes: dict[str, Any]) -> str:
    """Return a reply with one true and one false statement, with changes to the first."""
    first = dict(GOOD)
    for change in changes:
        first |= change
    return json.dumps({"statements": [first, {**GOOD, "text": "It was May.", "correct": False}]})


def test_a_reply_in_form_is_read() -> None:
    """Both statements come out as written, also from a code fence."""
    read = read_statements(reply(), 1)
    assert not isinstance(read, UnreadableStatement)
    assert [(draft.text, draft.true) for draft in read] == [("It was March.", True), ("It was May.", False)]
    assert read_statements(f"```json\n{reply()}\n```", 1) == read


@every_row(
    "text, why",
    [
        ("Sure! " + reply(), "not a JSON object"),
        ("[]", "one key 'statements'"),
        ('{"statements": 3}', "not a list of objects"),
        ('{"statements": [], "more": 1}', "one key 'statements'"),
        ('{"statements": []}', "0 true and 0 false"),
        (reply({"correct": "true"}), "neither true nor false"),
        (reply({"correct": False}), "0 true and 2 false"),
        (reply({"span": None}), "not text"),
        (reply({"hint": "x"}), "does not have exactly the keys"),
    ],
)
def test_any_other_reply_is_unreadable(text: str, why: str) -> None:
    """Nothing is guessed: the reason is reported, and sent with the re-ask."""
    read = read_statements(text, 1)
    assert isinstance(read, UnreadableStatement)
    assert why in read.why


def test_the_ask_is_sealed_and_fences_the_material() -> None:
    """Material stands between marks that follow from it, and the ledger keeps no word of the reply."""
    ask = statements_ask("m/x", QUESTION, 3)
    text = ask.messages[-1].content
    assert ask.sealed
    assert text.count(f"<<<{fence(MATERIAL)}>>>") == 3
    assert "Write 3 true and 3 false" in text


def test_material_with_braces_is_left_as_it_is() -> None:
    """What is filled in is not searched for names again."""
    assert filled("{a} and {b}", a="{b}", b="x") == "{b} and x"


def test_a_re_ask_tells_what_was_wrong() -> None:
    """The earlier reply stands before the reason."""
    ask = statements_ask("m/x", QUESTION, 1, again=[("nonsense", "it is not a JSON object")])
    assert [turn.role for turn in ask.messages] == ["system", "user", "assistant", "user"]
    assert "it is not a JSON object" in ask.messages[-1].content


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"text": "No"}, "empty or too long"),
        ({"span": "March"}, "too short"),
        ({"span": "the ledger in May"}, "not in the material"),
    ],
)
def test_faulty_statements_are_dropped(changes: dict[str, Any], why: str) -> None:
    """Each has its reason."""
    one = {**GOOD, **changes}
    kept, dropped = sift([StatementDraft(one["text"], True, one["span"], "w")], MATERIAL)
    assert kept == []
    assert why in next(iter(dropped))


def test_spans_are_compared_without_case_width_and_spaces() -> None:
    """A quotation over a line break is a quotation."""
    kept, _ = sift([StatementDraft("It was March.", True, "THE  ledger\nin March", "w")], MATERIAL)
    assert len(kept) == 1


def test_repeated_statements_are_dropped() -> None:
    """The first of two that read the same is kept."""
    drafts = [StatementDraft("It was March.", true, "the ledger in March", "w") for true in (True, False)]
    kept, dropped = sift(drafts, MATERIAL)
    assert ([draft.true for draft in kept], dropped) == ([True], {"it repeats another statement": 1})


def test_a_statement_without_passage_gets_the_stem_as_its_material() -> None:
    """Where the stem holds the material, statements carry it as their passage."""
    bare = Question("u", QuestionKind.MATERIAL_ANALYSIS, MATERIAL, "law")
    made = statement_of(bare, StatementDraft("It was March.", True, "the ledger in March", "w")).question
    assert (made.passage, made.stem, made.parent) == (MATERIAL, "It was March.", "u")


def test_a_statement_does_not_show_its_key() -> None:
    """Neither a draft nor a statement tells its key when it is printed."""
    draft = StatementDraft("It was March.", True, "the ledger in March", "since it was")
    assert "True" not in repr(draft) + repr(statement_of(QUESTION, draft))


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ('{"answers": [{"number": 1, "answer": "true"}, {"number": 2, "answer": "unclear"}]}', True),
        ('{"answers": [{"number": 2, "answer": "true"}, {"number": 1, "answer": "true"}]}', False),
        ('{"answers": [{"number": 1, "answer": "true"}]}', False),
        ('{"answers": [{"number": 1, "answer": "yes"}, {"number": 2, "answer": "true"}]}', False),
        ('{"answers": [{"number": 1, "answer": true}, {"number": 2, "answer": "true"}]}', False),
        ("true, true", False),
    ],
)
def test_answers_are_read_strictly(text: str, read: bool) -> None:
    """One of three words for each statement, in order; anything else is unreadable."""
    assert (read_answers(text, 2) == (Backing.TRUE, Backing.UNCLEAR)) is read


@pytest.mark.parametrize(
    ("true", "answer", "kept"),
    [
        (True, Backing.TRUE, True),
        (False, Backing.FALSE, True),
        (True, Backing.FALSE, False),
        (False, Backing.TRUE, False),
        (True, Backing.UNCLEAR, False),
    ],
)
def test_only_agreement_keeps_a_statement(true: bool, answer: Backing, kept: bool) -> None:
    """What is unclear or contradicted is dropped."""
    assert (unverified(true, answer) is None) is kept


def test_the_verifier_is_told_no_key() -> None:
    """The ask lists statements alone."""
    ask = verify_ask("m/x", MATERIAL, ["It was March.", "It was May."])
    text = ask.messages[-1].content
    assert "1. It was March.\n2. It was May." in text
    assert ask.sealed


def test_the_order_for_the_verifier_is_settled_and_mixed() -> None:
    """A question's order is always the same one, and not that of writing for all questions."""
    assert blind_order("a", 6) == blind_order("a", 6)
    assert len({tuple(blind_order(str(number), 6)) for number in range(20)}) > 10
