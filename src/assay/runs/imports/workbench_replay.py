"""Writing imported results as recordings, with their suite, so that a run can repeat them."""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import orjson

from assay.files.atomic import write_whole
from assay.files.workbench import GivenAnswer, GivenChoice, Workbench
from assay.providers.recordings import Answer, Mark
from assay.runs.imports.workbench_ledger import UNTOLD
from assay.runs.imports.workbench_suite import GEVAL

JUDGED, CAUSAL = "suite", "causal"
FAILED = "the recorded call failed"


@dataclass(frozen=True, slots=True)
class Replay:
    """What was written: the file of recordings, the suite's folder, its models, and how many lines it has."""

    recordings: Path
    suite: Path
    models: tuple[str, ...]
    lines: int


def write_replay(path: Path, found: Workbench, suites: Mapping[str, Mapping[str, str]]) -> dict[str, Replay]:
    """Write the answers and marks of a results file as recordings, and the suites beside them.

    `suites` has the files of each suite by its key. Of `replay.jsonl` the suites' folders are
    `replay-suite`, and `replay-causal` for the one of key `causal`. Existing files are replaced.
    """
    judged = [_written(line) for answer in found.answers for line in _lines(answer)]
    causal = [_written(_choice(choice)) for choice in found.choices]
    content = b"".join((*judged, *causal))
    write_whole(path, gzip.compress(content, mtime=0) if path.suffix == ".gz" else content)
    stem = path.with_suffix("") if path.suffix == ".gz" else path
    written = {}
    for key, files in suites.items():
        lines, models = (causal, found.choosers) if key == CAUSAL else (judged, found.models)
        folder = stem.with_name(f"{stem.stem}-{key}")
        folder.mkdir(exist_ok=True)
        for file, text in files.items():
            write_whole(folder / file, text.encode())
        written[key] = Replay(path, folder, tuple(f"recorded/{model}" for model in models), len(lines))
    return written


def _written(line: Answer | Mark) -> bytes:
    return orjson.dumps({"kind": line.kind, **line.model_dump(exclude_defaults=True)}) + b"\n"


def _choice(given: GivenChoice) -> Answer:
    text = given.text if given.text and given.text.strip() else ""
    return Answer(
        model=given.model,
        case=given.question,
        text=text,
        status="error" if given.text is None else "ok" if text else "invalid",
        error=FAILED if given.text is None else None,
        prompt_tokens=given.prompt_tokens,
        completion_tokens=given.completion_tokens,
        latency=given.latency,
    )


def _lines(given: GivenAnswer) -> Iterator[Answer | Mark]:
    text = given.text if given.text.strip() else ""
    yield Answer(
        model=given.model,
        case=given.prompt.id,
        text=text,
        status="ok" if text else "invalid",
        prompt_tokens=given.prompt_tokens,
        completion_tokens=given.completion_tokens,
        latency=given.latency,
    )
    marked = [(mark.by, "rubric", mark) for mark in given.marks]
    for judge, metric, mark in (*marked, *((GEVAL, mark.by, mark) for mark in given.geval)):
        yield Mark(
            judge=judge,
            model=given.model,
            case=given.prompt.id,
            metric=metric,
            value=mark.value,
            rationale=mark.rationale,
            reason=None if mark.value is not None else mark.reason or UNTOLD,
        )
