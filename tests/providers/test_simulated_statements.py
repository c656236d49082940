"""Simulated statements about material."""

from __future__ import annotations

import json

from assay.providers.served import Asked
from assay.providers.simulated_statements import DENIES, SAYS, SLIPS, statements_answer

MATERIAL = "The clerk wrote it in March. The mayor burned it in April. Nobody saw it again."


def written(each: int) -> list[dict[str, object]]:
    """Return what is written about the material."""
    about = {"deed": "write-statements", "material": MATERIAL, "each": str(each)}
    answer = statements_answer(Asked("steady", (), about), 0)
    assert answer is not None
    listed: list[dict[str, object]] = json.loads(answer)["statements"]
    return listed


def test_statements_quote_the_material_and_say_that_they_are_simulated() -> None:
    """As many true as false, each with a sentence of the material."""
    made = written(2)
    assert [one["correct"] for one in made] == [True, True, False, False]
    assert all(str(one["span"]) in MATERIAL and str(one["text"]).startswith("Simulated:") for one in made)


def test_a_simulated_verifier_errs_now_and_then() -> None:
    """It goes by the wording, errs in about one of ten, and cannot tell of what it did not write."""
    texts = [f"{SAYS} “{number}”." for number in range(500)] + [
        f"{DENIES} “{number}”." for number in range(500)
    ]
    about = {"deed": "verify-statements", "statements": json.dumps([*texts, "Something else."])}
    answer = statements_answer(Asked("steady", (), about), 0)
    assert answer is not None
    said = [one["answer"] for one in json.loads(answer)["answers"]]
    wrong = said[:500].count("false") + said[500:1000].count("true")
    assert abs(wrong / 1000 - SLIPS) < 0.03
    assert said[1000] == "unclear"


def test_other_asks_are_not_for_it() -> None:
    """What is no such ask is answered elsewhere."""
    assert statements_answer(Asked("steady", (), {}), 0) is None
