"""Writing imported results as recordings, with their suites, so that a run can replay them."""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Mapping
from pathlib import Path

import orjson

from assay.files.atomic import write_whole
from assay.files.workbench import GivenAnswer, GivenChoice, Workbench
from assay.providers.recordings import RecordedAnswer, RecordedMark
from assay.results.imports import Replay
from assay.runs.imports.workbench_rows import NO_MARK
from assay.runs.imports.workbench_suites import GEVAL

JUDGED, CAUSAL = "suite", "causal"
FAILED = "the recorded call failed"


def write_replay(path: Path, file: Workbench, suites: Mapping[str, Mapping[str, str]]) -> dict[str, Replay]:
    """Write the answers and marks of a results file as recordings, and the suites beside them.

    `suites` has the files of each suite by its kind, `suite` or `causal`. The suites' folders for
    `replay.jsonl` are `replay-suite` and `replay-causal`. Existing files are replaced.
    """
    judged = [_written(line) for answer in file.answers for line in _lines(answer)]
    causal = [_written(_choice(choice)) for choice in file.choices]
    content = b"".join((*judged, *causal))
    write_whole(path, gzip.compress(content, mtime=0) if path.suffix == ".gz" else content)
    stem = path.with_suffix("") if path.suffix == ".gz" else path
    written = {}
    for kind, texts in suites.items():
        lines, models = (causal, file.choosers) if kind == CAUSAL else (judged, file.models)
        folder = stem.with_name(f"{stem.stem}-{kind}")
        folder.mkdir(exist_ok=True)
        for name, text in texts.items():
            write_whole(folder / name, text.encode())
        written[kind] = Replay(path, folder, tuple(f"recorded/{model}" for model in models), len(lines))
    return written


def _written(line: RecordedAnswer | RecordedMark) -> bytes:
    return orjson.dumps({"kind": line.kind, **line.model_dump(exclude_defaults=True)}) + b"\n"


def _choice(given: GivenChoice) -> RecordedAnswer:
    text = given.text if given.text and given.text.strip() else ""
    return RecordedAnswer(
        model=given.model,
        case=given.question,
        text=text,
        status="error" if given.text is None else "ok" if text else "invalid",
        error=FAILED if given.text is None else None,
        prompt_tokens=given.prompt_tokens,
        completion_tokens=given.completion_tokens,
        latency=given.latency,
    )


def _lines(given: GivenAnswer) -> Iterator[RecordedAnswer | RecordedMark]:
    text = given.text if given.text.strip() else ""
    yield RecordedAnswer(
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
        yield RecordedMark(
            judge=judge,
            model=given.model,
            case=given.prompt.id,
            metric=metric,
            value=mark.value,
            rationale=mark.rationale,
            reason=None if mark.value is not None else mark.reason or NO_MARK,
        )
