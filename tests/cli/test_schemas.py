"""Every JSON document is what its committed schema says, and nothing else is on stdout."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from command_line import Assay, Served, right, write_workspace
from every_row import every_row
from jsonschema import Draft202012Validator
from schemas import FILES, valid
from workbench_files import causal_row, rows, write_rows

LISTED = [{"id": "a/b", "pricing": {"prompt": "0.000001", "completion": "0.000003"}}]
TABLE = """\
prompt,model,generation,quality,cost,latency,at,use_case,status,provider,colour
one,local/x,0,1,0.0004,2.1,2026-03-31T06:00:00Z,sums,ok,Here,red
two,local/x,0,,,,2026-03-31T06:00:03Z,sums,error,Here,red
"""


def mixed(prompt: str, before: int) -> Any:
    """Answer rightly, wrongly, not at all, and with an error."""
    return {"What is 11 plus 11?": "", "What is 12 plus 12?": 400, "Say apple.": "pear"}.get(
        prompt, right(prompt, before)
    )


@every_row("name", sorted(FILES))
def test_every_schema_is_one_and_is_closed(name: str) -> None:
    """Each is valid under draft 2020-12; objects with named fields allow no others and require them all."""
    Draft202012Validator.check_schema(FILES[name])

    def closed(part: Any) -> None:
        if isinstance(part, dict):
            if "properties" in part:
                assert part["additionalProperties"] is False
                assert set(part["required"]) == set(part["properties"])
            for below in part.values():
                closed(below)
        elif isinstance(part, list):
            for below in part:
                closed(below)

    closed(FILES[name])


def test_runs_and_their_pages(upstream: Served, assay: Assay) -> None:
    """Plan, run, resume, the list, the page of a run and of each kind of sample."""
    upstream._answer = mixed
    valid("plan", assay("run", "small", "-m", "mine/a/b", "--dry-run", "--json"))
    valid("run", assay("run", "small", "-m", "mine/a/b", "--json"))
    valid("run", assay("resume", "1", "--json"))
    valid("run", assay("run", "small", "-m", "mine/c", "--max-cost", "0", "--json"))
    assert len(valid("runs", assay("runs", "--json"))["runs"]) == 2
    page = valid("show-run", assay("show", "1", "--json"))
    statuses = set()
    for sample in page["samples"]:
        statuses.add(valid("show-sample", assay("show", sample["id"], "--json"))["status"])
    assert statuses == {"ok", "invalid", "error"}


def test_a_watch_and_its_verdicts(upstream: Served, folder: Path, assay: Assay) -> None:
    """A plan, six calm days, a collapse with its re-run and alert, its verdicts one day and all."""
    hook = f"notify: [{{name: log, url: '{upstream.address}/hook'}}]\n"
    more = f"watch: {{suite: small, models: [mine/a/b]}}\n{hook}"
    write_workspace(folder, upstream, more, attempts=1)
    valid("plan", assay("watch", "--dry-run", "--json"))
    today = datetime.now(UTC).date()
    for ago in range(6, 0, -1):
        valid("watch", assay("watch", "--day", (today - timedelta(days=ago)).isoformat(), "--json"))
    upstream._answer = lambda prompt, before: "I do not know."
    document = valid("watch", assay("watch", "--json"))
    assert document["changes"][0]["after"] == "COOKED"
    assert document["topped_up"]
    valid("verdict", assay("verdict", "--suite", "small", "--json"))
    assert len(valid("verdict", assay("verdict", "--suite", "small", "--history", "--json"))["verdicts"]) == 7
    valid("show-run", assay("show", "7", "--json"))
    valid("watch", assay("resume", "7", "--json"))


def test_the_bench_score(assay: Assay) -> None:
    """The shipped public results."""
    assert valid("bench-score", assay("bench-score", "--json"))["models"]


def test_suites(folder: Path, assay: Assay) -> None:
    """The list, one suite, a check that passes and one that fails."""
    valid("suite-list", assay("suite", "list", "--json"))
    valid("suite-show", assay("suite", "show", "daily", "--json"))
    assert valid("suite-check", assay("suite", "check", "small", "--json"))["good"]
    (folder / "small" / "words.yaml").write_text("name: words\n")
    assert valid("suite-check", assay("suite", "check", "small", "--json"))["problems"]


def test_models_and_prices(upstream: Served, assay: Assay) -> None:
    """A model with listed prices, one with its own, one without."""
    upstream.models = LISTED
    assay("model", "add", "mine/a/b", "--released", "2025-08-07", "--weights", "open")
    assay(
        "model", "add", "mine/c", "--prompt-price", "1", "--completion-price", "2", "--exclude", "small=why"
    )
    assay("model", "add", "openrouter/x/y", "--pin", "here")
    valid("model-prices", assay("model", "prices", "mine", "--json"))
    assert len(valid("model-list", assay("model", "list", "--json"))["models"]) == 3
    upstream.models = 500
    assert valid("model-prices", assay("model", "prices", "mine", "--json"))["providers"][0]["error"]


def test_doctor(upstream: Served, folder: Path, assay: Assay) -> None:
    """A workspace that works, and one that does not."""
    valid("doctor", assay("doctor", "-m", "mine/a/b", "--json"))
    (folder / "assay.yaml").write_text("budgt: 1\n")
    assert valid("doctor", assay("doctor", "--json"))["ok"] is False


def test_an_import_and_its_page(folder: Path, assay: Assay) -> None:
    """The import's report, the page of its run, a sample of it, its verdicts."""
    (folder / "table.csv").write_text(TABLE)
    valid("import-table", assay("import", "table", "table.csv", "--suite", "old", "--version", "1", "--json"))
    assert valid("show-run", assay("show", "1", "--json"))["plan"] is None
    valid("show-sample", assay("show", "1.0", "--json"))
    valid("verdict", assay("verdict", "--suite", "old", "--history", "--json"))


def test_imported_workbench_results(folder: Path, assay: Assay) -> None:
    """A bad row is reported, the replay command works, and a second import adds nothing."""
    write_rows(folder / "results.jsonl", [*rows("m-1"), "{broken", causal_row()])
    call = ("import", "workbench", "results.jsonl", "--json")
    first = valid("import-workbench", assay(*call, "--recordings", "replay.jsonl"))
    assert [each["added"] for each in first["suites"]] == [3, 1]
    assert (first["refused"], first["problems"][0]["line"]) == (1, 4)
    assert [each["replay"] for each in valid("import-workbench", assay(*call))["suites"]] == [None, None]
    valid("show-run", assay("show", "1", "--json"))
    valid("show-sample", assay("show", "1.0", "--json"))


def test_a_database_upgrade(upstream: Served, assay: Assay) -> None:
    """The document has the schema before and after."""
    assay("run", "small", "-m", "mine/a/b", "--limit", "1")
    valid("db-upgrade", assay("db", "upgrade", "--json"))


@pytest.mark.slow
def test_the_demonstration(assay: Assay) -> None:
    """A short one."""
    document = valid("demo", assay("demo", "--days", "6", "--json"))
    assert {len(model["states"]) for model in document["models"]} == {6}


@pytest.mark.slow
def test_simulated_operating_characteristics(assay: Assay) -> None:
    """Both reports follow their schema, with few replicates."""
    arguments = ("--suite", "small", "--replicates", "20", "--json")
    valid("watch-simulate", assay("watch", "simulate", "--drop", "20", "--days", "30", *arguments))
    valid("watch-tune", assay("watch", "tune", *arguments))


def test_no_schema_is_left_unused() -> None:
    """Each schema is held against a real document in a test of this folder."""
    tests = "".join(path.read_text() for path in Path(__file__).parent.glob("test_*.py"))
    used = re.findall(r"""\bvalid\(\s*"([a-z-]+)\"""", tests)
    assert {f"{name}.json" for name in used} == set(FILES)
