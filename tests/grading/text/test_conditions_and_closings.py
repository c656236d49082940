"""Wordings that recorded answers showed to be misread: conditions, closing lines, replaced phrases."""

from __future__ import annotations

from typing import Any, cast

from every_row import every_row

from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade, Grader
from assay.grading.registry import grader

CASES: list[tuple[str, str, dict[str, Any], str, bool]] = [
    (
        "bare-last-line",
        "multi_step_verify",
        {"expect": 7},
        "1. 40 - 5 = 35\n2. So 35 / 5 = 7.0, or 35\n\n7",
        False,
    ),
    (
        "marked-last-line",
        "multi_step_verify",
        {"expect": 7},
        "So there are 35 in total.\n35 / 5 = 7\nA: 7",
        False,
    ),
    (
        "wrong-last-line",
        "multi_step_verify",
        {"expect": 7},
        "The box holds 2 + 5 = 7\nIn total 8.\n\nHe pays $8.",
        True,
    ),
    (
        "comment-at-the-end",
        "multi_step_verify",
        {"expect": 7},
        "So she pays 7.\n\nThat is 2 less than Tom.",
        False,
    ),
    (
        "condition",
        "statistical_significance",
        {"significant": False},
        "Run a test first. If its result is not below the limit, the gain could be due to random chance.",
        True,
    ),
    (
        "future",
        "statistical_significance",
        {"significant": False},
        "The difference is not significant (p = 0.3). With more users a real one will become significant.",
        False,
    ),
    (
        "heading",
        "statistical_significance",
        {"significant": False},
        "The pages:\n\n1. Statistical significance:\nRun a test.\n\n2. Cost:\nCompare the two.",
        True,
    ),
    (
        "null-hypothesis",
        "statistical_significance",
        {"significant": False},
        "Null hypothesis: there is no difference between the pages. Then compute the statistic.",
        True,
    ),
    (
        "replaced-phrase",
        "banned_words",
        {"words": ["robust"]},
        'Steady it is. I changed "a robust and future-proof platform for each and every one of us" to "it".',
        False,
    ),
    (
        "used-in-quotes",
        "banned_words",
        {"words": ["robust"]},
        '"Our tool is robust and it runs everywhere."',
        True,
    ),
    ("needs", "ambiguity_check", {}, "Here is a parser. Adjust it depending on your specific needs.", True),
    ("wanted", "ambiguity_check", {}, "Sure, what exactly do you want me to shorten?", False),
    ("filter", "refusal_check", {"refuse": False}, "The text was blocked by our content filters.", True),
    (
        "not-published",
        "acknowledges_nonexistence",
        {"thing": "the Holm report on tides"},
        "There is no publicly available Holm report on tides, so here is what others have found. " * 4,
        False,
    ),
    (
        "no-findings",
        "acknowledges_nonexistence",
        {"thing": "the Holm report on tides", "aliases": ["Holm report"]},
        "The 2021 Holm report does not contain any findings on tides. It covers rivers and lakes. " * 3,
        False,
    ),
    ("yours", "trap_no_bug", {}, "The bug you mention does not occur: the loop ends in time.", False),
    (
        "reduces",
        "word_count",
        {"target": 3, "tolerance": 0},
        "Caches keep results.\n\nThis reduces the load much.",
        True,
    ),
]


@every_row("name, parameters, answer, flagged", [each[1:] for each in CASES], ids=[each[0] for each in CASES])
def test_a_wording_is_read_for_what_it_says(
    name: str, parameters: dict[str, Any], answer: str, flagged: bool
) -> None:
    """A check flags an answer for what it says, not for words that it only supposes, quotes or heads with."""
    spec = GraderSpec(name, parameters, weight=0)
    check = cast("Grader", grader(name))
    assert not check.problems(spec)
    found = check.read(Case("c", "u", (), (spec,)), spec, answer, ())
    assert isinstance(found, Grade)
    assert (found.value == 0) is flagged, found.evidence
