"""Small made-up result files in the two layouts of the seed-002 project."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

GEVAL = {"correctness": 0.9, "coherence": 1.0, "instruction_following": 0.8}
KINDS = {
    "C01": ("coding", "bug_detection", "medium", "trap_no_bug"),
    "C02": ("coding", "testing", "hard", "code_runnable"),
    "W01": ("writing", "editing", "easy", "banned_words"),
}


def row(model: str = "m-1", prompt: str = "C01", **parts: Any) -> dict[str, Any]:
    """Return one row: an answer marked by two judges, unless told otherwise."""
    category, subcategory, difficulty, check = KINDS.get(prompt, KINDS["C01"])
    return {
        "model": model,
        "prompt_id": prompt,
        "category": category,
        "subcategory": subcategory,
        "difficulty": difficulty,
        "check_type": check,
        "response": f"{model} answers {prompt}.",
        "input_tokens": 10,
        "output_tokens": 20,
        "latency_s": 1.5,
        "flags": [],
        "judges": {"j-1": 4, "j-2": 5},
        "geval": GEVAL,
        **parts,
    }


def rows(*models: str) -> list[dict[str, Any]]:
    """Return the rows of models on all three prompts."""
    return [row(model, prompt) for model in models or ("m-1",) for prompt in KINDS]


def write_rows(path: Path, lines: Sequence[Any]) -> Path:
    """Write rows; a text is written as it stands."""
    written = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("".join(f"{line}\n" for line in written), encoding="utf-8")
    return path


def attempt(model: str = "m-1", prompt: str = "C01", **parts: Any) -> dict[str, Any]:
    """Return one attempt that says the same as `row`."""
    known = row(model, prompt)
    marks = {
        judge: {"score": score, "rationale": f"{judge} says {score}.", "judged_at": None}
        for judge, score in known["judges"].items()
    }
    return {
        "timestamp": "2026-02-07T15:27:50.107825",
        "api_model": model,
        "content": known["response"],
        "latency_s": known["latency_s"],
        "input_tokens": known["input_tokens"],
        "output_tokens": known["output_tokens"],
        "auto_checks": {"flags": [], "auto_scores": {}, "passed": True},
        "deepeval_scores": GEVAL,
        "judge_scores": marks,
        "judge_count": len(marks),
        **parts,
    }


def layout(model: str = "m-1", **runs: Any) -> dict[str, Any]:
    """Return one model's results: one attempt at each of the three prompts, and what else is given."""
    general = {prompt: [attempt(model, prompt)] for prompt in KINDS}
    return {
        "model_name": model,
        "created": "2026-02-06",
        "updated": "2026-02-07",
        "runs": {**general, **runs},
    }


def write_layout(path: Path, content: Any) -> Path:
    """Write a layout as the project does, over many lines."""
    path.write_text(json.dumps(content, indent=2), encoding="utf-8")
    return path


def causal_row(model: str = "m-1", question: str = "B01_Q1", **parts: Any) -> dict[str, Any]:
    """Return one row of the causal answers: right by the key, unless told otherwise."""
    return {
        "model": model,
        "question_id": question,
        "bundle": question[:3],
        "position": question[4:],
        "response": "B",
        "extracted": "B",
        "key": "B",
        "correct": 1,
        "output_tokens": 1,
        "latency_s": 0.5,
        **parts,
    }


def causal_attempt(content: str | None = "B", **parts: Any) -> dict[str, Any]:
    """Return one attempt at a causal question, which no judge marks."""
    letters = {"correct": 1, "extracted_answer": "B", "correct_answer": "B"}
    return {
        "timestamp": "2026-04-22T13:15:24.931979",
        "api_model": "m-1",
        "content": content,
        "latency_s": 0.5,
        "input_tokens": 10,
        "output_tokens": 1,
        "auto_checks": {"flags": ["VERY_SHORT_RESPONSE"], "auto_scores": letters, "passed": True},
        "judge_scores": {},
        "judge_score_avg": None,
        "judge_count": 0,
        **parts,
    }
