"""Writing imported results as recordings, with their suite, so that a run can repeat them."""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import orjson

from assay.files.atomic import write_whole
from assay.files.workbench import GivenAnswer, Prompt, Workbench
from assay.providers.recordings import Answer, Mark
from assay.runs.imports.workbench_ledger import UNTOLD
from assay.runs.imports.workbench_suite import GEVAL, suite_texts


@dataclass(frozen=True, slots=True)
class Replay:
    """What was written: the file of recordings, the suite's folder, and the models as they are asked for."""

    recordings: Path
    suite: Path
    models: tuple[str, ...]
    lines: int


def write_replay(path: Path, found: Workbench, name: str, prompts: Iterable[Prompt]) -> Replay:
    """Write the answers and marks of a results file as recordings, and the suite beside them.

    Of `replay.jsonl` the suite's folder is `replay-suite`. Existing files are replaced.
    """
    lines = [_written(line) for answer in found.answers for line in _lines(answer)]
    content = b"".join(lines)
    write_whole(path, gzip.compress(content, mtime=0) if path.suffix == ".gz" else content)
    stem = path.with_suffix("") if path.suffix == ".gz" else path
    folder = stem.with_name(f"{stem.stem}-suite")
    folder.mkdir(exist_ok=True)
    for file, text in suite_texts(name, prompts, found.judges).items():
        write_whole(folder / file, text.encode())
    return Replay(path, folder, tuple(f"recorded/{model}" for model in found.models), len(lines))


def _written(line: Answer | Mark) -> bytes:
    return orjson.dumps({"kind": line.kind, **line.model_dump(exclude_defaults=True)}) + b"\n"


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
