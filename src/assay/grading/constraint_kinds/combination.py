"""Constraints on the answer as a whole: two responses in one, the prompt repeated first."""

from __future__ import annotations

from assay.grading.constraint_kinds.kind import Demands, Finding, Kind, Parameters, text

STARS = "*" * 6


def responses(answer: str) -> list[str]:
    """Return the parts between `******`, stripped; an empty part at either end is left out."""
    parts = [part.strip() for part in answer.split(STARS)]
    return [part for place, part in enumerate(parts) if part or 0 < place < len(parts) - 1]


def _two_responses(answer: str, parameters: Parameters) -> Finding:
    parts = responses(answer)
    followed = len(parts) == 2 and all(parts) and parts[0] != parts[1]
    counted = {"responses": len(parts), "different": len(set(parts))}
    return Finding(followed, counted, f"two different responses parted by {STARS}")


def _repeat_prompt(answer: str, parameters: Parameters) -> Finding:
    prompt = parameters["prompt_to_repeat"].strip()
    said = answer.strip()
    followed = said.lower().startswith(prompt.lower())
    return Finding(followed, said[: len(prompt)][:200], "begins with the prompt, word for word")


def _repeat_demands(given: Parameters) -> Demands:
    prompt = given["prompt_to_repeat"].strip()
    return Demands(phrases=(prompt,), begins=prompt)


KINDS = (
    Kind("combination:two_responses", (), _two_responses, lambda given: Demands(phrases=(STARS,))),
    Kind("combination:repeat_prompt", (text("prompt_to_repeat"),), _repeat_prompt, _repeat_demands),
)
