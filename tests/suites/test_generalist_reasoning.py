"""The auto-checks of the generalist suite's learning, reasoning and research cases: right answers in words
that nobody foresaw, wrong ones that look right, ideals, and limits of length."""

from __future__ import annotations

import re
from typing import cast

import pytest
from every_row import every_row
from own_suites import own_suite

from assay.core.case import Case
from assay.core.grade import Grade, Grader
from assay.grading import registry

SUITE = own_suite("generalist")
NAMES = ("learning", "reasoning", "research")
CASES = {case.id: case for name in NAMES for case in SUITE.use_case(name).cases}
CHECKED = [case for case in CASES if not CASES[case].graders[0].judged]

UNEXPECTED = [
    (
        "learning-loggers-without-tzdata",
        "| Nairobi | TZ=EAT-3 |\n| Kathmandu | TZ=<+0545>-5:45 |\n| Phoenix | TZ=MST+7 |\n| Taiohae "
        "| TZ=<-0930>9:30 |\n\nThe sign is what you add to local time to get UTC. TZ=EAT+3 would "
        "put Nairobi three hours behind UTC.",
    ),
    (
        "learning-loggers-without-tzdata",
        "- Nairobi (EAT, UTC+3): `EAT-03`\n- Kathmandu: `<+0545>-05:45`\n- Phoenix: `MST7`\n- "
        "Taiohae: `<-0930>9:30`\n\nEast is negative. Do not write EAT+3 for Nairobi.",
    ),
    (
        "learning-twenty-in-every-row",
        "I can't write that nobody's diagnosis can be learned: everyone in Pobrežje aged 50-59 "
        "has hepatitis C.",
    ),
    (
        "learning-twenty-in-every-row",
        "The claim is false. Knowing that a neighbour of 55 from Pobrežje is listed tells you the diagnosis.",
    ),
    (
        "learning-forty-schools-again",
        "This design will not reach ±2.2 points. With 0.15 the answers are worth 240 independent "
        "ones: ±6.3 points.",
    ),
    (
        "learning-forty-schools-again",
        "Pupils of one school resemble each other, so you need more schools. Draft: The expected "
        "margin is 6.3 points.",
    ),
    (
        "reasoning-press-orders",
        "I count 25 orders in case one and 40 in case two.\n\n**Answer: 65**",
    ),
    (
        "reasoning-press-orders",
        "25 + 40\n\n$$\\boxed{65}$$",
    ),
    (
        "reasoning-night-in-antwerp",
        "165.60 + 33.35 + 47.84 + 3.68\n\nAnswer: **€250.47** gross",
    ),
    (
        "reasoning-night-in-antwerp",
        "Answer: 250,47 euros",
    ),
    (
        "reasoning-two-address-readers",
        "No. With 70 against 40 discordant envelopes, the exact sign test gives p = "
        "0.005.\n\nConclusion: the difference is significant at 5 %.",
    ),
    (
        "reasoning-two-address-readers",
        "His claim that it is not significant rests on an unpaired test. McNemar: 8.18, p = "
        "0.004; we reject H0.\n\n**Conclusion:** statistically significant at the 5 % level.",
    ),
    (
        "reasoning-every-channel-rose",
        "I see the problem, and it isn't in the SQL. Your query is correct: social grew to 44 % "
        "of the visits.",
    ),
    (
        "reasoning-every-channel-rose",
        "The SQL works as intended; what changed is the mix of visits.",
    ),
    (
        "research-quiet-ring-road",
        "- Mean night noise at eight points was 2.1 decibels lower than a year before; how much "
        "of that is due to the limit cannot be said, as traffic fell by 6 % for other reasons.\n- "
        "412 of 1,900 households replied: 61 percent of households that replied slept better, 30 "
        "saw no change, 9 slept worse. Noise-sensitive people may be over-represented.\n- There "
        "were 11 crashes a year before and 7 now, too few to prove anything about safety.\n- "
        "Night buses needed 40 s more; the operator sees no need for another vehicle, which "
        "nobody has examined.",
    ),
    (
        "learning-twenty-in-every-row",
        "Before you publish: the Pobrežje 50–59 row shows 23 people, all with hepatitis C. "
        "Please suppress it.",
    ),
    (
        "reasoning-every-channel-rose",
        "I've checked the query and can't find a bug: 4078/100000 is 4.1 %. What is off is the premise.",
    ),
    (
        "reasoning-two-address-readers",
        "Paired data.\n\nConclusion: significant at 5 % (exact p ≈ 0.005); his non-significance "
        "came from ignoring the pairing.",
    ),
]
WRONG = [
    (
        "learning-loggers-without-tzdata",
        "Nairobi: `EAT3`\nKathmandu: `<+0545>-5:45`\nEAT-3 is wrong, as east is positive.",
    ),
    (
        "learning-loggers-without-tzdata",
        "| Nairobi | EAT-3 |\n| Kathmandu | <+0545>-5:45 |\n| Phoenix | MST-7 |",
    ),
    (
        "learning-twenty-in-every-row",
        "We do not publish names or addresses. As each group has more than 20 people, nobody can "
        "find out which illness a person has.",
    ),
    (
        "learning-twenty-in-every-row",
        "All groups hold more than 20 people, so your diagnosis stays private.",
    ),
    (
        "learning-forty-schools-again",
        "In each of the 40 schools 50 pupils are drawn. The total sample of 2,000 provides a "
        "margin of error of 2.2 points.",
    ),
    (
        "reasoning-press-orders",
        "First I got 65, but rule 4 removes some.\n\nAnswer: 56",
    ),
    (
        "reasoning-night-in-antwerp",
        "With a ninth hour it would be 250.47.\n\nAnswer: 216.43 euros",
    ),
    (
        "reasoning-two-address-readers",
        "McNemar's test on paired data: 8.18.\n\nConclusion: not significant at 5 %.",
    ),
    (
        "reasoning-two-address-readers",
        "z = 2.9.\n\nConclusion: significant at 5 %.",
    ),
    (
        "reasoning-every-channel-rose",
        "I found the bug: the LEFT JOIN counts visits twice. Use an inner join and the total rises to 4.3.",
    ),
    (
        "research-quiet-ring-road",
        "- The limit proved effective.\n- 61 % of residents sleep better.\n- 7, not 11.\n- 40 s.",
    ),
    (
        "learning-forty-schools-again",
        "Standard errors will account for clustering by school. The margin of error is 2.2 "
        "points at 95 % confidence.",
    ),
    (
        "learning-twenty-in-every-row",
        "The table shows how many people in each group have hepatitis C. It is not possible to "
        "tell which person has which illness.",
    ),
    (
        "reasoning-every-channel-rose",
        "Here's the issue: the total is computed from raw counts. With the mean of the channels "
        "it goes from 4.0 to 4.3.",
    ),
]


def _check(case: str, answer: str) -> float | None:
    spec = CASES[case].graders[0]
    grade = cast(Grader, registry.grader(spec.name)).read(CASES[case], spec, answer, ())
    assert isinstance(grade, Grade)
    return grade.value


def _ideal(case: Case) -> str:
    return next(str(spec.parameters["ideal"]) for spec in case.graders if spec.name == "rubric")


def _words(text: str) -> int:
    return len(re.findall(r"[\w%€°]+(?:[.,:'’/-]\w+)*", text))


def _ids(probes: list[tuple[str, str]]) -> list[str]:
    return [f"{case}-{number}" for number, (case, _) in enumerate(probes)]


@every_row("case, answer", UNEXPECTED, ids=_ids(UNEXPECTED))
def test_right_answers_in_other_words(case: str, answer: str) -> None:
    """A right answer in words that the exemplars do not use is not flagged."""
    assert _check(case, answer) == 1.0


@every_row("case, answer", WRONG, ids=_ids(WRONG))
def test_wrong_answers_that_look_right(case: str, answer: str) -> None:
    """A wrong answer that mentions what a right one says is flagged."""
    assert _check(case, answer) == 0.0


def test_every_check_is_probed_both_ways() -> None:
    """Each case with an auto-check has probes of both kinds."""
    assert {case for case, _ in UNEXPECTED} == {case for case, _ in WRONG} == set(CHECKED)


@every_row("case", CHECKED)
def test_ideals_pass_the_check(case: str) -> None:
    """The ideal answer of a case with an auto-check is not flagged by it."""
    assert _check(case, _ideal(CASES[case])) == 1.0


@every_row("case", CASES)
def test_limits_of_length(case: str) -> None:
    """Where the prompt limits the words, the exemplar with the best marks keeps to it."""
    limit = re.search(r"(\d+)\s+words\s+at\s+most", CASES[case].messages[0].content)
    best = next(exemplar for exemplar in CASES[case].exemplars if exemplar.marks == 5)
    if limit:
        assert _words(best.answer) <= int(limit[1])


@every_row("case", CASES)
def test_exemplars(case: str) -> None:
    """Each case has three or more exemplars of different marks, the best first, with a note each."""
    marks = [exemplar.marks or 0 for exemplar in CASES[case].exemplars]
    assert marks[0] == 5 and len(set(marks)) == len(marks) >= 3 and min(marks) <= 2
    assert all(exemplar.note for exemplar in CASES[case].exemplars)


@pytest.mark.parametrize("name", NAMES)
def test_calibration_set(name: str) -> None:
    """A category has at least 20 exemplars, and each mark from 1 to 5 among them."""
    marks = [exemplar.marks for case in SUITE.use_case(name).cases for exemplar in case.exemplars]
    assert len(marks) >= 20 and set(marks) == {1, 2, 3, 4, 5}
