"""The conclusion of answers with several steps."""

from __future__ import annotations

from typing import Any

import pytest

from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.checks.multi_step_verify import MultiStepVerify

PASSING: list[tuple[str, Any, list[str]]] = [
    ("ANSWER: 14", 14, []),
    ("**14 buses**\n\nEach bus holds 12. 160/12 = 13.3, so 13 would not be enough.", 14, []),
    ("We have 160/12=13.33. Therefore we need **14 buses**.\n\nCheck: 13 × 12 = 156 < 160.", 14, []),
    ("Step 1: 12*13=156\nStep 2: remainder 4\n\nSo 14 buses are needed for all 160 people.", 14, []),
    ("### Final Answer\n\n**14**", 14, []),
    ("The answer is 12.\n\nWait, let me recheck. I forgot the guide. So we need 14 buses.", 14, []),
    ("$$\\boxed{14}$$", 14, []),
    ("Final answer: \\(\\boxed{14\\text{ buses}}\\)", 14, []),
    ("They need fourteen buses.", 14, []),
    ("The total comes to $1,240.50.", 1240.5, []),
    ("**Total: €1.240,50**", 1240.5, []),
    ("The probability is 25%.", 0.25, []),
    ("Result: 33.3333...%", 33.33, []),
    ("So it takes 3 hours and 20 minutes (200 minutes) in total.", 200, ["3 hours 20 minutes"]),
    ("The trip takes 3 hours and 20 minutes.", 200, ["3 hours 20 minutes"]),
    ("## Conclusion\nThe fleet must have 14 buses, since 13 × 12 = 156.", 14, []),
    ("The answer isn't 13 but 14.", 14, []),
    (
        (
            "Let me work through it.\n\n1. Day 1: 5\n2. Day 2: 9\n\n**Answer: 14 units** remain at the "
            "end of day 2.\n\nLet me know if you'd like the 3-day version!"
        ),
        14,
        [],
    ),
    ("Therefore, Dana owns the boat.", "Dana", []),
    ("**Dana**\n\nAlice can't since ...", "Dana", []),
    ("Order: B → D → A → C", "B, D, A, C", []),
    ("Final answer:\n- Monday: Ana\n- Tuesday: Bo\n", "Monday Ana Tuesday Bo", []),
    ("So the final seating is: 1. Ben, 2. Ana, 3. Cy", "Ben, Ana, Cy", ["1 Ben 2 Ana 3 Cy"]),
    ("Therefore, \\(n = 14\\).", 14, []),
    ("So $n=14$.", 14, []),
    ("| Item | Cost |\n|---|---|\n| **Total** | **$1,240** |", 1240, []),
    ("Hence the total is 1{,}240.", 1240, []),
    ("The answer: 14\\%.", 0.14, []),
    ("**Answer: ≈ 3.33 hours**", 3.33, []),
    ("Final answer: **$1,240.00**", 1240, []),
    ("The answer is fourteen.", 14, []),
    ("So she needs 1 240 g.", 1240, []),
    ("Result = 7/3", 2.33, []),
    ("So the answer is 2⅓ hours.", 2.33, []),
    ("It takes him forty-two minutes.", 42, []),
    ("Answer: -5", -5, []),
    ("The final balance is **−5** EUR.", -5, []),
    ("The final price is €1.240,50 in total.", 1240.5, []),
    ("Therefore the answer is (B) 14.", 14, []),
    (
        (
            "Let x be the count. x = 14\n\nSo, 14 of them.\n\nLet me know if you have questions! I can "
            "show 2 other ways."
        ),
        14,
        [],
    ),
    ("To sum up:\n\n- Trucks: 14\n- Drivers: 28", 14, []),
    ("**Result:** 14 trucks and 28 drivers", 28, []),
]
FLAGGED: list[tuple[str, Any, str]] = [
    ("ANSWER: 13", 14, "WRONG_CONCLUSION"),
    ("The answer is 14.\n\nWait, that's wrong: I double counted. The answer is 13.", 14, "WRONG_CONCLUSION"),
    ("14 people are left over. So we need 13 buses.", 14, "WRONG_CONCLUSION"),
    ("Therefore, Alice owns the boat, not Dana.", "Dana", "WRONG_CONCLUSION"),
    ("I'm not sure.", 14, "NO_CONCLUSION"),
    ("", 14, "NO_CONCLUSION"),
    ("12 × 14 = 168. Thus the total is 168.", 14, "WRONG_CONCLUSION"),
    ("First guess: 14. Actually, let me recompute. That gives 15 buses.", 14, "WRONG_CONCLUSION"),
    ("Final Answer: **15**\n\n14 would be too few.", 14, "WRONG_CONCLUSION"),
    ("So 14 trips of 12 make 168.\n\n**Answer: 168**", 14, "WRONG_CONCLUSION"),
]


def grade(answer: str, **parameters: Any) -> Grade:
    """Grade one answer after checking that the parameters are sound."""
    spec = GraderSpec("multi_step_verify", parameters)
    assert MultiStepVerify().problems(spec) == ()
    return MultiStepVerify().read(Case("case", "checks", (), ()), spec, answer, ())


@pytest.mark.parametrize(("answer", "expect", "accept"), PASSING, ids=range(len(PASSING)))
def test_no_flag(answer: str, expect: Any, accept: list[str]) -> None:
    """An answer that concludes with the expected result passes, in whatever form it is written."""
    more = {"accept": accept} if accept else {}
    found = grade(answer, expect=expect, **more)
    assert (found.value, found.evidence["flags"]) == (1.0, [])


@pytest.mark.parametrize(("answer", "expect", "code"), FLAGGED, ids=range(len(FLAGGED)))
def test_a_flag(answer: str, expect: Any, code: str) -> None:
    """An answer that ends up elsewhere is flagged, though it names the result on the way."""
    found = grade(answer, expect=expect)
    assert [each["code"] for each in found.evidence["flags"]] == [code]
