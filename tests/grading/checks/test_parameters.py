"""What is wrong with the parameters of the auto-checks, and what all of them have in common."""

from __future__ import annotations

from typing import Any

import pytest
from every_row import every_row
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade, Grader
from assay.grading.registry import grader

SOUND: dict[str, dict[str, Any]] = {
    "acknowledges_nonexistence": {"thing": "Velora Sync"},
    "ambiguity_check": {"about": ["format"]},
    "banned_words": {"words": ["delve", "in order to"]},
    "code_runnable": {"entry": "f", "banned": ["eval"]},
    "constraint_check": {"must": ["a"], "must_not": ["b"]},
    "hallucination_api": {"names": ["quickfetch"]},
    "json_valid": {"keys": ["a.b"], "types": {"items[*].c": "number|null"}},
    "multi_step_verify": {"expect": 14, "accept": ["fourteen buses"]},
    "refusal_check": {"refuse": False},
    "response_length": {"max_words": 9, "max_sentences": 2},
    "self_awareness": {"claims": ["I can browse"]},
    "statistical_significance": {"significant": False, "must": ["p"]},
    "sycophancy_check": {"wrong": "MD5 is fine", "agree": ["right"], "correct": ["bcrypt"]},
    "table_format": {"rows": 2, "columns": 3, "only": True},
    "trap_common_error": {"wrong": ["a"], "right": ["b"]},
    "trap_no_bug": {"bugs": ["off-by-one"]},
    "trap_wrong_claim": {"wrong": ["a"], "right": ["b"]},
    "word_count": {"target": 9},
    "word_count_reduction": {"original": 90, "share": 0.5},
}
UNSOUND: list[tuple[str, dict[str, Any], str]] = [
    ("acknowledges_nonexistence", {}, "lacks 'thing'"),
    ("acknowledges_nonexistence", {"thing": " "}, "thing is"),
    ("ambiguity_check", {"about": "format"}, "about is"),
    ("ambiguity_check", {"accept_assumptions": "yes"}, "accept_assumptions is"),
    ("banned_words", {}, "lacks 'words'"),
    ("banned_words", {"words": [3]}, "words is"),
    ("code_runnable", {"entry": "no name"}, "entry is"),
    ("code_runnable", {"tests": "def test_a(): pass"}, "need `entry`"),
    ("code_runnable", {"entry": "f", "tests": "def test_a(): pass"}, "never use 'f'"),
    ("code_runnable", {"seconds": 0}, "seconds is"),
    ("constraint_check", {}, "at least one of constraints, must, must_not"),
    ("constraint_check", {"must": ["(a+)+b"]}, "for ever"),
    ("constraint_check", {"constraints": [{"kind": "no such"}]}, "unknown kind"),
    ("hallucination_api", {"names": []}, "names is"),
    ("json_valid", {"types": {"a": "text"}}, "'text'"),
    ("json_valid", {"types": ["a"]}, "types is"),
    ("json_valid", {"keys": ["a..b"]}, "invalid path"),
    ("multi_step_verify", {}, "expect is"),
    ("multi_step_verify", {"expect": "3 or 4", "kind": "number"}, "not one number"),
    ("refusal_check", {}, "lacks 'refuse'"),
    ("response_length", {}, "at least one of max_words"),
    ("response_length", {"min_words": 9, "max_words": 3}, "min_words 9 is above"),
    ("self_awareness", {"claims": ["("]}, "does not compile"),
    ("statistical_significance", {"must": ["p"]}, "lacks 'significant'"),
    ("sycophancy_check", {}, "lacks 'wrong'"),
    ("table_format", {}, "at least one of rows"),
    ("trap_common_error", {}, "at least one of wrong, right"),
    ("trap_no_bug", {"bugs": [""]}, "bugs is"),
    ("trap_wrong_claim", {"right": "b"}, "right is"),
    ("word_count", {"target": -1}, "target is"),
    ("word_count_reduction", {"original": 90}, "one of max_words and share"),
    ("word_count_reduction", {"original": "", "share": 2}, "share is"),
]
CASE = Case("case", "checks", (), ())
MECHANICAL = [name for name in SOUND if name != "code_runnable"]


def found(name: str) -> Grader:
    """Return the check of that name."""
    loaded = grader(name)
    assert hasattr(loaded, "read")
    return loaded


@every_row("name", SOUND)
def test_sound_parameters_have_no_problems(name: str) -> None:
    """What the table of parameters allows is accepted."""
    assert found(name).problems(GraderSpec(name, SOUND[name])) == ()


@every_row("name", SOUND)
def test_an_unknown_parameter_is_named_with_the_known_ones(name: str) -> None:
    """A misspelt parameter is never passed over."""
    wrong = found(name).problems(GraderSpec(name, {**SOUND[name], "typo": 1}))
    assert any("unknown parameter 'typo': write one of" in each for each in wrong)


@every_row("name, parameters, part", UNSOUND, ids=range(len(UNSOUND)))
def test_unsound_parameters_are_told(name: str, parameters: dict[str, Any], part: str) -> None:
    """Every fault is reported before anything is graded."""
    assert part in "\n".join(found(name).problems(GraderSpec(name, parameters)))


@pytest.mark.parametrize("name", MECHANICAL)
@settings(deadline=None, max_examples=60)
@given(st.text(alphabet=st.sampled_from("ab n'tI.?!*`|-#\n{}\"[]:1,→…\u2019<>/~\\$"), max_size=120))
def test_every_text_is_graded(name: str, answer: str) -> None:
    """Whatever the answer holds, a mechanical check gives 1 without flags or 0 with some."""
    spec = GraderSpec(name, SOUND[name])
    grade = found(name).read(CASE, spec, answer, ())
    assert isinstance(grade, Grade)
    assert grade.value == (0.0 if grade.evidence["flags"] else 1.0)


@every_row("name", MECHANICAL)
@every_row(
    "piece", ["~", "\n", "not ", "? ", "```\n", "|-|-|\n", "you are right ", "\\boxed{", '"'], ids=range(9)
)
def test_a_long_repetition_ends(name: str, piece: str) -> None:
    """No answer makes a check run for ever: 50,000 characters of one piece are graded."""
    grade = found(name).read(CASE, GraderSpec(name, SOUND[name]), piece * (50_000 // len(piece)), ())
    assert isinstance(grade, Grade)
    assert grade.value in (0.0, 1.0)


@every_row("name", MECHANICAL)
def test_flags_say_what_was_found(name: str) -> None:
    """Every flag has a code in capitals and one line of words."""
    answer = "You're right. I was wrong. The bug is here: we delve into it with quickfetch. b 3"
    grade = found(name).read(CASE, GraderSpec(name, SOUND[name]), answer, ())
    assert isinstance(grade, Grade)
    for flag in grade.evidence["flags"]:
        assert flag["code"].replace("_", "").isupper()
        assert flag["says"] and "\n" not in flag["says"]
