"""The recorded generalist evaluation of seed 002 as a board's input, and the figures published for it."""

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import zstandard

from assay.ranking.board.measured import MeasuredEpoch, PromptKind, Status

JUDGES = ("gpt-4.1", "claude-sonnet-4.6", "gemini-2.5-flash", "qwen3-235b")
METRICS = ("correctness", "coherence", "instruction_following")


def rows(folder: Path) -> list[dict[str, Any]]:
    """Return one row for each model and prompt; lines end at a newline only."""
    packed = (folder / "workbench_generalist.jsonl.zst").read_bytes()
    text = zstandard.ZstdDecompressor().decompressobj().decompress(packed).decode()
    return [json.loads(line) for line in text.split("\n") if line]


def published(folder: Path) -> dict[str, dict[str, str]]:
    """Return the published row of each model, as printed."""
    with (folder / "workbench_published.csv").open(encoding="utf-8") as file:
        return {row["name"]: row for row in csv.DictReader(file)}


def measured(found: list[dict[str, Any]]) -> MeasuredEpoch:
    """Return the recording as a board's input; an empty answer is invalid, and costs were not recorded."""
    models = tuple(dict.fromkeys(row["model"] for row in found))
    kinds = {
        row["prompt_id"]: PromptKind(row["prompt_id"], row["category"], row["subcategory"], row["difficulty"])
        for row in found
    }
    names = tuple(kinds)
    cell = {(row["model"], row["prompt_id"]): row for row in found}
    grid = [[cell[model, name] for name in names] for model in models]

    def table(value: Any, kind: type = float) -> np.ndarray:
        return np.array([[value(row) for row in line] for line in grid], dtype=kind)

    def known(value: float | None) -> float:
        return np.nan if value is None else value

    empty = table(lambda row: not row["response"].strip(), bool)
    return MeasuredEpoch(
        models=models,
        prompts=tuple(kinds.values()),
        judges=JUDGES,
        metrics=METRICS,
        marks=table(lambda row: [known(row["judges"].get(judge)) for judge in JUDGES]),
        geval=table(lambda row: [known(row["geval"].get(metric)) for metric in METRICS]),
        status=np.where(empty, Status.INVALID, Status.OK),
        truncated=empty & (table(lambda row: row["output_tokens"]) == 4096),
        tokens=table(lambda row: row["output_tokens"]),
        latency=table(lambda row: row["latency_s"]),
        cost=np.full(empty.shape, np.nan),
        flags=table(lambda row: len(row["flags"]), int),
        own=np.array([[model == judge for judge in JUDGES] for model in models]),
    )
