"""The page of a sample: prompt, answer, grades with their evidence, and every call made for it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import orjson
import typer

from assay.cli.output import print_help_hint
from assay.core.ask import ErrorKind
from assay.grading.checks.flags import FlagCode
from assay.results.figure import dollars, utc
from assay.results.run_pages import SampleCall, SampleGrade, SamplePage
from assay.store.ledger import REFUSED

CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
TEXT = "  "


def print_sample(page: SamplePage) -> None:
    """Print a sample's page; a model's text cannot send control sequences to the terminal."""
    sample = page.sample
    mark = "  SIMULATED" if page.simulated else ""
    typer.echo(f"sample {sample.id}  {page.suite.suite} {page.suite.version}{mark}")
    typer.echo(f"{sample.model}  {sample.use_case} / {sample.case}, epoch {sample.epoch}")
    score = "no score" if sample.score is None else f"score {sample.score:.1f}"
    routed = "; served by another provider than the pin" if sample.routing_changed else ""
    typer.echo(f"{sample.status}, {score}{routed}")
    if page.hidden:
        typer.echo("\nThis suite is private: show prompt, answer and evidence with --reveal.")
    else:
        _print_texts(page)
    typer.echo("\nGrades" if page.grades else "\nNo grades")
    for grade in page.grades:
        _print_grade(grade)
    typer.echo("\nCalls" if page.calls else "\nNo calls")
    for call in page.calls:
        _print_call(call)
    flags = [
        str(flag.get("code")) for grade in page.grades for flag in (grade.evidence or {}).get("flags", ())
    ]
    errors = [call.error for call in page.calls[-1:] if call.error]
    print_help_hint(name for name in (*errors, *flags) if name in {*ErrorKind, *FlagCode})


def _print_texts(page: SamplePage) -> None:
    for turn in page.messages or ():
        typer.echo(f"\nPrompt ({turn.role})\n{_indented(turn.content)}")
    answer = page.answer
    typer.echo("\nNo answer" if answer is None else f"\nAnswer\n{_indented(answer)}")


def _print_grade(grade: SampleGrade) -> None:
    mark = "ungraded" if grade.value is None else f"{grade.value:.2f}"
    typer.echo(f"  {grade.grader}  {mark}" + (f": {grade.reason}" if grade.reason else ""))
    for name, value in (grade.evidence or {}).items():
        for line in _evidence(name, value):
            typer.echo(visible(f"    {line}"))


def _evidence(name: str, value: Any) -> list[str]:
    """Return evidence as lines; lists and mappings of mappings get a line for each entry."""
    if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        return [f"{name}:", *(f"  {_plain(item)}" for item in value)]
    if isinstance(value, Mapping) and any(isinstance(item, dict | list) for item in value.values()):
        return [f"{name}:", *(f"  {key}: {_plain(item)}" for key, item in value.items())]
    return [f"{name}: {_plain(value)}"]


def _plain(value: Any) -> str:
    if isinstance(value, str):
        return value if "\n" not in value else orjson.dumps(value).decode()
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_plain(item)}" for key, item in value.items())
    return orjson.dumps(value, default=str).decode()


def _print_call(call: SampleCall) -> None:
    refused = call.status == "error" and (call.http_status or 0) >= REFUSED
    unknown = "no cost reported" if refused else "cost unknown"
    cost = unknown if call.cost is None else dollars(call.cost)
    latency = "latency unknown" if call.latency is None else f"{call.latency:.2f} s"
    typer.echo(f"  {call.purpose}  {call.status}, attempt {call.attempt}, {latency}, {cost}")
    typer.echo(f"    at {utc(call.started_at)}{visible(_served(call))}")
    tokens = _tokens(call)
    finish = call.finish_reason or "unknown"
    if call.native_finish_reason and call.native_finish_reason != call.finish_reason:
        finish += f" (native: {call.native_finish_reason})"
    typer.echo(f"    {tokens}; finish reason {visible(finish)}")
    if call.error is not None:
        where = f" (HTTP {call.http_status})" if call.http_status else ""
        detail = f": {visible(call.detail)}" if call.detail else ""
        typer.echo(f"    {call.error}{where}{detail}")
    elif call.detail:
        typer.echo(f"    {visible(call.detail)}")


def _served(call: SampleCall) -> str:
    """Return the provider, model and fingerprint that a reply states, to follow the time of the call."""
    labels = (
        ("by ", call.provider),
        ("model ", call.served_model),
        ("fingerprint ", call.fingerprint),
    )
    parts = ", ".join(label + name for label, name in labels if name)
    return f", served {parts}" if parts else ""


def _tokens(call: SampleCall) -> str:
    if call.prompt_tokens is None and call.completion_tokens is None:
        return "tokens unknown"
    prompt, answer = (
        "unknown" if count is None else f"{count:,}" for count in (call.prompt_tokens, call.completion_tokens)
    )
    text = f"{prompt} prompt tokens"
    if call.cached_tokens:
        text += f" ({call.cached_tokens:,} cached)"
    text += f", {answer} answer tokens"
    return text + (f" ({call.reasoning_tokens:,} reasoning)" if call.reasoning_tokens else "")


def _indented(text: str) -> str:
    return "\n".join(TEXT + line for line in visible(text).splitlines())


def visible(text: str) -> str:
    """Return a text with its control characters escaped, so that they have no effect on a terminal."""
    return CONTROLS.sub(lambda control: f"\\x{ord(control[0]):02x}", text)
