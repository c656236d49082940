"""One sample as a page: prompt, answer, grades with their evidence, and every call made for it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson
import typer

from assay.calls.asking import ASKED
from assay.calls.stand_ins import SIMULATED
from assay.cli.output import dollars, moment
from assay.core.case import Case
from assay.core.errors import NotFound
from assay.core.model import Model
from assay.runs.work import Work
from assay.store.ledger import REFUSED, CallRow
from assay.store.runs import StoredRun, read_run
from assay.store.samples import StoredGrade, StoredSample, read_sample
from assay.store.suites import read_suite

CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
TEXT = "  "


@dataclass(frozen=True, slots=True)
class SamplePage:
    """All that is known of a sample. `hidden`: the suite is private, so no text of it is shown."""

    run: StoredRun
    model: Model
    case: Case
    sample: StoredSample
    hidden: bool
    simulated: bool


def read_page(work: Work, number: int, position: int, *, reveal: bool) -> SamplePage:
    """Read a sample's page from the database."""
    run = read_run(work.engine, number)
    if run.kind in ASKED:
        raise NotFound(f"run {number} asked outside a suite and has no samples: `assay show {number}`")
    sample = read_sample(work.engine, number, position)
    suite = read_suite(work.engine, run.suite)
    model = dict(run.models)[sample.row.model]
    provider = work.workspace.providers.get(model.provider)
    return SamplePage(
        run,
        model,
        suite.cases[sample.row.case_ordinal],
        sample,
        hidden=suite.visibility == "private" and not reveal,
        simulated=run.simulated and (provider is None or provider.dialect == SIMULATED),
    )


def sample_document(page: SamplePage) -> dict[str, Any]:
    """Return a sample's page as a JSON document."""
    row, shown = page.sample.row, not page.hidden
    return {
        "id": f"{page.run.id}.{row.position}",
        "run": page.run.id,
        "position": row.position,
        "suite": page.run.suite_name,
        "version": page.run.suite_version,
        "model": page.model.name,
        "use_case": page.case.use_case,
        "case": page.case.id,
        "epoch": row.epoch,
        "status": row.status,
        "score": row.score,
        "routing_changed": bool(row.routing_changed),
        "simulated": page.simulated,
        "finished_at": moment(row.finished_at),
        "hidden": page.hidden,
        "messages": [{"role": turn.role, "content": turn.content} for turn in page.case.messages]
        if shown
        else None,
        "answer": page.sample.answer if shown else None,
        "grades": [
            {
                "grader": grade.grader,
                "value": grade.value,
                "reason": grade.reason,
                "evidence": grade.evidence if shown else None,
            }
            for grade in page.sample.grades
        ],
        "calls": [_call_document(call, shown) for call in page.sample.calls],
    }


def _call_document(call: CallRow, shown: bool) -> dict[str, Any]:
    return {
        "purpose": call.purpose,
        "status": call.status,
        "error": call.error,
        "detail": call.detail if shown else None,
        "http_status": call.http_status,
        "attempt": call.attempt,
        "started_at": moment(call.started_at),
        "latency": call.latency,
        "prompt_tokens": call.prompt_tokens,
        "completion_tokens": call.completion_tokens,
        "reasoning_tokens": call.reasoning_tokens,
        "cached_tokens": call.cached_tokens,
        "cost": call.cost,
        "provider": call.provider,
        "served_model": call.served_model,
        "fingerprint": call.fingerprint,
        "finish_reason": call.finish_reason,
        "native_finish_reason": call.native_finish_reason,
    }


def print_sample(page: SamplePage) -> None:
    """Print a sample's page; what a model wrote cannot steer the terminal."""
    row = page.sample.row
    mark = "  SIMULATED" if page.simulated else ""
    typer.echo(f"sample {page.run.id}.{row.position}  {page.run.suite_name} {page.run.suite_version}{mark}")
    typer.echo(f"{page.model.name}  {page.case.use_case} / {page.case.id}, epoch {row.epoch}")
    score = "no score" if row.score is None else f"score {row.score:.1f}"
    routed = "; served by another provider than the pin" if row.routing_changed else ""
    typer.echo(f"{row.status}, {score}{routed}")
    if page.hidden:
        typer.echo("\nThis suite is private: prompt, answer and evidence are shown with --reveal.")
    else:
        _print_texts(page)
    typer.echo("\nGrades" if page.sample.grades else "\nNo grades")
    for grade in page.sample.grades:
        _print_grade(grade, page.hidden)
    typer.echo("\nCalls" if page.sample.calls else "\nNo calls")
    for call in page.sample.calls:
        _print_call(call, page.hidden)


def _print_texts(page: SamplePage) -> None:
    for turn in page.case.messages:
        typer.echo(f"\nPrompt ({turn.role})\n{_indented(turn.content)}")
    answer = page.sample.answer
    typer.echo("\nNo answer" if answer is None else f"\nAnswer\n{_indented(answer)}")


def _print_grade(grade: StoredGrade, hidden: bool) -> None:
    value = "ungraded" if grade.value is None else f"{grade.value:.2f}"
    typer.echo(f"  {grade.grader}  {value}" + (f": {grade.reason}" if grade.reason else ""))
    if not hidden:
        for name, found in grade.evidence.items():
            for line in _evidence(name, found):
                typer.echo(visible(f"    {line}"))


def _evidence(name: str, found: Any) -> list[str]:
    """Return evidence line by line: an entry a line for lists and mappings of them."""
    if isinstance(found, list) and found and all(isinstance(item, dict) for item in found):
        return [f"{name}:", *(f"  {_plain(item)}" for item in found)]
    if isinstance(found, Mapping) and any(isinstance(item, dict | list) for item in found.values()):
        return [f"{name}:", *(f"  {key}: {_plain(item)}" for key, item in found.items())]
    return [f"{name}: {_plain(found)}"]


def _plain(value: Any) -> str:
    if isinstance(value, str):
        return value if "\n" not in value else orjson.dumps(value).decode()
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_plain(item)}" for key, item in value.items())
    return orjson.dumps(value, default=str).decode()


def _print_call(call: CallRow, hidden: bool) -> None:
    served = " ".join(
        part
        for part in (
            call.provider,
            f"({call.served_model})" if call.served_model else None,
            f"fingerprint {call.fingerprint}" if call.fingerprint else None,
        )
        if part
    )
    refused = call.status == "error" and (call.http_status or 0) >= REFUSED
    cost = "no cost told" if refused else "cost unknown"
    cost = cost if call.cost is None else dollars(call.cost)
    took = "latency unknown" if call.latency is None else f"{call.latency:.2f} s"
    typer.echo(f"  {call.purpose}  {call.status}, attempt {call.attempt}, {took}, {cost}")
    typer.echo(f"    at {moment(call.started_at)}" + (f", served by {visible(served)}" if served else ""))
    tokens = _tokens(call)
    finish = call.finish_reason or "unknown"
    if call.native_finish_reason and call.native_finish_reason != call.finish_reason:
        finish += f" (native: {call.native_finish_reason})"
    typer.echo(f"    {tokens}; finish reason {visible(finish)}")
    if call.error is not None:
        where = f" (HTTP {call.http_status})" if call.http_status else ""
        detail = f": {visible(call.detail)}" if call.detail and not hidden else ""
        typer.echo(f"    {call.error}{where}{detail}")


def _tokens(call: CallRow) -> str:
    if call.prompt_tokens is None and call.completion_tokens is None:
        return "tokens unknown"

    def told(count: int | None) -> str:
        return "unknown" if count is None else f"{count:,}"

    text = f"{told(call.prompt_tokens)} prompt tokens"
    if call.cached_tokens:
        text += f" ({call.cached_tokens:,} cached)"
    text += f", {told(call.completion_tokens)} answer tokens"
    return text + (f" ({call.reasoning_tokens:,} reasoning)" if call.reasoning_tokens else "")


def _indented(text: str) -> str:
    return "\n".join(TEXT + line for line in visible(text).splitlines())


def visible(text: str) -> str:
    """Return text whose control characters are written out, so that a terminal does not obey them."""
    return CONTROLS.sub(lambda found: f"\\x{ord(found[0]):02x}", text)
