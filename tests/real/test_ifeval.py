"""Recorded verdicts of IFEval's reference checkers on the answers of seven models: ours agree.

The disagreements are printed by kind (`pytest -s`); docs/methodology/constraints.md gives their reasons.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import zstandard

from assay.grading.constraints import check_constraint, constraint_problems

pytestmark = [pytest.mark.real, pytest.mark.slow]

LEAST = 0.995
# A letter that is no letter: the reference then counts a random one, so its verdict cannot be met.
CHANCE = {("keywords:letter_frequency", 1122), ("keywords:letter_frequency", 1129)}


@dataclass(frozen=True, slots=True)
class Verdict:
    """One instruction of one answer: the reference's verdict and ours."""

    model: str
    prompt: int
    kind: str
    reference: bool
    ours: bool


def read(path: Path) -> list[dict[str, Any]]:
    with zstandard.open(path, "rt", encoding="utf8") as lines:
        return [json.loads(line) for line in lines]


def instructions(prompt: Mapping[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    return [
        (name.removeprefix("en:"), {key: value for key, value in kwargs.items() if value is not None})
        for name, kwargs in zip(prompt["instruction_id_list"], prompt["kwargs"], strict=True)
    ]


@pytest.fixture(scope="module")
def prompts(shared_data: Path) -> dict[int, list[tuple[str, dict[str, Any]]]]:
    return {
        prompt["key"]: instructions(prompt) for prompt in read(shared_data / "ifeval_en_prompts.jsonl.zst")
    }


@pytest.fixture(scope="module")
def answers(shared_data: Path) -> list[dict[str, Any]]:
    return read(shared_data / "ifeval_en_17models_verdicts.jsonl.zst")


@pytest.fixture(scope="module")
def verdicts(prompts: Any, answers: Any) -> dict[str, list[Verdict]]:
    """All verdicts, by mode."""
    return {mode: judged(prompts, answers, mode) for mode in ("strict", "loose")}


def judged(prompts: Any, answers: Sequence[Mapping[str, Any]], mode: str) -> list[Verdict]:
    found = []
    for answer in answers:
        said = answer["response"] or ""
        for (kind, kwargs), reference in zip(prompts[answer["key"]], answer[mode], strict=True):
            ours = check_constraint(kind, kwargs, said, mode=mode).followed
            found.append(Verdict(answer["model"], answer["key"], kind, reference, ours))
    return found


def shown(verdicts: Sequence[Verdict], mode: str) -> str:
    wrong = [verdict for verdict in verdicts if verdict.ours != verdict.reference]
    of = Counter(verdict.kind for verdict in verdicts)
    lines = [f"{mode}: {len(verdicts) - len(wrong)} of {len(verdicts)} instructions agree"]
    for kind, number in sorted(Counter(verdict.kind for verdict in wrong).items()):
        lines.append(f"  {kind}: {number} of {of[kind]} disagree")
        lines += [
            f"    {verdict.model}, prompt {verdict.prompt}: theirs {verdict.reference}, ours {verdict.ours}"
            for verdict in wrong
            if verdict.kind == kind
        ]
    return "\n".join(lines)


@pytest.mark.parametrize("mode", ["strict", "loose"])
def test_verdicts_agree(mode: str, verdicts: Any) -> None:
    """At least 99.5 % of all recorded verdicts are ours too, the reference's dice included."""
    print("\n" + shown(verdicts[mode], mode))
    agreed = [verdict.ours == verdict.reference for verdict in verdicts[mode]]
    assert len(agreed) == 5838
    assert sum(agreed) / len(agreed) >= LEAST


def test_published_strict_scores_come_out(verdicts: Any, shared_data: Path) -> None:
    """Each model's published share of instructions followed is ours within one percentage point."""
    rows = (shared_data / "ifeval_expected_scores.csv").read_text(encoding="utf8").splitlines()[1:]
    published = {row.split(",")[0].replace("__", "/"): float(row.split(",")[4]) for row in rows}
    ours = {
        model: 100 * sum(verdict.ours for verdict in verdicts["strict"] if verdict.model == model) / 834
        for model in published
    }
    assert ours == pytest.approx(published, abs=1.0)


@pytest.mark.parametrize(
    "kind",
    ["language:response_language", "change_case:english_capital", "change_case:english_lowercase"],
)
def test_language_verdicts_agree_but_for_chance(kind: str, verdicts: Any) -> None:
    """The reference guesses languages without a seed; with ours at most 2 % differ."""
    wrong = [verdict.ours != verdict.reference for verdict in verdicts["strict"] if verdict.kind == kind]
    assert sum(wrong) <= 0.02 * len(wrong)


def test_all_other_kinds_agree_wholly(verdicts: Any) -> None:
    """Kinds without sentences, languages or the reference's dice agree on every verdict."""
    loose = {"length_constraints:number_sentences", "language:response_language"}
    wrong = {
        (verdict.kind, verdict.prompt)
        for mode in ("strict", "loose")
        for verdict in verdicts[mode]
        if verdict.ours != verdict.reference and verdict.kind not in loose and "english" not in verdict.kind
    }
    assert wrong <= CHANCE


def test_ifeval_prompts_are_well_formed_and_four_contradict_themselves(prompts: Any) -> None:
    """Every instruction's parameters fit; four prompts ask to repeat words that they also forbid."""
    found = {
        key: constraint_problems([{"kind": kind, **kwargs} for kind, kwargs in prompt])
        for key, prompt in prompts.items()
    }
    contradicting = {key for key, texts in found.items() if texts}
    assert contradicting == {374, 1627, 3371, 3718}
    assert all("contradicts" in text for texts in found.values() for text in texts)
