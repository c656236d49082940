"""Reading records as profiles declare."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from every_row import every_row

from assay.core.question import QuestionKind
from assay.questions.mapping import MappedRecord, RecordReader, unlettered
from assay.questions.profiles.profile import (
    RecordProfile,
    built_in,
    profile_names,
    read_profile,
    record_profile,
)
from assay.questions.refusal import Reason, RefusedRecord
from assay.questions.repair import Repair
from assay.questions.taxonomy import find_secondary

HOW_TO = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "bank-import.md"
PLAIN = {"question": "Which?", "answer": "A"}


def entry(record: dict[str, Any], name: str = "table", **changes: Any) -> MappedRecord:
    """Read a record that holds a question."""
    found = reader(name, **changes).entry(record)
    assert isinstance(found, MappedRecord), found
    return found


def reader(name: str, **changes: Any) -> RecordReader:
    """A reader by a built-in profile, perhaps changed."""
    profile = built_in(name)
    assert isinstance(profile, RecordProfile)
    return RecordReader(profile.model_copy(update=changes))


@pytest.mark.parametrize("name", profile_names())
def test_every_built_in_profile_loads(name: str) -> None:
    """And bears its name."""
    assert built_in(name).name == name


def test_the_disciplines_of_agieval_fit_the_taxonomy() -> None:
    """Each secondary one stands under its primary one."""
    profile = built_in("agieval")
    assert isinstance(profile, RecordProfile)
    assert profile.cases is not None
    for known in profile.cases.are.values():
        if known.secondary is not None:
            assert find_secondary(known.secondary).primary == known.discipline


def test_the_profiles_of_the_document_load() -> None:
    """What the how-to page shows is what the program reads."""
    shown = re.findall(r"^```json\n(.*?)^```", HOW_TO.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    assert [read_profile(text, "page").name for text in shown] == ["our-papers", "our-tables"]


@pytest.mark.parametrize(
    ("record", "name"),
    [
        ({"subset": "x", "passage": None, "question": "", "options": [], "label": ""}, "agieval"),
        ({"question": "", "answer": "1+1\n#### 2"}, "gsm8k"),
        ({"question": "", "references": []}, "triviaqa"),
        (PLAIN, "table"),
    ],
)
def test_a_format_is_known_by_its_keys(record: dict[str, Any], name: str) -> None:
    """The most special profile that suits."""
    assert record_profile(record).name == name


@every_row(
    "given",
    [
        {"options": ["x", "y"]},
        {"options": ["(A) x", "(B) y"]},
        {"options": {"A": "x", "B": "y"}},
        {"choices": {"text": ["x", "y"], "label": ["A", "B"]}},
        {"choices": [{"label": "A", "text": "x"}, {"label": "B", "text": "y"}]},
        {"options": "A. x\nB. y"},
        {"options": '["x", "y"]'},
        {"options": "x | y"},
        {"A": "x", "B": "y", "C": "", "D": None},
        {"Option A": "x", "option-b": "y"},
        {"选项A": "x", "选项B": "y"},
    ],
)
def test_options_in_every_form(given: dict[str, Any]) -> None:
    """A list, an object by letters, a text, columns of their own."""
    assert list(entry(PLAIN | given).draft.options) == ["x", "y"]


def test_gsm8k_s_answer_is_taken_apart() -> None:
    """The number is the key, the steps explain it, the calculator's notes go."""
    draft = entry({"question": "How many?", "answer": "1+1=<<1+1=2>>2 of them.\n#### 2"}, "gsm8k").draft
    assert (draft.key, draft.explanation) == (" 2", "1+1=2 of them.")


def test_the_subset_tells_discipline_and_kind() -> None:
    """Of AGIEval's records; a nested key holds the explanation."""
    record = {"subset": "gaokao-mathcloze", "passage": None, "question": "q", "options": None, "label": None}
    found = entry(record | {"answer": "1", "other": {"solution": "s"}}, "agieval")
    assert (found.discipline, found.secondary, found.draft.kind) == (
        "science",
        "mathematics",
        QuestionKind.FILL_IN_THE_BLANK,
    )
    assert (found.draft.key, found.draft.explanation) == ("1", "s")


def test_disciplines_and_kinds_by_any_name() -> None:
    """In a column; the secondary one tells the primary one."""
    found = entry(PLAIN | {"category": "Engineering", "sub_category": "Computer Science", "题型": "判断题"})
    assert (found.discipline, found.secondary) == ("engineering", "computer-science-and-technology")
    assert found.draft.kind is QuestionKind.TRUE_OR_FALSE
    assert entry(PLAIN | {"secondary": "民族学"}).discipline == "law"


@pytest.mark.parametrize(("index_from", "value", "key"), [(0, 1, "B"), (1, 1, "A"), (1, 2, "B")])
def test_a_number_as_key_counts_as_declared(index_from: int, value: int, key: str) -> None:
    """From 0 or from 1."""
    record = PLAIN | {"options": ["x", "y"], "answer": value}
    assert entry(record, index_from=index_from).draft.key == key


@every_row(
    "change, reason",
    [
        ({"options": ["x", "y"], "answer": 1}, Reason.KEY_UNREADABLE),
        ({"discipline": "alchemy"}, Reason.DISCIPLINE),
        ({"discipline": "law", "secondary": "Physics"}, Reason.DISCIPLINE),
        ({"kind": "riddle"}, Reason.KIND),
        ({"uuid": "17"}, Reason.UUID),
        ({"options": 3}, Reason.OPTIONS_FORM),
        ({"options": {"A": "x", "C": "y"}}, Reason.OPTION_GAP),
        ({"options": {"B": "x", "A": "y"}}, Reason.OPTION_ORDER),
    ],
)
def test_what_cannot_be_read_has_a_reason(change: dict[str, Any], reason: Reason) -> None:
    """Nothing is guessed where the key may come out wrong."""
    found = reader("table").entry(PLAIN | change)
    assert isinstance(found, RefusedRecord)
    assert found.reason is reason


def test_an_unlisted_subset_is_left_out() -> None:
    """With its name, so that the profile can be mended."""
    record = {"subset": "new", "passage": None, "question": "q", "options": None, "label": "A"}
    assert (
        str(reader("agieval").entry(record)) == "the profile leaves it out: unknown value 'new' of 'subset'"
    )


@pytest.mark.parametrize(
    "options",
    [
        ["(A)x", "(B)y"],
        ["A. x", "B. y"],
        ["  A．x", "(B) y"],
        ["A x", "B y"],
        ["（A）x", "B、y"],
        ["(A)x", "y", "(C)z"],
    ],
)
def test_letters_in_order_are_taken_off(options: list[str]) -> None:
    """In brackets, with a point, bare where all have one; it is told."""
    made: list[str] = []
    found = unlettered(options, made)
    assert found == ["x", "y", "z"][: len(options)]
    assert made == [Repair.LETTERS_REMOVED]


@pytest.mark.parametrize(
    "options",
    [["x", "y"], ["I. only", "II. only"], ["C. elegans", "mouse", "rat"], ["A cat", "A dog"], ["E", "F"]],
)
def test_what_is_no_letter_stays(options: list[str]) -> None:
    """Roman numbers, names, articles."""
    assert unlettered(options, []) == options


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["(A)x", "(C)y", "(B)z"], Reason.OPTION_ORDER),
        (["(A)x", "(B)y", "(D)z"], Reason.OPTION_GAP),
        (["(A)x", "(B)y", "(B)z"], Reason.OPTION_TWICE),
        (["x", "y", "(A)z"], Reason.OPTION_ORDER),
    ],
)
def test_letters_that_contradict_their_position_are_refused(options: list[str], reason: Reason) -> None:
    """The key may mean either."""
    found = unlettered(options, [])
    assert isinstance(found, RefusedRecord)
    assert found.reason is reason
